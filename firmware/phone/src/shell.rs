//! What the page asks, and what it has to do.

use pad::app::{Flow, Radio};
use pad::conductor::{Conductor, Task};
use pad::{App, Input, Key, RecordKey, Sound, Store};
use protocol::frame::{AssociationNumber, PadKeys};
use protocol::link::Timing;
use protocol::time::Instant;
use protocol::words::{PadId, SectionLetter, TableNumber};
use serde::Serialize;

use crate::face::Face;
use crate::flash::{Pages, at_once};

/// What a phone begins with.
#[derive(Clone, Debug)]
pub struct Start {
    /// Who it is.
    pub pad: PadId,
    /// Drawn at random at every start.
    pub seed: u64,
    /// What the browser's storage has of its flash.
    pub stored: Vec<(usize, Vec<u8>)>,
    /// Keys and network, the first time.
    pub given: Option<(PadKeys, u8)>,
}

/// What the page has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A finger, or a key of a keyboard.
    Press(Key),
    /// A message from the base.
    Receive(Vec<u8>),
    /// The moment has come.
    Tick,
    /// The connection to the base is there, or the base has something to say.
    LineIsUp,
    /// Whether the pages of [`Reply::Write`] are in the browser's storage.
    Written(bool),
    /// The code that was scanned is of this table.
    LogOn(SectionLetter, TableNumber),
}

/// What the page has to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Put these pages into the browser's storage, then say [`Request::Written`].
    Write(Vec<Page>),
    /// Send, show, and come back.
    Settled(Box<Settled>),
}

/// A page of the pad's flash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// Which.
    pub page: usize,
    /// All of it, as hexadecimal digits.
    pub bytes: String,
}

/// Everything that is to be kept is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// For the base, each as hexadecimal digits.
    pub frames: Vec<String>,
    /// What is to be seen.
    pub face: Face,
    /// The browser's storage has everything. Where it does not, nothing is sent.
    pub kept: bool,
    /// When to come back, in milliseconds by the page's clock.
    pub wake_ms: Option<u64>,
    /// What is to be heard.
    pub sound: Option<&'static str>,
}

/// A pad in a browser.
pub struct Phone {
    pad: PadId,
    seed: u64,
    starts: u64,
    conductor: Conductor,
    store: Store<Pages>,
    /// A number of the link that counts once it is in the browser's storage.
    reserving: Option<AssociationNumber>,
    /// The browser's storage has just refused something: it is asked again next time.
    refused: bool,
    /// It lacks something that it refused before.
    owes: bool,
    sound: Option<Sound>,
}

impl Phone {
    /// A phone that was given its keys, now or earlier. Go on with [`Self::settle`].
    pub fn start(start: Start, now: Instant) -> Option<Self> {
        let mut store = Store::new(Pages::new(&start.stored), 0).ok()?;
        let conductor = wake_up(start.pad, start.seed, &mut store, now);
        let mut phone = Self {
            pad: start.pad,
            seed: start.seed,
            starts: 0,
            conductor,
            store,
            reserving: None,
            refused: false,
            owes: false,
            sound: None,
        };
        if let Some((keys, network)) = start.given {
            let radio = Radio {
                network,
                ..Radio::FACTORY
            };
            phone.conductor.change(|app| app.provision(keys, radio));
        }
        Some(phone)
    }

    /// Does what the page asks for.
    pub fn ask(&mut self, request: Request, now: Instant) -> Reply {
        self.refused = false;
        match request {
            Request::Press(key) => self.conductor.handle(Input::Key(key), now),
            Request::Receive(bytes) => self.conductor.receive(&bytes, now),
            Request::Tick => self.conductor.tick(now),
            Request::LineIsUp => self.conductor.line_is_up(now),
            Request::LogOn(section, table) => self.log_on(section, table, now),
            Request::Written(done) => self.written(done, now),
        }
        self.settle(now)
    }

