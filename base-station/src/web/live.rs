//! Tells every open page what has changed, as server-sent events.
//!
//! One task looks at the session when something happened (and once a second, because time alone
//! makes a board late), compares with its last picture and sends the difference to all pages.
//! A page that connects, comes back or was too slow gets the whole picture, so it is right
//! whatever it missed. Ids of events are places in the journal.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use serde::Deserialize;
use tokio::sync::{broadcast, watch};
use tokio::task::JoinError;
use tokio_stream::wrappers::BroadcastStream;
use utoipa::IntoParams;

use super::{Asked, Desk, Problem, Reader, Web};
use crate::session::Seq;
use crate::view::{Change, ChangeView, View};
use crate::watch::{Warning, Watchful};
use telling::{Voice, speaking, tell};

/// Differences that a page may lag behind before it gets a whole picture instead. A page that
/// is this far behind is asleep.
const BACKLOG: usize = 64;

/// Pictures are made at most this often: twenty a second is more than an eye needs, and a
/// quarter of a second is what the pad's OK may take to the screen.
const PACE: Duration = Duration::from_millis(50);

/// Time alone turns a board late; a second is soon enough to see it.
const TICK: Duration = Duration::from_secs(1);

/// News are looked at together at most this often: what is new in it costs well under a
/// millisecond, and an eye does not see the difference.
const WARNING_PACE: Duration = Duration::from_millis(50);

/// Time alone makes a board missing and a pad silent; some seconds do not matter.
const WARNING_TICK: Duration = Duration::from_secs(5);

/// A proxy or a sleeping phone must not mistake silence for a dead connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// One message to all pages, said in each voice once.
#[derive(Clone, Debug)]
struct Message {
    seq: Seq,
    kind: &'static str,
    news: Arc<News>,
}

/// What a message is about.
#[derive(Debug)]
struct News {
    picture: Picture,
    said: Mutex<HashMap<Voice, Arc<str>>>,
}

#[derive(Debug)]
enum Picture {
    Whole(Arc<View>),
    Difference(Box<Change>),
}

/// Where a director goes on listening.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Since {
    /// The place in the journal seen last.
    since: Option<u64>,
}

/// What the publishing task shares with connections.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    whole: watch::Receiver<Arc<View>>,
    messages: Channels,
    found: watch::Receiver<Found>,
}

/// Messages for those who may see everything, and for those who may see what anyone may.
#[derive(Clone, Debug)]
struct Channels {
    director: broadcast::Sender<Message>,
    everybody: broadcast::Sender<Message>,
}

/// What needs the director, as of a place in the journal.
#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    seq: Seq,
    warnings: Vec<Warning>,
    /// The last look ended in a fault of the base station: the warnings are those from before.
    failed: bool,
}

impl Live {
    /// Starts the task.
    pub(crate) fn start(desk: Desk) -> Self {
        let first = Arc::new(desk.view_with(&[], false));
        let (latest, whole) = watch::channel(first);
        let messages = Channels {
            director: broadcast::channel(BACKLOG).0,
            everybody: broadcast::channel(BACKLOG).0,
        };
        let (find, found) = watch::channel(Found::default());
        let live = Self {
            whole,
            messages: messages.clone(),
            found: found.clone(),
        };
        tokio::spawn(watch_over(desk.clone(), find));
        tokio::spawn(publish(desk, found, latest, messages));
        live
    }

    /// What needs the director, everything in the journal up to a place looked at.
    pub(super) async fn warnings(&self, seq: Seq) -> Result<Vec<Warning>, Problem> {
        let mut found = self.found.clone();
        let looked = found.wait_for(|found| found.seq >= seq).await;
        looked
            .map(|found| found.warnings.clone())
            .map_err(Problem::fault)
    }

    /// Whether the last look for what needs the director ended in a fault.
    pub(super) fn watch_failed(&self) -> bool {
        self.found.borrow().failed
    }

    /// The latest picture, as far as somebody may see it.
    pub(crate) fn view_for(&self, reader: &Reader) -> Arc<View> {
        let whole = Arc::clone(&self.whole.borrow());
        if reader.is_director() {
            whole
        } else {
            Arc::new(whole.for_everybody())
        }
    }

    fn coming_for(&self, reader: &Reader) -> broadcast::Receiver<Message> {
        if reader.is_director() {
            self.messages.director.subscribe()
        } else {
            self.messages.everybody.subscribe()
        }
    }
}

