//! Players' own phones. North-South's device is the table's pad; East-West's is its second screen,
//! on which they accept, and on which a pair reads what it may know of boards that it has played.
//!
//! Everything here is live and nothing of it is kept: a result is agreed when the table's pad has
//! it in its storage, and a second screen that is away changes nothing but where East accepts.

mod room;
mod shown;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use protocol::words::{PadId, SessionId};
use qrcode::{Color, QrCode};
use telling::{Voice, speaking};
use tokio::sync::mpsc;

use self::room::{Known, Note, Out, Room, Said, ShownCode};
use crate::daemon::Phones;
use crate::session::{PairId, Scores, Seq, State};
use crate::web::Desk;

/// Notes that may wait, in all.
const WAITING_MAX: usize = 256;

/// Notes that may wait for one phone. Whoever reads no more than this is asleep, and its line ends.
pub(super) const NOTES_WAITING_MAX: usize = 32;

/// What a score card says may be this old.
const PACE: Duration = Duration::from_millis(500);

/// The way to the task that knows all second screens.
#[derive(Clone, Debug)]
pub(crate) struct Screens {
    events: mpsc::Sender<Event>,
}

/// A line of a phone, counted, so that an old one that ends takes nothing from a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineNumber(pub(super) u64);

#[derive(Debug)]
enum Event {
    Came(PadId, OpenLine),
    Said(PadId, LineNumber, Said),
    Left(PadId, LineNumber),
}

/// Where notes for a phone go, and in whose words.
#[derive(Clone, Debug)]
pub(super) struct OpenLine {
    pub(super) number: LineNumber,
    pub(super) voice: Voice,
    pub(super) notes: mpsc::Sender<String>,
}

/// What makes codes: the club's key, and where phones find this page.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    /// The club's key.
    pub(crate) phones: Phones,
    /// The page.
    pub(crate) address: String,
}

impl Screens {
    /// Starts the task. Call it inside a tokio runtime.
    pub(crate) fn start(desk: Desk, codes: Codes) -> Self {
        let (events, coming) = mpsc::channel(WAITING_MAX);
        tokio::spawn(run(desk, codes, coming));
        Self { events }
    }

    /// A phone has proven who it is on this line.
    pub(super) async fn came(&self, phone: PadId, line: OpenLine) {
        let _ = self.events.send(Event::Came(phone, line)).await;
    }

    /// It says something; false where that is nothing a phone says.
    pub(super) async fn said(&self, phone: PadId, line: LineNumber, note: &[u8]) -> bool {
        match serde_json::from_slice(note) {
            Ok(said) => self
                .events
                .send(Event::Said(phone, line, said))
                .await
                .is_ok(),
            Err(_) => false,
        }
    }

    /// Its line has ended.
    pub(super) async fn left(&self, phone: PadId, line: LineNumber) {
        let _ = self.events.send(Event::Left(phone, line)).await;
    }
}

impl Codes {
    /// The link behind the next code of a pair.
    fn link(&self, state: &State, pair: PairId) -> Option<String> {
        let session: SessionId = state.session.as_ref()?.id;
        let number = state.club.next_own_code(session, pair);
        let name = own_code(session, pair, number);
        let secret = self.phones.own_secret(&name);
        Some(format!("{}/phone#{name}-{secret}", self.address))
    }

    fn shown(&self, state: &State, pair: PairId) -> Option<ShownCode> {
        let link = self.link(state, pair)?;
        let code = QrCode::new(&link).ok()?;
        let modules = code.to_colors();
        let rows = modules.chunks(code.width().max(1)).map(|row| {
            let digit = |module: &Color| if *module == Color::Dark { '1' } else { '0' };
            row.iter().map(digit).collect()
        });
        Some(ShownCode {
            pair: state.session.as_ref()?.number_of(pair),
            rows: rows.collect(),
            link,
        })
    }
}

/// The name of a pair's code: everybody may see it.
pub(super) fn own_code(session: SessionId, pair: PairId, number: u16) -> String {
    format!("P{session}-{pair}-{number}")
}

/// What such a name says.
pub(super) fn read_own_code(name: &str) -> Option<(SessionId, PairId, u16)> {
    let mut parts = name.strip_prefix('P')?.split('-');
    let read = (
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then_some(read)
}

async fn run(desk: Desk, codes: Codes, mut coming: mpsc::Receiver<Event>) {
    let mut room = Room::default();
    let mut lines: BTreeMap<PadId, OpenLine> = BTreeMap::new();
    let mut changes = desk.changes();
    let mut pace = tokio::time::interval(PACE);
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut scored = None;
    loop {
        let event = tokio::select! {
            event = coming.recv() => match event {
                Some(event) => Some(event),
                None => return,
            },
            _ = pace.tick(), if !lines.is_empty() => {
                if !matches!(changes.has_changed(), Ok(true)) {
                    continue;
                }
                None
            }
        };
        changes.mark_unchanged();
        let state = desk.state();
        let known = Known {
            scores: scores_of(&state, &mut scored),
            state: &state,
        };
        let mut out = match event {
            None => room.changed(known),
            Some(Event::Came(phone, line)) => {
                lines.insert(phone, line);
                room.came(phone, known)
            }
            Some(Event::Said(phone, line, said)) if is_line(&lines, phone, line) => {
                room.said(phone, said, known, |pair| codes.shown(&state, pair))
            }
            Some(Event::Left(phone, line)) if is_line(&lines, phone, line) => {
                lines.remove(&phone);
                room.left(phone, known)
            }
            Some(Event::Said(..) | Event::Left(..)) => Vec::new(),
        };
        while !out.is_empty() {
            let asleep = hand_out(&mut lines, &out);
            let left = asleep.into_iter().map(|phone| room.left(phone, known));
            out = left.flatten().collect();
        }
    }
}

/// The scores as of a state, worked out once for each.
fn scores_of<'a>(state: &State, scored: &'a mut Option<(Seq, Scores)>) -> Option<&'a Scores> {
    let session = state.session.as_ref()?;
    if scored.as_ref().is_none_or(|(seq, _)| *seq != state.seq) {
        *scored = Some((state.seq, session.scores()));
    }
    scored.as_ref().map(|(_, scores)| scores)
}

fn is_line(lines: &BTreeMap<PadId, OpenLine>, phone: PadId, line: LineNumber) -> bool {
    lines.get(&phone).is_some_and(|open| open.number == line)
}

/// Gives everybody what is said to it; answers with phones that read nothing any more. Without its
/// sender the line of such a phone ends, and it comes back for everything.
fn hand_out(lines: &mut BTreeMap<PadId, OpenLine>, out: &Out) -> Vec<PadId> {
    let mut asleep = Vec::new();
    for (phone, note) in out {
        let Some(line) = lines.get(phone) else {
            continue;
        };
        let said = speaking(line.voice, || serde_json::to_string::<Note>(note));
        if !said.is_ok_and(|said| line.notes.try_send(said).is_ok()) {
            lines.remove(phone);
            asleep.push(*phone);
        }
    }
    asleep
}
