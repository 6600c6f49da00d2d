//! Emulated pads: QEMU runs the image that would be flashed, with the bench shim beside it.
//!
//! A pad is one child process in a directory of its own. The directory keeps its flash, so pulling
//! the battery is `kill -9`, and putting it back in is a new process.

mod airwaves;
mod image;
mod qtest;
mod service;

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::pad::Key;
pub use airwaves::{Airwaves, Faults};
use bench_parts::Wire;
pub(crate) use image::target_directory;
pub use image::{Image, Size};
use protocol::modem::BAUDS;
use qtest::Qtest;
use service::Service;
use tempfile::TempDir;

/// Bytes of the chip's flash.
const FLASH_LEN: usize = 1024 * 1024;
/// How the pad's service port says that a key went down.
const KEY_TAKEN: &str = "\nkey ";
/// How long a pad may take to show or say something, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the emulator may take to come up on a busy machine.
const START_PATIENCE: Duration = Duration::from_secs(20);

/// The shim's window into the chip, see `tests/emulator/shim/src/window.rs`.
const KEYS: u64 = 0x1000_4000;
const BATTERY: u64 = 0x1000_4008;
/// The converter's reading of its reference at 3.2 V: two new cells.
const FULL_BATTERY: u32 = 1_551;
const STOPS: u64 = 0x1000_400C;
const STOPPED_MS: u64 = 0x1000_4010;
const WRONG_STOPS: u64 = 0x1000_4014;
const CABLE: u64 = 0x1000_4018;
const DISPLAY: u64 = 0x1000_4100;
/// What the pad's image fills its unused stack with at its start.
const STACK_PAINT: u32 = 0xCCCC_CCCC;
/// The processor's register that can pend the interrupt which nothing masks.
const INTERRUPT_CONTROL: u64 = 0xE000_ED04;
const PEND_NON_MASKABLE: u32 = 1 << 31;
/// Port B's output register, and the pin that switches the modem's supply on.
const PORT_B_OUTPUT: u64 = 0x4800_0414;
const MODEM_PIN: u32 = 2;
/// The modem's SET pin: its mode, two bits a pin, and its level.
const PORT_A_MODES: u64 = 0x4800_0000;
const PORT_A_OUTPUT: u64 = 0x4800_0014;
const SET_PIN: u32 = 15;
const MODE_OUTPUT: u32 = 0b01;
/// What the chip's clock is divided by for the radio's line.
const RADIO_DIVIDER: u64 = 0x4000_4C0C;
const CLOCK_HZ: u32 = 16_000_000;
/// The pin that changes the display's polarity once a second.
const POLARITY_PIN: u32 = 8;
/// Three of the keypad's rows are pins of port B. All are low only while the pad waits for a key.
const ROWS_OF_PORT_B: u32 = 0b1_0011;

/// A pad on the bench.
#[derive(Debug)]
pub struct EmulatedPad {
    home: TempDir,
    image: Image,
    number: u32,
    crystal: Crystal,
    /// The computer at the other end of the service cable.
    computer: Option<Arc<Wire>>,
    running: Option<Running>,
}

/// Whether the board has its crystal of 32,768 Hz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crystal {
    /// It swings.
    Running,
    /// It is broken, or was forgotten.
    Missing,
}

/// How the pad has slept since its battery was put in, as the bench has seen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stops {
    /// How often it stopped.
    pub count: u32,
    /// How long it was stopped in all.
    pub stopped: Duration,
    /// How often it stopped although its modem had power, or a cable was in.
    pub wrong: u32,
}

/// What exists while the battery is in.
#[derive(Debug)]
struct Running {
    process: Child,
    qtest: Qtest,
    service: Service,
}

impl EmulatedPad {
    /// A new pad with an empty flash and its battery in. `number` makes its chip differ from others.
    pub fn new(number: u32) -> Self {
        Self::with(number, Crystal::Running)
    }

