//! The table's score sheet as the pad keeps it: the outbox and the history in one.
//!
//! There is one line for each board of each round. What the base has not received yet is simply
//! the lines that say so; therefore the outbox can't outgrow the session.

use heapless::Vec;
use protocol::message::{Entry, EntryNumber, Recorded, RefusalReason, Source};
use protocol::words::{Award, BoardNumber, BoardResult, Outcome, Percentage, RoundNumber};
use serde::{Deserialize, Serialize};

use crate::game::GameTag;

/// Lines that a pad keeps. The longest session of one table is far below: 40 boards.
pub const LINES_MAX: usize = 64;

/// One board at this table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// A line of another game than the pad's is as good as erased.
    pub tag: GameTag,
    /// What was agreed.
    pub entry: Entry,
    /// How far it has come.
    pub state: LineState,
}

impl Line {
    /// What stands there.
    pub const fn outcome(&self) -> Outcome {
        match self.state {
            LineState::Awarded { ns, ew } => Outcome::Awarded { ns, ew },
            _ => Outcome::Result(self.entry.result),
        }
    }

    /// Whether it was agreed on this pad.
    const fn is_own(&self) -> bool {
        let own = matches!(
            self.state,
            LineState::Unsent | LineState::Received(_) | LineState::Refused(_) | LineState::Again
        );
        own && self.entry.number.0 > 0
    }
}

/// How far a line has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineState {
    /// Agreed, and in this pad's flash. Not yet received.
    Unsent,
    /// In the base's journal. North-South's percentage where the club shows it.
    Received(Option<Percentage>),
    /// The base said no, for good. It stays here for the director.
    Refused(RefusalReason),
    /// The director changed it at the base.
    Directors,
    /// As the base has it, agreed on another pad of this table.
    Elsewhere,
    /// The director took the result away: the board has none.
    Withdrawn,
    /// The base had it, and asked for it once more: it is sent again.
    Again,
    /// The director gave each side its own in place of a result: the entry's own says nothing.
    Awarded {
        /// North-South's.
        ns: Award,
        /// East-West's.
        ew: Award,
    },
}

impl LineState {
    /// Whether the base is to hear of it.
    pub const fn is_to_send(self) -> bool {
        matches!(self, Self::Unsent | Self::Again)
    }
}

/// All lines, each in the slot in which it is also stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    lines: Vec<Line, LINES_MAX>,
}

