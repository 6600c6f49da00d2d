//! Who is asked, who may answer, and what a pair reads.

use protocol::link::Binding;
use protocol::message::{Down, Entry, Up};
use protocol::words::{
    BoardNumber, BoardResult, Contract, Played, RoundNumber, Seat, SectionLetter, TableNumber,
};
use serde_json::{Value, json};

use super::*;
use crate::movement::{Kind, Setup, generate};
use crate::session::plan::SectionPlan;
use crate::session::{
    Command, DeviceKind, Keeper, MemoryJournal, Moment, Outcome, OwnPhone, Request, Trust, Who,
};

/// A room of five tables; phones have joined, and pads hold tables.
struct Story {
    keeper: Keeper<MemoryJournal>,
    room: Room,
}

fn id(number: u32) -> PadId {
    PadId::new(number).expect("a phone")
}

fn pair(text: &str) -> PairId {
    text.parse().expect("a pair")
}

impl Story {
    fn new() -> Self {
        let keeper = Keeper::open(MemoryJournal::new(), Moment(1_000)).expect("it opens");
        let mut story = Self {
            keeper,
            room: Room::default(),
        };
        story.direct(Command::CreateEvent {
            name: "Monday Pairs".to_owned(),
            date: "2026-11-16".to_owned(),
            title: String::new(),
        });
        let five = TableNumber::new(5).expect("five");
        let boards = BoardNumber::new(10).expect("ten");
        let movement = generate(Kind::Mitchell, Setup::new(five, boards)).expect("a movement");
        story.direct(Command::PlanSection {
            section: SectionLetter::A,
            plan: SectionPlan::of(&movement, "red"),
        });
        story.direct(Command::SetDirectorPin {
            pin: protocol::message::Pin(7316),
        });
        story.direct(Command::Open);
        story
    }

    fn direct(&mut self, command: Command) {
        let command = Box::new(command);
        let who = Who::Director("Anna".to_owned());
        let mut done = self
            .keeper
            .deal_with(Request::Command { command, who }, Moment(2_000));
        let done = done.outcomes.pop().expect("an outcome");
        assert!(matches!(done, Outcome::Done(_)), "{done:?}");
    }

    fn pad_says(&mut self, pad: u32, binding: Option<Binding>, message: Up) -> Vec<Down> {
        let request = Request::of_pad(id(pad), binding, message);
        let mut done = self.keeper.deal_with(request, Moment(3_000));
        match done.outcomes.pop() {
            Some(Outcome::Answer(downs)) => downs,
            other => panic!("{other:?}"),
        }
    }

    /// A pad takes a table; what it says later is bound to that.
    fn sits(&mut self, pad: u32, table: u16) -> Binding {
        let table = TableNumber::new(table).expect("a table");
        let claim = bench_parts::claim(SectionLetter::A, table);
        let downs = self.pad_says(pad, None, Up::LogOn(claim));
        let welcome = downs.iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome),
            _ => None,
        });
        let welcome = welcome.expect("a welcome");
        Binding {
            session: welcome.session,
            epoch: welcome.epoch,
        }
    }

    fn own(&mut self, phone: u32, whose: &str) {
        let session = self.keeper.state().session.as_ref().expect("a session").id;
        let number = self.keeper.state().club.next_own_code(session, pair(whose));
        self.direct(Command::ChangeTrust(Trust::OwnPhoneJoined(OwnPhone {
            phone: id(phone),
            session,
            pair: pair(whose),
            number,
            device: u64::from(phone),
            kind: DeviceKind::Phone,
        })));
    }

    fn with<T>(&mut self, what: impl FnOnce(&mut Room, Known<'_>) -> T) -> T {
        let state = self.keeper.state().clone();
        let scores = state.session.as_ref().map(crate::session::Session::scores);
        let known = Known {
            state: &state,
            scores: scores.as_ref(),
        };
        what(&mut self.room, known)
    }

    fn comes(&mut self, phone: u32) -> Vec<(u32, Value)> {
        let out = self.with(|room, known| room.came(id(phone), known));
        read(out)
    }

    fn leaves(&mut self, phone: u32) -> Vec<(u32, Value)> {
        let out = self.with(|room, known| room.left(id(phone), known));
        read(out)
    }

    fn says(&mut self, phone: u32, said: Value) -> Vec<(u32, Value)> {
        let said: Said = serde_json::from_value(said).expect("what a phone says");
        let out = self.with(|room, known| {
            let code = |pair: PairId| {
                Some(ShownCode {
                    pair: known.state.session.as_ref()?.number_of(pair),
                    link: format!("http://base/phone#{pair}"),
                    rows: vec!["1".to_owned()],
                })
            };
            room.said(id(phone), said, known, code)
        });
        read(out)
    }

    fn goes_on(&mut self) -> Vec<(u32, Value)> {
        let out = self.with(Room::changed);
        read(out)
    }
}

