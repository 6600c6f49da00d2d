//! Both ends of the link on the simulated channel.

use protocol::link::{Call, PadEvent, Timing};
use protocol::message::{Down, Entry, EntryNumber, Up};
use protocol::time::{Instant, Span};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Percentage, Played, RoundNumber, Seat, Tricks,
};

use crate::Channel;
use crate::room::{Desk, Room};

/// Receives every entry and gives fifty percent.
#[derive(Debug, Default)]
pub(crate) struct Scorer {
    pub(crate) entries: Vec<(Instant, u32, EntryNumber)>,
    pub(crate) check_ins: usize,
}

impl Desk for Scorer {
    fn call(&mut self, call: &Call, now: Instant) -> Vec<Down> {
        match call.message {
            Up::Entry(entry) => {
                self.entries.push((now, call.pad.get(), entry.number));
                vec![Down::Received {
                    number: entry.number,
                    percentage: Percentage::whole(50),
                }]
            }
            Up::CheckIn(_) => {
                self.check_ins += 1;
                vec![]
            }
            _ => vec![],
        }
    }
}

pub(crate) fn entry(number: u16) -> Up {
    Up::Entry(Entry {
        number: EntryNumber(number),
        round: RoundNumber::FIRST,
        agreed_in: RoundNumber::FIRST,
        board: BoardNumber::new(7).unwrap(),
        result: BoardResult::Played(Played {
            contract: Contract::parse("4SX", Seat::North).unwrap(),
            tricks: Tricks::new(10).unwrap(),
            lead: Some("HK".parse().unwrap()),
        }),
        correction: false,
        by_director: false,
    })
}

#[test]
fn a_result_is_received_and_its_percentage_comes_back() {
    let mut room = Room::new(Channel::clear(Timing::COMMON), Scorer::default(), 1);
    let table = room.add_table();
    room.tables[table].outbox.push_back(entry(1));
    room.run_for(Span::from_secs(3));
    assert_eq!(room.desk.entries.len(), 1);
    for event in &room.events {
        println!("{event:?}");
    }
    assert!(
        room.events
            .iter()
            .any(|(_, _, event)| *event == PadEvent::Answered)
    );
}
