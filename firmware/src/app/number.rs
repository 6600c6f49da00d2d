//! The director's number. The base decides about it, because it knows tonight's; a pad at its
//! table, or one that reaches nobody, goes by what the base told it last.

use protocol::both_ends::pause_after;
use protocol::message::Pin;
use protocol::time::{Instant, Span};

use super::digits::{PIN_DIGITS, Typed};
use super::{App, Behind, Digits, Flow};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// Wrong director's numbers in a row: in flash, so that new batteries don't help to guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guesses(pub(super) u8);

impl App {
    /// Somebody pressed DIRECTOR.
    pub(super) fn ask_for_director(&mut self) {
        let behind = match self.live.flow {
            Flow::OutOfRange { board, .. } => Behind::AllowBoard(board),
            Flow::OldResults => Behind::ForgetOld,
            _ => Behind::Menu,
        };
        let flow = if self.kept.keys.is_none() && self.kept.game.is_none() {
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
        matches!(self.live.flow, Flow::DirectorPin { typed, .. } if typed.len() == PIN_DIGITS)
    }

    pub(super) fn pin_key(&mut self, key: Key, typed: Digits, behind: Behind, now: Instant) {
        if self.is_judged() {
            return match key {
                Key::Back | Key::Clear | Key::Director => {
                    self.live.to_say.forget_pin();
                    self.leave();
                }
                _ => self.warn(Text::PleaseWait),
            };
        }
        let typed = match (typed.press(key, PIN_DIGITS), key) {
            (Typed::Left, _) | (_, Key::Clear | Key::Director) => return self.leave(),
            (Typed::Digits(_), _) if key.digit().is_some() && self.pin_rests(now) => {
                return self.warn(Text::PinRests);
            }
            (Typed::Digits(typed), _) => typed,
            (Typed::Other, _) => return self.warn(Text::ExpectFourDigits),
        };
        self.live.flow = Flow::DirectorPin { typed, behind };
        if let Some(pin) = typed.pin() {
            // At its table a pad has tonight's number, and the director is not kept waiting.
            if self.playing().is_some() && pin == self.kept.settings.director_pin {
                self.is_director();
            } else {
                self.live.to_say.judge(pin);
            }
        }
    }

    /// Whether numbers wait, because too many were wrong.
    fn pin_rests(&self, now: Instant) -> bool {
        self.live.pin_rests_until.is_some_and(|until| now < until)
    }

    /// The pad was switched on: a pause begins anew.
    pub(super) fn rest_again(&mut self, now: Instant) {
        self.live.pin_rests_until = pause_after(self.kept.guesses.0).map(|pause| now + pause);
    }

    fn note_wrong_pin(&mut self, at_least: Span, now: Instant) {
        let wrong = self.kept.guesses.0.saturating_add(1);
        self.kept.guesses = Guesses(wrong);
        let pause = pause_after(wrong).unwrap_or(Span::ZERO).max(at_least);
        self.live.pin_rests_until = Some(now + pause);
        self.persist(RecordKey::Guesses);
    }

    /// The base has judged the number.
    pub(super) fn pin_judged(&mut self, right: bool, rest: Span, now: Instant) {
        self.live.to_say.forget_pin();
        if !self.is_judged() {
            return;
        }
        if right {
            self.is_director();
        } else {
            self.is_not_director(Text::WrongPin, rest, now);
        }
    }

    /// Nobody answers: the number that the base told last has to do.
    pub(super) fn pin_not_judged(&mut self, now: Instant) {
        let Flow::DirectorPin { typed, .. } = self.live.flow else {
            return;
        };
        let Some(pin) = typed.pin() else {
            return;
        };
        self.live.to_say.forget_pin();
        if pin == self.kept.settings.director_pin {
            self.is_director();
        } else {
            self.is_not_director(Text::PinNotJudged, Span::ZERO, now);
        }
    }

    /// Whether this is the director's number, as far as the pad knows; wrong ones are counted.
    pub(super) fn knows_director(&mut self, pin: Option<Pin>, now: Instant) -> bool {
        if self.pin_rests(now) {
            return false;
        }
        let right = pin == Some(self.kept.settings.director_pin);
        if right {
            self.forgive();
        } else {
            self.note_wrong_pin(Span::ZERO, now);
        }
        right
    }

    fn is_director(&mut self) {
        let Flow::DirectorPin { behind, .. } = self.live.flow else {
            return;
        };
        self.forgive();
        self.live.flow = match behind {
            Behind::Menu => Flow::Menu { cursor: 0 },
            Behind::AllowBoard(board) => Flow::AllowBoard {
                typed: Digits::of_board(board),
            },
            Behind::ForgetOld => Flow::ForgetOld,
        };
    }

    fn is_not_director(&mut self, why: Text, rest: Span, now: Instant) {
        let Flow::DirectorPin { behind, .. } = self.live.flow else {
            return;
        };
        self.note_wrong_pin(rest, now);
        self.live.flow = Flow::DirectorPin {
            typed: Digits::NONE,
            behind,
        };
        self.warn(if self.pin_rests(now) {
            Text::PinRests
        } else {
            why
        });
    }

    fn forgive(&mut self) {
        self.live.pin_rests_until = None;
        if self.kept.guesses != Guesses::default() {
            self.kept.guesses = Guesses::default();
            self.persist(RecordKey::Guesses);
        }
    }
}