    /// Goes as far as it can without the browser's storage.
    pub fn settle(&mut self, now: Instant) -> Reply {
        while let Some(task) = self.conductor.next_task(now) {
            let kept = match task {
                Task::Save(records) => at_once(self.store.save(self.conductor.app(), records)),
                Task::Reserve(number) => {
                    self.reserving = Some(number);
                    at_once(self.store.put(RecordKey::Counter, &number.0.to_le_bytes()))
                }
                Task::Sound(sound) => {
                    self.sound = Some(sound);
                    Ok(())
                }
                Task::Restart => {
                    self.starts += 1;
                    let seed = self.seed ^ self.starts.rotate_left(32);
                    self.conductor = wake_up(self.pad, seed, &mut self.store, now);
                    Ok(())
                }
            };
            if kept.is_err() {
                self.conductor.handle(Input::StoreFailed, now);
            }
            let pages = self.unwritten();
            if !pages.is_empty() {
                return Reply::Write(pages);
            }
        }
        if !self.refused && self.store.flash().offer_again() {
            return Reply::Write(self.unwritten());
        }
        // What is not kept is not sent: a phone that forgot it would use its number again. The link
        // takes it for a network that is away.
        let kept = self.store.flash().is_kept();
        let mut frames = Vec::new();
        while let Some(frame) = self.conductor.poll_transmit(now) {
            frames.extend(kept.then(|| hexadecimal(&frame)));
        }
        Reply::Settled(Box::new(Settled {
            frames,
            face: Face::of(self.conductor.app(), &self.conductor.screen(now), now),
            kept,
            wake_ms: self
                .conductor
                .deadline(now)
                .map(|at| at.as_micros().div_ceil(1_000)),
            sound: self.sound.take().map(|sound| match sound {
                Sound::Agreed => "agreed",
                Sound::Refused => "refused",
                Sound::Attention => "attention",
            }),
        }))
    }

    /// The application, to be looked at.
    pub fn app(&self) -> &App {
        self.conductor.app()
    }

    fn unwritten(&mut self) -> Vec<Page> {
        let pages = self.store.flash().unwritten();
        pages
            .map(|(page, bytes)| Page {
                page,
                bytes: hexadecimal(bytes),
            })
            .collect()
    }

    fn written(&mut self, done: bool, now: Instant) {
        if done {
            self.store.flash().are_written();
            if let Some(number) = self.reserving.take() {
                self.conductor.reserved(number);
            }
            if std::mem::take(&mut self.owes) {
                self.conductor.handle(Input::StoreWorks, now);
            }
        } else {
            (self.refused, self.owes) = (true, true);
            self.store.flash().are_refused();
            self.conductor.handle(Input::StoreFailed, now);
        }
    }

    /// Presses what a player would press to log on at the table of the code.
    fn log_on(&mut self, section: SectionLetter, table: TableNumber, now: Instant) {
        if !matches!(self.app().flow(), Flow::Start) {
            return;
        }
        let letter = Key::ALL
            .into_iter()
            .find(|key| key.letter() == Some(section));
        let digits = table.get().to_string().into_bytes().into_iter();
        let digits = digits.filter_map(|digit| {
            let wanted = digit.checked_sub(b'0');
            Key::ALL.into_iter().find(|key| key.digit() == wanted)
        });
        let keys = [Key::Ok].into_iter().chain(letter);
        for key in keys.chain(digits).chain([Key::Ok]) {
            self.conductor.handle(Input::Key(key), now);
        }
    }
}

/// Brings a pad back to where it was.
fn wake_up(pad: PadId, seed: u64, store: &mut Store<Pages>, now: Instant) -> Conductor {
    let mut app = App::new(pad, pad::FIRMWARE);
    let loaded = at_once(store.load(&mut app, now));
    let record = at_once(store.get(RecordKey::Counter)).ok().flatten();
    let reserved = record.and_then(|record| <[u8; 4]>::try_from(record).ok());
    let reserved = AssociationNumber(reserved.map_or(0, u32::from_le_bytes));
    let mut conductor = Conductor::new(app, Timing::LINE, reserved, seed);
    if loaded.is_err() {
        conductor.handle(Input::StoreFailed, now);
    }
    conductor
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
