//! A file as a scoring program makes it.

use jet::{Kind, Value, Version};

use crate::exchange::bws::fixed::{PLAYER_COLUMNS, received_columns};
pub(super) use crate::exchange::bws::table;

pub(super) fn int(number: i16) -> Value {
    Value::Int(number)
}

pub(super) fn text(said: &str) -> Value {
    Value::Text(said.to_owned())
}

/// A round of a Howell for four pairs at two tables.
pub(super) fn round(number: i16, pairs: [[i16; 2]; 2]) -> Vec<Vec<Value>> {
    let (low, high) = (2 * number - 1, 2 * number);
    (pairs.into_iter().zip(1..))
        .map(|([ns, ew], table)| {
            [1, table, number, ns, ew, low, high]
                .map(int)
                .into_iter()
                .collect()
        })
        .collect()
}

/// What a scoring program makes that leaves most columns out.
pub(super) fn made(version: Version) -> Vec<u8> {
    let number = Kind::Int;
    let mut rounds = round(1, [[1, 2], [3, 4]]);
    rounds.extend(round(2, [[1, 3], [4, 2]]));
    let left_out = |name: &str| {
        let of_terminals = name.strip_prefix("Processed");
        of_terminals.is_some_and(|rest| !rest.is_empty()) || name == "SuspiciousContract"
    };
    let mut received = received_columns(true);
    received.retain(|(name, _)| !left_out(name));
    let section = [
        ("ID", number),
        ("Letter", Kind::Text(3)),
        ("Tables", number),
        ("Winners", number),
    ];
    let seat = [
        ("Section", number),
        ("Table", number),
        ("Round", number),
        ("NSPair", number),
        ("EWPair", number),
        ("LowBoard", number),
        ("HighBoard", number),
    ];
    let tables = [
        ("Section", number),
        ("Table", number),
        ("LogOnOff", number),
        ("CurrentRound", number),
        ("UpdateFromRound", number),
    ];
    let player = |direction: &str, number: &str, name: &str| {
        vec![
            int(1),
            int(1),
            text(direction),
            text(number),
            text(name),
            int(0),
            Value::Bit(false),
        ]
    };
    let settings = [
        ("ShowResults", Kind::Bit),
        ("ShowPercentage", Kind::Bit),
        ("LeadCard", Kind::Bit),
    ];
    jet::write(
        version,
        &[
            table(
                "Section",
                &section,
                vec![vec![int(1), text("A  "), int(2), int(1)]],
            ),
            table("RoundData", &seat, rounds),
            table("ReceivedData", &received, Vec::new()),
            table(
                "Tables",
                &tables,
                (1..=2).map(|it| [1, it, 2, 0, 0].map(int).into()).collect(),
            ),
            table(
                "PlayerNumbers",
                &PLAYER_COLUMNS[..7],
                vec![player("N", "0042", "Anna Ash"), player("S", "", "")],
            ),
            table(
                "Settings",
                &settings,
                vec![vec![Value::Bit(false), Value::Bit(false), Value::Bit(true)]],
            ),
        ],
    )
    .expect("a file")
}
