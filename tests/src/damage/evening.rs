//! An evening of twelve tables with its data folder, as a kill and as a clean end leave it.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;

use base_station::daemon::{KEY_NAME, club_certificate};
use base_station::movement::BoardSet;
use base_station::serve::key_of_club;
use base_station::session::plan::{Ruling, SectionPlan, Sitting};
use base_station::session::{
    Cell, Command, Event, Journal, Keeper, Moment, NewRecord, Outcome, Record, Request, Session,
    State, TableId, Who,
};
use base_station::store::{COPIES_FOLDER, Store};
use protocol::link::Binding;
use protocol::message::{
    CheckIn, Down, Entry, EntryNumber, FirmwareVersion, LogOn, Up, WIRE_VERSION,
};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Doubling, Level, PadId, PairNumber, Played, RoundNumber,
    Seat, SectionLetter, SessionId, Strain, TableNumber, Tricks,
};
use tempfile::TempDir;

use super::wounds::KEY_TEXT;

const ROUNDS: u8 = 12;
const PER_ROUND: u8 = 2;

/// The evening is copied after these rounds, as the base station does every ten minutes.
const COPIED_AFTER: [u8; 2] = [4, 9];

/// What stands in the log goes into the file after these rounds.
const FOLDED_AFTER: [u8; 3] = [2, 5, 8];

/// The day before ends here, for files of two days.
const DAY_BEFORE: u8 = 6;

/// Sessions of earlier years, which make the journal as long as it is wanted.
const EARLIER: u32 = 9_000;

/// The folder at several moments, and what is true.
pub(super) struct Evening {
    /// The base station was killed: the end of the evening stands in the log.
    pub(super) killed: TempDir,
    /// It ended cleanly: there is no log.
    pub(super) closed: TempDir,
    /// Killed half an evening earlier.
    pub(super) day_before: TempDir,
    /// The same journal, gone on elsewhere from there: as long, with other records.
    pub(super) elsewhere: TempDir,
    /// Every record.
    pub(super) truth: BTreeMap<u64, Said>,
    pub(super) pads: Vec<Pad>,
    /// Of the club's certificate.
    pub(super) fingerprint: String,
}

/// What a record says, with its place and without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) whole: u64,
    /// `None` where it names other records, whose places a rescue may change.
    pub(super) content: Option<u64>,
}

/// A pad with the game that its flash holds.
#[derive(Clone, Debug)]
pub(super) struct Pad {
    id: PadId,
    table: TableId,
    binding: Option<Binding>,
    pub(super) game: Vec<Entry>,
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

fn said(record: &Record) -> Said {
    let whole = serde_json::to_string(record).expect("it was read");
    let refers = matches!(
        record.event,
        Event::Undone { .. } | Event::KeptEntryUsed { .. } | Event::KeptEntryIgnored { .. }
    );
    let content = serde_json::to_string(&(record.at, &record.who, &record.event));
    Said {
        whole: hash(&whole),
        content: (!refers).then(|| hash(&content.expect("it was read"))),
    }
}

/// Everything that a journal says.
pub(super) fn everything(store: &Store) -> Result<BTreeMap<u64, Said>, String> {
    let mut all = BTreeMap::new();
    for session in [None, SessionId::new(1), SessionId::new(EARLIER)] {
        let records = store.read(session).map_err(|fault| fault.to_string())?;
        all.extend(records.iter().map(|record| (record.seq.0, said(record))));
    }
    Ok(all)
}

/// Copies a data folder, its copies included.
pub(super) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for file in fs::read_dir(from).expect("a folder").flatten() {
        let place = to.join(file.file_name());
        if file.path().is_dir() {
            copy_folder(&file.path(), &place);
        } else {
            fs::copy(file.path(), place).expect("copied");
        }
    }
}

/// A folder in memory where the system has room for it: nothing is learned here from waiting for a
/// disk thousands of times.
pub(super) fn scratch(earlier_len: u64) -> TempDir {
    /// Four moments of a journal with its two copies, and the one that is wounded and rescued.
    const JOURNALS: u64 = 20;
    let memory = Path::new("/dev/shm");
    let room = rustix::fs::statvfs(memory).map_or(0, |it| it.f_bavail * it.f_frsize);
    let in_memory = (room / JOURNALS > earlier_len).then(|| TempDir::new_in(memory).ok());
    in_memory
        .flatten()
        .unwrap_or_else(|| tempfile::tempdir().expect("a folder"))
}

fn snapshot(folder: &Path, earlier_len: u64) -> TempDir {
    let copy = scratch(earlier_len);
    copy_folder(folder, copy.path());
    copy
}

