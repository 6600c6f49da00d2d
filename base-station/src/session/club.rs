//! What the club keeps from evening to evening: its calendar, its players, its pads' epochs.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use protocol::message::Pin;
use protocol::words::{Epoch, PadId, PlayerNumber, SessionId};

use super::concerns::{evening_events, pad_events, result_events};
use super::{
    Championship, ChampionshipId, ClubPads, Competition, CompetitionId, ConnectorEvent, Event,
    EventId, Joined, KnockOut, KnockOutId, Link, Moment, OwnPhone, Record, Seq, TableId,
};
use crate::checks::CheckSettings;

/// Session numbers and epochs given away after a backup was made are unknown to it. Opening it
/// skips this many, so that none is used twice.
const SKIPPED_AFTER_BACKUP: u16 = 512;

/// Epochs kept for each pad: enough for a pad that slept through a few evenings with results of
/// an old one on it. The highest is never forgotten.
const EPOCHS_REMEMBERED: usize = 8;

/// The club, as its journal tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Club {
    /// Events of the calendar and their names.
    pub events: OrdMap<EventId, String>,
    /// Every session, in order of its number.
    pub sessions: OrdMap<SessionId, Scheduled>,
    /// The session the director works with.
    pub chosen: Option<SessionId>,
    /// What the club is called; empty until somebody has said so.
    pub name: String,
    /// The list of players.
    pub members: OrdMap<PlayerNumber, String>,
    /// With how many digits that list writes the numbers that have zeros in front.
    pub number_digits: OrdMap<PlayerNumber, u8>,
    /// The last epochs of every pad, and where they were given.
    pub epochs: OrdMap<(PadId, Epoch), (SessionId, TableId)>,
    /// The director's password as an argon2 hash.
    pub password: Option<String>,
    /// What opens the director's menu on every pad; none until the club has chosen it.
    pub director_pin: Option<Pin>,
    /// Whether the page can be looked at without it.
    pub reading_without_password: bool,
    /// How loudly each check speaks.
    pub checks: CheckSettings,
    /// How many minutes the clock on the wall is ahead of universal time.
    pub minutes_east: i16,
    /// For how many hours results can be put right after their release.
    pub correction_hours: u16,
    /// When the backup was made that this journal goes on from, and where it was opened.
    pub backup: Option<(Moment, Seq)>,
    /// The club's own history, without the epochs that were given.
    pub records: Vector<Arc<Record>>,
    /// The club's pads.
    pub pads: ClubPads,
    /// Pads that were stolen or lost: nothing they say has an effect.
    pub revoked: OrdSet<PadId>,
    /// Phones that are, or were, pads: what each was admitted for.
    pub phones: OrdMap<PadId, Joined>,
    /// Players' own phones: whose each is.
    pub own_phones: OrdMap<PadId, OwnPhone>,
    /// Sessions that a scoring program works with, and what it calls their parts.
    pub links: OrdMap<SessionId, Link>,
    /// Whether scoring programs may connect.
    pub connector_on: bool,
    /// Competitions over several sessions.
    pub competitions: OrdMap<CompetitionId, Competition>,
    /// Knock-outs over several sessions.
    pub knock_outs: OrdMap<KnockOutId, KnockOut>,
    /// Events with stages.
    pub championships: OrdMap<ChampionshipId, Championship>,
    /// Whether pads of wire version 1 are taken, where the director has said so.
    pub(super) old_pads: Option<bool>,
    /// Such a pad has been given a table here.
    pub(super) old_pads_seen: bool,
    /// Pads that were given an epoch since then.
    pads_since_backup: OrdSet<PadId>,
    /// New sessions have at least this number.
    session_floor: u32,
}

/// What most clubs allow: until the evening two days later.
const CORRECTION_HOURS: u16 = 48;

