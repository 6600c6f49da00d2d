//! A result while it is being typed: contract, declarer, opening lead, tricks.

use protocol::message::{LeadEntry, ResultStyle, Settings};
use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, Doubling, Level, Outcome, Played, Rank, RoundNumber,
    Seat, Strain, Suit, Tricks,
};

use super::Digits;
use crate::Key;
use crate::texts::Text;

/// What the players have typed so far for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// The round that the board belongs to.
    pub round: RoundNumber,
    /// The board.
    pub board: BoardNumber,
    /// The director types, behind the PIN.
    pub by_director: bool,
    pub(super) special: Option<Special>,
    pub(super) level: Option<Level>,
    pub(super) strain: Option<Strain>,
    pub(super) doubling: Doubling,
    pub(super) declarer: Option<Seat>,
    pub(super) lead: Lead,
    pub(super) sign: Option<Sign>,
    pub(super) digits: Digits,
    /// What stands on the sheet, and nobody has touched it yet.
    pub(super) untouched: bool,
}

/// Boards that were not played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    PassedOut,
    NotPlayed,
}

/// The opening lead while it is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Open,
    Suit(Suit),
    Card(Card),
    /// Typed as 1: a 0 that follows belongs to it.
    Ten(Suit),
    Skipped,
}

/// How a result begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Made,
    Over,
    Down,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 1 to 7, PASS or NP.
    Level,
    /// A suit or NT.
    Strain,
    /// N, E, S or W; X and XX before or after.
    Declarer,
    /// The suit of the lead; OK leaves it out where that is allowed.
    LeadSuit,
    /// The rank of the lead.
    LeadRank,
    /// The tricks.
    Tricks,
    /// OK shows it to East.
    Done,
}

impl Typing {
    /// A board of which nothing has been typed.
    pub const fn new(round: RoundNumber, board: BoardNumber) -> Self {
        Self {
            round,
            board,
            by_director: false,
            special: None,
            level: None,
            strain: None,
            doubling: Doubling::Undoubled,
            declarer: None,
            lead: Lead::Open,
            sign: None,
            digits: Digits::NONE,
            untouched: false,
        }
    }

    /// A board that has a result: typed as it stands there.
    pub fn of(
        round: RoundNumber,
        board: BoardNumber,
        outcome: Outcome,
        settings: &Settings,
    ) -> Self {
        let Outcome::Result(result) = outcome else {
            return Self::new(round, board);
        };
        let mut typing = Self {
            untouched: true,
            ..Self::new(round, board)
        };
        match result {
            BoardResult::PassedOut => typing.special = Some(Special::PassedOut),
            BoardResult::NotPlayed => typing.special = Some(Special::NotPlayed),
            BoardResult::SitOut | BoardResult::Adjusted { .. } => {
                return Self::new(round, board);
            }
            BoardResult::Played(played) => typing.take(played, settings),
        }
        typing
    }

    fn take(&mut self, played: Played, settings: &Settings) {
        let contract = played.contract;
        self.level = Some(contract.level);
        self.strain = Some(contract.strain);
        self.doubling = contract.doubling;
        self.declarer = Some(contract.declarer);
        self.lead = match (played.lead, settings.lead) {
            (Some(card), _) => Lead::Card(card),
            (None, LeadEntry::Off) => Lead::Open,
            (None, _) => Lead::Skipped,
        };
        let over = contract.over(played.tricks);
        let (sign, number) = match settings.result_style {
            ResultStyle::TotalTricks => (None, played.tricks.get()),
            ResultStyle::American if over >= 0 => (None, played.tricks.get().saturating_sub(6)),
            _ if over == 0 => (Some(Sign::Made), 0),
            _ if over > 0 => (Some(Sign::Over), over.unsigned_abs()),
            _ => (Some(Sign::Down), over.unsigned_abs()),
        };
        self.sign = sign;
        if sign != Some(Sign::Made) {
            for digit in [number / 10, number % 10] {
                if digit > 0 || !self.digits.is_empty() || number == 0 {
                    self.digits.push(digit, 2);
                }
            }
        }
    }

    /// Whether nobody is in the middle of typing: nothing is typed, or what stands there is.
    pub fn is_resting(&self) -> bool {
        self.untouched || self.is_empty()
    }

