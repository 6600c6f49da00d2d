//! The base station's shell in virtual time: hub and keeper on a model disk, and its crashes.

use base_station::session::{
    Command, Event, Journal, Keeper, Moment, Outcome, Record, Request, Seq, Session, Standings,
    State, TableId, Who,
};
use protocol::frame::{BaseNonce, ClubKey, NetworkId};
use protocol::link::{Binding, Call, Hub, Port, Timing};
use protocol::message::{Down, EntryNumber, Pin, RefusalReason, Up};
use protocol::time::Instant;
use protocol::words::{BoardResult, PadId};

use super::Broken;
use super::disk::{Disk, Mood};
use super::page::{Page, Publisher};
use crate::sheets::Papers;

/// The club of every simulated night.
pub(super) const CLUB: ClubKey = ClubKey::new(SECRET);

/// Its secret.
pub(super) const SECRET: [u8; 32] = [0x42; 32];

/// The network of every simulated night.
/// What the director types on pads.
pub(super) const PIN: Pin = Pin(7316);
pub(super) const NETWORK: NetworkId = NetworkId::new(5);

/// What a clock that stands still gives for a nonce.
const SAME_NONCE: [u8; 8] = [7; 8];

/// A base that grows deaf hears one frame in so many, from this moment on.
const HEARS_ONE_IN: u16 = 40;
const DEAF_FROM: Instant = Instant::from_millis(30 * 60_000);

/// A base that loses boards loses one in so many.
const LOSES_ONE_IN: u16 = 50;

/// How often a base that repeats itself says everything.
const REPEATS: usize = 120;

/// Virtual time 0 as the laptop's clock has it.
pub(super) const EVENING: Moment = Moment(1_794_855_600_000);

/// Where in its work the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrashPoint {
    /// It has heard the pad, nothing more.
    BeforeWriting,
    /// It is on disk, and the pad does not know.
    BeforeAnswering,
    /// The answer is on its way.
    AfterAnswering,
}

/// The laptop: a disk that stays, and a process that comes and goes.
#[derive(Debug)]
pub(super) struct Laptop {
    disk: Disk,
    /// What stands in the journal up to here belongs to earlier nights.
    before: Seq,
    process: Option<Process>,
    broken: Broken,
    timing: Timing,
    /// What the laptop's clock is wrong by, in milliseconds.
    pub(super) clock_error_ms: i64,
    /// The process dies at the next call of a pad, there.
    pub(super) crash_at: Option<CrashPoint>,
    /// The process dies as soon as its answer has left.
    dying: bool,
    /// Entries that a forgetful base has renumbered or counted, or frames that a deaf one missed.
    spoiled: u16,
    /// The ranking of a base that does not work it out again.
    remembered: Option<Standings>,
    /// Sheets that are printed although they are old.
    printed: Option<Papers>,
    /// The receiver that is plugged in.
    receiver: Port,
    /// The lines of phones.
    lines: Vec<Port>,
    /// The most messages that ever waited for one pad.
    pub(super) mail_most: usize,
}

#[derive(Debug)]
struct Process {
    hub: Hub,
    keeper: Keeper<Disk>,
    publisher: Publisher,
    broken: Broken,
}

impl Laptop {
    pub(super) fn new(broken: Broken, timing: Timing) -> Self {
        Self::over(Disk::new(broken), broken, timing)
    }

    /// The same laptop a week later.
    pub(super) fn over(disk: Disk, broken: Broken, timing: Timing) -> Self {
        Self {
            before: disk.last(),
            disk,
            process: None,
            broken,
            timing,
            clock_error_ms: 0,
            crash_at: None,
            dying: false,
            spoiled: 0,
            remembered: None,
            printed: None,
            receiver: Port(0),
            lines: Vec::new(),
            mail_most: 0,
        }
    }