impl Sheet {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Every line with a result, in the order of the slots.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines
            .iter()
            .filter(|line| line.state != LineState::Withdrawn)
    }

    /// The line of a board in a round, if it has a result.
    pub fn line(&self, round: RoundNumber, board: BoardNumber) -> Option<&Line> {
        self.lines()
            .find(|line| line.entry.round == round && line.entry.board == board)
    }

    /// What is stored in a slot.
    pub fn slot(&self, slot: u8) -> Option<&Line> {
        self.lines.get(usize::from(slot))
    }

    /// The oldest line that the base has not received.
    pub fn first_unsent(&self) -> Option<&Line> {
        self.lines
            .iter()
            .filter(|line| line.state.is_to_send())
            .min_by_key(|line| line.entry.number)
    }

    /// How many lines are to be sent, for the first time or again.
    pub fn unsent(&self) -> u8 {
        let unsent = self.lines.iter().filter(|line| line.state.is_to_send());
        u8::try_from(unsent.count()).unwrap_or(u8::MAX)
    }

    /// How many lines the base has never received.
    pub fn never_sent(&self) -> u8 {
        let never = self.lines.iter();
        let never = never.filter(|line| line.state == LineState::Unsent);
        u8::try_from(never.count()).unwrap_or(u8::MAX)
    }

    /// How many lines this pad can send again.
    pub fn own(&self) -> u8 {
        let own = self.lines.iter().filter(|line| line.is_own());
        u8::try_from(own.count()).unwrap_or(u8::MAX)
    }

    /// How many lines count nowhere: not received, or refused because the session was over. They
    /// are not forgotten without the director.
    pub fn unsettled(&self) -> u8 {
        let unsettled = self.lines.iter().filter(|line| {
            matches!(
                line.state,
                LineState::Unsent
                    | LineState::Again
                    | LineState::Refused(RefusalReason::SessionOver)
            )
        });
        u8::try_from(unsettled.count()).unwrap_or(u8::MAX)
    }

    /// The line that was agreed last at this table.
    pub fn newest(&self) -> Option<&Line> {
        self.lines()
            .filter(|line| line.entry.number.0 > 0)
            .max_by_key(|line| line.entry.number)
    }

    /// The highest number that an entry here has, also one that the director took away since.
    pub fn number_reached(&self) -> EntryNumber {
        let numbers = self.lines.iter().map(|line| line.entry.number);
        numbers.max().unwrap_or(EntryNumber(0))
    }

    /// The last round of which something was agreed: earlier rounds are over.
    pub fn round_reached(&self) -> Option<RoundNumber> {
        self.lines().map(|line| line.entry.agreed_in).max()
    }

    /// Enters a line over the one of the same board and round; says in which slot.
    ///
    /// `None` where every slot holds something that must not be forgotten.
    pub fn put(&mut self, line: Line) -> Option<u8> {
        let slot = self
            .slot_of(line.entry.round, line.entry.board)
            .or_else(|| {
                let free = self.lines.len();
                self.lines.push(line).ok().map(|()| free)
            })
            .or_else(|| self.forgettable(line.entry.round))?;
        *self.lines.get_mut(slot)? = line;
        u8::try_from(slot).ok()
    }

    /// Puts a line back after a restart. Slots are given in ascending order.
    pub fn restore(&mut self, line: Line) {
        // Full only if flash held more slots than a pad has.
        let _ = self.lines.push(line);
    }

    /// Changes the state of an entry; says in which slot.
    pub fn mark(&mut self, number: EntryNumber, state: LineState) -> Option<u8> {
        let slot = self
            .lines
            .iter()
            .position(|line| line.entry.number == number && line.state.is_to_send())?;
        self.lines.get_mut(slot)?.state = state;
        u8::try_from(slot).ok()
    }

    /// Takes over what the base has, unless something newer waits here to be sent.
    pub fn record(&mut self, tag: GameTag, recorded: &Recorded) -> Option<u8> {
        let known = self
            .slot_of(recorded.round, recorded.board)
            .and_then(|slot| self.lines.get_mut(slot));
        if let Some(line) = &known
            && line.state.is_to_send()
        {
            return None;
        }
        let Some(outcome) = recorded.result else {
            let line = known?;
            line.state = LineState::Withdrawn;
            let slot = self.slot_of(recorded.round, recorded.board)?;
            return u8::try_from(slot).ok();
        };
        if let Some(line) = known.as_deref()
            && line.outcome() == outcome
            && matches!(line.state, LineState::Received(_))
        {
            return None;
        }
        // The number stays with the line: no later entry may ever get it again, or the base would
        // take that for a repetition.
        let number = known.map_or(EntryNumber(0), |line| line.entry.number);
        let (result, state) = match (outcome, recorded.source) {
            (Outcome::Result(result), Source::Table) => (result, LineState::Elsewhere),
            (Outcome::Result(result), Source::Director) => (result, LineState::Directors),
            (Outcome::Awarded { ns, ew }, _) => {
                (BoardResult::NotPlayed, LineState::Awarded { ns, ew })
            }
        };
        self.put(Line {
            tag,
            entry: Entry {
                number,
                round: recorded.round,
                agreed_in: recorded.round,
                board: recorded.board,
                result,
                correction: false,
                by_director: recorded.source == Source::Director,
            },
            state,
        })
    }

    /// Lets every own line be sent again; says how many.
    pub fn resend(&mut self) -> u8 {
        let mut count = 0;
        for line in &mut self.lines {
            if line.is_own() {
                if matches!(line.state, LineState::Received(_)) {
                    line.state = LineState::Again;
                } else if line.state != LineState::Again {
                    line.state = LineState::Unsent;
                }
                count += 1;
            }
        }
        count
    }

    /// How many slots are in use.
    pub fn slots(&self) -> u8 {
        u8::try_from(self.lines.len()).unwrap_or(u8::MAX)
    }

    fn slot_of(&self, round: RoundNumber, board: BoardNumber) -> Option<usize> {
        self.lines
            .iter()
            .position(|line| line.entry.round == round && line.entry.board == board)
    }

    /// The oldest line of an earlier round that the base holds anyway.
    fn forgettable(&self, round: RoundNumber) -> Option<usize> {
        self.lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.state.is_to_send() && line.entry.round < round)
            .min_by_key(|(_, line)| line.entry.round)
            .map(|(slot, _)| slot)
    }
}
