//! Mistakes within one result.

use base_station::checks::{Kind, Remedy};
use protocol::words::{
    BoardNumber, BoardResult, Card, Doubling, Percentage, Played, Score, Tricks, Vulnerability,
    score_of,
};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::evening::{News, strongest};
use super::{Made, Scene};

impl Scene<'_> {
    /// Two in three are slips of a finger (a neighbouring rank, another suit), the rest are
    /// somebody else's card remembered.
    pub(super) fn wrong_lead(&mut self) -> Option<Made> {
        let (entered, played) = self.any_played(|_, played| played.lead.is_some())?;
        let dealt = *self.evening.deals.board(entered.id.board)?;
        let lead = played.lead?;
        let own = dealt.deal.hand(played.contract.leader());
        let all: Vec<Card> = (0..52).filter_map(Card::from_index).collect();
        let near = |card: &Card| {
            let next_rank = card.rank.get().abs_diff(lead.rank.get()) == 1;
            card.suit == lead.suit && next_rank || card.rank == lead.rank
        };
        let slip = self.rng.random_bool(0.67);
        let wrong: Vec<Card> = all
            .into_iter()
            .filter(|card| !own.holds(*card) && (!slip || near(card)))
            .collect();
        let lead = *wrong.choose(self.rng)?;
        let result = BoardResult::Played(Played {
            lead: Some(lead),
            ..played
        });
        self.set_result(entered, result);
        let mut made = self.made(entered.id, &[Kind::LeadNotHeld], None);
        // The holder of the card is told by the declarer whom it would make right.
        made.answer = Some(Remedy::ChangeDeclarer {
            declarer: dealt.deal.holder(lead).right(),
        });
        Some(made)
    }

    pub(super) fn wrong_declarer(&mut self, partner: bool, with_lead: bool) -> Option<Made> {
        let (entered, mut played) =
            self.any_played(|_, played| played.lead.is_some() || !with_lead)?;
        let declarer = played.contract.declarer;
        played.contract.declarer = match (partner, self.rng.random_bool(0.5)) {
            (true, _) => declarer.partner(),
            (false, true) => declarer.left(),
            (false, false) => declarer.right(),
        };
        if !with_lead {
            played.lead = None;
        }
        // The real lead may happen to be no one's to play against the wrong declarer; it never
        // is in the new leader's hand, because it is in the real leader's.
        self.set_result(entered, BoardResult::Played(played));
        let kind = if with_lead {
            Kind::LeadNotHeld
        } else {
            Kind::WrongSide
        };
        let mut made = self.made(entered.id, &[kind], None);
        // Without a lead it is enough that the side is put right.
        made.answer = with_lead.then_some(Remedy::ChangeDeclarer { declarer });
        Some(made)
    }

    pub(super) fn tricks_of_other_side(&mut self) -> Option<Made> {
        let (entered, played) = self.any_played(|_, _| true)?;
        let tricks = Tricks::new(13 - played.tricks.get())?;
        self.set_result(entered, BoardResult::Played(Played { tricks, ..played }));
        let answer = Remedy::ChangeTricks {
            tricks: played.tricks,
        };
        Some(self.made(entered.id, &[Kind::TricksOfOtherSide], Some(answer)))
    }

    pub(super) fn missing_double(&mut self) -> Option<Made> {
        let (entered, mut played) = self.any_played(|_, played| {
            played.contract.doubling == Doubling::Doubled && played.contract.over(played.tricks) < 0
        })?;
        played.contract.doubling = Doubling::Undoubled;
        self.set_result(entered, BoardResult::Played(played));
        let answer = Remedy::MakeDoubled;
        Some(self.made(entered.id, &[Kind::MissingDouble], Some(answer)))
    }

    pub(super) fn not_played(&mut self) -> Option<Made> {
        let entered = self.any_result(|e| e.line.result == BoardResult::PassedOut)?;
        self.set_result(entered, BoardResult::NotPlayed);
        let answer = Remedy::PassedOut;
        Some(self.made(entered.id, &[Kind::NotPlayedWasPassedOut], Some(answer)))
    }

    pub(super) fn passed_out(&mut self) -> Option<Made> {
        let deals = self.evening.deals.clone();
        // A board that nobody would open looks passed out however it was.
        let entered = self.any_result(|e| {
            let cards = deals.board(e.id.board);
            cards.is_some_and(|cards| strongest(cards) >= 22)
        })?;
        self.set_result(entered, BoardResult::PassedOut);
        let answer = Remedy::NotPlayed;
        Some(self.made(entered.id, &[Kind::PassedOutWasNotPlayed], Some(answer)))
    }

    /// The scorer types `-110` for `110`, and nobody wrote down the contract.
    pub(super) fn score_of_other_side(&mut self) -> Option<Made> {
        let score = |board: BoardNumber, played: Played| {
            score_of(played.contract, played.tricks, board.vulnerability())
        };
        let (entered, played) = self.any_played(|_, _| true)?;
        let mut line = entered.line;
        line.stated = Some(Score(-score(entered.id.board, played).0));
        line.result = BoardResult::Adjusted {
            ns: Percentage::MIN,
            ew: Percentage::MIN,
        };
        self.evening.news[entered.at].1 = News::Result(entered.id, line);
        Some(self.made(entered.id, &[Kind::SignAlone], None))
    }

    /// A score on a paper slip beside the contract: one for the other vulnerability, or any.
    pub(super) fn written(&mut self, vulnerability: bool) -> Option<Made> {
        let other = |board: BoardNumber, played: Played| {
            let side = played.contract.declarer.side();
            let other = if board.vulnerability().of(side) {
                Vulnerability::None
            } else {
                Vulnerability::Both
            };
            score_of(played.contract, played.tricks, other)
        };
        let right = |board: BoardNumber, played: Played| {
            score_of(played.contract, played.tricks, board.vulnerability())
        };
        let (entered, played) =
            self.any_played(|e, p| other(e.id.board, p) != right(e.id.board, p))?;
        let (id, mut line) = (entered.id, entered.line);
        let right = right(id.board, played);
        let for_other = other(id.board, played);
        let wrong = if vulnerability {
            for_other
        } else {
            let ten = self.rng.random_range(-60..=60) * 10;
            let wrong = Score(right.0 + ten);
            if wrong == right || wrong == for_other {
                Score(right.0 + 1000)
            } else {
                wrong
            }
        };
        line.stated = Some(wrong);
        self.evening.news[entered.at].1 = News::Result(id, line);
        let kind = if vulnerability {
            Kind::VulnerabilityError
        } else {
            Kind::ImpossibleScore
        };
        let answer = Remedy::UseScore { score: right };
        Some(self.made(id, &[kind], Some(answer)))
    }
}
