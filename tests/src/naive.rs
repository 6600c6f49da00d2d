//! A second, deliberately simple scorer, to check the real one against.
//!
//! It compares every result with every other one, in floating point, from scratch, and shares no
//! line with `base_station::scoring`. Slow and obvious is the point.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What happened at one table on one board, as far as scoring cares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// Points for North-South.
    Scored(i32),
    /// Percentages awarded to North-South and East-West.
    Awarded(f64, f64),
}

/// One line of a traveller.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The board.
    pub board: u8,
    /// North-South; `None` where nobody knows who played.
    pub ns: Option<u16>,
    /// East-West.
    pub ew: Option<u16>,
    /// What happened.
    pub happened: Happened,
}

/// `(is North-South, pair)` in a two-winner movement; always `(true, pair)` where there is one
/// list.
pub type Competitor = (bool, u16);

/// Percentages of every pair, computed board by board with Neuberg's formula and two points a
/// comparison; every board is brought to the top of those played most.
pub fn percentages(lines: &[Line], one_winner: bool) -> BTreeMap<Competitor, f64> {
    let mut totals: BTreeMap<Competitor, (f64, f64)> = BTreeMap::new();
    let boards: std::collections::BTreeSet<u8> = lines.iter().map(|line| line.board).collect();
    let on = |board: u8| -> Vec<&Line> {
        let rows = lines.iter().filter(|line| line.board == board);
        rows.collect()
    };
    let most = boards.iter().map(|board| count(&on(*board)));
    let most = most.fold(0.0, f64::max);
    let top = 2.0 * (most - 1.0);
    for board in boards {
        let rows = on(board);
        for row in &rows {
            let (ns, ew) = matchpoints(row, &rows, most, top);
            for (list, pair, points) in [(true, row.ns, ns), (one_winner, row.ew, ew)] {
                let Some(pair) = pair else { continue };
                let total = totals.entry((list, pair)).or_default();
                total.0 += points;
                total.1 += top;
            }
        }
    }
    totals
        .into_iter()
        .filter(|(_, (_, of))| *of > 0.0)
        .map(|(competitor, (points, of))| (competitor, 100.0 * points / of))
        .collect()
}

fn matchpoints(row: &Line, rows: &[&Line], most: f64, top: f64) -> (f64, f64) {
    match row.happened {
        Happened::Awarded(ns, ew) => (top * ns / 100.0, top * ew / 100.0),
        Happened::Scored(score) => {
            let (mut points, mut scored) = (0.0, 0.0);
            for other in rows {
                if let Happened::Scored(theirs) = other.happened {
                    scored += 1.0;
                    points += match score.cmp(&theirs) {
                        Ordering::Greater => 2.0,
                        Ordering::Equal => 1.0,
                        Ordering::Less => 0.0,
                    };
                }
            }
            // A row always ties with itself; that comparison does not count.
            points -= 1.0;
            let ns = ((points + 1.0) * most / scored - 1.0).clamp(0.0, top);
            // Sessions count in hundredths of a matchpoint.
            let ns = (ns * 100.0).round() / 100.0;
            (ns, top - ns)
        }
    }
}

fn count(rows: &[&Line]) -> f64 {
    rows.iter().map(|_| 1.0).sum()
}

/// The IMP scale as it is printed.
const IMP_SCALE: &str = include_str!("../golden/imp_scale.tsv");

/// IMPs for a difference in score.
pub fn imps(difference: i64) -> i64 {
    let rows = IMP_SCALE.lines().skip(1);
    let found = rows.filter_map(|row| {
        let mut columns = row.split('\t').map(str::trim);
        let imps: i64 = columns.next()?.parse().ok()?;
        let low: i64 = columns.next()?.parse().ok()?;
        (low <= difference.abs()).then_some(imps)
    });
    found.max().unwrap_or(0) * difference.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manuals_seven_table_board_comes_out_right() {
        // Six results of seven: 4 becomes 4.8333 and 9 becomes 10.6667, in hundredths.
        let scores = [620, 620, 170, 140, 110, -50];
        let mut lines: Vec<Line> = scores
            .into_iter()
            .zip(1..)
            .map(|(score, pair)| Line {
                board: 1,
                ns: Some(pair),
                ew: Some(pair),
                happened: Happened::Scored(score),
            })
            .collect();
        lines.push(Line {
            board: 1,
            ns: Some(7),
            ew: Some(7),
            happened: Happened::Awarded(60.0, 40.0),
        });
        let percentages = percentages(&lines, false);
        assert!((percentages[&(true, 1)] - 100.0 * 10.67 / 12.0).abs() < 1e-9);
        assert!((percentages[&(true, 4)] - 100.0 * 4.83 / 12.0).abs() < 1e-9);
        assert!((percentages[&(false, 7)] - 40.0).abs() < 1e-9);
    }
}
