//! The list of pads: where each belongs and how it is.

use protocol::both_ends::is_battery_low;
use protocol::words::{PadId, RoundNumber};
use serde::Serialize;
use utoipa::ToSchema;

use crate::session::{Club, DeviceKind, Moment, Presence, Session, Standing, TableId};

/// A pad as the director sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PadView {
    /// Its name for life.
    pub pad: String,
    /// The table it belongs or belonged to.
    #[schema(value_type = String, example = "A7")]
    pub table: TableId,
    /// Whether it holds the table: `Holds`, `Replaced`, `LoggedOff` or `Freed`.
    #[schema(value_type = String)]
    pub standing: Standing,
    /// When it was last heard; `None` since the base station started.
    #[schema(value_type = Option<u64>)]
    pub heard_ms: Option<Moment>,
    /// It has missed three check-ins.
    pub silent: bool,
    /// Both cells together, in millivolts.
    pub battery_mv: Option<u16>,
    /// The cells need changing.
    pub battery_low: bool,
    /// Results agreed and not yet received, as far as it said.
    pub unsent: Option<u8>,
    /// The round it is in, as far as it said.
    #[schema(value_type = Option<u8>)]
    pub round: Option<RoundNumber>,
    /// What it runs.
    pub firmware: String,
    /// What it is, where it is no pad but a browser that joined with the table's code.
    pub device: Option<DeviceKind>,
}

/// How people call a pad: eight hexadecimal digits, also printed on its back.
pub fn pad_name(pad: PadId) -> String {
    format!("{:08X}", pad.get())
}

/// Every pad seen tonight, by table.
pub(super) fn pads(session: &Session, club: &Club, presence: &Presence) -> Vec<PadView> {
    let mut pads: Vec<PadView> = session
        .pads
        .iter()
        .map(|(id, pad)| {
            let heard = presence.pads.get(id);
            let state = heard.and_then(|heard| heard.state);
            let battery = state
                .map(|state| state.battery_20_mv)
                .filter(|raw| *raw > 0);
            PadView {
                pad: pad_name(*id),
                table: pad.table,
                standing: pad.standing,
                heard_ms: heard.map(|heard| heard.at),
                silent: pad.silent.is_some(),
                battery_mv: battery.map(|raw| u16::from(raw) * 20),
                battery_low: pad.battery_low || battery.is_some_and(is_battery_low),
                unsent: state.map(|state| state.unsent),
                round: state.map(|state| state.round),
                firmware: format!("{}.{}.{}", pad.firmware.0, pad.firmware.1, pad.firmware.2),
                device: club.phones.get(id).map(|phone| phone.kind),
            }
        })
        .collect();
    pads.sort_by_key(|pad| (pad.table, pad.standing != Standing::Holds));
    pads
}
