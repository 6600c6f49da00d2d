//! A base station with its journal in a folder of its own, its page on loopback, and tables
//! that log on and enter results as pads would.

use std::net::SocketAddr;
use std::path::Path;

use base_station::daemon::{self, Owner, SessionHandle, SystemClock};
use base_station::deals::{Deals, read_pbn};
use base_station::movement::{self, Movement, Setup, Variant};
use base_station::session::plan::SectionPlan;
use base_station::session::{Command, TableId, Who};
use base_station::store::Store;
use base_station::web::{self, Desk};
use protocol::link::Binding;
use protocol::message::{
    CheckIn, Down, Entry, EntryNumber, FirmwareVersion, HandRecord, LogOn, Players, RefusalReason,
    Up, WIRE_VERSION,
};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Doubling, Level, OpeningLead, PadId, Played, PlayerNumber,
    RoundNumber, Seat, SectionLetter, Strain, Suit, TableNumber, Tricks,
};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// The deals of a real evening.
const DEALS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/real/club_session_deals.pbn");

/// A base station under test.
#[derive(Debug)]
pub struct Room {
    /// Where the page is.
    pub address: String,
    /// The way to the session, past the page.
    pub session: SessionHandle,
    deals: Deals,
    server: Option<tokio::runtime::Runtime>,
    port: SocketAddr,
    _owner: Owner,
    _folder: TempDir,
}

/// A pad at a table, as the base hears it.
#[derive(Clone, Debug)]
pub struct TablePad {
    /// Its identity.
    pub pad: PadId,
    /// Its table.
    pub table: TableId,
    binding: Option<Binding>,
    next: EntryNumber,
    session: SessionHandle,
}

