//! Takes the records of bases: one task a process, many bases in one transaction, each record once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use ed25519_dalek::VerifyingKey;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{Client, Row, Transaction};

use crate::chain::{Batch, Head, Link, is_signed};
use crate::database::{Database, DatabaseError};
use crate::take::{Refused, Verdict, decide};

/// Requests that may wait. Whoever comes when it is full is told to come again: a base keeps what
/// it has.
const WAITING_MAX: usize = 1024;

/// Requests that share one transaction. More would keep the first of them waiting.
const TOGETHER_MAX: usize = 256;

/// How long the taker rests when the database could not be reached.
const REST: Duration = Duration::from_millis(200);

/// What came of a request with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All of them are on the database's disk; the chain stands there.
    Taken(Head),
    /// Not taken.
    Refused(Refused),
    /// No such base, or not signed by it.
    NotSigned,
    /// Another base of the club has taken its place.
    Retired,
    /// The event is over for good.
    Final,
    /// The database could not be asked: nothing is known to have been taken.
    NotNow,
}

/// A request and where its outcome goes.
#[derive(Debug)]
struct Job {
    batch: Batch,
    body: String,
    signature: String,
    reply: oneshot::Sender<Outcome>,
}

/// A way to the taker.
#[derive(Clone, Debug)]
pub(crate) struct Taker {
    jobs: mpsc::Sender<Job>,
}

impl Taker {
    /// Starts it.
    pub(crate) fn start(database: Database) -> Self {
        let (jobs, waiting) = mpsc::channel(WAITING_MAX);
        tokio::spawn(work(database, waiting));
        Self { jobs }
    }

    /// Takes records. When this answers they are on disk, or not taken.
    pub(crate) async fn take(&self, batch: Batch, body: String, signature: String) -> Outcome {
        let (reply, answer) = oneshot::channel();
        let job = Job {
            batch,
            body,
            signature,
            reply,
        };
        if self.jobs.try_send(job).is_err() {
            return Outcome::NotNow;
        }
        answer.await.unwrap_or(Outcome::NotNow)
    }
}

async fn work(database: Database, mut waiting: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(TOGETHER_MAX);
    let mut client: Option<Client> = None;
    while waiting.recv_many(&mut jobs, TOGETHER_MAX).await > 0 {
        let done = match connected(&database, &mut client).await {
            Ok(client) => take_all(client, &jobs).await,
            Err(fault) => Err(fault),
        };
        let outcomes = done.unwrap_or_else(|fault| {
            // Whether the last transaction was still committed nobody knows: bases ask again, and
            // what was taken is not taken twice.
            tracing::warn!(%fault, "records could not be taken");
            client = None;
            vec![Outcome::NotNow; jobs.len()]
        });
        for (job, outcome) in jobs.drain(..).zip(outcomes) {
            let _ = job.reply.send(outcome);
        }
        if client.is_none() {
            tokio::time::sleep(REST).await;
        }
    }
}

async fn connected<'a>(
    database: &Database,
    client: &'a mut Option<Client>,
) -> Result<&'a mut Client, DatabaseError> {
    if client.as_ref().is_none_or(Client::is_closed) {
        let (fresh, connection) = database.keep().await?;
        // Ends with the client, or when the database goes away.
        tokio::spawn(connection);
        *client = Some(fresh);
    }
    client
        .as_mut()
        .ok_or_else(|| DatabaseError::Pool("no connection".to_owned()))
}

/// A base as the database has it, and as this transaction goes on with it.
struct Known {
    event: i32,
    key: Option<VerifyingKey>,
    head: Head,
    retired: bool,
    closed: bool,
    /// Links of this transaction, and those of earlier records that a request comes back to.
    links: HashMap<u64, Link>,
}

/// A new record on its way to the table.
struct New {
    base: i32,
    seq: i64,
    event: i32,
    text: String,
    link: Vec<u8>,
}

