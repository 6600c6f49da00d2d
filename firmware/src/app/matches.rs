//! Matches: rounds that wait for their draw, and the slip that both sides accept.

use protocol::message::{MatchAtTable, Slip};
use protocol::words::RoundNumber;

use super::{App, Flow, Sound};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// Boards of a slip on the display at one time.
pub(super) const SLIP_ROWS: u8 = 3;

/// What the pad knows of the match. Gone with the power: the base tells it again.
#[derive(Clone, Debug, Default)]
pub(super) struct Matches {
    /// The first round that is not drawn yet.
    undrawn: Option<RoundNumber>,
    /// Whom the table plays in this round and in the next, which may be drawn already: odd rounds
    /// in one place, even ones in the other.
    matching: [Option<MatchAtTable>; 2],
    /// What the match came to.
    slip: Option<Slip>,
    /// The players have put the slip aside without accepting it.
    aside: bool,
}

impl App {
    /// Rounds from this one on have no draw yet.
    pub(super) fn not_drawn(&mut self, from: RoundNumber, rounds_total: RoundNumber) {
        if self.kept.game.is_none() {
            return;
        }
        self.live.matches.undrawn = Some(from);
        // The schedule before it counted only what is drawn.
        self.rounds_are(rounds_total);
    }

    /// The session has so many rounds; a pad that thought it was over goes on where there are more.
    pub(super) fn rounds_are(&mut self, total: RoundNumber) {
        let Some(game) = &mut self.kept.game else {
            return;
        };
        let before = game.rounds_total;
        if before != total {
            game.rounds_total = total;
            self.persist(RecordKey::Game);
        }
        if total > before {
            self.go_on();
        }
    }

    /// The round that the players are in.
    pub const fn round(&self) -> RoundNumber {
        self.kept.progress.round
    }

    /// Whether a round waits for its draw.
    pub(super) fn is_undrawn(&self, round: RoundNumber) -> bool {
        let undrawn = self.live.matches.undrawn.is_some_and(|from| round >= from);
        undrawn && self.kept.schedule.round(round).is_none()
    }

    /// Whether the round after this one waits for its draw.
    pub(super) fn next_is_undrawn(&self) -> bool {
        let next = self.kept.progress.round.next();
        next.is_some_and(|next| self.is_undrawn(next))
    }

    /// Whether the base has yet to say what the match of this round came to.
    pub(super) fn awaits_slip(&self) -> bool {
        self.matching().is_some() && self.slip().is_none()
    }

    pub(super) fn matched(&mut self, matching: &MatchAtTable) {
        let [even, odd] = &mut self.live.matches.matching;
        let place = if matching.round.get().is_multiple_of(2) {
            even
        } else {
            odd
        };
        *place = Some(matching.clone());
    }

    /// The match of the round being played.
    pub(super) fn matching(&self) -> Option<&MatchAtTable> {
        let round = self.kept.progress.round;
        let known = self.live.matches.matching.iter().flatten();
        known.into_iter().find(|it| it.round == round)
    }

    /// What the match of this round came to; or that of the last one, while nobody has sat down for
    /// this one.
    pub(super) fn slip(&self) -> Option<&Slip> {
        let round = self.kept.progress.round;
        let last = |it: &Slip| it.round.next() == Some(round) && !self.kept.progress.confirmed;
        let slip = self.live.matches.slip.as_ref();
        slip.filter(|it| it.round == round || last(it))
    }

    /// Whether the players have gone on before the base said what their last match came to.
    pub(super) fn awaits_last_slip(&self) -> bool {
        let round = self.kept.progress.round;
        let mut known = self.live.matches.matching.iter().flatten();
        !self.kept.progress.confirmed
            && known.any(|it| it.round.next() == Some(round))
            && self.slip().is_none()
    }

    /// Whether the draw of a round is not whole yet: who has no place in it may get one.
    pub(super) fn is_half_drawn(&self, round: RoundNumber) -> bool {
        self.live.matches.undrawn.is_some_and(|from| round >= from)
    }

    /// Where the players were when they read the slip.
    fn after_slip(&self) -> Flow {
        let round = self.kept.progress.round;
        match self.slip() {
            Some(slip) if slip.round != round => Flow::RoundStart,
            _ => Flow::RoundEnd,
        }
    }

    /// The slip, where the players are to read it next.
    pub(super) fn slip_to_read(&self) -> Option<Flow> {
        let open = self.slip().is_some_and(|slip| !slip.accepted);
        let read = Flow::Slip { top: 0, ns: false };
        (open && !self.live.matches.aside).then_some(read)
    }

    pub(super) fn slip_came(&mut self, slip: &Slip) {
        if self.playing().is_none() || self.live.matches.slip.as_ref() == Some(slip) {
            return;
        }
        self.live.matches.slip = Some(slip.clone());
        self.live.matches.aside = false;
        let waits = self.slip_to_read().is_some();
        let ends = |flow: &Flow| match flow {
            Flow::RoundEnd | Flow::Slip { .. } => true,
            // It was too late for the end of its round.
            Flow::RoundStart | Flow::SessionEnd => waits,
            _ => false,
        };
        let home = self.home();
        if ends(&self.live.under) {
            self.live.under = home;
        }
        if ends(&self.live.flow) {
            self.live.flow = home;
            if self.slip_to_read().is_some() {
                self.effects.sound = Some(Sound::Attention);
            }
        }
    }

    pub(super) fn slip_key(&mut self, key: Key, top: u8, ns: bool) {
        let lines = self.slip().map_or(0, |slip| slip.lines.len());
        let last = u8::try_from(lines)
            .unwrap_or(u8::MAX)
            .saturating_sub(SLIP_ROWS);
        match key {
            Key::Up => {
                self.live.flow = Flow::Slip {
                    top: top.saturating_sub(1),
                    ns,
                }
            }
            Key::Down => {
                self.live.flow = Flow::Slip {
                    top: top.saturating_add(1).min(last),
                    ns,
                }
            }
            Key::Accept if !ns => self.live.flow = Flow::Slip { top: 0, ns: true },
            Key::Accept => {
                if let Some(slip) = &mut self.live.matches.slip {
                    slip.accepted = true;
                    self.live.to_say.slip_accepted(slip.round, slip.check);
                }
                self.effects.sound = Some(Sound::Agreed);
                self.live.flow = self.after_slip();
            }
            Key::Back | Key::Clear => {
                self.live.matches.aside = true;
                self.live.flow = self.after_slip();
            }
            _ => self.warn(Text::AcceptOrBack),
        }
    }
}
