//! What is the same in every file: the columns of results, settings, and tables without rows.

use jet::{Kind, Table, Value};

use super::{BIT, INT, NO, YES, table};

/// Players by their chairs.
pub(in crate::exchange) const PLAYER_COLUMNS: [(&str, Kind); 9] = [
    ("Section", INT),
    ("Table", INT),
    ("Direction", Kind::Text(2)),
    ("Number", Kind::Text(16)),
    ("Name", Kind::Text(18)),
    ("Round", INT),
    ("Updated", BIT),
    ("Processed", BIT),
    ("TimeLog", Kind::Date),
];

pub(in crate::exchange) fn received_columns(external: bool) -> Vec<(&'static str, Kind)> {
    let mut columns = vec![
        ("ID", Kind::AutoNumber),
        ("Section", INT),
        ("Table", INT),
        ("Round", INT),
        ("Board", INT),
        ("PairNS", INT),
        ("PairEW", INT),
        ("Declarer", INT),
        ("NS/EW", Kind::Text(2)),
        ("Contract", Kind::Text(10)),
        ("Result", Kind::Text(10)),
        ("LeadCard", Kind::Text(10)),
        ("Remarks", Kind::Text(255)),
        ("DateLog", Kind::Date),
        ("TimeLog", Kind::Date),
        ("Processed", BIT),
        ("Processed1", BIT),
        ("Processed2", BIT),
        ("Processed3", BIT),
        ("Processed4", BIT),
        ("Erased", BIT),
    ];
    if external {
        columns.push(("ExternalUpdate", BIT));
    }
    columns.push(("SuspiciousContract", INT));
    columns
}

/// What the terminals' own program expects to find, at its defaults.
pub(super) fn settings() -> Table {
    let columns = [
        ("ShowResults", BIT, YES),
        ("ShowOwnResult", BIT, YES),
        ("RepeatResults", BIT, NO),
        ("MaximumResults", INT, Value::Int(0)),
        ("ShowPercentage", BIT, YES),
        ("GroupSections", BIT, NO),
        ("ScorePoints", INT, Value::Int(1)),
        ("EnterResultsMethod", INT, Value::Int(0)),
        ("ShowPairNumbers", BIT, YES),
        ("IntermediateResults", BIT, NO),
        ("AutopoweroffTime", INT, Value::Int(20)),
        ("VerificationTime", INT, Value::Int(2)),
        ("ShowContract", INT, Value::Int(1)),
        ("LeadCard", BIT, NO),
        ("MemberNumbers", BIT, NO),
        ("MemberNumbersNoBlankEntry", BIT, NO),
        ("BoardOrderVerification", BIT, YES),
        ("HandRecordValidation", BIT, YES),
        ("Section", INT, Value::Int(0)),
    ];
    let row = columns.iter().map(|(_, _, value)| value.clone()).collect();
    let columns: Vec<_> = columns
        .iter()
        .map(|(name, kind, _)| (*name, *kind))
        .collect();
    table("Settings", &columns, vec![row])
}

/// Tables that programs open though we have nothing for them.
pub(super) fn empty_tables() -> [Table; 3] {
    let step = |what: &'static str| {
        [
            ("ID", Kind::AutoNumber),
            ("Section", INT),
            ("Table", INT),
            ("Round", INT),
            ("Board", INT),
            ("Counter", INT),
            ("Direction", Kind::Text(2)),
            (what, Kind::Text(10)),
            ("DateLog", Kind::Date),
            ("TimeLog", Kind::Date),
            ("Erased", BIT),
        ]
    };
    [
        table("IntermediateData", &received_columns(false), Vec::new()),
        table("BiddingData", &step("Bid"), Vec::new()),
        table("PlayData", &step("Card"), Vec::new()),
    ]
}