impl Default for Club {
    fn default() -> Self {
        Self {
            events: OrdMap::new(),
            sessions: OrdMap::new(),
            chosen: None,
            name: String::new(),
            members: OrdMap::new(),
            number_digits: OrdMap::new(),
            epochs: OrdMap::new(),
            password: None,
            director_pin: None,
            reading_without_password: false,
            checks: CheckSettings::default(),
            minutes_east: 0,
            correction_hours: CORRECTION_HOURS,
            backup: None,
            records: Vector::new(),
            pads: ClubPads::default(),
            revoked: OrdSet::new(),
            phones: OrdMap::new(),
            own_phones: OrdMap::new(),
            links: OrdMap::new(),
            connector_on: false,
            competitions: OrdMap::new(),
            knock_outs: OrdMap::new(),
            championships: OrdMap::new(),
            old_pads: None,
            old_pads_seen: false,
            pads_since_backup: OrdSet::new(),
            session_floor: 0,
        }
    }
}

/// A session in the calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// The event it belongs to.
    pub event: EventId,
    /// The day, as 2026-11-16.
    pub date: String,
    /// What people call it.
    pub title: String,
    /// Entries of this session that arrived when it was no longer the one being played.
    pub late_entries: u16,
    /// Until this record of the club's history it may have been worked with since it was added.
    pub touched: Seq,
}

impl Club {
    /// Nobody has played here, and no pad has this club's key: another club can move in.
    pub fn is_untouched(&self) -> bool {
        self.sessions.is_empty() && self.members.is_empty() && self.pads.known.is_empty()
    }

    /// Whether the club's list has this number.
    pub(super) fn lists(&self, number: PlayerNumber) -> bool {
        self.members.contains_key(&number)
    }

    /// A player's number as the club's list writes it: `00123` where it has zeros in front.
    pub fn written(&self, number: PlayerNumber) -> String {
        let digits = self
            .number_digits
            .get(&number)
            .copied()
            .map_or(0, usize::from);
        format!("{:0>digits$}", number.to_string())
    }

    /// Takes in one record of the club's history. The same live and on replay.
    pub(super) fn apply(&mut self, record: &Arc<Record>) {
        // A large club gives hundreds of epochs a night. Nobody is told of them, and those that
        // count are in `epochs`: keeping the records too would make the club grow for ever.
        if !matches!(record.event, Event::EpochGiven { .. }) {
            self.records.push_back(Arc::clone(record));
        }
        match &record.event {
            Event::EventCreated { event, name } | Event::EventRenamed { event, name } => {
                self.events.insert(*event, name.clone());
            }
            Event::SessionAdded {
                session,
                event,
                date,
                title,
            } => {
                let scheduled = Scheduled {
                    event: *event,
                    date: date.clone(),
                    title: title.clone(),
                    late_entries: 0,
                    touched: record.seq,
                };
                self.sessions.insert(*session, scheduled);
            }
            Event::SessionRenamed {
                session,
                date,
                title,
            } => {
                if let Some(scheduled) = self.sessions.get_mut(session) {
                    scheduled.date.clone_from(date);
                    scheduled.title.clone_from(title);
                }
            }
            Event::SessionChosen { session } => {
                if let Some(scheduled) = self.sessions.get_mut(session) {
                    scheduled.touched = record.seq;
                }
                self.chosen = Some(*session);
            }
            Event::MembersListed { members, digits } => {
                self.number_digits.extend(digits.iter().copied());
                for (number, name) in members {
                    self.members.insert(*number, name.clone());
                }
            }
            Event::MemberRenamed { number, name } => {
                self.members.insert(*number, name.clone());
            }
            Event::EpochGiven(given) => {
                self.saw_version(given.wire);
                self.pads.seen(given, record.at);
                let key = (given.pad, given.epoch);
                self.epochs.insert(key, (given.session, given.table));
                self.pads_since_backup.insert(given.pad);
                self.forget_old_epochs(given.pad);
            }
            Event::TrustChanged(trust) => self.trust(*trust, record.at),
            Event::ClubNamed(name) => self.name.clone_from(name),
            Event::DirectorPinSet(pin) => self.director_pin = Some(*pin),
            Event::PasswordSet { hash } => self.password = Some(hash.clone()),
            Event::ReadingAllowed { without_password } => {
                self.reading_without_password = *without_password;
            }
            Event::CheckSet { kind, attention } => self.checks.choose(*kind, *attention),
            Event::LocalTimeSet { minutes_east } => self.minutes_east = *minutes_east,
            Event::CorrectionPeriodSet { hours } => self.correction_hours = *hours,
            Event::BackupOpened { made } => {
                self.backup = Some((*made, record.seq));
                self.pads_since_backup.clear();
                self.session_floor = self
                    .next_session()
                    .get()
                    .saturating_add(u32::from(SKIPPED_AFTER_BACKUP));
            }
            Event::OldEntryKept { session, .. } => {
                if let Some(scheduled) = self.sessions.get_mut(session) {
                    scheduled.late_entries = scheduled.late_entries.saturating_add(1);
                }
            }
            Event::Connector(ConnectorEvent::Linked { session, link }) => {
                self.links.insert(*session, link.clone());
            }
            Event::Connector(ConnectorEvent::Switched { on }) => self.connector_on = *on,
            Event::Competition(event) => self.compete(event),
            // They are in their session's history, see `Session::apply`; the last one is for the
            // club's history, and for the sheet that tells of it.
            evening_events!() | pad_events!() | result_events!() | Event::JournalRescued { .. } => {
            }
        }
    }

