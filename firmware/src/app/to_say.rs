//! What the pad has to say to the base, and when.
//!
//! Nothing is queued twice: results wait on the score sheet until the base has received them,
//! everything else is a flag that is raised by a key and lowered when the base has it.

use protocol::link::Binding;
use protocol::message::{CheckIn, EntryNumber, LogOn, Pin, Question, Up, WIRE_VERSION};
use protocol::time::{Instant, Span};
use protocol::words::{BoardNumber, RoundNumber, SectionLetter, TableNumber};

use super::{App, Claim, Flow, LinkStatus};
use crate::RecordKey;
use crate::game::Stage;

/// From one check-in to the next while the players wait for something from the base. An idle pad
/// checks in far less often, and the link does that by itself.
const CHECK_IN_EXPECTING: Span = Span::from_secs(10);

/// So many check-ins that brought nothing, and the base has forgotten what it had for us.
const CHECK_INS_IN_VAIN_MAX: u8 = 3;

/// How long an entry rests after an answer that did not settle it: the base's disk is full, the
/// director holds the pads.
const ENTRY_REST: Span = Span::from_secs(20);

/// Something to say, and the ticket with which the shell reports that the base has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// For [`super::Input::Delivered`].
    pub ticket: Ticket,
    /// The message.
    pub up: Up,
}

/// What a message was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the messages are")]
pub enum Ticket {
    Claim,
    Players,
    PairsSeen,
    BoardWanted,
    BoardAllowedHere,
    Entry(EntryNumber),
    Held(EntryNumber),
    CallDirector,
    CancelCall,
    Ask,
    ResendingEverything,
    LogOff,
    CheckIn,
    EverythingAgain,
    DirectorPin,
    AskAgain,
    Slip,
    RadioTest,
}

/// Flags of what is to be said.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing to say or not to say; no two exclude each other"
)]
#[derive(Clone, Debug, Default)]
pub(super) struct ToSay {
    claim: Option<(Claim, SectionLetter, TableNumber)>,
    pairs_seen: bool,
    board_wanted: Option<(RoundNumber, BoardNumber)>,
    board_allowed: Option<(RoundNumber, BoardNumber)>,
    call: Option<bool>,
    question: Option<Question>,
    /// The question was not asked by a key: its answer must not disturb typing.
    pub(super) unasked: bool,
    /// Is this the director's number?
    pin: Option<Pin>,
    /// Does the base hear us?
    radio_test: bool,
    /// It did, since that was asked for.
    pub(super) was_answered: bool,
    resending: bool,
    /// Both sides accept the slip of this round with this check.
    slip: Option<(RoundNumber, u16)>,
    log_off: bool,
    check_in: Option<Instant>,
    /// Check-ins that the base has answered with nothing while the players wait for something.
    in_vain: u8,
    /// Entries rest until then.
    rest_until: Option<Instant>,
    /// An answer that did not settle the claim: it is made again then.
    claim_again: Instant,
    /// The director is asked at the base whether the claim is right.
    pub(super) asks_director: bool,
}

impl ToSay {
    pub(super) fn claim(&mut self, claim: Claim, section: SectionLetter, table: TableNumber) {
        self.claim = Some((claim, section, table));
        self.asks_director = false;
    }

    /// The claim stands, and waits for the director; false if there is none.
    pub(super) fn claim_waits(&mut self) -> bool {
        self.asks_director = self.claim.is_some();
        self.asks_director
    }

    /// The claim that was made, which is settled now.
    pub(super) fn forget_claim(&mut self) -> Option<(Claim, SectionLetter, TableNumber)> {
        self.claim.take()
    }

    pub(super) fn pairs_seen(&mut self) {
        self.pairs_seen = true;
    }

    pub(super) fn board_wanted(&mut self, round: RoundNumber, board: BoardNumber) {
        self.board_wanted = Some((round, board));
    }

    pub(super) fn board_allowed(&mut self, round: RoundNumber, board: BoardNumber) {
        self.board_allowed = Some((round, board));
    }

    pub(super) fn call(&mut self, come: bool) {
        self.call = Some(come);
    }

    pub(super) fn ask(&mut self, question: Question) {
        self.question = Some(question);
        self.unasked = false;
    }

    pub(super) fn ask_unasked(&mut self, question: Question) {
        self.question = Some(question);
        self.unasked = true;
    }

    pub(super) fn judge(&mut self, pin: Pin) {
        self.pin = Some(pin);
    }

