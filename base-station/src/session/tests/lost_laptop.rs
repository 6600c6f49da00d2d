//! The laptop is gone: a copy of the journal from before goes on elsewhere, and the pads bring
//! what came after it.

use protocol::words::SessionId;

use super::*;
use crate::session::{Journal, JournalError, NewRecord, Record};

/// The journal as a copy made now would hold it.
fn copy(room: &Room) -> MemoryJournal {
    let journal = room.keeper.journal();
    let mut records = journal.read(None).expect("read");
    let session = Some(room.session().id);
    records.extend(journal.read(session).expect("read"));
    records.sort_by_key(|record| record.seq);
    let mut copy = MemoryJournal::new();
    for record in records {
        copy.append(&[NewRecord {
            at: record.at,
            who: record.who,
            session: record.session,
            event: record.event,
        }])
        .expect("copied");
    }
    copy
}

/// A pad with the game that its flash holds.
struct Remembering {
    pad: PadAtTable,
    table: u16,
    game: Vec<Entry>,
}

impl Remembering {
    fn plays(&mut self, room: &mut Room, in_round: u8) {
        for cell in room
            .session()
            .expected(table_a(self.table), round(in_round))
        {
            let tricks = (u32::from(cell.board.get()) * 7 + u32::from(self.table) * 3) % 4;
            let result = played(["1NT N -1", "1NT N =", "1NT N +1", "1NT N +2"][tricks as usize]);
            let entry = self.pad.agree(in_round, cell.board.get(), result);
            self.game.push(entry);
            assert!(is_received(&self.pad.says(room, Up::Entry(entry))));
        }
    }

    /// What a pad does when it is asked for everything.
    fn resends(&mut self, room: &mut Room) {
        let downs = room.says(self.pad.pad, None, Up::Recover(claim(self.table)));
        self.pad = PadAtTable::welcomed(self.pad.pad, &downs);
        for entry in &self.game {
            assert!(is_received(&self.pad.says(room, Up::Entry(*entry))));
        }
    }
}

#[test]
fn a_ten_minute_old_backup_and_the_pads_give_the_same_ranking() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pads: Vec<Remembering> = (1..=5)
        .map(|table| Remembering {
            pad: room.log_on(table.into(), table),
            table,
            game: Vec::new(),
        })
        .collect();
    for pad in &mut pads {
        pad.plays(&mut room, 1);
    }
    let backup = copy(&room);
    let made = room.now;
    room.later(10);
    for pad in &mut pads {
        pad.plays(&mut room, 2);
    }
    // Since the copy was made a pad has logged off and on again: the copy does not know its epoch.
    pads[0].pad.says(&mut room, Up::LogOff);
    pads[0].pad = room.log_on(1, 1);
    let before = room.session().standings();
    let last_epochs: Vec<Epoch> = pads.iter().map(|pad| pad.pad.epoch()).collect();

    let mut elsewhere = Room {
        keeper: Keeper::open(backup, room.now).expect("the copy opens"),
        now: room.now,
        mail: Vec::new(),
    };
    elsewhere.direct(Command::OpenBackup { made });
    assert_ne!(
        elsewhere.session().standings(),
        before,
        "something is missing"
    );
    for pad in &mut pads {
        let answer = pad.pad.says(&mut elsewhere, Up::CheckIn(state(150, 0)));
        assert!(answer.contains(&Down::PleaseResend), "table {}", pad.table);
        pad.resends(&mut elsewhere);
    }
    assert_eq!(elsewhere.session().standings(), before);
    for (pad, last) in pads.iter().zip(last_epochs) {
        assert!(pad.pad.epoch() > last, "no epoch is given twice");
    }
    let next = elsewhere.keeper.state().club.next_session();
    assert!(next.get() > 100, "nor a session's number");
}

#[test]
fn a_pad_that_counts_further_than_the_journal_is_asked_for_everything_once() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut pad = Remembering {
        pad: room.log_on(1, 1),
        table: 1,
        game: Vec::new(),
    };
    pad.plays(&mut room, 1);
    // Somebody put an older folder back, and nothing in it tells.
    let older = copy(&room);
    pad.plays(&mut room, 2);
    let cell = room.session().expected(table_a(1), round(3)).remove(0);
    let entry = pad.pad.agree(3, cell.board.get(), played("1NT N ="));
    assert!(is_received(&pad.pad.says(&mut room, Up::Entry(entry))));
    let mut again = Room {
        keeper: Keeper::open(older, room.now).expect("the older one opens"),
        now: room.now,
        mail: Vec::new(),
    };
    let answer = pad.pad.says(&mut again, Up::Entry(entry));
    assert!(is_received(&answer), "what it brings is taken all the same");
    assert!(answer.contains(&Down::PleaseResend), "{answer:?}");
    pad.resends(&mut again);
    assert_eq!(again.session().standings(), room.session().standings());
    let entry = pad.pad.agree(3, cell.board.get(), played("1NT N +1"));
    let answer = pad.pad.says(&mut again, Up::Entry(entry));
    assert!(!answer.contains(&Down::PleaseResend), "{answer:?}");
}

