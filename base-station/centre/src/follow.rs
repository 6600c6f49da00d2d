//! Follows the events that somebody looks at: what was taken, by whichever process, is folded and
//! scored, and shown to everybody at once. What is kept here can be made again from the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use futures_util::{StreamExt as _, stream};
use tokio::sync::{broadcast, watch};
use tokio_postgres::{AsyncMessage, IsolationLevel, Transaction};

use crate::chain::Record;
use crate::database::{Database, DatabaseError};
use crate::entered::{about, clubs, stage};
use crate::field::Event;
use crate::said::Said;
use crate::snapshot::{About, Snapshot, rules};
use crate::stage::Stage;

/// What nobody told of is noticed after this time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Nobody reads faster; and a large field takes a while to score.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// Records that are read together, so that a large event needs no more memory than itself.
const READ_MAX: i64 = 20_000;

/// An event that nobody has looked at for so long is forgotten, and read again when somebody does.
const FORGET_AFTER: Duration = Duration::from_mins(10);

/// How late records were scored, in milliseconds; the last bucket is everything above.
const LATE_MS: [u64; 11] = [50, 100, 200, 300, 400, 500, 750, 1000, 1500, 2000, 5000];

/// A way to all events.
#[derive(Clone, Debug)]
pub(crate) struct Follower {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    /// Tells the number of an event of which something was taken.
    news: broadcast::Sender<i32>,
    followed: Mutex<HashMap<i32, watch::Receiver<Option<Arc<Snapshot>>>>>,
    late: Mutex<[u64; LATE_MS.len() + 1]>,
    /// How long it took to fold, score and rank what was new the last time.
    ranking_took: Mutex<Duration>,
}

