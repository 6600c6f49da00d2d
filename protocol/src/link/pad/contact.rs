//! How long the modem has power for what.

use super::PadLink;
use crate::time::Span;

/// The modem's time for a message, from the moment it is handed over. With that of a second
/// contact it stays below three seconds.
const MESSAGE_CONTACT: Span = Span::from_millis(2_000);

/// The same on a slow line.
const MESSAGE_CONTACT_MAX: Span = Span::from_millis(2_800);

/// The same where the radio is so bad that cycles are long.
const MESSAGE_CONTACT_WIDE_MAX: Span = Span::from_millis(8_000);

/// The modem's time when the link tries again with a message that got no answer.
const RETRY_CONTACT: Span = Span::from_millis(900);

/// The modem's time from one answer of the base to the next while there is more, and for a
/// check-in that has no slot of its own.
const GO_ON_CONTACT: Span = Span::from_millis(1_200);

/// The modem's time for a check-in.
const CHECK_IN_CONTACT: Span = Span::from_millis(300);

impl PadLink {
    /// A slow line needs longer for the same number of calls.
    pub(super) fn message_contact(&self) -> Span {
        let most = if self.access.is_wide() {
            MESSAGE_CONTACT_WIDE_MAX
        } else {
            MESSAGE_CONTACT_MAX
        };
        let wanted = self.access.ten_calls();
        let wanted = wanted.unwrap_or_else(|| self.access.cycles(6));
        wanted.clamp(MESSAGE_CONTACT, most)
    }

    /// Two calls with their answers.
    pub(super) fn retry_contact(&self) -> Span {
        let wide = self.timing.wake_up + self.access.cycles(3);
        RETRY_CONTACT.max(self.if_wide(wide))
    }

    pub(super) fn go_on_contact(&self) -> Span {
        GO_ON_CONTACT.max(self.if_wide(self.access.cycles(4)))
    }

    /// One call with its answer.
    pub(super) fn check_in_contact(&self) -> Span {
        let wide = self.timing.wake_up + self.access.check_in_takes();
        CHECK_IN_CONTACT.max(self.if_wide(wide))
    }

    fn if_wide(&self, span: Span) -> Span {
        if self.access.is_wide() {
            span
        } else {
            Span::ZERO
        }
    }
}
