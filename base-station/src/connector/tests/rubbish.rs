//! Whatever is sent, an answer comes back: no panic, and nothing half done.

use serde_json::{Value, json};

use super::{Base, GUID, init, section};

/// Envelopes that are tried.
const ENVELOPES: u32 = 4_000;

struct Chance(fastrand::Rng);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    /// Something that is not what anybody expects.
    fn strange(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(self.0.bool()),
            2 => json!(-1),
            3 => json!(0),
            4 => json!(i64::MAX),
            5 => json!(i64::MIN),
            6 => json!(1e300),
            7 => json!("A"),
            8 => json!("\u{202e}\0'\"<script>".repeat(self.below(40) + 1)),
            9 => json!([]),
            10 => json!({}),
            _ => json!(self.0.i64(-20..400)),
        }
    }

    /// Changes something somewhere.
    fn spoil(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && self.below(8) > 0 => {
                let at = self.below(fields.len());
                let name = fields.keys().nth(at).cloned().unwrap_or_default();
                if self.below(12) == 0 {
                    fields.remove(&name);
                } else if let Some(inner) = fields.get_mut(&name) {
                    self.spoil(inner);
                }
            }
            Value::Array(items) if !items.is_empty() && self.below(8) > 0 => {
                let at = self.below(items.len());
                match self.below(10) {
                    0 => items.push(items[at].clone()),
                    1 => {
                        items.remove(at);
                    }
                    _ => self.spoil(&mut items[at]),
                }
            }
            plain => *plain = self.strange(),
        }
    }
}

/// What is right, for each command that takes something.
fn right() -> Vec<(i64, Value)> {
    let score = json!({"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1,
        "RoundNumber": 1, "BoardNumber": 5, "ScoringDirection": 3, "PairNorthSouth": 1,
        "PairEastWest": 1, "DeclaringPair": 1, "DeclarerDirection": 1, "Level": 4,
        "Denomination": 4, "Stake": 1, "TotalTricks": 10, "LeadCardRank": 13, "LeadCardSuit": 3});
    let seat = json!({"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1,
        "Direction": 1, "RoundNumber": 0, "PlayerNumber": "17"});
    let player = json!({"SessionGuid": GUID, "PlayerNumber": "17", "LastName": "North"});
    let whole = "AKQJT98765432";
    let hand = json!({"SessionGuid": GUID, "ScoringGroupNumber": 1, "SectionLetters": "A",
        "BoardNumber": 5, "NorthClubs": whole, "EastDiamonds": whole, "SouthHearts": whole,
        "WestSpades": whole, "HasHandEvaluationData": true, "DoubleDummyNorthClubs": 13});
    let mut event = init(&[section("A", 1, 2), section("BB", 2, 1)]);
    event["PlayerData"] = json!([player]);
    event["Participations"] = json!([seat]);
    event["Handrecords"] = json!([hand]);
    let mut update = section("A", 1, 2);
    update["ScoringGroupScoringMethod"] = json!(10);
    let groups = init(&[section("A", 1, 2)])["Sessions"][0]["ScoringGroups"].clone();
    let call = json!({"SectionLetters": "A", "TableNumber": 1, "RoundNumber": 1, "Status": 3});
    let settings = json!([{"SessionGuid": GUID, "SectionLetters": "A", "BM2PINcode": "7316"}]);
    vec![
        (5, event),
        (6, update),
        (
            7,
            json!({"EventGuid": super::EVENT, "Session": {"SessionGuid": GUID}}),
        ),
        (8, groups),
        (10, json!([score])),
        (11, json!([player])),
        (12, json!([seat])),
        (13, json!([hand])),
        (14, settings.clone()),
        (15, settings),
        (27, json!(3)),
        (31, json!({"EventGuid": super::EVENT, "Commands": 5})),
        (32, json!({"Letters": "A"})),
        (39, json!([call])),
    ]
}

#[test]
fn whatever_a_program_sends_it_gets_an_answer_and_the_journal_stays_whole() {
    let mut chance = Chance(fastrand::Rng::with_seed(20));
    let right = right();
    let mut base = Base::playing();
    let (mut done, mut refused) = (0, 0);
    for turn in 0..ENVELOPES {
        let (command, data) = &right[chance.below(right.len())];
        let mut data = data.clone();
        for _ in 0..=chance.below(3) {
            chance.spoil(&mut data);
        }
        let mut envelope = json!({"Command": command, "ClubId": "Tea", "SessionGuid": GUID,
            "SerializedData": data.to_string()});
        if chance.below(6) == 0 {
            chance.spoil(&mut envelope);
        }
        let mut body = envelope.to_string().into_bytes();
        if chance.below(10) == 0 {
            let at = chance.below(body.len());
            body[at] = chance.0.u8(..);
            body.truncate(at + chance.below(body.len() - at));
        }
        let said = base.take(&body);
        assert!(matches!(said.kind, 1 | 4 | 10..=14 | 16 | 21), "{said:?}");
        if said.kind == 4 {
            refused += 1;
            assert!(
                said.data
                    .as_str()
                    .is_some_and(|why| !why.is_empty() && why.len() < 2_000)
            );
        } else {
            done += 1;
        }
        if turn % 500 == 499 {
            let before = base.state().clone();
            base.restart();
            assert_eq!(*base.state(), before, "turn {turn}");
        }
    }
    assert!(
        done > 200 && refused > 1_000,
        "{done} done, {refused} refused"
    );
}