    /// Starts the base station; the nonce is what the operating system's random source gives.
    pub(super) fn start(&mut self, nonce: [u8; 8], now: Instant) {
        let moment = self.moment(now);
        let keeper = Keeper::open(self.disk.clone(), moment).expect("the model disk reads");
        let nonce = match self.broken {
            Broken::NonceFromAClock => SAME_NONCE,
            _ => nonce,
        };
        let mut hub = Hub::new(CLUB, NETWORK, self.timing, BaseNonce(nonce));
        hub.set_policy(keeper.state().club.policy());
        hub.expect(keeper.state().pads_of_the_evening());
        self.lines.iter().for_each(|line| hub.add_line(*line));
        self.process = Some(Process {
            hub,
            keeper,
            publisher: Publisher::new(self.broken == Broken::ForgetsThatAPageSlept),
            broken: self.broken,
        });
    }

    /// A phone's line to the base.
    pub(super) fn add_line(&mut self, line: Port) {
        self.lines.push(line);
        self.process.iter_mut().for_each(|it| it.hub.add_line(line));
    }

    /// The process or the whole laptop dies.
    pub(super) fn crash(&mut self) {
        self.process = None;
        self.crash_at = None;
        self.dying = false;
        self.disk.crash();
    }

    /// Another receiver is plugged in, which the base knows by another number.
    pub(super) fn take_other_receiver(&mut self) {
        self.receiver = Port(self.receiver.0.wrapping_add(1));
    }

    /// The last record on the disk.
    pub(super) fn last(&self) -> Seq {
        self.disk.last()
    }

    /// Tables and the pads that hold them.
    pub(super) fn holders(&self) -> Vec<(TableId, PadId)> {
        let session = self.state().and_then(|state| state.session.as_ref());
        session.into_iter().flat_map(Session::holders).collect()
    }