    /// Finds out whether the base hears the pad.
    pub(super) fn test_radio(&mut self) {
        (self.radio_test, self.was_answered) = (true, false);
    }

    pub(super) fn end_radio_test(&mut self) {
        self.radio_test = false;
    }

    pub(super) fn forget_pin(&mut self) {
        self.pin = None;
    }

    /// Whether the base has yet to hear that a board is wanted.
    pub(super) const fn board_is_unsaid(&self) -> bool {
        self.board_wanted.is_some() || self.board_allowed.is_some()
    }

    pub(super) fn resend(&mut self) {
        self.resending = true;
        self.rest_until = None;
    }

    pub(super) fn slip_accepted(&mut self, round: RoundNumber, check: u16) {
        self.slip = Some((round, check));
    }

    pub(super) fn log_off(&mut self) {
        self.log_off = true;
    }

    pub(super) fn forget_log_off(&mut self) {
        self.log_off = false;
    }

    /// Entries must wait: the base can't take them now.
    pub(super) fn rest(&mut self, now: Instant) {
        self.rest_until = Some(now + ENTRY_REST);
    }

    /// The base has taken an entry, so it takes the next one, too. Its receipt may come behind other
    /// news, after the report that the entry is there.
    pub(super) const fn rest_no_longer(&mut self) {
        self.rest_until = None;
    }

    /// Whether entries wait, because the base could not take one.
    fn is_resting(&self, now: Instant) -> bool {
        self.rest_until.is_some_and(|until| now < until)
    }

    /// The base has said something.
    pub(super) fn heard(&mut self) {
        self.in_vain = 0;
    }

    /// The players wait for something: ask for it soon.
    pub(super) fn expect_news(&mut self, now: Instant) {
        self.check_in = Some(now + CHECK_IN_EXPECTING);
    }
}

impl App {
    /// What the pad wants to say next; `None` while there is nothing.
    ///
    /// The link takes one message at a time and goes on with it until the base has answered.
    pub fn outgoing(&self, now: Instant) -> Option<Outgoing> {
        if let Some(pin) = self.live.to_say.pin {
            return Some(Outgoing {
                ticket: Ticket::DirectorPin,
                up: Up::DirectorPin(pin),
            });
        }
        if self.live.to_say.radio_test {
            return Some(Outgoing {
                ticket: Ticket::RadioTest,
                up: Up::CheckIn(self.state()),
            });
        }
        // A table that was given but not yet taken: nothing may be said in its name.
        if self.live.welcome.is_some() || now < self.live.to_say.claim_again {
            return None;
        }
        if let Some((claim, section, table)) = self.live.to_say.claim {
            // What an earlier game still holds goes first: after the welcome it could only be
            // forgotten. What the base can't take now does not hold up the new game.
            if claim != Claim::Recover
                && let Some((ticket, up)) = self.outgoing_left_over(now)
            {
                return Some(Outgoing { ticket, up });
            }
            let log_on = self.log_on(section, table);
            return Some(Outgoing {
                ticket: Ticket::Claim,
                up: match claim {
                    Claim::LogOn => Up::LogOn(log_on),
                    Claim::Replace => Up::Replace(log_on),
                    Claim::Recover => Up::Recover(log_on),
                },
            });
        }
        let (ticket, up) = match self.kept.game.as_ref()?.stage {
            Stage::Playing | Stage::Over => self
                .outgoing_flag()
                .or_else(|| self.outgoing_entry(now))
                .or_else(|| self.outgoing_idle(now))?,
            // New Game by mistake, or too early: what was agreed is still sent first.
            Stage::PutAway => self.outgoing_entry(now).or_else(|| {
                self.live
                    .to_say
                    .log_off
                    .then_some((Ticket::LogOff, Up::LogOff))
            })?,
            Stage::Replaced => self.outgoing_held(now)?,
        };
        Some(Outgoing { ticket, up })
    }

    /// A result of the game that a claim would end.
    fn outgoing_left_over(&self, now: Instant) -> Option<(Ticket, Up)> {
        match self.kept.game.as_ref()?.stage {
            Stage::Replaced => self.outgoing_held(now),
            Stage::Playing | Stage::Over | Stage::PutAway => self.outgoing_entry(now),
        }
    }

    /// A replaced pad offers what it still holds, whether the others may send or not.
    fn outgoing_held(&self, now: Instant) -> Option<(Ticket, Up)> {
        if self.live.to_say.is_resting(now) {
            return None;
        }
        let entry = self.kept.sheet.first_unsent()?.entry;
        Some((Ticket::Held(entry.number), Up::Held(entry)))
    }

