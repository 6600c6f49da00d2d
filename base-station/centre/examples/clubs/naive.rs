//! A second scorer that shares no line with the first: everything at once, from all lines, by
//! counting. Two points for every worse result and one for every equal one; boards with fewer
//! results are brought to as many as the boards have that were played most, by Neuberg's formula.

use std::collections::{BTreeMap, HashMap};

/// What became of a board, as far as this scorer cares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happened {
    Scored(i16),
    /// Hundredths of a percent to North-South and East-West.
    Awarded(i64, i64),
    Nothing,
}

/// A line of a club: its club, who sat North-South and East-West, and what happened.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) club: i32,
    pub(crate) board: u8,
    pub(crate) ns: String,
    pub(crate) ew: String,
    pub(crate) happened: Happened,
}

/// Place and hundredths of a percent of every pair.
pub(crate) fn ranking(lines: &[Played]) -> BTreeMap<(i32, String), (u64, i64)> {
    let mut boards: BTreeMap<u8, Vec<&Played>> = BTreeMap::new();
    for line in lines {
        if !matches!(line.happened, Happened::Nothing) {
            boards.entry(line.board).or_default().push(line);
        }
    }
    let most = whole(boards.values().map(Vec::len).max().unwrap_or_default());
    // In hundredths of a matchpoint.
    let top = 200 * (most - 1);
    let mut totals: HashMap<(i32, &str), (i64, i64)> = HashMap::new();
    for rows in boards.values() {
        let mut scores: Vec<i16> = rows.iter().filter_map(|row| scored(row)).collect();
        scores.sort_unstable();
        for row in rows {
            let (ns, ew) = match row.happened {
                Happened::Scored(score) => {
                    let ns = points(&scores, score, most);
                    (ns, top - ns)
                }
                Happened::Awarded(ns, ew) => (share(top, ns), share(top, ew)),
                Happened::Nothing => continue,
            };
            for (pair, points) in [(&row.ns, ns), (&row.ew, ew)] {
                let total = totals.entry((row.club, pair)).or_default();
                total.0 += points;
                total.1 += top;
            }
        }
    }
    placed(totals)
}

fn scored(row: &Played) -> Option<i16> {
    match row.happened {
        Happened::Scored(score) => Some(score),
        Happened::Awarded(..) | Happened::Nothing => None,
    }
}

/// Hundredths of a matchpoint, halves up.
fn points(sorted: &[i16], score: i16, most: i64) -> i64 {
    let below = whole(sorted.partition_point(|other| *other < score));
    let not_above = whole(sorted.partition_point(|other| *other <= score));
    let (real, equal) = (whole(sorted.len()), not_above - below);
    let won = 2 * below + equal - 1;
    // (won + 1) x most / real - 1, rounded to a hundredth.
    let (numerator, denominator) = ((won + 1) * most - real, real);
    (numerator * 200 + denominator).div_euclid(2 * denominator)
}

fn share(top: i64, hundredths: i64) -> i64 {
    (top * hundredths * 2 + 10_000).div_euclid(20_000)
}

fn placed(totals: HashMap<(i32, &str), (i64, i64)>) -> BTreeMap<(i32, String), (u64, i64)> {
    let percents = totals.into_iter().map(|((club, pair), (points, of))| {
        let percent = (points * 20_000 + of).div_euclid(2 * of);
        ((club, pair.to_owned()), percent)
    });
    let percents: Vec<_> = percents.collect();
    let mut sorted: Vec<i64> = percents.iter().map(|(_, percent)| *percent).collect();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let place = |percent: i64| {
        let better = whole(sorted.partition_point(|other| *other > percent));
        better.unsigned_abs() + 1
    };
    percents
        .into_iter()
        .map(|(pair, percent)| (pair, (place(percent), percent)))
        .collect()
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).expect("small")
}