/// Looks for what needs the director whenever something happened, and every few seconds. The
/// work is done off the async threads: a section that is new is looked at as a whole.
async fn watch_over(desk: Desk, find: watch::Sender<Found>) {
    let mut changes = desk.changes();
    let mut watchful = Watchful::default();
    loop {
        let known = Arc::clone(&changes.borrow_and_update());
        let (seq, now) = (known.state.seq, desk.now());
        let looking = tokio::task::spawn_blocking(move || {
            let warnings = watchful.warnings(&known.state, &known.presence, now);
            (watchful, warnings)
        });
        let looked = looking.await;
        let after;
        (watchful, after) = after_look(&find.borrow(), seq, looked);
        find.send_if_modified(|before| {
            let other = *before != after;
            *before = after;
            other
        });
        tokio::time::sleep(WARNING_PACE).await;
        let more = tokio::time::timeout(WARNING_TICK, changes.changed()).await;
        if matches!(more, Ok(Err(_))) || find.is_closed() {
            return;
        }
    }
}

/// What is known after a look. If that ended in a fault, what was found before still stands, the
/// next look begins anew, and the director sees it on a lamp.
fn after_look(
    before: &Found,
    seq: Seq,
    looked: Result<(Watchful, Vec<Warning>), JoinError>,
) -> (Watchful, Found) {
    match looked {
        Ok((watchful, warnings)) => {
            let found = Found {
                seq,
                warnings,
                failed: false,
            };
            (watchful, found)
        }
        Err(fault) => {
            tracing::error!(%fault, "the checks have failed; they look at everything again");
            let found = Found {
                seq,
                warnings: before.warnings.clone(),
                failed: true,
            };
            (Watchful::default(), found)
        }
    }
}

async fn publish(
    desk: Desk,
    mut found: watch::Receiver<Found>,
    latest: watch::Sender<Arc<View>>,
    messages: Channels,
) {
    let mut changes = desk.changes();
    loop {
        let more = tokio::time::timeout(TICK, async {
            tokio::select! {
                more = changes.changed() => more,
                more = found.changed() => more,
            }
        });
        if matches!(more.await, Ok(Err(_))) {
            // The session is gone: the base station is shutting down.
            return;
        }
        let Found {
            warnings, failed, ..
        } = found.borrow_and_update().clone();
        let view = Arc::new(desk.view_with(&warnings, failed));
        let earlier = latest.send_replace(Arc::clone(&view));
        // Nobody may be listening; the next one who does gets the whole picture.
        if let Some(message) = difference(&earlier, &view) {
            let _ = messages.director.send(message);
        }
        if messages.everybody.receiver_count() > 0
            && let Some(message) =
                difference(&earlier.for_everybody(), &Arc::new(view.for_everybody()))
        {
            let _ = messages.everybody.send(message);
        }
        tokio::time::sleep(PACE).await;
    }
}

fn difference(earlier: &View, view: &Arc<View>) -> Option<Message> {
    match view.since(earlier) {
        Some(change) if change.is_empty() => None,
        Some(change) => Some(Message::new(
            view.seq,
            "change",
            Picture::Difference(Box::new(change)),
        )),
        None => Some(Message::whole(view)),
    }
}

impl Message {
    fn new(seq: Seq, kind: &'static str, picture: Picture) -> Self {
        let said = Mutex::default();
        Self {
            seq,
            kind,
            news: Arc::new(News { picture, said }),
        }
    }

    fn whole(view: &Arc<View>) -> Self {
        Self::new(view.seq, "view", Picture::Whole(Arc::clone(view)))
    }

    fn event(&self, voice: Voice) -> Event {
        Event::default()
            .event(self.kind)
            .id(self.seq.to_string())
            .data(&*self.news.said(voice))
    }
}

impl News {
    /// The words for whoever is spoken to like this; everybody else gets the same.
    fn said(&self, voice: Voice) -> Arc<str> {
        let mut said = match self.said.lock() {
            Ok(said) => said,
            Err(poisoned) => poisoned.into_inner(),
        };
        let words = said.entry(voice).or_insert_with(|| {
            let data = speaking(voice, || match &self.picture {
                Picture::Whole(view) => serde_json::to_string(&**view),
                Picture::Difference(change) => serde_json::to_string(&**change),
            });
            data.unwrap_or_default().into()
        });
        Arc::clone(words)
    }
}