fn read(out: Out) -> Vec<(u32, Value)> {
    let out = out.into_iter();
    out.map(|(phone, note)| {
        let note = serde_json::to_value(note).expect("JSON");
        (phone.get(), note)
    })
    .collect()
}

fn check(name: &str, round: u8) -> Value {
    json!({"check": {"id": name, "round": round, "title": "Board 1", "lines": [
        {"columns": ["4♠ S"], "style": "large"},
    ]}})
}

fn told<'a>(out: &'a [(u32, Value)], phone: u32, what: &str) -> Option<&'a Value> {
    let mut notes = out.iter().filter(|(to, _)| *to == phone);
    notes.find_map(|(_, note)| note.get(what))
}

fn result() -> BoardResult {
    let contract = Contract::parse("4S", Seat::South).expect("a contract");
    let tricks = contract.level.tricks_from_text("=").expect("ten tricks");
    BoardResult::Played(Played {
        contract,
        tricks,
        lead: None,
    })
}

#[test]
fn the_pair_that_sits_east_west_is_asked_and_nobody_else_can_accept() {
    let mut story = Story::new();
    story.sits(0x10, 1);
    story.own(0x21, "A1EW");
    story.own(0x22, "A2EW");
    story.own(0x23, "A1NS");
    for phone in [0x10, 0x21, 0x22, 0x23] {
        story.comes(phone);
    }
    let out = story.says(0x10, check("one", 1));
    assert_eq!(
        told(&out, 0x10, "asked"),
        Some(&json!({"id": "one", "there": true}))
    );
    let shown = told(&out, 0x21, "now").expect("East-West see it");
    assert_eq!(shown["check"]["lines"][0]["columns"][0], "4♠ S");
    assert!(told(&out, 0x22, "now").is_none(), "another table's pair");
    assert!(told(&out, 0x23, "now").is_none(), "not their own opponents");
    for phone in [0x22, 0x23, 0x10] {
        let out = story.says(phone, json!({"accept": {"id": "one"}}));
        assert!(out.is_empty(), "{phone:x} accepts nothing: {out:?}");
    }
    let old = story.says(0x21, json!({"accept": {"id": "two"}}));
    assert!(old.is_empty(), "what is not to be seen can't be accepted");
    let out = story.says(0x21, json!({"accept": {"id": "one"}}));
    assert_eq!(told(&out, 0x10, "accepted"), Some(&json!({"id": "one"})));
    let again = story.says(0x21, json!({"accept": {"id": "one"}}));
    assert!(again.is_empty(), "and once");
    // In the second round the East-West pair of table 5 has come.
    let out = story.says(0x10, check("three", 2));
    assert_eq!(
        told(&out, 0x10, "asked"),
        Some(&json!({"id": "three", "there": false}))
    );
}

#[test]
fn where_the_second_screen_is_away_the_table_is_told_at_once() {
    let mut story = Story::new();
    story.sits(0x10, 1);
    story.own(0x21, "A1EW");
    story.comes(0x10);
    let out = story.says(0x10, check("one", 1));
    assert_eq!(
        told(&out, 0x10, "asked").map(|it| &it["there"]),
        Some(&json!(false))
    );
    let out = story.comes(0x21);
    assert_eq!(
        told(&out, 0x10, "asked").map(|it| &it["there"]),
        Some(&json!(true))
    );
    assert!(told(&out, 0x21, "now").is_some_and(|now| now["check"].is_object()));
    let out = story.leaves(0x21);
    assert_eq!(
        told(&out, 0x10, "asked").map(|it| &it["there"]),
        Some(&json!(false))
    );
    story.comes(0x21);
    let out = story.says(0x10, json!({"no_check": {}}));
    assert!(told(&out, 0x21, "now").is_some_and(|now| now["check"].is_null()));
    // A pad without a table, and a phone that nobody knows, ask nobody.
    assert!(story.says(0x99, check("one", 1)).is_empty());
}