    /// The same on a board with or without a crystal.
    pub fn with(number: u32, crystal: Crystal) -> Self {
        let mut pad = Self {
            home: tempfile::Builder::new()
                .prefix("pad")
                .tempdir()
                .expect("a directory for the pad"),
            image: Image::built(),
            number,
            crystal,
            computer: None,
            running: None,
        };
        let mut flash = pad.image.factory();
        flash.resize(FLASH_LEN, 0xff);
        std::fs::write(pad.home.path().join("flash"), flash).expect("the pad's flash");
        pad.insert_battery();
        pad
    }

    /// Starts the pad with the flash that it has.
    pub fn insert_battery(&mut self) {
        self.pull_battery();
        for socket in ["radio", "service", "qtest"] {
            drop(std::fs::remove_file(self.home.path().join(socket)));
        }
        let process = self.command().spawn().expect(
            "qemu-system-arm 9 or newer is installed; `tests/install emulator` installs it",
        );
        let mut running = Running {
            process,
            qtest: Qtest::new(connect(&self.home.path().join("qtest"))),
            service: Service::new(connect(&self.home.path().join("service"))),
        };
        // The keypad's pull-ups: all columns are high.
        (0..6).for_each(|column| running.qtest.set_pin('c', column, true));
        running.qtest.write_u32(BATTERY, FULL_BATTERY);
        running.qtest.write_u32(CABLE, 1);
        if let Some(wire) = &self.computer {
            running.service.connect(Arc::clone(wire));
        }
        self.running = Some(running);
    }

    /// `kill -9`: whatever the pad was doing, it does not finish it.
    pub fn pull_battery(&mut self) {
        if let Some(mut running) = self.running.take() {
            drop(running.process.kill());
            drop(running.process.wait());
        }
    }

    /// The socket that is the pad's radio port; it comes anew with every battery.
    pub fn radio(&self) -> PathBuf {
        self.home.path().join("radio")
    }

    /// Presses and releases keys, one after the other, each until the pad has taken it: on a busy
    /// machine the emulated pad may sleep through a quick finger.
    pub fn press(&mut self, keys: &[Key]) {
        for key in keys {
            let before = self.said().matches(KEY_TAKEN).count();
            self.hold(*key);
            self.wait_for(KEY_TAKEN, before + 1);
            self.release();
        }
    }

    /// The same while no cable is in, so that the pad says nothing: each key is held until the
    /// display shows something else. Only for keys that change the screen.
    pub fn press_unheard(&mut self, keys: &[Key]) {
        for key in keys {
            let before = self.wait_for_rest(Duration::from_millis(300));
            self.hold(*key);
            let deadline = Instant::now() + PATIENCE;
            while self.display() == before {
                assert!(Instant::now() < deadline, "{key:?} changes nothing");
                std::thread::sleep(Duration::from_millis(10));
            }
            self.release();
        }
    }

    /// Puts a cable into the service port. Until the pad has noticed, it says nothing there.
    pub fn plug_cable(&mut self) {
        self.running().qtest.write_u32(CABLE, 1);
    }

    /// Puts a computer at the other end of the cable; it opens the port by this wire's name. It stays
    /// there when the battery is changed.
    pub fn connect_computer(&mut self, wire: Wire) {
        let wire = Arc::new(wire);
        self.computer = Some(Arc::clone(&wire));
        self.running().service.connect(wire);
    }

    /// The images that pads can be given.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Pulls the cable of the service port out; the pad notices within a few seconds.
    pub fn unplug_cable(&mut self) {
        self.running().qtest.write_u32(CABLE, 0);
    }

    /// Calls as the flash does when it reads a word that a power cut left half-written.
    pub fn report_torn_word(&mut self) {
        self.running()
            .qtest
            .write_u32(INTERRUPT_CONTROL, PEND_NON_MASKABLE);
    }

    /// How the pad has slept.
    pub fn stops(&mut self) -> Stops {
        let qtest = &mut self.running().qtest;
        Stops {
            count: qtest.read_u32(STOPS),
            stopped: Duration::from_millis(qtest.read_u32(STOPPED_MS).into()),
            wrong: qtest.read_u32(WRONG_STOPS),
        }
    }

