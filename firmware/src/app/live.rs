//! What a pad knows only while it has power.

use protocol::message::{Clock, Feedback, Notice, RefusalReason, Welcome};
use protocol::time::Instant;
use protocol::words::PlayerNumber;

use super::to_say::ToSay;
use super::{BatteryGauge, Flow, LinkStatus, Ticket};
use crate::texts::Text;

/// What is gone with the power, and not missed.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) flow: Flow,
    /// Where the players are while something lies over it.
    pub(super) under: Flow,
    pub(super) waiting_over: Option<Flow>,
    pub(super) to_say: ToSay,
    /// What the link carries, or carried last.
    pub(super) carried: Option<Ticket>,
    pub(super) warning: Option<Text>,
    pub(super) feedback: Option<Feedback>,
    pub(super) feedback_refused: Option<RefusalReason>,
    pub(super) notice: Notice,
    pub(super) clock: Option<(Clock, Instant)>,
    pub(super) numbers: [Option<PlayerNumber>; 4],
    /// Numbers that somebody guesses at are not looked at until then.
    pub(super) pin_rests_until: Option<Instant>,
    pub(super) called: bool,
    pub(super) gate_open: bool,
    pub(super) welcome: Option<Welcome>,
    pub(super) link: LinkStatus,
    pub(super) signal_minus_dbm: u8,
    pub(super) battery: BatteryGauge,
    pub(super) store_failed: bool,
    pub(super) last_key: Instant,
    /// When something was last handled.
    pub(super) handled: Instant,
}

impl Live {
    pub(super) fn new() -> Self {
        Self {
            flow: Flow::Start,
            under: Flow::Start,
            waiting_over: None,
            to_say: ToSay::default(),
            carried: None,
            warning: None,
            feedback: None,
            feedback_refused: None,
            notice: Notice::new(),
            clock: None,
            numbers: [None; 4],
            pin_rests_until: None,
            called: false,
            gate_open: true,
            welcome: None,
            link: LinkStatus::Asleep,
            signal_minus_dbm: 0,
            battery: BatteryGauge::default(),
            store_failed: false,
            last_key: Instant::ZERO,
            handled: Instant::ZERO,
        }
    }
}