    fn outgoing_flag(&self) -> Option<(Ticket, Up)> {
        let to_say = &self.live.to_say;
        if let Some(come) = to_say.call {
            return Some(if come {
                (Ticket::CallDirector, Up::CallDirector)
            } else {
                (Ticket::CancelCall, Up::CancelCall)
            });
        }
        if let Some(stored) = self.kept.players.filter(|stored| !stored.delivered) {
            return Some((Ticket::Players, Up::Players(stored.players)));
        }
        if to_say.pairs_seen {
            let up = Up::PairsSeen {
                round: self.kept.progress.round,
                ns: self.kept.progress.ns,
                ew: self.kept.progress.ew,
            };
            return Some((Ticket::PairsSeen, up));
        }
        if let Some((round, board)) = to_say.board_wanted {
            return Some((Ticket::BoardWanted, Up::BoardWanted { round, board }));
        }
        if let Some((round, board)) = to_say.board_allowed {
            let up = Up::BoardAllowedHere { round, board };
            return Some((Ticket::BoardAllowedHere, up));
        }
        if to_say.resending {
            let entries = self.kept.sheet.unsent();
            let up = Up::ResendingEverything { entries };
            return Some((Ticket::ResendingEverything, up));
        }
        if let Some((round, check)) = to_say.slip {
            return Some((Ticket::Slip, Up::SlipAccepted { round, check }));
        }
        None
    }

    fn outgoing_entry(&self, now: Instant) -> Option<(Ticket, Up)> {
        if !self.live.gate_open || self.live.to_say.is_resting(now) {
            return None;
        }
        let entry = self.kept.sheet.first_unsent()?.entry;
        Some((Ticket::Entry(entry.number), Up::Entry(entry)))
    }

    fn outgoing_idle(&self, now: Instant) -> Option<(Ticket, Up)> {
        if let Some(question) = self.live.to_say.question {
            return Some((Ticket::Ask, Up::Ask(question)));
        }
        if self.live.to_say.log_off {
            return Some((Ticket::LogOff, Up::LogOff));
        }
        let due = self.live.to_say.check_in.is_some_and(|at| at <= now);
        if !due || !self.expects_news() {
            return None;
        }
        if let Flow::OutOfRange { board, .. } = self.live.flow
            && self.live.to_say.in_vain >= CHECK_INS_IN_VAIN_MAX
        {
            // A base that was restored from a copy may not know that somebody waits.
            let round = self.kept.progress.round;
            return Some((Ticket::AskAgain, Up::BoardWanted { round, board }));
        }
        let lacks_schedule = self.live.flow == Flow::RoundStart
            && self.round_sheet().is_none()
            && !self.is_undrawn(self.kept.progress.round);
        if lacks_schedule && self.live.to_say.in_vain >= CHECK_INS_IN_VAIN_MAX {
            // A base that died between its welcome and the schedule does not know that we lack
            // it: coming back to our own table brings everything again.
            let tag = self.tag();
            let claim = self.log_on(tag.section, tag.table);
            return Some((Ticket::EverythingAgain, Up::Recover(claim)));
        }
        Some((Ticket::CheckIn, Up::CheckIn(self.state())))
    }

    /// Whether a message that the link still holds has lost its purpose: the shell withdraws it.
    pub fn is_outdated(&self, ticket: Ticket) -> bool {
        match ticket {
            Ticket::Claim => self.live.to_say.claim.is_none(),
            Ticket::Ask => self.live.to_say.question.is_none(),
            Ticket::DirectorPin => self.live.to_say.pin.is_none(),
            Ticket::RadioTest => !self.live.to_say.radio_test,
            Ticket::Entry(number) => !self.holds_unsent(number),
            _ => false,
        }
    }

    fn holds_unsent(&self, number: EntryNumber) -> bool {
        let mut lines = self.kept.sheet.lines();
        lines.any(|line| line.entry.number == number && line.state.is_to_send())
    }

    /// What the link's own check-ins say; `None` while the pad is not logged on, and while it lies
    /// in its box with nothing to send.
    pub fn check_in(&self, now: Instant) -> Option<CheckIn> {
        let stage = self.kept.game.as_ref()?.stage;
        let logged_on = matches!(stage, Stage::Playing | Stage::Over);
        (logged_on && !self.may_be_silent(now)).then(|| self.state())
    }

    /// The session and epoch that everything the pad says belongs to.
    pub fn binding(&self) -> Option<Binding> {
        self.kept.game.as_ref().map(|game| Binding {
            session: game.tag.session,
            epoch: game.epoch,
        })
    }

