//! The doctor's sentences.

use protocol::words::TableNumber;

use super::{Diagnosis, Mistake};
use crate::movement::Movement;

/// What has happened, in words for the director.
pub(super) fn sentence(movement: &Movement, diagnosis: &Diagnosis) -> String {
    let Diagnosis { round, since, .. } = diagnosis;
    let stand = || {
        movement.layout.bye_stands.first().map_or_else(
            || "where it should be".to_owned(),
            |stand| format!("between tables {} and {}", stand.between.0, stand.between.1),
        )
    };
    let what = match diagnosis.mistake {
        Mistake::SkipEarly => "East-West have skipped a table one round too early".to_owned(),
        Mistake::SkipLate => "East-West should have skipped a table and have not".to_owned(),
        Mistake::SpecialMoveEarly => {
            "East-West have made the special move one round too early".to_owned()
        }
        Mistake::SpecialMoveLate => {
            "East-West should have made the special move and went up one table instead".to_owned()
        }
        Mistake::EastWestTooFar => "East-West have gone up two tables instead of one".to_owned(),
        Mistake::EastWestStayed => "East-West have stayed at their tables".to_owned(),
        Mistake::EastWestWrongWay => "East-West have gone down instead of up".to_owned(),
        Mistake::RelayTooLow => format!(
            "the bye-stand is one table too low since round {since}; it belongs {}",
            stand()
        ),
        Mistake::RelayTooHigh => format!(
            "the bye-stand is one table too high since round {since}; it belongs {}",
            stand()
        ),
        Mistake::FeedInsOutOfOrder => format!(
            "the sets at the highest table are fed in in the wrong order since round {since}"
        ),
        Mistake::BoardsWrongWay => "the boards have gone up instead of down one table".to_owned(),
        Mistake::BoardsStayed => "the boards have stayed where they were".to_owned(),
        Mistake::ShareMissing => {
            "the highest table has kept its boards instead of sharing those of table 1".to_owned()
        }
    };
    format!(
        "Round {round}: {what}. It shows at {}.",
        tables(&diagnosis.explained)
    )
}

fn tables(tables: &[TableNumber]) -> String {
    /// More are not worth reading.
    const NAMED_MAX: usize = 6;
    match tables {
        [one] => format!("table {one}"),
        many if many.len() > NAMED_MAX => format!("{} tables", many.len()),
        many => {
            let names: Vec<String> = many.iter().map(ToString::to_string).collect();
            format!("tables {}", names.join(", "))
        }
    }
}
