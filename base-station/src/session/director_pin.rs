//! The number that opens the director's menu on pads. It is the club's: chosen once, and the same
//! in every session.

use imbl::OrdMap;
use protocol::both_ends::{pause_after, spoken};
use protocol::message::{Down, Pin, PlayerNumbers, Settings};
use protocol::time::Span;
use protocol::words::PadId;

use super::{Moment, Phase, Refused, Session, State};
use telling::tell;

/// What pads were given before clubs chose a number of their own. Evenings that were opened then
/// go on with it; none is opened with it any more.
const BEFORE_CLUBS_CHOSE: Pin = Pin(2580);

impl State {
    /// The number that opens the director's menu; none until somebody has chosen it.
    pub fn director_pin(&self) -> Option<Pin> {
        let session = self.session.as_ref();
        let of_session = session.map(|session| session.settings.director_pin);
        let opened = session.is_some_and(|session| session.phase > Phase::SettingUp);
        let of_session =
            of_session.filter(|pin| pin.is_chosen() && (opened || *pin != BEFORE_CLUBS_CHOSE));
        self.club
            .director_pin
            .or(of_session)
            .or(opened.then_some(BEFORE_CLUBS_CHOSE))
    }

    /// How pads behave tonight, with the club's own number.
    pub fn pad_settings(&self) -> Settings {
        let session = self.session.as_ref();
        let settings = session.map_or(Settings::CLUB_EVENING, |session| session.settings);
        Settings {
            director_pin: self.director_pin().unwrap_or(Pin::NONE),
            ranking: settings.ranking && session.is_none_or(Session::ranks_by_percent),
            ..settings
        }
    }

    /// The same, as this pad is to behave: where every player of its section's matches is known by
    /// name, nobody types a number; and it is told of no language that it can't read.
    pub fn settings_for(&self, pad: PadId) -> Settings {
        let settings = self.pad_settings();
        let session = self.session.as_ref();
        let here = session.and_then(|session| session.pads.get(&pad));
        let earlier = self.club.pads.known.get(&pad).and_then(|it| it.firmware);
        let firmware = here.map(|known| known.firmware).or(earlier);
        let section = here.map(|known| known.table.section);
        let known = session.zip(section);
        let player_numbers = match known {
            Some((session, section)) if session.knows_players_of(section) => PlayerNumbers::Off,
            _ => settings.player_numbers,
        };
        Settings {
            player_numbers,
            language: spoken(settings.language, firmware),
            ..settings
        }
    }
}

/// Whether a club may choose this number. The first that strangers try are refused.
pub(super) fn may_be_chosen(pin: Pin) -> Result<(), Refused> {
    let digits = [pin.0 / 1000, pin.0 / 100 % 10, pin.0 / 10 % 10, pin.0 % 10];
    let [first, ..] = digits;
    if !pin.is_chosen() {
        return Err(Refused::because(tell!(Refused::DirectorsPinFourDigits)));
    }
    if digits.iter().all(|digit| *digit == first) || matches!(pin.0, 1234 | 4321 | 2580) {
        return Err(Refused::because(tell!(Refused::OneFirstNumbersAnybody)));
    }
    Ok(())
}

/// Who has typed wrong numbers lately. Not journalled: a restart forgives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Guesses(OrdMap<PadId, Guess>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Guess {
    wrong: u8,
    judged_from: Moment,
}

impl Guesses {
    /// Judges what was typed on a pad. Whoever guesses waits longer and longer, and hears nothing
    /// about numbers typed meanwhile.
    pub(super) fn judge(&mut self, pad: PadId, right: bool, now: Moment) -> Down {
        let mut guess = self.0.get(&pad).copied().unwrap_or_default();
        if now < guess.judged_from {
            return judged(false, guess.judged_from.since_ms(now));
        }
        if right {
            self.0.remove(&pad);
            return judged(true, 0);
        }
        guess.wrong = guess.wrong.saturating_add(1);
        let pause_ms = pause_after(guess.wrong).map_or(0, Span::as_millis);
        guess.judged_from = now.plus_ms(pause_ms);
        self.0.insert(pad, guess);
        judged(false, pause_ms)
    }
}

fn judged(right: bool, pause_ms: u64) -> Down {
    Down::PinJudged {
        right,
        rest_s: u16::try_from(pause_ms.div_ceil(1000)).unwrap_or(u16::MAX),
    }
}