async fn take_all(client: &mut Client, jobs: &[Job]) -> Result<Vec<Outcome>, DatabaseError> {
    let transaction = client.transaction().await?;
    let mut bases = lock(&transaction, jobs).await?;
    look_up_links(&transaction, jobs, &mut bases).await?;
    let mut new = Vec::new();
    let mut troubles = Vec::new();
    let outcomes: Vec<Outcome> = jobs
        .iter()
        .map(|job| judge(job, &mut bases, &mut new, &mut troubles))
        .collect();
    write(&transaction, &bases, new).await?;
    for (base, kind, at) in troubles {
        transaction
            .execute(
                "INSERT INTO trouble (base, kind, at) VALUES ($1, $2, $3)
                 ON CONFLICT (base, kind, at) DO UPDATE SET last = now(), times = trouble.times + 1",
                &[&base, &kind, &at],
            )
            .await?;
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// The bases of these requests. Their events are locked until the end, in one order everywhere, so
/// that places are given in the order of commits and no two processes wait for each other.
async fn lock(
    transaction: &Transaction<'_>,
    jobs: &[Job],
) -> Result<BTreeMap<i32, Known>, DatabaseError> {
    let numbers = jobs
        .iter()
        .filter_map(|job| i32::try_from(job.batch.base).ok());
    let numbers: Vec<i32> = numbers.collect::<BTreeSet<_>>().into_iter().collect();
    transaction
        .execute(
            "SELECT 1 FROM event
             WHERE event IN (SELECT event FROM base WHERE base = ANY($1))
             ORDER BY event FOR UPDATE",
            &[&numbers],
        )
        .await?;
    let rows = transaction
        .query(
            "SELECT base, event, key, seq, link, retired IS NOT NULL, event.final IS NOT NULL
             FROM base JOIN event USING (event) WHERE base = ANY($1)",
            &[&numbers],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), known(row))).collect())
}

fn known(row: &Row) -> Known {
    let key: &[u8] = row.get(2);
    let key = key.try_into().ok();
    let head = Head {
        seq: row.get::<_, i64>(3).unsigned_abs(),
        link: link(row.get(4)),
    };
    Known {
        event: row.get(1),
        key: key.and_then(|key| VerifyingKey::from_bytes(key).ok()),
        head,
        retired: row.get(5),
        closed: row.get(6),
        links: HashMap::from([(head.seq, head.link)]),
    }
}

/// A link that is not 32 bytes long fits nothing.
fn link(bytes: &[u8]) -> Link {
    Link(bytes.try_into().unwrap_or_default())
}

/// Requests that come back to earlier records need the links of those.
async fn look_up_links(
    transaction: &Transaction<'_>,
    jobs: &[Job],
    bases: &mut BTreeMap<i32, Known>,
) -> Result<(), DatabaseError> {
    for job in jobs {
        let Some((base, known)) = of_job(job, bases) else {
            continue;
        };
        if job.batch.from.seq >= known.head.seq {
            continue;
        }
        let from = i64::try_from(job.batch.from.seq).unwrap_or(i64::MAX);
        let to = from.saturating_add(i64::try_from(job.batch.texts.len()).unwrap_or_default());
        let rows = transaction
            .query(
                "SELECT seq, link FROM record WHERE base = $1 AND seq BETWEEN $2 AND $3",
                &[&base, &from, &to],
            )
            .await?;
        for row in rows {
            let seq: i64 = row.get(0);
            known.links.insert(seq.unsigned_abs(), link(row.get(1)));
        }
        if from == 0
            && let Some(key) = &known.key
        {
            let begin = Head::of_key(key);
            known.links.insert(begin.seq, begin.link);
        }
    }
    Ok(())
}

fn of_job<'a>(job: &Job, bases: &'a mut BTreeMap<i32, Known>) -> Option<(i32, &'a mut Known)> {
    let base = i32::try_from(job.batch.base).ok()?;
    Some((base, bases.get_mut(&base)?))
}

