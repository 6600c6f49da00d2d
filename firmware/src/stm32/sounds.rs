//! The buzzer, and the lamp beside it for those who do not hear it.
use embassy_stm32::gpio::Output;
use embassy_time::Timer;
use pad::Sound;

use super::channels::SOUNDS;

/// Plays what the conductor asks for.
#[embassy_executor::task]
pub(crate) async fn play(mut buzzer: Output<'static>, mut lamp: Output<'static>) {
    loop {
        for (sounding_ms, pause_ms) in melody(SOUNDS.wait().await) {
            buzzer.set_high();
            lamp.set_high();
            Timer::after_millis(*sounding_ms).await;
            buzzer.set_low();
            lamp.set_low();
            Timer::after_millis(*pause_ms).await;
        }
    }
}

/// Milliseconds of sound and of silence.
const fn melody(sound: Sound) -> &'static [(u64, u64)] {
    match sound {
        Sound::Agreed => &[(40, 0)],
        Sound::Refused => &[(15, 60), (15, 0)],
        Sound::Attention => &[(120, 120), (120, 120), (120, 0)],
    }
}