    /// The first key over what stands there. The beginning of another result begins anew; a part
    /// of it that can be told from its key is exchanged.
    fn touch(&mut self, key: Key, settings: &Settings) -> Result<(), Text> {
        let fresh = Self {
            by_director: self.by_director,
            ..Self::new(self.round, self.board)
        };
        let begins =
            matches!(key, Key::Pass | Key::NotPlayed) || key.digit().and_then(Level::new).is_some();
        if begins || self.special.is_some() {
            let mut fresh = fresh;
            fresh.press(key, settings)?;
            *self = fresh;
        } else if self.press_double(key) {
        } else if key.seat().is_some() {
            self.declarer = key.seat();
        } else if let (Some(suit), true) = (key.suit(), settings.lead != LeadEntry::Off) {
            self.lead = Lead::Suit(suit);
        } else {
            self.press_result(key, settings)?;
        }
        self.untouched = false;
        Ok(())
    }

    /// Whether nothing has been typed.
    pub fn is_empty(&self) -> bool {
        self.level.is_none() && self.special.is_none()
    }

    /// What comes next.
    pub fn step(&self, settings: &Settings) -> Step {
        if self.special.is_some() {
            return Step::Done;
        }
        if self.level.is_none() {
            return Step::Level;
        }
        if self.strain.is_none() {
            return Step::Strain;
        }
        if self.declarer.is_none() {
            return Step::Declarer;
        }
        match (self.lead, settings.lead) {
            (Lead::Open, LeadEntry::Optional | LeadEntry::Required) => return Step::LeadSuit,
            (Lead::Suit(_), _) => return Step::LeadRank,
            _ => {}
        }
        match self.tricks(settings) {
            Ok(_) => Step::Done,
            Err(_) => Step::Tricks,
        }
    }

    /// Takes a key. `Err` says what was expected instead; nothing has changed then.
    pub fn press(&mut self, key: Key, settings: &Settings) -> Result<(), Text> {
        if self.untouched {
            return self.touch(key, settings);
        }
        match (self.step(settings), key) {
            (Step::Level, Key::Pass) => self.special = Some(Special::PassedOut),
            (Step::Level, Key::NotPlayed) => self.special = Some(Special::NotPlayed),
            (Step::Level, _) => {
                let level = key.digit().and_then(Level::new);
                self.level = Some(level.ok_or(Text::ExpectLevel)?);
            }
            (Step::Strain, _) => {
                self.strain = Some(key.strain().ok_or(Text::ExpectStrain)?);
            }
            // Until the lead begins, a forgotten double or a wrong declarer is one key away.
            (Step::Declarer | Step::LeadSuit, _) if self.press_double(key) => {}
            (Step::Declarer, _) => {
                self.declarer = Some(key.seat().ok_or(Text::ExpectDeclarer)?);
            }
            (Step::LeadSuit, _) if key.seat().is_some() => self.declarer = key.seat(),
            (Step::LeadSuit, Key::Ok) if settings.lead == LeadEntry::Optional => {
                self.lead = Lead::Skipped;
            }
            (Step::LeadSuit, Key::Equal | Key::Plus | Key::Minus)
                if settings.lead == LeadEntry::Optional =>
            {
                self.lead = Lead::Skipped;
                return self.press_result(key, settings);
            }
            (Step::LeadSuit, _) => {
                let suit = key.suit().ok_or(match settings.lead {
                    LeadEntry::Required => Text::ExpectLeadRequired,
                    _ => Text::ExpectLead,
                })?;
                self.lead = Lead::Suit(suit);
            }
            (Step::LeadRank, _) => self.press_rank(key)?,
            (Step::Tricks | Step::Done, _) => return self.press_result(key, settings),
        }
        Ok(())
    }

    /// Takes back the last thing typed; false if there was nothing.
    pub fn back(&mut self) -> bool {
        self.untouched = false;
        if self.digits.pop() {
            return true;
        }
        if self.sign.take().is_some() || self.special.take().is_some() {
            return true;
        }
        match self.lead {
            Lead::Card(Card { suit, .. }) | Lead::Ten(suit) => {
                self.lead = Lead::Suit(suit);
                return true;
            }
            Lead::Suit(_) | Lead::Skipped => {
                self.lead = Lead::Open;
                return true;
            }
            Lead::Open => {}
        }
        if self.declarer.take().is_some() {
            return true;
        }
        if self.doubling != Doubling::Undoubled {
            self.doubling = Doubling::Undoubled;
            return true;
        }
        self.strain.take().is_some() || self.level.take().is_some()
    }

    /// The contract, once level, strain and declarer are there.
    pub fn contract(&self) -> Option<Contract> {
        Some(Contract {
            level: self.level?,
            strain: self.strain?,
            doubling: self.doubling,
            declarer: self.declarer?,
        })
    }