    /// Messages that wait for pads, by pad.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (PadId, usize)> {
        let hub = self.process.iter().map(|process| &process.hub);
        hub.flat_map(|hub| hub.pads().map(|pad| (pad.pad, pad.waiting)))
    }

    pub(super) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Whether it could take a result now.
    pub(super) fn takes_results(&self) -> bool {
        self.is_running() && !self.disk.is_full()
    }

    pub(super) fn set_disk(&self, mood: Mood) {
        self.disk.set_mood(mood);
    }

    /// Everything on the disk.
    pub(super) fn records(&self) -> Vec<Record> {
        let mut records = self.disk.records();
        records.retain(|record| record.seq > self.before);
        records
    }

    /// The disk, for the next night.
    pub(super) fn disk(&self) -> Disk {
        self.disk.clone()
    }

    /// The live state.
    pub(super) fn state(&self) -> Option<&State> {
        Some(self.process.as_ref()?.keeper.state())
    }

    /// The ranking as it would be pinned up.
    pub(super) fn standings(&self) -> Option<Standings> {
        let session = self.state()?.session.as_ref()?;
        Some(
            self.remembered
                .clone()
                .unwrap_or_else(|| session.standings()),
        )
    }

    /// Everything that would be printed and answered now.
    pub(super) fn papers(&self) -> Option<Papers> {
        let state = self.state()?;
        let now = Papers::of(state, state.session.as_ref()?);
        Some(match &self.printed {
            Some(earlier) => Papers {
                ranking: now.ranking,
                ranking_csv: now.ranking_csv,
                ranking_page: now.ranking_page,
                ..earlier.clone()
            },
            None => now,
        })
    }

    /// The state as a restart would have it.
    pub(super) fn replayed(&self) -> State {
        State::replay(&self.disk).expect("the model disk reads")
    }

    pub(super) fn moment(&self, now: Instant) -> Moment {
        Moment((EVENING.0 + now.as_millis()).saturating_add_signed(self.clock_error_ms))
    }

    /// The director asks for something; false if it was refused or nobody is there to hear it.
    pub(super) fn command(&mut self, command: Command, now: Instant) -> bool {
        let moment = self.moment(now);
        let forgets = self.broken == Broken::LosesBoards;
        let Some(process) = &mut self.process else {
            return false;
        };
        if forgets && matches!(command, Command::Rule { .. }) {
            return true;
        }
        let request = Request::Command {
            command: Box::new(command),
            who: Who::Director("Dora".to_owned()),
        };
        process
            .deal_with(request, moment, now)
            .is_some_and(|outcome| matches!(outcome, Outcome::Done(_)))
    }

    pub(super) fn look_round(&mut self, receiver_plugged: bool, now: Instant) {
        let moment = self.moment(now);
        let request = if receiver_plugged {
            Request::LookRound
        } else {
            Request::CannotHear
        };
        if let Some(process) = &mut self.process {
            process.deal_with(request, moment, now);
        }
        if self.broken == Broken::RanksFromMemory && self.remembered.is_none() {
            self.remembered = self.standings().filter(|ranking| !ranking.lists.is_empty());
        }
        if self.broken == Broken::PrintsFromMemory && self.printed.is_none() {
            self.printed = self.papers().filter(|papers| !papers.boards.is_empty());
        }
        let most = self.waiting().map(|(_, waiting)| waiting).max();
        self.mail_most = self.mail_most.max(most.unwrap_or_default());
    }

    /// Tells a page what has changed.
    pub(super) fn publish(&mut self, page: &mut Page, now: Instant) {
        let moment = self.moment(now);
        match &mut self.process {
            Some(process) => {
                let (state, presence) = (process.keeper.state(), process.keeper.presence());
                process.publisher.publish(page, state, presence, moment);
            }
            None => page.lose_contact(),
        }
    }

    /// What a page shows otherwise than one that is opened now.
    pub(super) fn differs(&self, page: &Page, now: Instant) -> Vec<String> {
        let moment = self.moment(now);
        let process = self.process.as_ref().map(|process| &process.keeper);
        process.map_or_else(Vec::new, |keeper| {
            page.differs(keeper.state(), keeper.presence(), moment)
        })
    }

    pub(super) fn handle_receive(&mut self, bytes: &[u8], now: Instant) {
        self.hear(self.receiver, bytes, now);
    }

    /// From a receiver, or from a phone.
    pub(super) fn hear(&mut self, port: Port, bytes: &[u8], now: Instant) {
        if self.broken == Broken::GrowsDeaf && now > DEAF_FROM {
            self.spoiled = (self.spoiled + 1) % HEARS_ONE_IN;
            if self.spoiled > 0 {
                return;
            }
        }
        if let Some(process) = &mut self.process {
            process.hub.handle_receive(port, bytes, now);
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Instant> {
        self.process.as_ref()?.hub.poll_timeout()
    }

    /// Deals with every call that has come in. True if the process died over it.
    pub(super) fn work(&mut self, now: Instant) -> bool {
        if let Some(process) = &mut self.process {
            process.hub.handle_timeout(now);
        }
        while let Some(call) = self
            .process
            .as_mut()
            .and_then(|process| process.hub.poll_call())
        {
            if self.deal_with(call, now) {
                self.crash();
                return true;
            }
        }
        false
    }

    /// Whether the process dies now that its answers have been sent.
    pub(super) fn is_dying(&self) -> bool {
        self.dying
    }

    pub(super) fn poll_transmit(&mut self, now: Instant) -> Option<(Port, Vec<u8>)> {
        let (port, frame) = self.process.as_mut()?.hub.poll_transmit(now)?;
        Some((port, frame.to_vec()))
    }

    /// Persist, apply, acknowledge; true if the process dies on the way.
    fn deal_with(&mut self, call: Call, now: Instant) -> bool {
        let moment = self.moment(now);
        let crash = self.crash_at;
        // Whoever it takes the call for, it answers the one that called.
        let caller = call.pad;
        let Some(call) = self.spoil(call) else {
            return false;
        };
        let Some(process) = &mut self.process else {
            return false;
        };
        if let Up::Entry(entry) = &call.message
            && matches!(
                self.broken,
                Broken::AcknowledgesBeforePersisting | Broken::LosesBoards
            )
        {
            let received = Down::Received {
                number: entry.number,
                percentage: None,
            };
            process.hub.answer(call.pad, [received], now);
            if self.broken == Broken::LosesBoards {
                self.spoiled = (self.spoiled + 1) % LOSES_ONE_IN;
                if self.spoiled == 0 {
                    return false;
                }
            } else if crash.is_some() {
                self.dying = true;
                return false;
            }
        }
        if crash == Some(CrashPoint::BeforeWriting) {
            return true;
        }
        let wants = match (&call.message, self.broken) {
            (Up::Replace(claim), Broken::ReplacesWithoutAsking) => Some(TableId {
                section: claim.section,
                table: claim.table,
            }),
            _ => None,
        };
        let spoken = match (&call.message, self.broken) {
            (&Up::BoardWanted { round, board }, Broken::SpeaksForTheDirector) => {
                let reason = RefusalReason::NotAllowed;
                Some(Down::BoardRefused {
                    round,
                    board,
                    reason,
                })
            }
            (&Up::BoardWanted { round, board }, Broken::AllowsForTheDirector) => {
                Some(Down::BoardAllowed { round, board })
            }
            _ => None,
        };
        let request = Request::Pad {
            pad: call.pad,
            binding: call.binding,
            message: Box::new(call.message),
        };
        let outcome = process.deal_with(request, moment, now);
        if crash == Some(CrashPoint::BeforeAnswering) {
            return true;
        }
        if let Some(Outcome::Answer(mut answer)) = outcome {
            answer.extend(spoken);
            process.hub.answer(caller, answer, now);
        }
        if let Some(table) = wants {
            let (pad, allowed) = (call.pad, true);
            self.command(
                Command::AnswerReplace {
                    table,
                    pad,
                    allowed,
                },
                now,
            );
        }
        self.dying = crash == Some(CrashPoint::AfterAnswering);
        false
    }

    /// What a broken base makes of a call; `None` where it does not hear it.
    fn spoil(&mut self, mut call: Call) -> Option<Call> {
        match (self.broken, &mut call.message) {
            (Broken::ForgetsTheEpoch, _) => {
                let holder = self.holder_of_the_table(&call);
                if let Some((pad, binding)) = holder.filter(|(pad, _)| *pad != call.pad) {
                    // Under numbers of its own, or it would be taken for a repetition.
                    if let Up::Entry(entry) | Up::Held(entry) = &mut call.message {
                        entry.number = EntryNumber(entry.number.0 + 4_000);
                    }
                    (call.pad, call.binding) = (pad, Some(binding));
                }
            }
            (Broken::DropsTheCounter, Up::Entry(entry)) => {
                self.spoiled += 1;
                entry.number = EntryNumber(5_000 + self.spoiled);
            }
            (Broken::MisreadsDeclarers, Up::Entry(entry)) => {
                if let BoardResult::Played(played) = &mut entry.result {
                    played.contract.declarer = played.contract.declarer.partner();
                }
            }
            (Broken::AnswersNoLogOn, Up::LogOn(_)) => return None,
            _ => {}
        }
        Some(call)
    }

    /// Who holds the table that this pad once held.
    fn holder_of_the_table(&self, call: &Call) -> Option<(PadId, Binding)> {
        let session = self.state()?.session.as_ref()?;
        let table = session.pads.get(&call.pad)?.table;
        let (pad, epoch) = session.tables.get(&table)?.holder?;
        Some((
            pad,
            Binding {
                session: session.id,
                epoch,
            },
        ))
    }
}

impl Process {
    fn deal_with(&mut self, request: Request, moment: Moment, now: Instant) -> Option<Outcome> {
        let by_director = matches!(request, Request::Command { .. });
        let batch = self.keeper.deal_with(request, moment);
        let times = match self.broken {
            Broken::KeepsCorrectionsToItself if by_director => 0,
            Broken::RepeatsItself => REPEATS,
            _ => 1,
        };
        self.hub.set_policy(self.keeper.state().club.policy());
        for (pad, news) in batch.posts {
            for _ in 0..times {
                self.hub.post(pad, news.clone(), now);
            }
        }
        batch.outcomes.into_iter().next()
    }
}

/// The entries of a journal, in order, with the pads that made them.
pub(super) fn entries(records: &[Record]) -> impl Iterator<Item = &Event> {
    records
        .iter()
        .map(|record| &record.event)
        .filter(|event| matches!(event, Event::Entered { .. } | Event::EntryKept { .. }))
}
