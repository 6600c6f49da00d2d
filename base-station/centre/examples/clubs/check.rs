//! What was promised, looked at from outside: the database's tables and the centres' answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

use centre::{Awarded, Became, Head, Record, Said};
use serde_json::Value;

use super::centres::Centres;
use super::evening::Evening;
use super::naive::{Happened, Played, ranking};

/// How long a centre may take to read an event of a thousand clubs for the first time.
const PATIENCE: Duration = Duration::from_mins(2);

/// A centre that knows something and hears nothing for so long knows all there is.
const SETTLED: Duration = Duration::from_secs(4);

/// What is not as promised.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) wrong: Vec<String>,
    pub(crate) records: usize,
    pub(crate) pairs: usize,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} records: none lost, none twice, none changed; {} pairs placed as by the naive scorer, at both centres",
            self.records, self.pairs
        )?;
        if !self.wrong.is_empty() {
            write!(f, "\nNOT SO: {}", self.wrong.join("\n  "))?;
        }
        Ok(())
    }
}

/// Compares everything. The centres are started anew before, so that what they say comes from the
/// database and from nowhere else.
pub(crate) fn all(centres: &mut Centres, evening: &Evening, event: i32) -> Found {
    let mut found = Found::default();
    records(centres, evening, &mut found);
    centres.restart_all();
    places(centres, evening, event, &mut found);
    found
}