impl Follower {
    /// Starts to listen.
    pub(crate) fn start(database: Database) -> Self {
        // A follower that lags looks at the database anyway.
        let (news, _) = broadcast::channel(1024);
        tokio::spawn(listen(database.clone(), news.clone()));
        let inner = Inner {
            database,
            news,
            followed: Mutex::default(),
            late: Mutex::default(),
            ranking_took: Mutex::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// An event as it stands, as soon as it is known. `None` where there is no such event, or the
    /// database is away.
    pub(crate) async fn event(&self, event: i32) -> Option<Arc<Snapshot>> {
        let mut known = self.watch(event);
        let first = known.wait_for(Option::is_some);
        let first = tokio::time::timeout(Duration::from_mins(1), first).await;
        first.ok()?.ok()?.clone()
    }

    /// The same, and every later moment.
    pub(crate) fn watch(&self, event: i32) -> watch::Receiver<Option<Arc<Snapshot>>> {
        let followed = self.inner.followed.lock();
        let mut followed = followed.unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = followed.get(&event)
            && known.has_changed().is_ok()
        {
            return known.clone();
        }
        let (show, shown) = watch::channel(None);
        followed.insert(event, shown.clone());
        let own = self.clone();
        tokio::spawn(async move {
            follow(&own, event, show).await;
            own.forget(event);
        });
        shown
    }

    /// Nobody follows it any more, or there never was such an event.
    fn forget(&self, event: i32) {
        let followed = self.inner.followed.lock();
        let mut followed = followed.unwrap_or_else(PoisonError::into_inner);
        // Somebody may have begun to follow it anew.
        followed.retain(|other, known| *other != event || known.has_changed().is_ok());
    }

    /// How many records were scored how late, by the upper bounds in milliseconds.
    pub(crate) fn late(&self) -> Vec<(Option<u64>, u64)> {
        let late = self.inner.late.lock();
        let late = *late.unwrap_or_else(PoisonError::into_inner);
        let bounds = LATE_MS.into_iter().map(Some).chain([None]);
        bounds.zip(late).collect()
    }

    /// How long a ranking took the last time.
    pub(crate) fn ranking_took(&self) -> Duration {
        let took = self.inner.ranking_took.lock();
        *took.unwrap_or_else(PoisonError::into_inner)
    }

    fn note_ranking(&self, took: Duration) {
        let known = self.inner.ranking_took.lock();
        *known.unwrap_or_else(PoisonError::into_inner) = took;
    }

    fn note_late(&self, taken: &[SystemTime]) {
        let now = SystemTime::now();
        let late = self.inner.late.lock();
        let mut late = late.unwrap_or_else(PoisonError::into_inner);
        for taken in taken {
            let ms = now.duration_since(*taken).unwrap_or_default().as_millis();
            let bucket = LATE_MS.iter().position(|most| ms <= u128::from(*most));
            late[bucket.unwrap_or(LATE_MS.len())] += 1;
        }
    }
}

/// Hears from the database of which events something was taken.
async fn listen(database: Database, news: broadcast::Sender<i32>) {
    loop {
        if let Err(fault) = listen_once(&database, &news).await {
            tracing::warn!(%fault, "PostgreSQL is away");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

async fn listen_once(
    database: &Database,
    news: &broadcast::Sender<i32>,
) -> Result<(), DatabaseError> {
    let (client, mut connection) = database.keep().await?;
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    let listening = client.batch_execute("LISTEN byestand");
    tokio::pin!(listening);
    let mut asked = false;
    loop {
        tokio::select! {
            done = &mut listening, if !asked => {
                done?;
                asked = true;
            }
            message = messages.next() => match message {
                None => return Ok(()),
                Some(Err(fault)) => return Err(fault.into()),
                Some(Ok(AsyncMessage::Notification(told))) => {
                    if let Ok(event) = told.payload().parse() {
                        let _ = news.send(event);
                    }
                }
                Some(Ok(_)) => {}
            },
        }
    }
}

/// One event, as long as somebody looks at it.
async fn follow(follower: &Follower, number: i32, show: watch::Sender<Option<Arc<Snapshot>>>) {
    let mut news = follower.inner.news.subscribe();
    let mut known = Known::default();
    let mut looked_at = Instant::now();
    loop {
        match known.read(&follower.inner.database, number).await {
            Ok(()) if known.is_new => {
                let begun = Instant::now();
                let (shown, taken) = known.show().await;
                let Some(shown) = shown else { return };
                show.send_replace(Some(shown));
                follower.note_ranking(begun.elapsed());
                follower.note_late(&taken);
                tokio::time::sleep(SHOW_EVERY.saturating_sub(begun.elapsed())).await;
            }
            Ok(()) => {}
            Err(Lost::NoSuchEvent) => return,
            // What was read stays: pages show it, as old as it is.
            Err(Lost::Database(fault)) => tracing::warn!(%fault, "an event could not be read"),
        }
        // One is held by the register.
        if show.receiver_count() > 1 {
            looked_at = Instant::now();
        } else if looked_at.elapsed() > FORGET_AFTER {
            return;
        }
        let told = async { while news.recv().await.is_ok_and(|of| of != number) {} };
        let _ = tokio::time::timeout(LOOK_EVERY, told).await;
    }
}

enum Lost {
    NoSuchEvent,
    Database(DatabaseError),
}

impl<E: Into<DatabaseError>> From<E> for Lost {
    fn from(fault: E) -> Self {
        Self::Database(fault.into())
    }
}

/// An event as far as it was read.
#[derive(Default)]
struct Known {
    about: About,
    stage: Option<Arc<Stage>>,
    event: Option<Box<Event>>,
    place: i64,
    /// Whether anything was read that is not shown yet.
    is_new: bool,
    /// When the records were taken that are not shown yet. Those that were there before somebody
    /// looked are not counted.
    taken: Vec<SystemTime>,
}

impl Known {
    /// Reads what is new.
    async fn read(&mut self, database: &Database, number: i32) -> Result<(), Lost> {
        let mut client = database.page().await?;
        // The clubs and their records as of one moment.
        let moment = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        let first = self.event.is_none();
        self.read_about(&moment, number).await?;
        loop {
            let rows = moment
                .query(
                    "SELECT place, base, text, taken FROM record
                     WHERE event = $1 AND place > $2 ORDER BY place LIMIT $3",
                    &[&number, &self.place, &READ_MAX],
                )
                .await?;
            let Some(last) = rows.last() else { break };
            self.is_new = true;
            let place = last.get(0);
            let mut said = Vec::with_capacity(rows.len());
            for row in &rows {
                let record: Result<Record, _> = serde_json::from_str(row.get(2));
                match record {
                    Ok(record) => said.push((row.get(1), record.said)),
                    Err(fault) => tracing::error!(%fault, "a record can't be read"),
                }
                if !first {
                    self.taken.push(row.get(3));
                }
            }
            self.hear(said).await;
            self.place = place;
        }
        moment.commit().await?;
        Ok(())
    }

    /// Reads what the organiser has said, if it is new.
    async fn read_about(&mut self, moment: &Transaction<'_>, number: i32) -> Result<(), Lost> {
        let about = about(moment, number).await?.ok_or(Lost::NoSuchEvent)?;
        if about == self.about {
            return Ok(());
        }
        let clubs = clubs(moment, number).await?;
        self.stage = stage(moment, &about).await?.map(Arc::new);
        let fresh = || Box::new(Event::new(rules(&about.method), about.matches.is_some()));
        let event = self.event.get_or_insert_with(fresh);
        event.set_clubs(clubs);
        self.about = about;
        self.is_new = true;
        Ok(())
    }

    /// Folds and scores. It takes a while, so it is done beside the tasks of pages.
    async fn hear(&mut self, said: Vec<(i32, Said)>) {
        let Some(mut event) = self.event.take() else {
            return;
        };
        let heard = tokio::task::spawn_blocking(move || {
            for (base, said) in said {
                event.hear(base, said);
            }
            event
        });
        self.event = heard.await.ok();
    }

    async fn show(&mut self) -> (Option<Arc<Snapshot>>, Vec<SystemTime>) {
        self.is_new = false;
        let taken = std::mem::take(&mut self.taken);
        let Some(mut event) = self.event.take() else {
            return (None, taken);
        };
        let (about, place) = (self.about.clone(), self.place);
        let stage = self.stage.clone();
        let shown = tokio::task::spawn_blocking(move || {
            let shown = Snapshot::of(&mut event, about, stage, place);
            (event, Arc::new(shown))
        });
        match shown.await {
            Ok((event, shown)) => {
                self.event = Some(event);
                (Some(shown), taken)
            }
            // A fault of our own: the event is read anew when somebody looks again.
            Err(_) => (None, taken),
        }
    }
}

/// An event read from its first record to its last within a transaction that has locked it: what
/// becomes final.
pub(crate) async fn read_whole(
    transaction: &Transaction<'_>,
    about: About,
) -> Result<Snapshot, DatabaseError> {
    let mut event = Event::new(rules(&about.method), about.matches.is_some());
    let stage = stage(transaction, &about).await?.map(Arc::new);
    event.set_clubs(clubs(transaction, about.event).await?);
    let mut place = 0;
    loop {
        let rows = transaction
            .query(
                "SELECT place, base, text FROM record
                 WHERE event = $1 AND place > $2 ORDER BY place LIMIT $3",
                &[&about.event, &place, &READ_MAX],
            )
            .await?;
        let Some(last) = rows.last() else { break };
        place = last.get(0);
        for row in &rows {
            if let Ok(record) = serde_json::from_str::<Record>(row.get(2)) {
                event.hear(row.get(1), record.said);
            }
        }
    }
    Ok(Snapshot::of(&mut event, about, stage, place))
}