    /// The result, once it is complete; or what is still wrong with it.
    pub fn result(&self, settings: &Settings) -> Result<BoardResult, Text> {
        match self.special {
            Some(Special::PassedOut) => return Ok(BoardResult::PassedOut),
            Some(Special::NotPlayed) => return Ok(BoardResult::NotPlayed),
            None => {}
        }
        match self.step(settings) {
            Step::Level => return Err(Text::ExpectLevel),
            Step::Strain => return Err(Text::ExpectStrain),
            Step::Declarer => return Err(Text::ExpectDeclarer),
            Step::LeadSuit => return Err(Text::ExpectLead),
            Step::LeadRank => return Err(Text::ExpectRank),
            Step::Tricks | Step::Done => {}
        }
        Ok(BoardResult::Played(Played {
            contract: self.contract().ok_or(Text::ExpectDeclarer)?,
            tricks: self.tricks(settings)?,
            lead: self.lead_card(),
        }))
    }

    /// The lead, once it is complete.
    pub fn lead_card(&self) -> Option<Card> {
        match self.lead {
            Lead::Card(card) => Some(card),
            Lead::Ten(suit) => Some(Card {
                suit,
                rank: Rank::TEN,
            }),
            Lead::Open | Lead::Suit(_) | Lead::Skipped => None,
        }
    }

    fn press_double(&mut self, key: Key) -> bool {
        let pressed = match key {
            Key::Double => Doubling::Doubled,
            Key::Redouble => Doubling::Redoubled,
            _ => return false,
        };
        // The same key again takes the double away.
        self.doubling = if self.doubling == pressed {
            Doubling::Undoubled
        } else {
            pressed
        };
        true
    }

    fn press_rank(&mut self, key: Key) -> Result<(), Text> {
        let Lead::Suit(suit) = self.lead else {
            return Ok(());
        };
        if let Some(suit) = key.suit() {
            self.lead = Lead::Suit(suit);
            return Ok(());
        }
        self.lead = match (key, key.rank()) {
            (Key::One, _) => Lead::Ten(suit),
            (_, Some(rank)) => Lead::Card(Card { suit, rank }),
            (_, None) => return Err(Text::ExpectRank),
        };
        Ok(())
    }

    fn press_result(&mut self, key: Key, settings: &Settings) -> Result<(), Text> {
        if let (Lead::Ten(suit), Key::Zero) = (self.lead, key)
            && self.sign.is_none()
            && self.digits.is_empty()
        {
            self.lead = Lead::Card(Card {
                suit,
                rank: Rank::TEN,
            });
            return Ok(());
        }
        match key {
            Key::Equal => (self.sign, self.digits) = (Some(Sign::Made), Digits::NONE),
            Key::Plus => (self.sign, self.digits) = (Some(Sign::Over), Digits::NONE),
            Key::Minus => (self.sign, self.digits) = (Some(Sign::Down), Digits::NONE),
            _ => {
                let digit = key.digit().ok_or(expect_result(settings))?;
                match (self.sign, settings.result_style) {
                    (None, ResultStyle::OverUnder) | (Some(Sign::Made), _) => {
                        return Err(expect_result(settings));
                    }
                    _ => self.digits.push(digit, 2),
                }
            }
        }
        Ok(())
    }

    fn tricks(&self, settings: &Settings) -> Result<Tricks, Text> {
        let level = self.level.ok_or(Text::ExpectLevel)?;
        let typed = self
            .digits
            .value()
            .and_then(|typed| i8::try_from(typed).ok());
        let over = match (self.sign, typed, settings.result_style) {
            (Some(Sign::Made), ..) => 0,
            (Some(_), Some(0), _) => return Err(Text::ExpectNotZero),
            (Some(Sign::Over), Some(over), _) => over,
            (Some(Sign::Down), Some(down), _) => -down,
            (None, Some(tricks), ResultStyle::TotalTricks) => {
                return u8::try_from(tricks)
                    .ok()
                    .and_then(Tricks::new)
                    .ok_or(Text::TooManyTricks);
            }
            (None, Some(above), ResultStyle::American) => {
                let over = above - level.get().cast_signed();
                if over < 0 {
                    return Err(Text::AmericanDown);
                }
                over
            }
            _ => return Err(expect_result(settings)),
        };
        level.tricks_from_over(over).ok_or(Text::TooManyTricks)
    }
}

const fn expect_result(settings: &Settings) -> Text {
    match settings.result_style {
        ResultStyle::OverUnder => Text::ExpectOverUnder,
        ResultStyle::TotalTricks => Text::ExpectTotal,
        ResultStyle::American => Text::ExpectAmerican,
    }
}
