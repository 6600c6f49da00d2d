//! What a pad says when it wants a table.

use protocol::message::{CheckIn, FirmwareVersion, LogOn, WIRE_VERSION};
use protocol::words::{RoundNumber, SectionLetter, TableNumber};

/// The claim of a pad with good cells that holds nothing yet.
pub fn claim(section: SectionLetter, table: TableNumber) -> LogOn {
    LogOn {
        section,
        table,
        wire_version: WIRE_VERSION,
        firmware: FirmwareVersion(1, 0, 0),
        state: CheckIn {
            battery_20_mv: 150,
            signal_minus_dbm: 60,
            unsent: 0,
            round: RoundNumber::FIRST,
        },
    }
}