impl Room {
    /// Starts an empty base station.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the journal");
        let store = Store::open(folder.path()).expect("a journal");
        let owner = daemon::start(store, SystemClock).expect("an owner");
        let session = owner.handle.clone();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address");
        let text = std::fs::read(Path::new(DEALS)).expect("the deals of the real evening");
        let server = Some(serve(listener, session.clone(), port));
        Self {
            address: format!("http://{port}"),
            session,
            deals: read_pbn(&text).expect("readable deals"),
            server,
            port,
            _owner: owner,
            _folder: folder,
        }
    }

    /// Where the deal file is, for uploading it.
    pub fn deal_file() -> &'static str {
        DEALS
    }

    /// Takes the page off the network, open connections included; the session goes on.
    pub fn unplug(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown_background();
        }
    }

    /// Puts the page back at the same address.
    pub async fn plug_in(&mut self) {
        for _ in 0..50 {
            match std::net::TcpListener::bind(self.port) {
                Ok(listener) => {
                    self.server = Some(serve(listener, self.session.clone(), self.port));
                    return;
                }
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
            }
        }
        panic!("the port {} did not come free again", self.port);
    }

    /// Does what a director asks for, past the page.
    pub async fn direct(&self, command: Command) {
        let who = Who::Director("Test".to_owned());
        self.session
            .command(command, who)
            .await
            .expect("the command is taken");
    }

    /// An open session with a real Mitchell and the deals of a real evening.
    pub async fn open_mitchell(
        &self,
        name: &str,
        (tables, boards): (u16, u8),
        variant: Option<Variant>,
    ) -> Movement {
        let tables = TableNumber::new(tables).expect("tables");
        let boards = BoardNumber::new(boards).expect("boards");
        let setup = Setup {
            variant,
            ..Setup::new(tables, boards)
        };
        let movement = movement::generate(movement::Kind::Mitchell, setup).expect("a Mitchell");
        self.direct(Command::CreateEvent {
            name: name.to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        })
        .await;
        self.direct(Command::PlanSection {
            section: SectionLetter::A,
            plan: SectionPlan::of(&movement, "Red"),
        })
        .await;
        self.direct(Command::AttachDeals {
            file: "tonight.pbn".to_owned(),
            deals: self.deals.iter().map(HandRecord::from).collect(),
        })
        .await;
        self.direct(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        })
        .await;
        self.direct(Command::Open).await;
        movement
    }

    /// Every table of a movement logs on.
    pub async fn log_on_all(&self, movement: &Movement) -> Vec<TablePad> {
        let mut pads = Vec::new();
        for table in 1..=u32::try_from(movement.table_count()).expect("a few tables") {
            let pad = self.log_on(&format!("A{table}"), 0xA0 + table).await;
            pad.seat(table * 10).await;
            pads.push(pad);
        }
        pads
    }

    /// Every table plays a round of the movement: four spades by South, nine tricks here, ten
    /// there, eleven elsewhere.
    pub async fn play_round(&self, movement: &Movement, round: RoundNumber, pads: &mut [TablePad]) {
        let planned = movement.round(round).expect("a round of the movement");
        for ((table, seating), pad) in planned.tables().zip(pads) {
            for board in seating.boards.iter() {
                let tricks =
                    9 + u8::try_from((table.get() + u16::from(board.get())) % 3).unwrap_or(0);
                let result = self.result(board, Strain::Spades, 4, Seat::South, tricks);
                pad.enter(round, board, result).await;
            }
        }
    }

    /// A pad logs on.
    pub async fn log_on(&self, table: &str, pad: u32) -> TablePad {
        self.claim(table, pad, Up::LogOn).await
    }

    /// Whether a pad that tries is let in at a table.
    pub async fn may_log_on(&self, table: &str, pad: u32) -> bool {
        let (_, answers) = self.claims(table, pad, Up::LogOn).await;
        answers.iter().any(|it| matches!(it, Down::Welcome(_)))
    }

    /// A pad wants the place of another that works, and waits for the director's word.
    pub async fn ask_to_replace(&self, table: &str, pad: u32) {
        let (_, answers) = self.claims(table, pad, Up::Replace).await;
        let reason = RefusalReason::AskingDirector;
        let asked = answers
            .iter()
            .any(|it| matches!(it, Down::Refused { reason: said, .. } if *said == reason));
        assert!(asked, "table {table} has not asked: {answers:?}");
    }

    /// A pad takes the place of another, as the director has allowed.
    pub async fn replace(&self, table: &str, pad: u32) -> TablePad {
        self.claim(table, pad, Up::Replace).await
    }

    async fn claim(&self, table: &str, pad: u32, how: fn(LogOn) -> Up) -> TablePad {
        let (mut pad, answers) = self.claims(table, pad, how).await;
        for answer in answers {
            if let Down::Welcome(welcome) = answer {
                pad.binding = Some(Binding {
                    session: welcome.session,
                    epoch: welcome.epoch,
                });
                pad.next = welcome.next_entry;
            }
        }
        assert!(pad.binding.is_some(), "table {table} was not welcomed");
        pad
    }

    async fn claims(&self, table: &str, pad: u32, how: fn(LogOn) -> Up) -> (TablePad, Vec<Down>) {
        let table: TableId = table.parse().expect("a table");
        let pad = TablePad {
            pad: PadId::new(pad).expect("a pad"),
            table,
            binding: None,
            next: EntryNumber::FIRST,
            session: self.session.clone(),
        };
        let claim = how(LogOn {
            section: table.section,
            table: table.table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(1, 0, 0),
            state: CheckIn {
                battery_20_mv: 148,
                signal_minus_dbm: 61,
                unsent: 0,
                round: RoundNumber::FIRST,
            },
        });
        let answers = pad.say(claim).await;
        (pad, answers)
    }

    /// Four spades by South, made exactly, with a lead that West holds.
    pub fn four_spades(&self, board: BoardNumber) -> BoardResult {
        self.result(board, Strain::Spades, 4, Seat::South, 10)
    }

    /// A result with a lead that the leader holds.
    pub fn result(
        &self,
        board: BoardNumber,
        strain: Strain,
        level: u8,
        declarer: Seat,
        tricks: u8,
    ) -> BoardResult {
        let contract = Contract {
            level: Level::new(level).expect("a level"),
            strain,
            doubling: Doubling::Undoubled,
            declarer,
        };
        BoardResult::Played(Played {
            contract,
            tricks: Tricks::new(tricks).expect("tricks"),
            lead: self.card_of(board, contract.leader()),
        })
    }

    /// A result at the four level in the suit of which one side has most cards, with a lead.
    pub fn fitting_result(&self, board: BoardNumber, tricks: u8) -> BoardResult {
        let deal = &self.deals.board(board).expect("a dealt board").deal;
        let trumps = |declarer: Seat, suit: Suit| {
            let hands = [declarer, declarer.partner()].map(|seat| deal.hand(seat));
            hands
                .iter()
                .map(|hand| hand.suit(suit).count())
                .sum::<usize>()
        };
        let choices = [Seat::South, Seat::West].into_iter();
        let choices = choices.flat_map(|seat| Suit::ALL.map(|suit| (seat, suit)));
        let best = choices.max_by_key(|(seat, suit)| trumps(*seat, *suit));
        let (declarer, suit) = best.expect("eight choices");
        self.result(board, Strain::from(suit), 4, declarer, tricks)
    }

    /// The highest card of a player's longest suit.
    pub fn card_of(&self, board: BoardNumber, seat: Seat) -> Option<OpeningLead> {
        let hand = self.deals.board(board)?.deal.hand(seat);
        let suit = Suit::ALL
            .into_iter()
            .max_by_key(|suit| hand.suit(*suit).count())?;
        let rank = hand.suit(suit).next()?;
        Some(OpeningLead { suit, rank })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A runtime must not be dropped inside another one.
        self.unplug();
    }
}