#[test]
fn a_base_that_dies_right_after_a_welcome_gives_the_pad_its_schedule_and_its_lines_again() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut first = room.log_on(1, 1);
    assert!(is_received(&first.enters(&mut room, 1, 1, "4S N =")));
    let (second, _) = room.replace(2, 1);
    let is_schedule = |down: &Down| matches!(down, Down::Schedule { .. });
    let is_line = |down: &Down| matches!(down, Down::Recorded(_) | Down::History(_));
    let restarted = |room: &Room| Room {
        keeper: Keeper::open(copy(room), room.now).expect("the copy opens"),
        now: room.now,
        mail: Vec::new(),
    };
    let mut again = restarted(&room);
    let answer = second.says(&mut again, Up::CheckIn(state(150, 0)));
    assert!(answer.iter().any(is_schedule), "{answer:?}");
    assert!(answer.iter().any(is_line), "{answer:?}");
    // Who has entered everything at the table is not burdened with it again.
    let mut third = room.log_on(3, 3);
    assert!(is_received(&third.enters(&mut room, 1, 11, "1NT N =")));
    let answer = third.says(&mut restarted(&room), Up::CheckIn(state(150, 0)));
    assert!(!answer.iter().any(is_schedule), "{answer:?}");
    assert!(!answer.iter().any(is_line), "{answer:?}");
}

/// Night 431 of the simulated ones: the result was taken for a proof that the pad knew everything.
#[test]
fn a_spare_hears_of_the_table_even_if_the_first_that_the_restarted_base_hears_is_its_result() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut first = room.log_on(1, 2);
    first.enters(&mut room, 1, 6, "4S N =");
    first.enters(&mut room, 1, 7, "3NT E -1");
    let (mut second, _) = room.replace(9, 2);
    let mut again = Room {
        keeper: Keeper::open(copy(&room), room.now).expect("the copy opens"),
        now: room.now,
        mail: Vec::new(),
    };
    let told = second.enters(&mut again, 1, 8, "2H S =");
    assert!(is_received(&told));
    let lines = told.iter().filter_map(|down| match down {
        Down::History(lines) => Some(lines.iter().map(|line| line.board.get())),
        _ => None,
    });
    let boards: Vec<u8> = lines.flatten().collect();
    assert_eq!(boards, [6, 7], "{told:?}");
}

/// Night 836 of the simulated ones: the director's word came while the pad was to send everything
/// again, and a pad takes none about a line that it has to send.
#[test]
fn what_is_sent_again_is_answered_with_what_the_director_has_made_of_it() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut first = room.log_on(1, 2);
    let entry = first.agree(1, 6, played("4S N ="));
    assert!(is_received(&first.says(&mut room, Up::Entry(entry))));
    let again = first.says(&mut room, Up::Entry(entry));
    assert!(is_received(&again));
    let told = |downs: &[Down]| {
        downs.iter().find_map(|down| match down {
            Down::Recorded(recorded) => recorded.result,
            _ => None,
        })
    };
    assert_eq!(told(&again), None, "nothing is new");
    room.direct(Command::Rule {
        cell: cell(2, 1, 6),
        ruling: Ruling::Result(played("4S N -1")),
        why: "both pairs say so".to_owned(),
    });
    let again = first.says(&mut room, Up::Entry(entry));
    assert!(is_received(&again));
    let now = protocol::words::Outcome::Result(played("4S N -1"));
    assert_eq!(told(&again), Some(now), "{again:?}");
}

/// A journal on a disk that is full for a while.
#[derive(Debug)]
struct OnADisk {
    journal: MemoryJournal,
    full: bool,
}

impl Journal for OnADisk {
    fn append(&mut self, records: &[NewRecord]) -> Result<Seq, JournalError> {
        if self.full {
            return Err(JournalError::DiskFull);
        }
        self.journal.append(records)
    }

    fn read(&self, session: Option<SessionId>) -> Result<Vec<Record>, JournalError> {
        self.journal.read(session)
    }

    fn last(&self) -> Seq {
        self.journal.last()
    }
}

#[test]
fn a_pad_that_called_first_while_the_disk_was_full_hears_afterwards_what_it_missed() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let first = room.log_on(1, 2);
    room.direct(Command::SetGate { open: false });
    // The base goes down before the pad hears of it, and finds its disk full.
    let journal = OnADisk {
        journal: copy(&room),
        full: true,
    };
    let mut again = Keeper::open(journal, room.now).expect("the copy opens");
    let says = |keeper: &mut Keeper<OnADisk>, message| {
        let request = Request::of_pad(first.pad, Some(first.binding()), message);
        match keeper.deal_with(request, room.now).outcomes.pop() {
            Some(Outcome::Answer(downs)) => downs,
            other => panic!("a pad gets an answer, not {other:?}"),
        }
    };
    let closed = |downs: &[Down]| downs.contains(&Down::Gate { open: false });
    let refused = says(&mut again, Up::CallDirector);
    assert_eq!(reason(&refused), Some(RefusalReason::DiskFailed));
    assert!(!closed(&refused));
    again.journal_mut().full = false;
    let told = says(&mut again, Up::CheckIn(state(150, 0)));
    assert!(closed(&told), "{told:?}");
    // Once is enough.
    let told = says(&mut again, Up::CheckIn(state(150, 0)));
    assert!(told.is_empty(), "{told:?}");
}