impl Evening {
    /// Plays the evening of so many tables behind so many bytes of earlier years.
    pub(super) fn play(tables: u16, earlier_len: u64) -> Self {
        let folder = scratch(earlier_len);
        let data = folder.path();
        fs::write(data.join(KEY_NAME), KEY_TEXT).expect("a key");
        let mut store = Store::open(data).expect("a journal");
        let state = State::replay(&store).expect("an empty one");
        key_of_club(data, &data.join(KEY_NAME), &mut store, &state, false).expect("the key");
        let certificate = club_certificate(data, None).expect("a certificate");
        earlier_years(&mut store, earlier_len);
        let mut room = Room::new(store);
        room.set_up(tables);
        let mut pads: Vec<Pad> = (1..=tables).map(|table| room.log_on(table)).collect();
        room.play(&mut pads, 1..=DAY_BEFORE, data);
        let day_before = snapshot(data, earlier_len);
        let pads_before = pads.clone();
        room.play(&mut pads, DAY_BEFORE + 1..=ROUNDS, data);
        let killed = snapshot(data, earlier_len);
        let store = room.keeper.into_journal();
        let truth = everything(&store).expect("it is whole");
        drop(store);
        let closed = snapshot(data, earlier_len);

        let elsewhere = snapshot(day_before.path(), earlier_len);
        let mut room = Room::new(Store::open(elsewhere.path()).expect("opens"));
        // Every moment is another one, and of the same length.
        room.now = Moment(START_MS + 500_000_001);
        let mut others = pads_before;
        room.play(&mut others, DAY_BEFORE + 1..=ROUNDS, elsewhere.path());
        drop(room.keeper.into_journal());
        Self {
            killed,
            closed,
            day_before,
            elsewhere,
            truth,
            pads,
            fingerprint: certificate.fingerprint,
        }
    }

    /// Asks the pads for everything; answers with the results that are missing afterwards although
    /// a pad holds them.
    pub(super) fn ask_pads(&self, store: Store) -> Result<usize, String> {
        let made = store.backup_mark().map_err(|fault| fault.to_string())?;
        let made = made.ok_or("the rescued journal does not ask the pads")?;
        let mut room = Room::new(store);
        room.now = Moment(START_MS + 900_000_000);
        room.direct(Command::OpenBackup { made });
        let mut missing = 0;
        for pad in &self.pads {
            let mut pad = pad.clone();
            let answer = room.says(pad.id, pad.binding, Up::CheckIn(state()));
            if answer.contains(&Down::PleaseResend) {
                pad.resend(&mut room);
            }
        }
        let session = room.keeper.state().session.as_ref();
        for pad in &self.pads {
            let lacks = |entry: &&Entry| !session.is_some_and(|it| has(it, pad.table, entry));
            missing += pad.game.iter().filter(lacks).count();
        }
        Ok(missing)
    }
}

fn has(session: &Session, table: TableId, entry: &Entry) -> bool {
    let cell = Cell::new(table, entry.round, entry.board);
    let line = session.lines.get(&cell);
    line.is_some_and(|line| line.ruling == Ruling::Result(entry.result))
}

const START_MS: u64 = 1_794_862_800_000;

fn earlier_years(store: &mut Store, len: u64) {
    // A record of these takes about so much in table and index.
    const EACH: u64 = 400;
    let count = len / EACH;
    let record = |number: u64| NewRecord {
        at: Moment(START_MS - 1_000_000_000 + number),
        who: Who::Director("Anna".to_owned()),
        session: SessionId::new(EARLIER),
        event: Event::Reopened {
            why: format!("reason {number} of earlier years {}", "x".repeat(230)),
        },
    };
    let numbers: Vec<u64> = (1..=count).collect();
    for part in numbers.chunks(5_000) {
        let records: Vec<NewRecord> = part.iter().copied().map(record).collect();
        store.append(&records).expect("written");
    }
    store.fold().expect("folded");
}

fn state() -> CheckIn {
    CheckIn {
        battery_20_mv: 150,
        signal_minus_dbm: 60,
        unsent: 0,
        round: RoundNumber::FIRST,
    }
}

fn result(table: u16, board: u8) -> BoardResult {
    let mix = table * 7 + u16::from(board) * 3;
    let small = |limit: u16| u8::try_from(mix % limit).unwrap_or_default();
    if mix.is_multiple_of(11) {
        return BoardResult::PassedOut;
    }
    BoardResult::Played(Played {
        contract: Contract {
            level: Level::new(small(5) + 1).expect("one to five"),
            strain: [Strain::Clubs, Strain::Hearts, Strain::Spades][usize::from(small(3))],
            doubling: Doubling::Undoubled,
            declarer: Seat::from_index(board),
        },
        tricks: Tricks::new(6 + small(7)).expect("six to twelve"),
        lead: None,
    })
}

struct Room {
    keeper: Keeper<Store>,
    now: Moment,
}

impl Room {
    fn new(store: Store) -> Self {
        let now = Moment(START_MS);
        Self {
            keeper: Keeper::open(store, now).expect("it can be read"),
            now,
        }
    }