    /// Whether the players wait for something that only the base can say.
    fn expects_news(&self) -> bool {
        match self.live.flow {
            Flow::OutOfRange { refused, .. } => refused.is_none(),
            Flow::RoundStart => self.round_sheet().is_none() || self.awaits_last_slip(),
            Flow::RoundEnd => self.awaits_slip() || self.next_is_undrawn(),
            Flow::SessionEnd => self.playing().is_some() && self.awaits_slip(),
            _ => false,
        }
    }

    fn is_replaced(&self) -> bool {
        let stage = self.kept.game.as_ref().map(|game| game.stage);
        stage == Some(Stage::Replaced)
    }

    /// When the pad will have something to say that it does not say now.
    pub(super) fn speaks_at(&self) -> Option<Instant> {
        let to_say = &self.live.to_say;
        let claim = to_say.claim.map(|_| to_say.claim_again);
        let entry = to_say.rest_until;
        let may_send = self.live.gate_open || self.is_replaced();
        let entry = entry.filter(|_| may_send && self.kept.sheet.unsent() > 0);
        let news = to_say.check_in.filter(|_| self.expects_news());
        [claim, entry, news].into_iter().flatten().min()
    }

    /// The base has what was offered.
    pub(super) fn delivered(&mut self, ticket: Ticket, now: Instant) {
        let to_say = &mut self.live.to_say;
        match ticket {
            // The claim stands until the base has answered it: see `heard`.
            Ticket::Claim if to_say.claim.is_some() => {
                to_say.claim_again = now + CHECK_IN_EXPECTING;
            }
            Ticket::Players => {
                if let Some(stored) = &mut self.kept.players {
                    stored.delivered = true;
                    self.effects.persist.insert(RecordKey::Players);
                }
            }
            Ticket::PairsSeen => to_say.pairs_seen = false,
            Ticket::BoardWanted => to_say.board_wanted = None,
            Ticket::BoardAllowedHere => to_say.board_allowed = None,
            // The receipt came before this report; if none did, the entry rests for a while.
            Ticket::Entry(number) | Ticket::Held(number) => {
                if self.holds_unsent(number) {
                    self.live.to_say.rest(now);
                }
            }
            Ticket::CallDirector | Ticket::CancelCall => to_say.call = None,
            Ticket::Ask => to_say.question = None,
            Ticket::ResendingEverything => to_say.resending = false,
            Ticket::Slip => to_say.slip = None,
            Ticket::LogOff => to_say.log_off = false,
            Ticket::CheckIn => to_say.in_vain = to_say.in_vain.saturating_add(1),
            Ticket::EverythingAgain | Ticket::AskAgain => to_say.in_vain = 0,
            // The answer comes by itself, a moment later.
            Ticket::DirectorPin => to_say.pin = None,
            Ticket::RadioTest => (to_say.radio_test, to_say.was_answered) = (false, true),
            Ticket::Claim => {}
        }
        self.live.to_say.expect_news(now);
    }

    pub(super) fn link_is(&mut self, status: LinkStatus, now: Instant) {
        // That nobody answered is no news where it is known why.
        let known = matches!(self.live.link, LinkStatus::AnotherClub | LinkStatus::TooOld);
        if !known || status != LinkStatus::NoAnswer {
            self.live.link = status;
        }
        match status {
            LinkStatus::Asleep => {}
            LinkStatus::Answered { signal_minus_dbm } => {
                self.live.signal_minus_dbm = signal_minus_dbm;
            }
            LinkStatus::NoAnswer
            | LinkStatus::AnotherClub
            | LinkStatus::TooOld
            | LinkStatus::NoKey => {
                // Nobody waits for what only the base knows.
                self.live.to_say.question = None;
                if self.live.to_say.pin.is_some() {
                    self.pin_not_judged(now);
                }
                if matches!(self.live.flow, Flow::LoggingOn { .. }) {
                    self.claim_refused(None);
                }
            }
        }
    }

    fn log_on(&self, section: SectionLetter, table: TableNumber) -> LogOn {
        LogOn {
            section,
            table,
            wire_version: WIRE_VERSION,
            firmware: self.firmware,
            state: self.state(),
        }
    }

    fn state(&self) -> CheckIn {
        CheckIn {
            battery_20_mv: self.live.battery.0,
            signal_minus_dbm: self.live.signal_minus_dbm,
            unsent: self.kept.sheet.unsent(),
            round: self.kept.progress.round,
        }
    }
}