/// The page has threads of its own, so that it can be taken away with all its connections.
fn serve(
    listener: std::net::TcpListener,
    session: SessionHandle,
    port: SocketAddr,
) -> tokio::runtime::Runtime {
    listener.set_nonblocking(true).expect("a listener");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads");
    runtime.spawn(async move {
        let reach = web::Reach {
            addresses: vec![format!("http://{port}")],
            ..web::Reach::default()
        };
        let router = web::router(Desk::from(session), reach);
        let listener = TcpListener::from_std(listener).expect("a listener");
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(listener, service)
            .await
            .expect("the server runs");
    });
    runtime
}

impl TablePad {
    /// Says anything to the base.
    pub async fn say(&self, message: Up) -> Vec<Down> {
        self.session
            .pad_says(self.pad, self.binding, message)
            .await
            .expect("the session answers")
    }

    /// The players type their numbers.
    pub async fn seat(&self, first: u32) {
        let seats = [0, 1, 2, 3].map(|seat| PlayerNumber::new(first + seat));
        let round = RoundNumber::FIRST;
        self.say(Up::Players(Players { round, seats })).await;
    }

    /// The pad offers a result that it still held when it was replaced.
    pub async fn hold(&mut self, round: RoundNumber, board: BoardNumber, result: BoardResult) {
        let entry = self.entry(round, board, result);
        self.say(Up::Held(entry)).await;
    }

    fn entry(&mut self, round: RoundNumber, board: BoardNumber, result: BoardResult) -> Entry {
        let number = self.next;
        self.next = self.next.next();
        Entry {
            number,
            round,
            agreed_in: round,
            board,
            result,
            correction: false,
            by_director: false,
        }
    }

    /// The players agree a result.
    pub async fn enter(&mut self, round: RoundNumber, board: BoardNumber, result: BoardResult) {
        let entry = self.entry(round, board, result);
        let answers = self.say(Up::Entry(entry)).await;
        let received = answers
            .iter()
            .any(|answer| matches!(answer, Down::Received { .. }));
        assert!(received, "board {board} was not received: {answers:?}");
    }
}
