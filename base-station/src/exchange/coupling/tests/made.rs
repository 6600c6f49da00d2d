//! A file as a scoring program makes it.

use jet::{Column, Kind, Table, Value, Version};

pub(super) fn int(number: i16) -> Value {
    Value::Int(number)
}

pub(super) fn text(said: &str) -> Value {
    Value::Text(said.to_owned())
}

pub(super) fn table(name: &str, columns: &[(&str, Kind)], rows: Vec<Vec<Value>>) -> Table {
    Table {
        name: name.to_owned(),
        columns: (columns.iter())
            .map(|(name, kind)| Column::new(name, *kind))
            .collect(),
        rows,
    }
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
    let received = [
        ("ID", Kind::AutoNumber),
        ("Section", number),
        ("Table", number),
        ("Round", number),
        ("Board", number),
        ("PairNS", number),
        ("PairEW", number),
        ("Declarer", number),
        ("NS/EW", Kind::Text(2)),
        ("Contract", Kind::Text(10)),
        ("Result", Kind::Text(10)),
        ("LeadCard", Kind::Text(10)),
        ("Remarks", Kind::Text(255)),
        ("DateLog", Kind::Date),
        ("TimeLog", Kind::Date),
        ("Processed", Kind::Bit),
        ("Erased", Kind::Bit),
        ("ExternalUpdate", Kind::Bit),
    ];
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
    let players = [
        ("Section", number),
        ("Table", number),
        ("Direction", Kind::Text(2)),
        ("Number", Kind::Text(16)),
        ("Name", Kind::Text(18)),
        ("Round", number),
        ("Updated", Kind::Bit),
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
                &players,
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
