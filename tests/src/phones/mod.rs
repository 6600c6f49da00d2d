//! Phones as pads without a browser: the program that browsers run, on web sockets to the real
//! daemon, with people who play whatever it asks for. Browsers themselves are in
//! `tests/tests/browser_parts/phones.rs`.

mod cable;
mod hall;
mod wired;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant as Wall};

use futures_util::{SinkExt, StreamExt};
use pad::Key;
use phone::{Face, Phone, Reply, Request, Settled, Start};
use protocol::message::Pin;
use protocol::time::Instant;
use protocol::words::{
    BoardNumber, BoardResult, Contract, Doubling, Level, PadId, Played, PlayerNumber, Seat,
    SectionLetter, Strain, TableNumber, Tricks,
};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use virtual_pad::fingers::{Fingers, Next};

pub use cable::{Cable, inject};
pub use hall::{join, link, place, set_up};
pub use wired::WiredPad;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long a phone waits before it opens its line again.
const PAUSE: Duration = Duration::from_millis(300);

/// A frame that is not answered for so long went into a network that is not there.
const ANSWER_MAX: Duration = Duration::from_millis(3_500);

/// A phone at a table, and the people who sit there.
pub struct Hand {
    phone: Phone,
    pad: PadId,
    section: SectionLetter,
    table: TableNumber,
    /// The browser's storage.
    stored: BTreeMap<usize, Vec<u8>>,
    daemon: SocketAddr,
    socket: Option<Socket>,
    dialled: Option<Wall>,
    unanswered: Option<Wall>,
    fingers: Fingers,
    settled: Settled,
    began: Wall,
    /// When East accepted what the base has not received yet, the oldest first.
    accepted: VecDeque<Wall>,
    /// Results that were received when this was looked at last.
    counted: u16,
    /// Boards that are still to be played before the players stop.
    boards_left: u32,
    /// From East's key until the phone knew that the base has it.
    pub waits: Vec<Duration>,
    /// Every frame that was sent.
    pub frames: Vec<Vec<u8>>,
    /// Every frame that was sent or heard, in order.
    pub overheard: Vec<Vec<u8>>,
    /// The tab dies after so many steps from East's key on.
    dies_after: Option<u32>,
    steps_left: Option<u32>,
    dead: bool,
}

impl Hand {
    /// Scans a code and sits down.
    pub fn join(daemon: SocketAddr, link: &str, table: u16, seed: u64) -> Self {
        let (section, table) = place(table);
        let device = format!("{seed:032x}");
        let answer = join(daemon, link, &device);
        let sealed = answer["sealed"].as_str();
        let sealed = sealed.unwrap_or_else(|| panic!("refused: {answer}"));
        let secret = link.rsplit_once('-').expect("a secret").1;
        let given = phone::joined(secret, &device, sealed).expect("keys for this phone");
        let pad = PadId::new(given.pad).expect("an identity");
        let keys: Vec<u8> = given
            .keys
            .as_bytes()
            .chunks(2)
            .map(|pair| {
                u8::from_str_radix(std::str::from_utf8(pair).expect("text"), 16).expect("digits")
            })
            .collect();
        let keys = protocol::frame::PadKeys::from_bytes(&keys.try_into().expect("34 bytes"));
        let start = Start {
            pad,
            seed,
            stored: Vec::new(),
            given: Some((keys, given.network)),
        };
        let table = TableNumber::new(table).expect("a table");
        let mut hand = Self::start(start, (section, table), daemon, BTreeMap::new());
        hand.ask(Request::LogOn(section, table));
        hand
    }

    fn start(
        start: Start,
        (section, table): (SectionLetter, TableNumber),
        daemon: SocketAddr,
        stored: BTreeMap<usize, Vec<u8>>,
    ) -> Self {
        let pad = start.pad;
        let began = Wall::now();
        let mut phone = Phone::start(start, Instant::from_millis(1_000)).expect("a phone");
        let visitors = [0; 4].map(|_| PlayerNumber::new(0).expect("a visitor"));
        let reply = phone.settle(Instant::from_millis(1_000));
        let mut hand = Self {
            phone,
            pad,
            section,
            table,
            stored,
            daemon,
            socket: None,
            dialled: None,
            unanswered: None,
            fingers: Fingers::new(section, table, visitors),
            settled: Settled {
                frames: Vec::new(),
                face: nothing(),
                kept: true,
                wake_ms: None,
                sound: None,
            },
            began,
            accepted: VecDeque::new(),
            counted: 0,
            boards_left: 0,
            waits: Vec::new(),
            frames: Vec::new(),
            overheard: Vec::new(),
            dies_after: None,
            steps_left: None,
            dead: false,
        };
        hand.digest(reply);
        hand.counted = hand.received();
        hand
    }

