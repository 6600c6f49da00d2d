//! How long it takes from a pad's message at the base until a page has been told.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use base_station::movement::BoardSet;
use base_station::session::Command;
use base_station::session::plan::{SectionPlan, Sitting};
use protocol::words::{
    BoardNumber, BoardResult, PairNumber, RoundNumber, SectionLetter, TableNumber,
};

use crate::browser::Room;

const TABLES: u16 = 64;
const ROUNDS: u8 = 4;

/// No page is told later than this.
const PATIENCE: Duration = Duration::from_secs(10);

/// Median and the slowest in a hundred, from the call of a pad until a page that listens on the
/// loopback has the change, with 64 tables that send one after the other.
pub fn measure() -> (Duration, Duration) {
    let room = Room::start();
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(plan(&room));
    let changes = listen(&room.address);
    let mut waits = Vec::new();
    let mut pads: Vec<_> = (1..=TABLES)
        .map(|table| runtime.block_on(room.log_on(&format!("A{table}"), table.into())))
        .collect();
    for round in (1..=ROUNDS).filter_map(RoundNumber::new) {
        let board = BoardNumber::new(round.get()).expect("a board");
        for pad in &mut pads {
            let before = room.session.view().state.seq.0;
            let began = Instant::now();
            runtime.block_on(pad.enter(round, board, BoardResult::PassedOut));
            loop {
                let told = changes.recv_timeout(PATIENCE).expect("the page is told");
                if told > before {
                    break;
                }
            }
            waits.push(began.elapsed());
        }
    }
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    (at(50), at(99))
}

/// Everybody plays one board a round; the movement does not matter here.
async fn plan(room: &Room) {
    let sittings = (1..=ROUNDS).flat_map(|round| {
        (1..=TABLES).filter_map(move |table| {
            let board = BoardNumber::new(round)?;
            Some(Sitting {
                round: RoundNumber::new(round)?,
                table: TableNumber::new(table)?,
                ns: PairNumber::new(table),
                ew: PairNumber::new((table + u16::from(round)) % TABLES + 1),
                boards: BoardSet::range(board, board),
                arrow_switched: false,
            })
        })
    });
    let plan = SectionPlan {
        colour: "red".to_owned(),
        movement: "bench".to_owned(),
        one_winner: false,
        sittings: sittings.collect(),
        announcements: Vec::new(),
    };
    let create = Command::CreateEvent {
        name: "Bench".to_owned(),
        date: "2026-11-16".to_owned(),
        title: String::new(),
    };
    room.direct(create).await;
    let section = SectionLetter::A;
    room.direct(Command::PlanSection { section, plan }).await;
    room.direct(Command::SetDirectorPin {
        pin: protocol::message::Pin(7316),
    })
    .await;
    room.direct(Command::Open).await;
}

/// Places in the journal as the live stream tells them.
fn listen(address: &str) -> mpsc::Receiver<u64> {
    let address = address.trim_start_matches("http://").to_owned();
    let mut page = TcpStream::connect(&address).expect("the page is there");
    write!(page, "GET /api/events HTTP/1.0\r\nHost: {address}\r\n\r\n").expect("asked");
    let (send, places) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(page).lines().map_while(Result::ok);
        for place in lines.filter_map(|line| line.strip_prefix("id:")?.trim().parse().ok()) {
            if send.send(place).is_err() {
                return;
            }
        }
    });
    places
}
