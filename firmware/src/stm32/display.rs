//! The display: a Sharp memory LCD (LS027B7DH01, 400 x 240), which keeps its picture by itself.
//!
//! The bus is write-only and its clock is ours, so a dead or missing display can't hold anything
//! up. Only lines that changed are sent.
use embassy_futures::select::{Either, select};
use embassy_futures::yield_now;
use embassy_stm32::gpio::Output;
use embassy_stm32::mode::Blocking;
use embassy_stm32::spi::Spi;
use embassy_stm32::spi::mode::Master;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use embedded_graphics::framebuffer::{Framebuffer, buffer_size};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::pixelcolor::raw::{BigEndian, RawU1};
use pad::{DISPLAY_HEIGHT, DISPLAY_WIDTH};
use static_cell::StaticCell;

use super::channels::{DARKENED, SHOWN};

/// Bytes of one line of pixels, the leftmost in the highest bit.
const LINE_LEN: usize = 50;
const LINES: usize = 240;
/// Bytes of a whole picture.
pub(crate) const PICTURE_LEN: usize = LINE_LEN * LINES;

/// The data sheet counts bits in the order of sending; so does the bus, highest bit first.
const WRITE: u8 = 0b1000_0000;
const CLEAR: u8 = 0b0010_0000;
/// Sixteen clocks after the last line bring it to the glass.
const TRAILER: [u8; 2] = [0; 2];
/// Three microseconds from selecting to the first bit, at 16 MHz.
const SET_UP_CYCLES: u32 = 48;

/// Aligned with the time base, which has the pad woken once a second anyway.
const ALTERNATE_EVERY: Duration = Duration::from_secs(1);

/// Whether the display was switched on or off; only the newest counts.
static LIT: Signal<CriticalSectionRawMutex, bool> = Signal::new();

/// The picture while it is painted.
type Canvas = Framebuffer<
    BinaryColor,
    RawU1,
    BigEndian,
    { DISPLAY_WIDTH as usize },
    { DISPLAY_HEIGHT as usize },
    { buffer_size::<BinaryColor>(DISPLAY_WIDTH as usize, DISPLAY_HEIGHT as usize) },
>;

/// A display and what it shows.
pub(crate) struct MemoryLcd {
    bus: Spi<'static, Blocking, Master>,
    select: Output<'static>,
    /// High switches the picture on; the display keeps it while it is off.
    on: Output<'static>,
    shown: &'static mut [u8; PICTURE_LEN],
}

impl MemoryLcd {
    /// Clears the display and switches it on.
    pub(crate) fn new(
        bus: Spi<'static, Blocking, Master>,
        select: Output<'static>,
        on: Output<'static>,
    ) -> Self {
        // Not in the value itself, which is moved about: twelve kilobytes are a lot of stack.
        static LINES_SHOWN: StaticCell<[u8; PICTURE_LEN]> = StaticCell::new();
        let mut display = Self {
            bus,
            select,
            on,
            shown: LINES_SHOWN.init_with(|| [0; PICTURE_LEN]),
        };
        display.transfer(&[&[CLEAR, 0]]);
        display.darken(false);
        display
    }

    fn darken(&mut self, dark: bool) {
        self.on.set_level((!dark).into());
    }

    /// Brings a picture to the display; a set bit is ink. Other tasks get their turn after every
    /// line, which takes a quarter of a millisecond.
    pub(crate) async fn show(&mut self, picture: &[u8; PICTURE_LEN]) {
        let (new, _) = picture.as_chunks::<LINE_LEN>();
        for (number, line) in (1..).zip(new) {
            if self.remember(number, line) {
                // To the display a set bit is bright.
                let bright = line.map(|pixels| !pixels);
                self.transfer(&[&[WRITE, number.reverse_bits()], &bright, &TRAILER]);
                yield_now().await;
            }
        }
    }

    /// Whether the line differs from what the display shows.
    fn remember(&mut self, number: u8, line: &[u8; LINE_LEN]) -> bool {
        let (shown, _) = self.shown.as_chunks_mut::<LINE_LEN>();
        match shown.get_mut(usize::from(number) - 1) {
            Some(old) if old != line => {
                *old = *line;
                true
            }
            _ => false,
        }
    }

    fn transfer(&mut self, parts: &[&[u8]]) {
        self.select.set_high();
        cortex_m::asm::delay(SET_UP_CYCLES);
        for part in parts {
            // The only errors are those of a receiver, and this bus has none.
            let _ = self.bus.blocking_write(part);
        }
        self.select.set_low();
    }
}

/// Paints what the conductor wants to be seen.
#[embassy_executor::task]
pub(crate) async fn paint(mut display: MemoryLcd) {
    static CANVAS: StaticCell<Canvas> = StaticCell::new();
    let canvas = CANVAS.init_with(Canvas::new);
    loop {
        match select(DARKENED.wait(), SHOWN.wait()).await {
            Either::First(dark) => {
                display.darken(dark);
                LIT.signal(!dark);
            }
            Either::Second(screen) => {
                // A canvas in memory takes everything.
                let _ = pad::draw(&screen, canvas);
                display.show(canvas.data()).await;
            }
        }
    }
}

/// The glass ages unless its polarity changes about once a second; this pin does it. It rests while
/// the display is dark.
#[embassy_executor::task]
pub(crate) async fn alternate(mut polarity: Output<'static>) {
    loop {
        polarity.toggle();
        let mut lit = with_timeout(ALTERNATE_EVERY, LIT.wait())
            .await
            .unwrap_or(true);
        while !lit {
            lit = LIT.wait().await;
        }
    }
}
