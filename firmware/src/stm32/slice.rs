//! A first slice through the board.
use core::fmt::Write as _;

use embassy_futures::select::{Either, select};
use embassy_stm32::flash::{Async, Flash};
use embassy_stm32::usart::BufferedUart;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embedded_io_async::{Read, Write};
use sequential_storage::cache::Cache;
use sequential_storage::map::{MapConfig, MapStorage};

static LINES: Channel<CriticalSectionRawMutex, heapless::String<64>, 8> = Channel::new();

pub(crate) fn say(text: core::fmt::Arguments) {
    let mut line = heapless::String::new();
    let _ = writeln!(line, "{text}");
    defmt::info!("{=str}", line.as_str().trim_end());
    let _ = LINES.try_send(line);
}

#[embassy_executor::task]
pub(crate) async fn storage(flash: Flash<'static, Async>) {
    let mut map = MapStorage::<u8, _, _>::new(
        flash,
        const { MapConfig::new(0xFC000..0x10_0000) },
        Cache::new_uncached(),
    );
    let mut buffer = [0; 64];
    let starts = map
        .fetch_item::<u32>(&mut buffer, &1)
        .await
        .ok()
        .flatten()
        .unwrap_or(0)
        + 1;
    match map.store_item(&mut buffer, &1, &starts).await {
        Ok(()) => say(format_args!("start {starts}")),
        Err(error) => defmt::error!("{}", defmt::Debug2Format(&error)),
    }
}

#[embassy_executor::task]
pub(crate) async fn radio(radio: BufferedUart<'static>) {
    let (mut transmit, mut receive) = radio.split();
    let mut buffer = [0; 64];
    loop {
        if let Ok(length) = receive.read(&mut buffer).await {
            let _ = transmit.write_all(&buffer[..length]).await;
        }
    }
}

#[embassy_executor::task]
pub(crate) async fn service(service: BufferedUart<'static>) {
    let (mut transmit, mut receive) = service.split();
    let mut byte = [0];
    loop {
        match select(LINES.receive(), receive.read(&mut byte)).await {
            Either::First(line) => drop(transmit.write_all(line.as_bytes()).await),
            Either::Second(Ok(_)) => match byte[0] {
                b'P' => panic!("asked to"),
                b'H' => loop {
                    cortex_m::asm::nop();
                },
                _ => say(format_args!("got {}", byte[0])),
            },
            Either::Second(Err(_)) => {}
        }
    }
}

#[embassy_executor::task]
pub(crate) async fn screen(mut display: crate::display::MemoryLcd) {
    static PICTURE: static_cell::StaticCell<[u8; crate::display::PICTURE_LEN]> =
        static_cell::StaticCell::new();
    let picture = PICTURE.init([0; crate::display::PICTURE_LEN]);
    for (at, byte) in picture.iter_mut().enumerate() {
        *byte = (at % 251) as u8;
    }
    display.show(picture).await;
    say(format_args!("shown"));
}
