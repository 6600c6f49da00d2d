//! What is done to a pad on the bench, by cable: its number, its language, the factory's test.

use protocol::frame::PadKeys;
use protocol::message::Language;
use protocol::time::Instant;
use serde::{Deserialize, Serialize};

use super::{App, BatteryGauge, Effects, Flow, Sound};
use crate::{Picture, RecordKey};

/// The number on a pad's sticker; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Badge(pub u8);

/// One part of the factory's test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Every key is pressed once, and does nothing else.
    Keys,
    /// Every pixel is ink.
    Black,
    /// None is.
    White,
    /// Every other one is.
    Chequers,
    /// The buzzer and the lamp.
    Sound,
    /// The base is called.
    Radio,
    /// Back to where the players were.
    End,
}

impl App {
    /// What stands on the pad's sticker.
    pub const fn badge(&self) -> Badge {
        self.kept.badge
    }

    /// What the cells have left.
    pub const fn battery(&self) -> BatteryGauge {
        self.live.battery
    }

    /// Whether the base has answered since the radio was last tested.
    pub const fn was_answered(&self) -> bool {
        self.live.to_say.was_answered
    }

    /// Gives the pad the number on its sticker.
    pub fn wear(&mut self, badge: Badge) -> Effects {
        self.kept.badge = badge;
        saved(RecordKey::Badge)
    }

    /// Speaks this language until the base says another.
    pub fn speak(&mut self, language: Language) -> Effects {
        self.kept.settings.language = language;
        saved(RecordKey::Settings)
    }

    /// The club has a new key: from now on the pad speaks under it. What it was about to say is
    /// said again.
    pub(super) fn renew(&mut self, keys: &PadKeys) {
        if self.kept.keys.as_ref() != Some(keys) {
            self.kept.keys = Some(keys.clone());
            self.persist(RecordKey::ClubKey);
            self.effects.link_changed = true;
        }
    }

    /// Does one part of the factory's test. The evening goes on behind it, and comes back with
    /// [`Test::End`] or when nothing has happened for a while.
    pub fn test(&mut self, test: Test, now: Instant) -> Effects {
        let mut effects = Effects::default();
        self.live.last_key = now;
        let picture = match test {
            Test::Keys => None,
            Test::Black => Some(Picture::Black),
            Test::White => Some(Picture::White),
            Test::Chequers => Some(Picture::Chequers),
            Test::Sound => {
                effects.sound = Some(Sound::Attention);
                return effects;
            }
            Test::Radio => {
                self.live.to_say.test_radio();
                return effects;
            }
            Test::End => {
                self.live.to_say.end_radio_test();
                if matches!(self.live.flow, Flow::Test { .. }) {
                    self.leave();
                }
                return effects;
            }
        };
        self.lay_over(Flow::Test { picture, key: None });
        effects
    }
}

fn saved(record: RecordKey) -> Effects {
    let mut effects = Effects::default();
    effects.persist.insert(record);
    effects
}