/// Every record of every base that counts is there once, as it was said.
fn records(centres: &Centres, evening: &Evening, found: &mut Found) {
    let rows = centres
        .postgres
        .ask("SELECT base, seq, text FROM record ORDER BY base, seq");
    let mut there: BTreeMap<u32, Vec<(u64, &str)>> = BTreeMap::new();
    for row in rows.lines() {
        let mut parts = row.splitn(3, '|');
        let (Some(base), Some(seq), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let base = base.parse().expect("a base");
        there
            .entry(base)
            .or_default()
            .push((seq.parse().expect("a place"), text));
        found.records += 1;
    }
    for base in evening.bases() {
        let own = there.get(&base.joined.base).map_or(&[][..], Vec::as_slice);
        let mut head = base.joined.head;
        for (seq, text) in own {
            head = Head {
                seq: *seq,
                ..head.with(text)
            };
        }
        let seqs = own.iter().map(|(seq, _)| *seq);
        if !seqs.eq(1..=u64::try_from(base.texts.len()).expect("small")) {
            let wrong = format!(
                "base {}: {} of {} records",
                base.joined.base,
                own.len(),
                base.texts.len()
            );
            found.wrong.push(wrong);
        } else if Some(&head) != base.heads.last() {
            found
                .wrong
                .push(format!("base {}: another history", base.joined.base));
        }
    }
    let places = centres.postgres.ask(
        "SELECT event FROM record GROUP BY event HAVING count(*) <> max(place) OR count(DISTINCT place) <> count(*)",
    );
    if !places.is_empty() {
        found
            .wrong
            .push(format!("places of event {places} have a gap"));
    }
}

/// Both centres rank as the naive scorer does with all lines at once.
fn places(centres: &Centres, evening: &Evening, event: i32, found: &mut Found) {
    let expected = ranking(&lines(evening));
    found.pairs = expected.len();
    let place = centres
        .postgres
        .ask(&format!("SELECT records FROM event WHERE event = {event}"));
    for address in centres.addresses() {
        let told = told(&address, event, &place);
        let wrong: Vec<_> = (expected.iter())
            .filter(|(pair, place)| told.get(*pair) != Some(*place))
            .collect();
        if let Some((pair, place)) = wrong.first() {
            let wrong = format!(
                "{} of {} pairs stand elsewhere, such as {pair:?}: {place:?} expected, {:?} told",
                wrong.len(),
                expected.len(),
                told.get(*pair)
            );
            found.wrong.push(wrong);
        }
        let known: BTreeSet<_> = expected.keys().collect();
        if told.keys().any(|pair| !known.contains(pair)) {
            found.wrong.push("pairs that nobody knows".to_owned());
        }
    }
}

/// What all bases that count have said in the end.
fn lines(evening: &Evening) -> Vec<Played> {
    let mut all = Vec::new();
    for base in evening.bases().filter(|base| evening.counts(base)) {
        let mut lines = BTreeMap::new();
        for text in &base.texts {
            let record: Record = serde_json::from_str(text).expect("a record");
            match record.said {
                Said::Line(line) => drop(lines.insert(line.place, line)),
                Said::Gone(place) => drop(lines.remove(&place)),
                _ => {}
            }
        }
        all.extend(lines.into_values().map(|line| Played {
            club: base.joined.club,
            board: line.place.board.get(),
            ns: line.ns.expect("a pair").to_string(),
            ew: line.ew.expect("a pair").to_string(),
            happened: match line.became {
                Became::Score(score) => Happened::Scored(score),
                Became::Adjusted(Awarded::Percent(ns), Awarded::Percent(ew)) => {
                    Happened::Awarded(ns.into(), ew.into())
                }
                _ => Happened::Nothing,
            },
        }));
    }
    all
}

/// Place and hundredths of a percent of every pair, as soon as a centre knows all records.
fn told(address: &str, event: i32, place: &str) -> BTreeMap<(i32, String), (u64, i64)> {
    let agent = super::base::agent();
    let place: i64 = place.parse().expect("a number");
    let begun = Instant::now();
    let mut known = (Value::Null, Instant::now());
    loop {
        let asked = agent
            .get(format!("{address}event/{event}/ranking.json"))
            .call();
        let text = asked.ok().and_then(|mut answer| {
            let body = answer.body_mut().with_config().limit(64 << 20);
            body.read_to_string().ok()
        });
        let view: Value = text
            .and_then(|it| serde_json::from_str(&it).ok())
            .unwrap_or_default();
        if view["place"] != known.0 {
            known = (view["place"].clone(), Instant::now());
        }
        let settled = !known.0.is_null() && known.1.elapsed() > SETTLED;
        if settled || view["place"].as_i64() == Some(place) {
            let pairs = view["pairs"].as_array().expect("pairs");
            return pairs.iter().filter_map(of_pair).collect();
        }
        assert!(begun.elapsed() < PATIENCE, "a centre knows all records");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn of_pair(pair: &Value) -> Option<((i32, String), (u64, i64))> {
    let club = i32::try_from(pair["club"].as_i64()?).ok()?;
    let name = pair["pair"].as_str()?.to_owned();
    // As it is printed, with two decimals.
    let printed = format!("{:.2}", pair["percent"].as_f64()?).replace('.', "");
    Some((
        (club, name),
        (pair["rank"].as_u64()?, printed.parse().ok()?),
    ))
}

/// Promises that are broken on purpose, behind the centres' backs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Broken {
    ARecordIsLost,
    ARecordIsThereTwice,
    ARecordIsChanged,
    AnotherBaseCounts,
}

impl Broken {
    pub(crate) const ALL: [Self; 4] = [
        Self::ARecordIsLost,
        Self::ARecordIsThereTwice,
        Self::ARecordIsChanged,
        Self::AnotherBaseCounts,
    ];

    /// Breaks it, looks whether anything is found, and puts it right again.
    pub(crate) fn is_noticed(self, centres: &mut Centres, evening: &Evening, event: i32) -> bool {
        let (breaks, mends) = match self {
            Self::ARecordIsLost => (
                "CREATE TABLE kept AS SELECT * FROM record WHERE text LIKE '%score%' ORDER BY place DESC LIMIT 1;
                 DELETE FROM record WHERE place = (SELECT place FROM kept)",
                "INSERT INTO record SELECT * FROM kept; DROP TABLE kept",
            ),
            Self::ARecordIsThereTwice => (
                "INSERT INTO record (base, seq, event, place, text, link)
                 SELECT base, seq + 1000000, event, (SELECT max(place) + 1 FROM record), text, link
                 FROM record ORDER BY place LIMIT 1",
                "DELETE FROM record WHERE seq > 1000000",
            ),
            Self::ARecordIsChanged => (
                "CREATE TABLE kept AS SELECT * FROM record WHERE text LIKE '%\"score\":620%' ORDER BY place DESC LIMIT 1;
                 UPDATE record SET text = replace(text, '\"score\":620', '\"score\":-620') WHERE place = (SELECT place FROM kept)",
                "UPDATE record SET text = kept.text FROM kept WHERE record.place = kept.place; DROP TABLE kept",
            ),
            Self::AnotherBaseCounts => (
                "CREATE TABLE kept AS SELECT club, base FROM club WHERE base IS NOT NULL ORDER BY club LIMIT 1;
                 UPDATE club SET base = NULL WHERE club = (SELECT club FROM kept)",
                "UPDATE club SET base = kept.base FROM kept WHERE club.club = kept.club; DROP TABLE kept",
            ),
        };
        centres.postgres.ask(breaks);
        let found = all(centres, evening, event);
        centres.postgres.ask(mends);
        let told = found.wrong.first().map_or("", String::as_str);
        println!("  {told}");
        !found.wrong.is_empty()
    }
}
