//! The director's number. The base decides about it, because it knows tonight's; a pad at its
//! table, or one that reaches nobody, goes by what the base told it last.

use protocol::message::Pin;
use protocol::time::{Instant, Span};

use super::director::typed_board;
use super::play::PIN_DIGITS;
use super::{App, Behind, Digits, Flow};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// Wrong numbers that cost nothing: fingers slip.
const SLIPS: u8 = 3;

/// The first pause; it doubles with every further wrong number.
const PAUSE_S: u64 = 10;

/// The longest pause.
const PAUSE_S_MAX: u64 = 300;

/// How often somebody has typed a wrong number, and from when on the next one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guesses {
    wrong: u8,
    rests_until: Option<Instant>,
}

impl Guesses {
    /// After so many wrong numbers.
    pub(super) const fn after(wrong: u8) -> Self {
        Self {
            wrong,
            rests_until: None,
        }
    }

    /// For the flash.
    pub(super) const fn wrong(self) -> u8 {
        self.wrong
    }

    /// The pad was switched on: a pause begins anew.
    pub(super) fn rest_again(&mut self, now: Instant) {
        self.rests_until = self.pause().map(|pause| now + pause);
    }

    fn note(&mut self, now: Instant, at_least: Span) {
        self.wrong = self.wrong.saturating_add(1);
        let pause = self.pause().unwrap_or(Span::ZERO).max(at_least);
        self.rests_until = Some(now + pause);
    }

    fn pause(self) -> Option<Span> {
        let doublings = self.wrong.checked_sub(SLIPS)?;
        let pause_s = PAUSE_S << doublings.min(5);
        Some(Span::from_secs(pause_s.min(PAUSE_S_MAX)))
    }

    fn rests(self, now: Instant) -> bool {
        self.rests_until.is_some_and(|until| now < until)
    }
}

impl App {
    /// Somebody pressed DIRECTOR.
    pub(super) fn ask_for_director(&mut self) {
        let behind = match self.flow {
            Flow::OutOfRange { board, .. } => Behind::AllowBoard(board),
            Flow::OldResults => Behind::ForgetOld,
            _ => Behind::Menu,
        };
        let flow = if self.keys.is_none() && self.game.is_none() {
            // A pad of no club holds nothing, and knows nobody who could ask for a number.
            Flow::Menu { cursor: 0 }
        } else {
            Flow::DirectorPin {
                typed: Digits::NONE,
                behind,
            }
        };
        self.lay_over(flow);
    }

    /// Whether a number was typed and the base is being asked about it.
    pub fn is_judged(&self) -> bool {
        matches!(self.flow, Flow::DirectorPin { typed, .. } if typed.len() == PIN_DIGITS)
    }

    pub(super) fn pin_key(&mut self, key: Key, mut typed: Digits, behind: Behind, now: Instant) {
        if self.is_judged() {
            return match key {
                Key::Back | Key::Clear | Key::Director => {
                    self.said.forget_pin();
                    self.leave();
                }
                _ => self.warn(Text::PleaseWait),
            };
        }
        match key {
            Key::Back if !typed.pop() => return self.leave(),
            Key::Back => {}
            Key::Clear | Key::Director => return self.leave(),
            _ => match key.digit() {
                Some(_) if self.guesses.rests(now) => self.warn(Text::PinRests),
                Some(digit) => typed.push(digit, PIN_DIGITS),
                None => self.warn(Text::ExpectFourDigits),
            },
        }
        self.flow = Flow::DirectorPin { typed, behind };
        if let Some(pin) = four_digits(typed) {
            // At its table a pad has tonight's number, and the director is not kept waiting.
            if self.playing().is_some() && pin == self.settings.director_pin {
                self.is_director(now);
            } else {
                self.said.judge(pin);
            }
        }
    }

    /// The base has judged the number.
    pub(super) fn pin_judged(&mut self, right: bool, rest: Span, now: Instant) {
        self.said.forget_pin();
        if !self.is_judged() {
            return;
        }
        if right {
            self.is_director(now);
        } else {
            self.is_not_director(Text::WrongPin, rest, now);
        }
    }

    /// Nobody answers: the number that the base told last has to do.
    pub(super) fn pin_not_judged(&mut self, now: Instant) {
        let Flow::DirectorPin { typed, .. } = self.flow else {
            return;
        };
        let Some(pin) = four_digits(typed) else {
            return;
        };
        self.said.forget_pin();
        if pin == self.settings.director_pin {
            self.is_director(now);
        } else {
            self.is_not_director(Text::PinNotJudged, Span::ZERO, now);
        }
    }

    /// Whether this is the director's number, as far as the pad knows; wrong ones are counted.
    pub(super) fn knows_director(&mut self, pin: Option<Pin>, now: Instant) -> bool {
        if self.guesses.rests(now) {
            return false;
        }
        let right = pin == Some(self.settings.director_pin);
        if right {
            self.forgive();
        } else {
            self.guesses.note(now, Span::ZERO);
            self.persist(RecordKey::Guesses);
        }
        right
    }

    fn is_director(&mut self, _now: Instant) {
        let Flow::DirectorPin { behind, .. } = self.flow else {
            return;
        };
        self.forgive();
        self.flow = match behind {
            Behind::Menu => Flow::Menu { cursor: 0 },
            Behind::AllowBoard(board) => Flow::AllowBoard {
                typed: typed_board(board),
            },
            Behind::ForgetOld => Flow::ForgetOld,
        };
    }

    fn is_not_director(&mut self, why: Text, rest: Span, now: Instant) {
        let Flow::DirectorPin { behind, .. } = self.flow else {
            return;
        };
        self.guesses.note(now, rest);
        self.persist(RecordKey::Guesses);
        self.flow = Flow::DirectorPin {
            typed: Digits::NONE,
            behind,
        };
        self.warn(if self.guesses.rests(now) {
            Text::PinRests
        } else {
            why
        });
    }

    fn forgive(&mut self) {
        if self.guesses != Guesses::default() {
            self.guesses = Guesses::default();
            self.persist(RecordKey::Guesses);
        }
    }
}

/// The number, once all its digits are typed.
pub(super) fn four_digits(typed: Digits) -> Option<Pin> {
    let pin = typed.value().and_then(|pin| u16::try_from(pin).ok());
    pin.filter(|_| typed.len() == PIN_DIGITS).map(Pin)
}