/// Live events.
///
/// `view` is the whole picture and `change` what differs since the last message. A director who
/// comes back with `Last-Event-ID` (or `?since=`) first gets a `journal` event for every record
/// of the journal after that place.
#[utoipa::path(get, path = "/api/events", tag = "live",
    params(Since, ("Last-Event-ID" = Option<u64>, Header, description = "The same, as browsers send it by themselves; it goes before `since`")),
    responses((status = 200, description = "A stream of server-sent events", content_type = "text/event-stream", body = String),
        (status = 401, description = "Sign in first", body = super::ProblemBody)))]
pub(crate) async fn events(
    State(web): State<Web>,
    reader: Reader,
    Asked(asked): Asked<Since>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let since = last_seen(&headers)?.or(asked.since.map(Seq));
    // Both before the picture is taken, so that nothing falls between.
    let coming = BroadcastStream::new(web.live().coming_for(&reader));
    let revoked = web.revoked(headers, reader.0.clone());
    let whole = Message::whole(&web.live().view_for(&reader));
    // The stream goes on when this request is answered, in the same words.
    let voice = Voice::now();
    let missed = match since {
        Some(since) if reader.is_director() => journal_between(&web, since, whole.seq),
        _ => Vec::new(),
    };
    let first = stream::iter(missed).chain(stream::once(async move { whole.event(voice) }));
    let live = web.live().clone();
    let rest = coming.map(move |message| match message {
        Ok(message) => message.event(voice),
        // Too slow, or asleep: the whole picture puts it right.
        Err(_lagged) => Message::whole(&live.view_for(&reader)).event(voice),
    });
    let mut whole = web.live().whole.clone();
    let over = async move {
        tokio::select! {
            // The publishing task ends with the session: then streams end too and let the server
            // stop.
            () = async { while whole.changed().await.is_ok() {} } => {}
            // Nobody goes on listening with a key that opens no door any more.
            () = revoked => {}
        }
    };
    let stream = first.chain(rest).map(Ok).take_until(Box::pin(over));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

fn last_seen(headers: &HeaderMap) -> Result<Option<Seq>, Problem> {
    headers
        .get("last-event-id")
        .map(|value| {
            value
                .to_str()
                .ok()
                .and_then(|text| text.trim().parse().ok())
                .map(Seq)
                .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedPlaceJournalAs)))
        })
        .transpose()
}

/// What the picture has and the page has not. Later records come with the changes after it, so
/// that ids never go back.
fn journal_between(web: &Web, since: Seq, shown: Seq) -> Vec<Event> {
    let state = web.desk().state();
    state
        .records_since(since)
        .iter()
        .filter(|record| record.seq <= shown)
        .filter_map(|record| {
            let change = ChangeView::of(&state.club, state.session.as_ref(), record);
            let data = serde_json::to_string(&change).ok()?;
            let id = record.seq.to_string();
            Some(Event::default().event("journal").id(id).data(data))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::Attention;
    use crate::session::TableId;
    use crate::view::LampState;
    use crate::watch::{Cause, Life};

    #[tokio::test]
    async fn checks_that_fail_leave_the_warnings_standing_and_light_a_lamp() {
        let table: TableId = "A3".parse().expect("a table");
        let warning = Warning {
            id: "battery:00000066".to_owned().into(),
            cause: Cause::BatteryLow { table },
            offers: Vec::new(),
            attention: Attention::On,
            life: Life::Raised,
        };
        let before = Found {
            seq: Seq(7),
            warnings: vec![warning.clone()],
            failed: false,
        };
        let looked = tokio::task::spawn_blocking(|| panic!("a fault of a check")).await;
        let (_, after) = after_look(&before, Seq(8), looked);
        assert_eq!(after.warnings, [warning]);
        assert_eq!((after.seq, after.failed), (Seq(8), true));
        let lamp = super::super::desk::watch_lamp(after.failed);
        assert_eq!(lamp.state, LampState::Bad);
        let (_, well) = after_look(&after, Seq(9), Ok((Watchful::default(), Vec::new())));
        assert_eq!((well.warnings.len(), well.failed), (0, false));
        assert_eq!(
            super::super::desk::watch_lamp(well.failed).state,
            LampState::Good
        );
    }
}