    /// The tab is killed and opened again: everything but the storage is gone.
    pub fn reload(self, seed: u64) -> Self {
        let start = Start {
            pad: self.pad,
            seed,
            stored: self.stored.clone().into_iter().collect(),
            given: None,
        };
        let mut again = Self::start(start, (self.section, self.table), self.daemon, self.stored);
        (again.waits, again.frames) = (self.waits, self.frames);
        again.overheard = self.overheard;
        again.boards_left = self.boards_left;
        again
    }

    /// The tab will be killed after so many steps from East's next key on. A step is a page that is
    /// about to be kept, one that has just been, a frame that is about to be sent, one that has
    /// just been, and an answer that has come and was not looked at.
    pub fn dies_after(&mut self, steps: u32) {
        self.dies_after = Some(steps);
    }

    /// Whether the tab has been killed.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// So much time goes by at the table; nothing that waits for it is left out.
    pub async fn pass(&mut self, span: Duration) {
        const PIECE: Duration = Duration::from_secs(5);
        let mut left = span;
        while !left.is_zero() {
            let piece = left.min(PIECE);
            self.began -= piece;
            left -= piece;
            self.step(Duration::from_millis(5)).await;
        }
    }

    /// Somebody begins to type a board, and stops in the middle of it.
    pub async fn begin_board(&mut self, at_most: Duration) {
        self.boards_left = 1;
        self.run(at_most, |hand| hand.boards_left == 0).await;
        self.act();
        self.act();
    }

