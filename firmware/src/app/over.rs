//! What lies over the evening for a moment: feedback, the call for the director, notices.

use protocol::message::{Feedback, FeedbackLevel, Question, TravellerLine};
use protocol::words::BoardNumber;

use super::{App, Flow};
use crate::Key;
use crate::texts::Text;

/// Lines of a traveller or a ranking on the display at one time.
pub(super) const LIST_ROWS: u8 = 4;

impl App {
    pub(super) fn over_key(&mut self, key: Key) {
        match (self.live.flow, key) {
            (Flow::CallDirector, Key::Ok | Key::Call) => {
                self.live.called = !self.live.called;
                self.live.to_say.call(self.live.called);
                self.leave();
            }
            (Flow::UnknownPlayers { seats }, key) => self.unknown_players_key(key, seats),
            (_, Key::Ok | Key::Back | Key::Clear) => self.leave(),
            (Flow::Traveller { board, top }, Key::Up) => {
                let top = top.saturating_sub(1);
                self.live.flow = Flow::Traveller { board, top };
            }
            (Flow::Traveller { board, top }, Key::Down) => {
                let top = top.saturating_add(1).min(self.last_top());
                self.live.flow = Flow::Traveller { board, top };
            }
            (Flow::Ranking { top }, Key::Up) => {
                self.live.flow = Flow::Ranking {
                    top: top.saturating_sub(1),
                };
            }
            (Flow::Ranking { top }, Key::Down) => {
                self.live.flow = Flow::Ranking {
                    top: top.saturating_add(1).min(self.last_top()),
                };
            }
            (Flow::Traveller { board, .. }, Key::Right) if self.kept.settings.hand_record => {
                self.live.flow = Flow::HandRecord { board };
                self.ask(Question::HandRecord(board));
            }
            (Flow::HandRecord { board }, Key::Right) => self.live.flow = Flow::Par { board },
            (Flow::Par { board }, Key::Left) => self.live.flow = Flow::HandRecord { board },
            // The next board begins with its level: whoever types goes on.
            (Flow::Traveller { .. } | Flow::HandRecord { .. } | Flow::Par { .. }, _)
                if key.digit().is_some() =>
            {
                self.leave();
                self.key(key, self.live.last_key);
            }
            _ => self.warn(Text::OkOrBack),
        }
    }

    /// What other tables did on the board that this one finished last.
    pub(super) fn ask_about_last(&mut self) {
        match self.agreed_last() {
            Some(board) => self.ask_about(board),
            None => self.warn(Text::NotFinished),
        }
    }

    /// What other tables did on a board that this one has finished in this round.
    pub(super) fn ask_about(&mut self, board: BoardNumber) {
        let traveller = match self.kept.settings.feedback {
            FeedbackLevel::Traveller => true,
            FeedbackLevel::TravellerAtRoundEnd => self.proposed().is_none(),
            FeedbackLevel::None | FeedbackLevel::Percentage => false,
        };
        if traveller {
            self.lay_over(Flow::Traveller { board, top: 0 });
            self.ask(Question::Traveller(board));
        } else if self.kept.settings.hand_record {
            self.lay_over(Flow::HandRecord { board });
            self.ask(Question::HandRecord(board));
        } else {
            self.warn(Text::NoFeedback);
        }
    }

    pub(super) fn ask_ranking(&mut self) {
        if !self.kept.settings.ranking {
            return self.warn(Text::NoRanking);
        }
        self.lay_over(Flow::Ranking { top: 0 });
        self.ask(Question::Ranking);
    }

    fn ask(&mut self, question: Question) {
        // What is already here and about the same board is shown while the base is asked again.
        let same = match (&self.live.feedback, question) {
            (Some(Feedback::Traveller { board, .. }), Question::Traveller(asked)) => {
                *board == asked
            }
            (Some(Feedback::HandRecord(record)), Question::HandRecord(asked)) => {
                record.board == asked
            }
            (Some(Feedback::Ranking { .. }), Question::Ranking) => true,
            _ => false,
        };
        if !same {
            self.live.feedback = None;
        }
        self.live.feedback_refused = None;
        self.live.to_say.ask(question);
    }

    /// Whether there are more lines than the display shows.
    pub(super) fn has_more_lines(&self) -> bool {
        self.last_top() > 0
    }

    fn last_top(&self) -> u8 {
        let lines = match &self.live.feedback {
            Some(Feedback::Traveller { lines, .. }) => lines.len(),
            Some(Feedback::Ranking { lines }) => lines.len(),
            _ => 0,
        };
        u8::try_from(lines)
            .unwrap_or(u8::MAX)
            .saturating_sub(LIST_ROWS)
    }
}

/// The first line to show, so that the own one is in the middle.
pub(super) fn top_of_own(lines: &[TravellerLine]) -> u8 {
    let own = lines.iter().position(|line| line.own).unwrap_or(0);
    let last = lines.len().saturating_sub(usize::from(LIST_ROWS));
    let top = own.saturating_sub(usize::from(LIST_ROWS / 2)).min(last);
    u8::try_from(top).unwrap_or(u8::MAX)
}