fn judge(
    job: &Job,
    bases: &mut BTreeMap<i32, Known>,
    new: &mut Vec<New>,
    troubles: &mut Vec<(i32, &'static str, i64)>,
) -> Outcome {
    let Some((base, known)) = of_job(job, bases) else {
        return Outcome::NotSigned;
    };
    let signed = |key: &VerifyingKey| is_signed(key, &job.body, &job.signature);
    if !known.key.as_ref().is_some_and(signed) {
        troubles.push((base, "forged", 0));
        return Outcome::NotSigned;
    }
    if known.retired {
        troubles.push((base, "retired", 0));
        return Outcome::Retired;
    }
    match decide(known.head, |seq| known.links.get(&seq).copied(), &job.batch) {
        Verdict::Take { new: taken, .. } if known.closed && !taken.is_empty() => Outcome::Final,
        Verdict::Take { new: taken, head } => {
            for (record, text, link) in taken {
                known.links.insert(record.n, link);
                new.push(New {
                    base,
                    seq: i64::try_from(record.n).unwrap_or(i64::MAX),
                    event: known.event,
                    text,
                    link: link.0.to_vec(),
                });
            }
            known.head = head;
            Outcome::Taken(head)
        }
        Verdict::Refused(refused) => {
            if let Some((kind, at)) = trouble(refused) {
                troubles.push((base, kind, i64::try_from(at).unwrap_or(i64::MAX)));
            }
            Outcome::Refused(refused)
        }
    }
}

/// What people are told of a refusal. A gap closes by itself: the base goes on where it is told to.
const fn trouble(refused: Refused) -> Option<(&'static str, u64)> {
    match refused {
        Refused::Gap { .. } => None,
        Refused::Fork { at } => Some(("fork", at)),
        Refused::Changed { after } => Some(("changed", after)),
        Refused::NotUnderstood { at } => Some(("not understood", at)),
    }
}

/// Writes what is new, in as few statements as there are tables.
async fn write(
    transaction: &Transaction<'_>,
    bases: &BTreeMap<i32, Known>,
    new: Vec<New>,
) -> Result<(), DatabaseError> {
    if new.is_empty() {
        return Ok(());
    }
    let mut places = reserve(transaction, &new).await?;
    let count = new.len();
    let (mut numbers, mut seqs, mut events) = (
        Vec::with_capacity(count),
        Vec::with_capacity(count),
        Vec::with_capacity(count),
    );
    let (mut given, mut texts, mut links) = (
        Vec::with_capacity(count),
        Vec::with_capacity(count),
        Vec::with_capacity(count),
    );
    for record in new {
        let place = places.entry(record.event).or_default();
        *place += 1;
        numbers.push(record.base);
        seqs.push(record.seq);
        events.push(record.event);
        given.push(*place);
        texts.push(record.text);
        links.push(record.link);
    }
    transaction
        .execute(
            "INSERT INTO record (base, seq, event, place, text, link)
             SELECT * FROM unnest($1::int4[], $2::int8[], $3::int4[], $4::int8[], $5::text[], $6::bytea[])",
            &[&numbers, &seqs, &events, &given, &texts, &links],
        )
        .await?;
    let touched: BTreeSet<i32> = numbers.into_iter().collect();
    let (mut numbers, mut seqs, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for base in touched {
        if let Some(known) = bases.get(&base) {
            numbers.push(base);
            seqs.push(i64::try_from(known.head.seq).unwrap_or(i64::MAX));
            links.push(known.head.link.0.to_vec());
        }
    }
    transaction
        .execute(
            "UPDATE base SET seq = now.seq, link = now.link, heard = clock_timestamp()
             FROM unnest($1::int4[], $2::int8[], $3::bytea[]) AS now (base, seq, link)
             WHERE base.base = now.base",
            &[&numbers, &seqs, &links],
        )
        .await?;
    Ok(())
}

/// Gives every event's new records their places, and tells those who follow it. Answers with the
/// place before the first of each event.
async fn reserve(
    transaction: &Transaction<'_>,
    new: &[New],
) -> Result<BTreeMap<i32, i64>, DatabaseError> {
    let mut counts: BTreeMap<i32, i64> = BTreeMap::new();
    for record in new {
        *counts.entry(record.event).or_default() += 1;
    }
    let mut places = BTreeMap::new();
    for (event, count) in counts {
        let row = transaction
            .query_one(
                "UPDATE event SET records = records + $2 WHERE event = $1 RETURNING records - $2",
                &[&event, &count],
            )
            .await?;
        places.insert(event, row.get(0));
        transaction
            .execute("SELECT pg_notify('byestand', $1)", &[&event.to_string()])
            .await?;
    }
    Ok(places)
}