#[test]
fn a_revoked_phone_is_told_so_and_accepts_nothing() {
    let mut story = Story::new();
    story.sits(0x10, 1);
    story.own(0x21, "A1EW");
    story.comes(0x10);
    story.comes(0x21);
    story.direct(Command::ChangeTrust(Trust::PadRevoked { pad: id(0x21) }));
    let out = story.goes_on();
    assert!(told(&out, 0x21, "revoked").is_some(), "{out:?}");
    let out = story.says(0x10, check("one", 1));
    assert_eq!(
        told(&out, 0x10, "asked").map(|it| &it["there"]),
        Some(&json!(false))
    );
    assert!(
        story
            .says(0x21, json!({"accept": {"id": "one"}}))
            .is_empty()
    );
}

#[test]
fn a_pair_reads_boards_of_rounds_that_are_over_and_no_others() {
    let mut story = Story::new();
    let binding = story.sits(0x10, 1);
    story.own(0x21, "A1EW");
    story.comes(0x10);
    let out = story.comes(0x21);
    let now = told(&out, 0x21, "now").expect("what it shows");
    assert_eq!(now["pair"], "EW 1", "as the room calls it");
    assert_eq!(now["place"]["table"], "A1");
    assert_eq!(now["place"]["east_west"], true);
    assert_eq!(now["card"], json!([]));
    let ask = json!({"board": {"board": 1}});
    assert!(story.says(0x21, ask.clone()).is_empty(), "not played yet");
    for board in [1, 2] {
        let entry = Entry {
            number: protocol::message::EntryNumber(board.into()),
            round: RoundNumber::FIRST,
            agreed_in: RoundNumber::FIRST,
            board: BoardNumber::new(board).expect("a board"),
            result: result(),
            correction: false,
            by_director: false,
        };
        story.pad_says(0x10, Some(binding), Up::Entry(entry));
    }
    let out = story.goes_on();
    let now = told(&out, 0x21, "now").expect("the round is over");
    assert_eq!(now["place"]["table"], "A2", "where they go");
    let boards: Vec<&Value> = now["card"]
        .as_array()
        .expect("a card")
        .iter()
        .map(|it| &it["board"])
        .collect();
    assert_eq!(boards, [&json!(2), &json!(1)]);
    assert_eq!(now["card"][0]["score"], json!(-620), "as East-West see it");
    let level = story
        .keeper
        .state()
        .session
        .as_ref()
        .expect("a session")
        .settings
        .feedback;
    let out = story.says(0x21, ask);
    let open = level >= protocol::message::FeedbackLevel::Traveller;
    assert_eq!(
        told(&out, 0x21, "board").is_some(),
        open,
        "as the club shows it on pads"
    );
    assert!(story.says(0x21, json!({"board": {"board": 3}})).is_empty());
}

#[test]
fn the_code_for_east_west_is_the_one_of_the_pair_that_sits_there() {
    let mut story = Story::new();
    story.sits(0x10, 3);
    story.comes(0x10);
    let out = story.says(0x10, json!({"code": {}}));
    assert_eq!(
        told(&out, 0x10, "code").map(|it| &it["pair"]),
        Some(&json!("EW 3"))
    );
    story.own(0x21, "A3EW");
    story.comes(0x21);
    assert!(
        story.says(0x21, json!({"code": {}})).is_empty(),
        "a table's pad only"
    );
}

#[test]
fn the_name_of_a_pairs_code_is_read_back_and_rubbish_is_none() {
    let session = SessionId::new(7).expect("a session");
    for whose in ["A12EW", "B3NS", "C7"] {
        let name = own_code(session, pair(whose), 4);
        assert_eq!(read_own_code(&name), Some((session, pair(whose), 4)));
    }
    let rubbish = [
        "",
        "P",
        "7-A12EW-4",
        "P7-A12EW",
        "P7-A12EW-4-1",
        "P7-12-4",
        "P0-A1-1-",
    ];
    for name in rubbish {
        assert_eq!(read_own_code(name), None, "{name}");
    }
}