    /// Whether a pad has come back with what it holds since the journal went on from a copy.
    pub fn has_answered(&self, pad: PadId) -> bool {
        self.backup.is_none() || self.pads_since_backup.contains(&pad)
    }

    /// Whether a number can be right: the visitors', one of the list, or any where there is no
    /// list to look in.
    pub fn may_know(&self, number: PlayerNumber) -> bool {
        number == PlayerNumber::VISITOR
            || self.members.is_empty()
            || self.members.contains_key(&number)
    }

    /// The name of the event that a session belongs to.
    pub fn event_name(&self, session: SessionId) -> Option<&str> {
        let event = self.sessions.get(&session)?.event;
        self.events.get(&event).map(String::as_str)
    }

    /// A number for a new session, never used before.
    pub fn next_session(&self) -> SessionId {
        let last = self.sessions.get_max().map_or(0, |(id, _)| id.get());
        let number = last.saturating_add(1).max(self.session_floor);
        SessionId::new(number).unwrap_or(SessionId::MAX)
    }

    /// A number for a new event.
    pub fn next_event(&self) -> EventId {
        EventId(self.events.get_max().map_or(1, |(id, _)| id.0 + 1))
    }

    /// The last epoch that this pad was given, ever.
    pub fn last_epoch(&self, pad: PadId) -> Option<Epoch> {
        let all = (pad, Epoch::MIN)..=(pad, Epoch::MAX);
        self.epochs
            .range(all)
            .next_back()
            .map(|((_, epoch), _)| *epoch)
    }

    /// An epoch that neither this pad nor this table (whose last one is given) ever had.
    pub fn next_epoch(&self, pad: PadId, of_table: Option<Epoch>) -> Option<Epoch> {
        let last = self.last_epoch(pad).max(of_table).map_or(0, Epoch::get);
        // What a pad was given after the backup was made is unknown here: jump over it, once.
        let unknown = self.backup.is_some() && !self.pads_since_backup.contains(&pad);
        let step = if unknown { SKIPPED_AFTER_BACKUP } else { 1 };
        last.checked_add(step).and_then(Epoch::new)
    }

    /// Where and when a pad had this epoch.
    pub fn epoch(&self, pad: PadId, epoch: Epoch) -> Option<(SessionId, TableId)> {
        self.epochs.get(&(pad, epoch)).copied()
    }

    fn forget_old_epochs(&mut self, pad: PadId) {
        let of_pad = (pad, Epoch::MIN)..=(pad, Epoch::MAX);
        while self.epochs.range(of_pad.clone()).count() > EPOCHS_REMEMBERED {
            let Some((&oldest, _)) = self.epochs.range(of_pad.clone()).next() else {
                return;
            };
            self.epochs.remove(&oldest);
        }
    }
}
