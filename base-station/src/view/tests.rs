use protocol::words::RoundNumber;

use super::CellState;
use super::grid::{Facts, Pace};

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

/// The room is in round 3, and the time of round 1 is over.
const fn pace(room: RoundNumber, over: Option<RoundNumber>) -> Pace {
    Pace { room, over }
}

#[test]
fn a_cell_says_in_one_word_what_the_director_must_know() {
    let usual = Facts {
        played: true,
        all_in: false,
        logged_on: true,
        round: round(3),
        table_round: round(3),
    };
    let room = pace(round(3), Some(round(1)));
    let told = [
        ("being played", usual, CellState::Current),
        (
            "wholly in",
            Facts {
                all_in: true,
                ..usual
            },
            CellState::AllIn,
        ),
        (
            "nobody to play",
            Facts {
                played: false,
                ..usual
            },
            CellState::SitOut,
        ),
        (
            "the room is ahead",
            Facts {
                round: round(2),
                ..usual
            },
            CellState::Late,
        ),
        (
            "its time is over",
            Facts {
                round: round(1),
                ..usual
            },
            CellState::Missing,
        ),
        (
            "not yet",
            Facts {
                round: round(5),
                ..usual
            },
            CellState::Waiting,
        ),
        (
            "a quick table",
            Facts {
                round: round(4),
                table_round: round(4),
                ..usual
            },
            CellState::Current,
        ),
        (
            "no pad",
            Facts {
                logged_on: false,
                ..usual
            },
            CellState::NotLoggedOn,
        ),
        (
            "no pad and the time is over",
            Facts {
                logged_on: false,
                round: round(1),
                ..usual
            },
            CellState::Missing,
        ),
        (
            "no pad, but not due either",
            Facts {
                logged_on: false,
                round: round(6),
                ..usual
            },
            CellState::Waiting,
        ),
    ];
    for (story, facts, expected) in told {
        assert_eq!(facts.state(room), expected, "{story}");
    }
}