    fn direct(&mut self, command: Command) {
        let request = Request::Command {
            command: Box::new(command),
            who: Who::Director("Anna".to_owned()),
        };
        let batch = self.keeper.deal_with(request, self.now);
        let done = matches!(batch.outcomes.first(), Some(Outcome::Done(_)));
        assert!(done, "{:?}", batch.outcomes);
    }

    fn says(&mut self, pad: PadId, binding: Option<Binding>, message: Up) -> Vec<Down> {
        let message = Box::new(message);
        let request = Request::Pad {
            pad,
            binding,
            message,
        };
        let batch = self.keeper.deal_with(request, self.now);
        match batch.outcomes.into_iter().next() {
            Some(Outcome::Answer(downs)) => downs,
            other => panic!("{other:?}"),
        }
    }

    fn set_up(&mut self, all: u16) {
        let sitting = |table: u16, round: u8| {
            let first = (round - 1) * PER_ROUND + 1;
            Some(Sitting {
                round: RoundNumber::new(round)?,
                table: TableNumber::new(table)?,
                ns: PairNumber::new(table),
                ew: PairNumber::new((table + u16::from(round)) % all + 1),
                boards: BoardSet::range(
                    BoardNumber::new(first)?,
                    BoardNumber::new(first + PER_ROUND - 1)?,
                ),
                arrow_switched: false,
            })
        };
        let tables = (1..=ROUNDS).flat_map(|round| (1..=all).map(move |it| (it, round)));
        let plan = SectionPlan {
            colour: "red".to_owned(),
            movement: "bench".to_owned(),
            one_winner: false,
            sittings: tables
                .filter_map(|(table, round)| sitting(table, round))
                .collect(),
            announcements: Vec::new(),
        };
        self.direct(Command::CreateEvent {
            name: "Monday".to_owned(),
            date: "2026-11-16".to_owned(),
            title: "first".to_owned(),
        });
        let section = SectionLetter::A;
        self.direct(Command::PlanSection { section, plan });
        self.direct(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        });
        self.direct(Command::Open);
    }

    fn log_on(&mut self, table: u16) -> Pad {
        let mut pad = Pad {
            id: PadId::new(table.into()).expect("a pad"),
            table: TableId {
                section: SectionLetter::A,
                table: TableNumber::new(table).expect("a table"),
            },
            binding: None,
            game: Vec::new(),
        };
        let claim = Up::LogOn(pad.claim());
        pad.welcomed(self, claim);
        pad
    }

    /// Plays rounds; the journal is folded and copied as the evening goes, and the director takes
    /// part.
    fn play(&mut self, pads: &mut [Pad], rounds: std::ops::RangeInclusive<u8>, data: &Path) {
        for round in rounds {
            for pad in &mut *pads {
                pad.play(self, round);
            }
            if round % 3 == 0 {
                self.direct(Command::SetGate { open: false });
                self.direct(Command::SetGate { open: true });
            }
            if FOLDED_AFTER.contains(&round) {
                self.keeper.journal_mut().fold().expect("folded");
            }
            if let Some(place) = COPIED_AFTER.iter().position(|after| *after == round) {
                let to = data
                    .join(COPIES_FOLDER)
                    .join(format!("journal-0{place}.sqlite"));
                self.keeper.journal().backup(&to, self.now).expect("copied");
            }
        }
    }
}

impl Pad {
    fn claim(&self) -> LogOn {
        LogOn {
            section: self.table.section,
            table: self.table.table,
            wire_version: WIRE_VERSION,
            firmware: FirmwareVersion(1, 0, 0),
            state: state(),
        }
    }

    fn welcomed(&mut self, room: &mut Room, claim: Up) {
        let downs = room.says(self.id, None, claim);
        self.binding = downs.iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(Binding {
                session: welcome.session,
                epoch: welcome.epoch,
            }),
            _ => None,
        });
    }

    fn play(&mut self, room: &mut Room, round: u8) {
        let first = (round - 1) * PER_ROUND + 1;
        for board in first..first + PER_ROUND {
            room.now = Moment(room.now.0 + 1_000);
            let round = RoundNumber::new(round).expect("a round");
            let entry = Entry {
                number: EntryNumber(u16::try_from(self.game.len() + 1).expect("a few")),
                round,
                agreed_in: round,
                board: BoardNumber::new(board).expect("a board"),
                result: result(self.table.table.get(), board),
                correction: false,
                by_director: false,
            };
            let downs = room.says(self.id, self.binding, Up::Entry(entry));
            let received = |down: &Down| matches!(down, Down::Received { .. });
            assert!(downs.iter().any(received), "{downs:?}");
            self.game.push(entry);
        }
    }

    /// What a pad does when it is asked for everything.
    fn resend(&mut self, room: &mut Room) {
        let claim = Up::Recover(self.claim());
        self.welcomed(room, claim);
        for entry in &self.game {
            room.says(self.id, self.binding, Up::Entry(*entry));
        }
    }
}
