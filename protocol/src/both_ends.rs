//! What both ends count on, so that neither believes something else than the other.

use crate::message::{FirmwareVersion, Language};
use crate::time::Span;

/// The base hears from a pad that is logged on at least this often, unless frames are lost.
pub const CHECK_IN_MAX: Span = Span::from_secs(60);

/// Three missed check-ins and a little: a pad is silent.
pub const SILENT_AFTER: Span = Span::from_secs(190);

/// Two AA cells below this (in units of 20 mV: 2.2 V) may not last the evening.
pub const BATTERY_LOW_20_MV: u8 = 110;

/// The first firmware of a pad that speaks French and Dutch. An older one can't read settings that
/// ask for them.
pub const FOUR_LANGUAGES: FirmwareVersion = FirmwareVersion(0, 2, 0);

/// The language that a pad with this firmware, where it is known, is to speak where this one is
/// wished: English where it may not know it.
pub fn spoken(wished: Language, firmware: Option<FirmwareVersion>) -> Language {
    let knows_all = firmware.is_some_and(|firmware| firmware >= FOUR_LANGUAGES);
    match wished {
        Language::French | Language::Dutch if !knows_all => Language::English,
        wished => wished,
    }
}

/// Wrong director's numbers that cost nothing: fingers slip.
const SLIPS: u8 = 3;

/// The first pause after a wrong number.
const PAUSE_S: u64 = 10;

/// The longest pause. Ten thousand numbers then take five weeks of evenings and nights.
const PAUSE_S_MAX: u64 = 300;

/// Whether somebody should bring new cells. A gauge that shows 0 is none.
pub const fn is_battery_low(raw_20_mv: u8) -> bool {
    raw_20_mv > 0 && raw_20_mv < BATTERY_LOW_20_MV
}

/// How long nobody may try again after so many wrong director's numbers in a row. It doubles with
/// every further one; `None` while they count as slips.
pub fn pause_after(wrong: u8) -> Option<Span> {
    let doublings = wrong.checked_sub(SLIPS)?;
    let pause_s = PAUSE_S << doublings.min(5);
    Some(Span::from_secs(pause_s.min(PAUSE_S_MAX)))
}

const _: () = assert!(
    SILENT_AFTER.as_micros() > CHECK_IN_MAX.times(3).as_micros(),
    "a pad whose check-in was lost twice is not silent"
);