    /// Presses a key and keeps it down.
    pub fn hold(&mut self, key: Key) {
        let (row, column) = key.place();
        let qtest = &mut self.running().qtest;
        qtest.write_u64(KEYS, 1 << (6 * row + column));
        // A contact bounces; and QEMU's wake-up line overlooks the first edge of its life.
        let column = u8::try_from(column).expect("below 6");
        for level in [false, true, false] {
            qtest.set_pin('c', column, level);
        }
    }

    /// Lets all keys go, and waits until the pad has seen it.
    pub fn release(&mut self) {
        let qtest = &mut self.running().qtest;
        qtest.write_u64(KEYS, 0);
        (0..6).for_each(|column| qtest.set_pin('c', column, true));
        let deadline = Instant::now() + PATIENCE;
        while qtest.read_u32(PORT_B_OUTPUT) & ROWS_OF_PORT_B != 0 {
            assert!(Instant::now() < deadline, "the pad goes on scanning");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Types on the service port.
    pub fn type_on_service_port(&mut self, text: &str) {
        self.running().service.send(text.as_bytes());
    }

    /// Waits until the pad has said `text` so many times since its battery was put in.
    ///
    /// Panics with all that it said instead.
    pub fn wait_for(&mut self, text: &str, times: usize) {
        let found = |said: &str| (said.matches(text).count() >= times).then_some(());
        let heard = self.running().service.wait(PATIENCE, found).is_some();
        assert!(
            heard,
            "the pad has not said `{text}` {times} times, but:\n{}",
            self.said()
        );
    }

    /// Waits until the pad shows a screen that has all of `words`, and returns it.
    ///
    /// Panics with the screen that it shows instead.
    pub fn wait_for_screen(&mut self, words: &[&str]) -> String {
        let found = |said: &str| {
            latest_screen(said)
                .filter(|screen| words.iter().all(|word| screen.contains(word)))
                .map(str::to_owned)
        };
        match self.running().service.wait(PATIENCE, found) {
            Some(screen) => screen,
            None => panic!("no screen with {words:?}, but:\n{}", self.screen()),
        }
    }

    /// Waits until the pad shows one of these screens, and returns it.
    ///
    /// Panics with the screen that it shows instead.
    pub fn wait_for_screen_of(&mut self, names: &[&str]) -> String {
        let found = |said: &str| {
            let screen = latest_screen(said)?;
            let name = screen.strip_prefix("screen ")?.lines().next()?;
            names.contains(&name).then(|| screen.to_owned())
        };
        match self.running().service.wait(PATIENCE, found) {
            Some(screen) => screen,
            None => panic!("none of {names:?}, but:\n{}", self.screen()),
        }
    }

    /// The screen as text, as the service port mirrors it.
    pub fn screen(&mut self) -> String {
        let said = self.said();
        latest_screen(&said).unwrap_or_default().to_owned()
    }

    /// All that the pad said on its service port since its battery was put in.
    pub fn said(&mut self) -> String {
        self.running().service.text()
    }

    /// The pixels that have reached the display: 240 lines of 50 bytes, the leftmost pixel in the
    /// highest bit; a one is ink.
    pub fn display(&mut self) -> Vec<u8> {
        let bright = self.running().qtest.read(DISPLAY, 12_000);
        bright.iter().map(|byte| !byte.reverse_bits()).collect()
    }

    /// Waits until the display shows this.
    pub fn wait_for_display(&mut self, pixels: &[u8]) {
        let deadline = Instant::now() + PATIENCE;
        while self.display() != pixels {
            assert!(Instant::now() < deadline, "the display shows other pixels");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the modem is off and the display has not changed for this long; returns what it
    /// shows.
    pub fn wait_for_rest(&mut self, quiet: Duration) -> Vec<u8> {
        let deadline = Instant::now() + PATIENCE;
        let mut shown = self.display();
        let mut since = Instant::now();
        while since.elapsed() < quiet {
            assert!(Instant::now() < deadline, "the pad does not come to rest");
            std::thread::sleep(Duration::from_millis(20));
            let now = self.display();
            if self.modem_is_on() || now != shown {
                (shown, since) = (now, Instant::now());
            }
        }
        shown
    }

    /// Whether the modem has power.
    pub fn modem_is_on(&mut self) -> bool {
        self.running().qtest.read_u32(PORT_B_OUTPUT) >> MODEM_PIN & 1 == 1
    }

    /// Whether the pad pulls the modem's SET pin low.
    pub fn modem_is_in_at_mode(&mut self) -> bool {
        let qtest = &mut self.running().qtest;
        let mode = qtest.read_u32(PORT_A_MODES) >> (2 * SET_PIN) & 0b11;
        let is_high = qtest.read_u32(PORT_A_OUTPUT) >> SET_PIN & 1 == 1;
        mode == MODE_OUTPUT && !is_high
    }

    /// The usual baud rate that is next to what the pad's radio line runs at.
    pub fn radio_baud(&mut self) -> u32 {
        let divider = self.running().qtest.read_u32(RADIO_DIVIDER).max(1);
        let baud = CLOCK_HZ / divider;
        let nearest = BAUDS.into_iter().min_by_key(|it| it.abs_diff(baud));
        nearest.unwrap_or(baud)
    }

    /// Whether the display's polarity pin is high; it changes once a second.
    pub fn polarity_is_high(&mut self) -> bool {
        self.running().qtest.read_u32(PORT_B_OUTPUT) >> POLARITY_PIN & 1 == 1
    }

    /// Bytes of stack that were ever used since the last start, the bench shim's included.
    pub fn stack_used(&mut self) -> u64 {
        let top = self.image.address_of("_stack_start");
        let bottom = self.image.address_of("_stack_end");
        let length = usize::try_from(top - bottom).expect("the chip is small");
        let stack = self.running().qtest.read(bottom, length);
        let untouched = stack
            .chunks_exact(4)
            .take_while(|word| *word == STACK_PAINT.to_le_bytes())
            .count();
        top - bottom - 4 * untouched as u64
    }

    /// The defmt log as the pad wrote it, for `defmt-print`.
    pub fn log_file(&self) -> PathBuf {
        self.home.path().join("log")
    }

    fn running(&mut self) -> &mut Running {
        self.running.as_mut().expect("the battery is in")
    }

    /// The emulator runs in the pad's directory, which keeps the paths of its sockets short.
    fn command(&self) -> Command {
        let socket = |id: &str| format!("socket,id={id},path={id},server=on,wait=off");
        let mut command = Command::new("qemu-system-arm");
        command
            .current_dir(self.home.path())
            .args(["-M", "b-l475e-iot01a", "-accel", "tcg"])
            .args(["-display", "none", "-nodefaults"])
            .arg("-kernel")
            .arg(&self.image.loader)
            .arg("-device")
            .arg(format!(
                "loader,file={},cpu-num=0",
                self.image.shim.display()
            ))
            .arg("-semihosting-config")
            .arg(format!(
                "enable=on,target=native,arg=pad,arg=flash,arg=log,arg={}{}",
                self.number,
                match self.crystal {
                    Crystal::Running => "",
                    Crystal::Missing => ",arg=no-crystal",
                }
            ))
            // The n-th port is USART n, up to UART4: the service port is 1, the radio is 4.
            .args(["-chardev", &socket("service"), "-serial", "chardev:service"])
            .args(["-serial", "null", "-serial", "null"])
            .args(["-chardev", &socket("radio"), "-serial", "chardev:radio"])
            .args(["-qtest", "unix:qtest,server=on,wait=off"])
            .args(["-qtest-log", "none"])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }
}

impl Drop for EmulatedPad {
    fn drop(&mut self) {
        self.pull_battery();
    }
}

/// The last whole screen in the service port's text.
fn latest_screen(said: &str) -> Option<&str> {
    let whole = &said[..said.rfind("\nend\n")?];
    let start = whole.rfind("screen ")?;
    Some(&whole[start..])
}

/// Connects to a socket that the emulator is about to open.
fn connect(path: &Path) -> UnixStream {
    let deadline = Instant::now() + START_PATIENCE;
    loop {
        match UnixStream::connect(path) {
            Ok(stream) => return stream,
            Err(error) => assert!(
                Instant::now() < deadline,
                "the emulator did not open {}: {error}",
                path.display()
            ),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