    fn lives(&mut self) -> bool {
        if let Some(left) = &mut self.steps_left {
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None => self.dead = true,
            }
        }
        !self.dead
    }

    /// The base is somewhere else now.
    pub fn lead_to(&mut self, daemon: SocketAddr) {
        self.daemon = daemon;
        self.socket = None;
    }

    /// What is to be seen.
    pub fn face(&self) -> &Face {
        &self.settled.face
    }

    /// Who it is.
    pub fn pad(&self) -> PadId {
        self.pad
    }

    /// Results that the phone knows to be received.
    pub fn received(&self) -> u16 {
        self.settled.face.received
    }

    fn now(&self) -> Instant {
        let micros = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        Instant::from_micros(1_000_000 + micros)
    }

    fn ask(&mut self, request: Request) {
        let now = self.now();
        let reply = self.phone.ask(request, now);
        self.digest(reply);
    }

    fn digest(&mut self, mut reply: Reply) {
        while !self.dead {
            match reply {
                Reply::Write(pages) => {
                    if !self.lives() {
                        return;
                    }
                    for page in pages {
                        let digits = page.bytes.as_bytes().chunks(2);
                        let bytes = digits.map(|pair| {
                            let pair = std::str::from_utf8(pair).expect("text");
                            u8::from_str_radix(pair, 16).expect("digits")
                        });
                        self.stored.insert(page.page, bytes.collect());
                    }
                    if !self.lives() {
                        return;
                    }
                    reply = self.phone.ask(Request::Written(true), self.now());
                }
                Reply::Settled(settled) => {
                    // Frames that nobody has sent yet go with the next ones.
                    let mut frames = std::mem::take(&mut self.settled.frames);
                    frames.extend(settled.frames.iter().cloned());
                    self.settled = Settled { frames, ..*settled };
                    break;
                }
            }
        }
        while self.counted < self.received() {
            self.counted += 1;
            let since = self.accepted.pop_front();
            self.waits.extend(since.map(|since| since.elapsed()));
        }
    }

    /// Plays so many boards, or until `until` says enough; panics after `at_most`.
    pub async fn play(&mut self, boards: u32, at_most: Duration) {
        self.boards_left = boards;
        let wanted = self.received() + u16::try_from(boards).expect("few boards");
        self.run(at_most, |hand| hand.received() >= wanted).await;
    }

    /// Enters so many boards, received or not.
    pub async fn enter(&mut self, boards: u32, at_most: Duration) {
        self.boards_left = boards;
        let agreed = |hand: &Self| u16::from(hand.face().unsent) + hand.received();
        let wanted = agreed(self) + u16::try_from(boards).expect("few boards");
        self.run(at_most, |hand| agreed(hand) >= wanted).await;
    }

    /// Goes on for a while, whatever comes of it.
    pub async fn linger(&mut self, span: Duration) {
        let until = Wall::now() + span;
        while Wall::now() < until {
            self.act();
            self.step(Duration::from_millis(20)).await;
        }
    }

    /// The director says Replace on it.
    pub fn replace(&mut self, pin: u16) {
        self.fingers.replace(Pin(pin));
    }

    /// Lines of the table's sheet that it shows.
    pub fn lines(&self) -> usize {
        self.phone.app().sheet().lines().count()
    }

    /// Somebody presses OK.
    pub fn press_ok(&mut self) {
        self.ask(Request::Press(Key::Ok));
    }

    /// Lets the phone and its people go on until something is so.
    pub async fn run(&mut self, at_most: Duration, enough: impl Fn(&Self) -> bool) {
        let until = Wall::now() + at_most;
        while !enough(self) && !self.dead {
            assert!(
                Wall::now() < until,
                "table {} came to a standstill: {:?}",
                self.table,
                self.settled.face
            );
            self.act();
            self.step(Duration::from_millis(20)).await;
        }
    }

    /// Somebody does the next thing.
    fn act(&mut self) {
        match self.fingers.next(self.phone.app()) {
            Next::Press(key) => {
                if key == Key::Accept {
                    self.accepted.push_back(Wall::now());
                    self.steps_left = self.dies_after.take();
                }
                self.ask(Request::Press(key));
            }
            Next::Play(_, board) if self.boards_left > 0 => {
                self.boards_left -= 1;
                let settings = *self.phone.app().settings();
                self.fingers.enter(&result(board), &settings);
            }
            Next::Play(..) | Next::Wait | Next::Finished | Next::Stuck => {}
        }
    }

    /// Sends, hears and waits, at most so long.
    async fn step(&mut self, at_most: Duration) {
        self.send().await;
        if self
            .unanswered
            .is_some_and(|since| since.elapsed() > ANSWER_MAX)
        {
            self.socket = None;
            self.unanswered = None;
        }
        if self.socket.is_none() {
            self.dial().await;
        }
        let idle = self.settled.wake_ms.map_or(at_most, |at| {
            let now_ms = self.now().as_millis();
            Duration::from_millis(at.saturating_sub(now_ms)).min(at_most)
        });
        let heard = if let Some(socket) = &mut self.socket {
            tokio::time::timeout(idle, socket.next()).await.ok()
        } else {
            tokio::time::sleep(idle).await;
            None
        };
        match heard {
            Some(Some(Ok(Message::Binary(frame)))) if frame.is_empty() => {
                self.ask(Request::LineIsUp);
            }
            Some(Some(Ok(Message::Binary(frame)))) => {
                self.unanswered = None;
                self.overheard.push(frame.to_vec());
                if !self.lives() {
                    return;
                }
                self.ask(Request::Receive(frame.to_vec()));
            }
            Some(Some(Ok(_))) => {}
            Some(Some(Err(_)) | None) => self.socket = None,
            None => self.ask(Request::Tick),
        }
    }

    async fn dial(&mut self) {
        if self.dialled.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        self.dialled = Some(Wall::now());
        let address = format!("ws://{}/phone/line", self.daemon);
        let dialling = tokio_tungstenite::connect_async(address);
        if let Ok(Ok((socket, _))) = tokio::time::timeout(ANSWER_MAX, dialling).await {
            self.socket = Some(socket);
            self.ask(Request::LineIsUp);
        }
    }

    async fn send(&mut self) {
        let frames = std::mem::take(&mut self.settled.frames);
        for frame in frames {
            if self.socket.is_none() || !self.lives() {
                return;
            }
            let digits = frame.as_bytes().chunks(2);
            let bytes: Vec<u8> = digits
                .map(|pair| {
                    let pair = std::str::from_utf8(pair).expect("text");
                    u8::from_str_radix(pair, 16).expect("digits")
                })
                .collect();
            self.frames.push(bytes.clone());
            self.overheard.push(bytes.clone());
            self.unanswered.get_or_insert_with(Wall::now);
            if let Some(socket) = &mut self.socket
                && socket.send(Message::Binary(bytes.into())).await.is_err()
            {
                self.socket = None;
            }
            if !self.lives() {
                return;
            }
        }
    }
}

fn nothing() -> Face {
    Face {
        screen: String::new(),
        language: "en",
        place: String::new(),
        alert: String::new(),
        title: String::new(),
        lines: Vec::new(),
        cards: None,
        keys: Vec::new(),
        table: None,
        round: None,
        unsent: 0,
        received: 0,
    }
}

/// What everybody plays on a board.
fn result(board: BoardNumber) -> BoardResult {
    let number = board.get();
    let seat = match number % 4 {
        0 => Seat::North,
        1 => Seat::East,
        2 => Seat::South,
        _ => Seat::West,
    };
    BoardResult::Played(Played {
        contract: Contract {
            level: Level::new(1 + number % 5).expect("a level"),
            strain: Strain::ALL[usize::from(number % 5)],
            doubling: Doubling::Undoubled,
            declarer: seat,
        },
        tricks: Tricks::new(6 + number % 7).expect("tricks"),
        lead: None,
    })
}
