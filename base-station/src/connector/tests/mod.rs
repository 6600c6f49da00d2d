//! Stories of a scoring program. Every request goes through the envelope, and every change through
//! a journal.

mod model;
mod rubbish;
mod stories;

use connector::Request as Asked;
use serde_json::{Value, json};

use super::{Memory, judge, refused};
use crate::session::{
    Command, Keeper, MemoryJournal, Moment, Outcome, Request, Session, State, Who,
};

const EVENT: &str = "0123456789ABCDEF0123456789ABCDEF";
const GUID: &str = "FEDCBA9876543210FEDCBA9876543210";

/// Nine in the evening, some day.
const EVENING: Moment = Moment(1_794_862_800_000);

/// A base station that a scoring program works with.
struct Base {
    keeper: Keeper<MemoryJournal>,
    memory: Memory,
}

/// What the program heard.
#[derive(Debug)]
struct Said {
    kind: i64,
    error: i64,
    last: i64,
    data: Value,
}

impl Base {
    fn new() -> Self {
        let keeper = Keeper::open(MemoryJournal::new(), EVENING).expect("an empty journal opens");
        let mut base = Self {
            keeper,
            memory: Memory::default(),
        };
        let pin = protocol::message::Pin(7316);
        base.direct(Command::SetDirectorPin { pin });
        base
    }

    /// Two tables and three rounds of two boards each.
    fn playing() -> Self {
        let mut base = Self::new();
        let done = base.ask(5, &init(&[section("A", 1, 2)]));
        assert_eq!((done.kind, done.error), (1, 0), "{done:?}");
        base
    }

    fn state(&self) -> &State {
        self.keeper.state()
    }

    fn session(&self) -> &Session {
        self.state().session.as_ref().expect("a session is chosen")
    }

    fn does(&mut self, command: Command, who: Who) -> Result<(), crate::session::Refused> {
        let command = Box::new(command);
        let request = Request::Command { command, who };
        let mut batch = self.keeper.deal_with(request, EVENING);
        match batch.outcomes.pop() {
            Some(Outcome::Refused(refused)) => Err(refused),
            _ => Ok(()),
        }
    }

    fn direct(&mut self, command: Command) {
        let done = self.does(command, Who::Director("Anna".to_owned()));
        done.expect("the director may do that");
    }

    /// The base station is killed and started again.
    fn restart(&mut self) {
        let journal = self.keeper.journal().clone();
        self.keeper = Keeper::open(journal, EVENING).expect("the journal opens");
        self.memory = Memory::default();
    }

    fn ask(&mut self, command: i64, data: &Value) -> Said {
        self.ask_about(command, GUID, &data.to_string())
    }

    fn ask_about(&mut self, command: i64, session: &str, data: &str) -> Said {
        let envelope = json!({
            "Command": command, "ClubId": "Tea", "LicenceKey": null,
            "SessionGuid": session, "SerializedData": data,
        });
        self.take(envelope.to_string().as_bytes())
    }

    /// As the door takes it.
    fn take(&mut self, body: &[u8]) -> Said {
        let answer = match Asked::read(body) {
            Err(answer) => answer,
            Ok(request) => {
                let state = self.state().clone();
                let judged = judge(&state, &mut self.memory, &request, EVENING);
                let done = judged.command.map(|it| self.does(it, Who::program()));
                match done {
                    Some(Err(why)) => refused(&request, why),
                    _ => judged.answer,
                }
            }
        };
        let said: Value = serde_json::from_str(&answer.to_json()).expect("JSON");
        let number = |name: &str| said[name].as_i64().expect("a number");
        let data = said["SerializedData"].as_str().expect("JSON in a string");
        Said {
            kind: number("DataType"),
            error: number("ErrorType"),
            last: number("LastQueueItemId"),
            data: serde_json::from_str(data).expect("JSON"),
        }
    }

    /// New results, and their acceptance.
    fn results(&mut self) -> Vec<Value> {
        let new = self.ask_about(19, GUID, "");
        assert_eq!((new.kind, new.error), (12, 0), "{new:?}");
        let items = new.data.as_array().expect("a list").clone();
        if !items.is_empty() {
            assert_eq!(self.ask(27, &json!(new.last)).error, 0);
        }
        items
    }
}

fn init(sections: &[Value]) -> Value {
    let groups: Vec<Value> = (sections.iter())
        .map(|section| {
            json!({"SessionGuid": GUID, "ScoringGroupNumber": section["ScoringGroupNumber"],
                "ScoringMethod": 10, "Sections": [section]})
        })
        .collect();
    json!({"Commands": 135, "EventGuid": EVENT, "PlayerData": null, "Sessions": [{
        "SessionGuid": GUID, "EventGuid": EVENT, "Name": "Monday", "Year": 2026, "Month": 11,
        "Day": 16, "Hour": 19, "Minute": 30, "ScoringGroups": groups}]})
}

/// Two tables, three rounds: North-South stay, East-West and boards go round.
fn section(letters: &str, group: i64, winners: i64) -> Value {
    let shift = if winners == 1 { 10 } else { 0 };
    let tables: Vec<Value> = (1..=2)
        .map(|table: i64| {
            let rounds: Vec<Value> = (1..=3)
                .map(|round| {
                    let low = 2 * ((table + round) % 4) + 1;
                    json!({"SessionGuid": GUID, "SectionLetters": letters, "TableNumber": table,
                        "RoundNumber": round, "LowBoardNumber": low, "HighBoardNumber": low + 1,
                        "PairNS": table, "PairEW": (table + round) % 2 + 1 + shift})
                })
                .collect();
            json!({"SessionGuid": GUID, "SectionLetters": letters, "TableNumber": table,
                "ConnectionMode": 0, "Rounds": rounds})
        })
        .collect();
    json!({"SessionGuid": GUID, "ScoringGroupNumber": group, "Letters": letters,
        "Winners": winners, "GameType": 10, "MissingPair": 0, "Tables": tables})
}
