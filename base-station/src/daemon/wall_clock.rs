//! The clock on the wall of the club: the laptop knows its time zone, and pads show that time.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Clock, SessionHandle, SystemClock};
use crate::session::{Command, Moment, Who};

/// How often the laptop is asked: summer time may begin in mid-session.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// Tells the club whenever the laptop's clock goes by another time than before. What a director
/// has chosen since then stays.
pub(crate) async fn follow(session: SessionHandle) {
    let mut every = tokio::time::interval(LOOK_EVERY);
    let mut before = None;
    loop {
        every.tick().await;
        let zone = TimeZone::try_system().ok();
        let here = zone.and_then(|zone| minutes_east(&zone, SystemClock.now()));
        if here == before {
            continue;
        }
        before = here;
        let known = session.view().state.club.minutes_east;
        if let Some(minutes_east) = here.filter(|here| *here != known) {
            let command = Command::SetLocalTime { minutes_east };
            // A journal that can't take it says so by itself.
            let _ = session.command(command, Who::Base).await;
        }
    }
}

/// How far ahead of universal time a zone is. A machine set to universal time itself was never
/// told where it stands, and knows nothing of the club's wall.
fn minutes_east(zone: &TimeZone, now: Moment) -> Option<i16> {
    let name = zone.iana_name().unwrap_or_default();
    if zone.is_unknown() || matches!(name.trim_start_matches("Etc/"), "UTC" | "UCT" | "Universal") {
        return None;
    }
    let ms = i64::try_from(now.0).ok()?;
    let time = Timestamp::from_millisecond(ms).ok()?;
    i16::try_from(zone.to_offset(time).seconds() / 60).ok()
}

#[cfg(test)]
mod tests {
    use super::{TimeZone, minutes_east};
    use crate::session::Moment;

    const WINTER: Moment = Moment(1_794_007_800_000);
    const SUMMER: Moment = Moment(1_782_000_000_000);

    #[test]
    fn the_wall_clock_knows_summer_time() {
        let vienna = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone");
        assert_eq!(minutes_east(&vienna, WINTER), Some(60));
        assert_eq!(minutes_east(&vienna, SUMMER), Some(120));
        let london = TimeZone::posix("GMT0BST,M3.5.0/1,M10.5.0").expect("a zone");
        assert_eq!(minutes_east(&london, WINTER), Some(0));
    }

    #[test]
    fn a_machine_that_was_never_told_where_it_stands_says_nothing() {
        assert_eq!(minutes_east(&TimeZone::UTC, WINTER), None);
        assert_eq!(minutes_east(&TimeZone::unknown(), WINTER), None);
    }
}
