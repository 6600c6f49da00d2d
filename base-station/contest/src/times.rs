//! How long a match takes, when no new board may be begun, and until when an appeal is heard.

use crate::rules::{Comparison, Regulation, Rules};

/// The time of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchTime {
    /// From the first board to the end.
    pub minutes: u16,
    /// No board is begun in the last so many of them.
    pub no_new_board: u16,
}

impl Rules {
    /// What the regulation gives a match of so many boards.
    pub const fn time(&self, boards: u16) -> MatchTime {
        let teams = self.comparison.is_teams();
        let minutes = match (self.regulation, boards) {
            // Nine boards of a Swiss of pairs take 54 minutes.
            (Regulation::NewZealandClub, _) if !teams => 6 * boards,
            // Seven a board, and ten for scoring.
            (Regulation::NewZealandClub, _) => 7 * boards + 10,
            // Stanzas of twelve have six minutes more.
            (Regulation::AbfChampionships, 12) => 96,
            // Seven and a half a board.
            (
                Regulation::AbfChampionships
                | Regulation::Sabf
                | Regulation::SabfTrials
                | Regulation::Gnot,
                _,
            ) => (15 * boards).div_ceil(2),
        };
        let no_new_board = match (self.regulation, self.comparison) {
            (Regulation::Sabf, _) => 5,
            (
                Regulation::NewZealandClub,
                Comparison::Butler | Comparison::CrossImps | Comparison::Matchpoints,
            ) => 3,
            (
                Regulation::NewZealandClub
                | Regulation::AbfChampionships
                | Regulation::Gnot
                | Regulation::SabfTrials,
                _,
            ) => 0,
        };
        MatchTime {
            minutes,
            no_new_board,
        }
    }

    /// For so many minutes after the end of a match a ruling can be appealed against. All
    /// regulations that name a time say half an hour; GNOT has a timetable instead.
    pub const fn appeal_minutes(&self) -> u16 {
        30
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_take_as_long_as_their_regulation_prints() {
        let minutes = |regulation, comparison, boards| {
            let time = Rules::of(regulation, comparison).time(boards);
            (time.minutes, time.no_new_board)
        };
        let (butler, teams) = (Comparison::Butler, Comparison::TeamsImps);
        assert_eq!(minutes(Regulation::NewZealandClub, butler, 9), (54, 3));
        assert_eq!(minutes(Regulation::NewZealandClub, teams, 12), (94, 0));
        for (boards, printed) in [(8, 60), (10, 75), (12, 90), (14, 105), (16, 120)] {
            assert_eq!(minutes(Regulation::Gnot, teams, boards), (printed, 0));
        }
        assert_eq!(minutes(Regulation::AbfChampionships, teams, 16), (120, 0));
        assert_eq!(minutes(Regulation::AbfChampionships, teams, 12), (96, 0));
        assert_eq!(minutes(Regulation::Sabf, teams, 14), (105, 5));
    }
}
