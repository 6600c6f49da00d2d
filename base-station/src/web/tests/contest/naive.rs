//! Standings the long way, from printed tables alone.

use std::collections::BTreeMap;

use protocol::words::{BoardNumber, BoardResult};

use super::result_at;

/// The printed tables.
pub(in crate::web::tests) fn golden(name: &str) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/").to_owned() + name;
    let text = std::fs::read_to_string(path).expect("a golden file");
    let lines = text.lines().skip(1);
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// Round, table and the two who meet, of the draw for so many.
pub(super) fn printed(name: &str, size: u64) -> Vec<(u8, u16, u64, u64)> {
    golden(name)
        .iter()
        .map(|row| -> Vec<Option<u64>> { row.iter().map(|cell| cell.parse().ok()).collect() })
        .filter(|row| row[0] == Some(size))
        .map(|row| {
            let number = |at: usize| row[at].expect("a number");
            let (round, table) = (u8::try_from(number(1)), u16::try_from(number(2)));
            let (round, table) = (round.expect("a round"), table.expect("a table"));
            (round, table, number(3), number(4))
        })
        .collect()
}

pub(in crate::web::tests) fn naive_imps(difference: i64) -> i64 {
    for row in golden("imp_scale.tsv") {
        let low: i64 = row[1].parse().expect("a number");
        let high: i64 = row[2].parse().unwrap_or(i64::MAX);
        if (low..=high).contains(&difference.abs()) {
            return row[0].parse::<i64>().expect("IMPs") * difference.signum();
        }
    }
    panic!("no IMPs for {difference}")
}

/// Hundredths of a victory point for a margin, by the printed column.
pub(in crate::web::tests) fn naive_vp(boards: &str, margin: i64) -> i64 {
    let rows = golden("vp_wbf_continuous_003.tsv");
    let of_column = rows.iter().filter(|row| row[1] == boards);
    let mut last = 0;
    for row in of_column {
        let imps: i64 = row[0].parse().expect("IMPs");
        let column = if margin < 0 { 3 } else { 2 };
        let vp: f64 = row[column].parse().expect("victory points");
        #[expect(clippy::cast_possible_truncation, reason = "at most 20")]
        let hundredths = (vp * 100.0).round() as i64;
        last = hundredths;
        if imps == margin.abs() {
            return hundredths;
        }
    }
    last
}

pub(in crate::web::tests) fn score(result: BoardResult, board: u8) -> i64 {
    let board = BoardNumber::new(board).expect("a board");
    i64::from(result.score(board).expect("a score").0)
}

/// Butler by hand: the datum without the top and the bottom score, to tens; the column of eight.
pub(super) fn naive_swiss(matches: &[(u8, u16, u64, u64)], bye: u64) -> BTreeMap<u64, i64> {
    let at = |round: u8, table: u16, board: u8| {
        if (round, table, board) == (1, 3, 4) {
            return score(bench_parts::played("7NT N ="), board);
        }
        score(result_at(round, table, board), board)
    };
    let mut totals: BTreeMap<u64, i64> = (1..=22).map(|pair| (pair, 0)).collect();
    for &(round, table, home, away) in matches {
        let tables = if round == 3 { 10 } else { 11 };
        let mut net = 0;
        for board in (round - 1) * 9 + 1..=round * 9 {
            let mut scores: Vec<i64> = (1..=tables).map(|table| at(round, table, board)).collect();
            scores.sort_unstable();
            let kept = &scores[1..scores.len() - 1];
            let count = i64::try_from(kept.len()).expect("a few");
            let sum: i64 = kept.iter().sum();
            let datum = (2 * sum + 10 * count).div_euclid(20 * count) * 10;
            net += naive_imps(at(round, table, board) - datum);
        }
        *totals.entry(home).or_default() += naive_vp("8", net);
        *totals.entry(away).or_default() += naive_vp("8", -net);
    }
    *totals.entry(bye).or_default() += 1_200;
    totals
}

/// A night of three Butler rounds of nine boards, in which nothing special happens.
pub(super) fn naive_night(matches: &[(u8, u16, u64, u64)]) -> BTreeMap<u64, i64> {
    let mut totals = BTreeMap::new();
    let tables = |of: u8| matches.iter().filter(move |it| it.0 == of).map(|it| it.1);
    for &(round, table, home, away) in matches {
        let mut net = 0;
        for board in (round - 1) * 9 + 1..=round * 9 {
            let own = |table| score(result_at(round, table, board), board);
            let mut scores: Vec<i64> = tables(round).map(own).collect();
            scores.sort_unstable();
            let kept = &scores[1..scores.len() - 1];
            let count = i64::try_from(kept.len()).expect("a few");
            let datum = (2 * kept.iter().sum::<i64>() + 10 * count).div_euclid(20 * count) * 10;
            net += naive_imps(own(table) - datum);
        }
        *totals.entry(home).or_default() += naive_vp("8", net);
        *totals.entry(away).or_default() += naive_vp("8", -net);
    }
    totals
}

/// A match of two tables: net IMPs of the team that sits North-South at the first of them.
pub(super) fn naive_match(
    open: (u8, u16),
    closed: (u8, u16),
    boards: impl Iterator<Item = u8>,
) -> i64 {
    let at = |(round, table): (u8, u16), board| score(result_at(round, table, board), board);
    boards
        .map(|board| naive_imps(at(open, board) - at(closed, board)))
        .sum()
}

/// IMPs from the two tables, the printed column of six, and the regulation's forfeit.
pub(super) fn naive_teams(matches: &[(u8, u16, u64, u64)]) -> BTreeMap<u64, i64> {
    let mut totals: BTreeMap<u64, i64> = (1..=8).map(|team| (team, 0)).collect();
    let mut own: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    let mut against: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    let mut forfeit = None;
    for &(round, number, home, away) in matches {
        if (round, number) == (4, 2) {
            forfeit = Some((home, away));
            continue;
        }
        let mut net = 0;
        for board in (round - 1) * 6 + 1..=round * 6 {
            let open = score(result_at(round, number * 2 - 1, board), board);
            let closed = score(result_at(round, number * 2, board), board);
            net += naive_imps(open - closed);
        }
        let (at_home, visitors) = (naive_vp("6", net), naive_vp("6", -net));
        for (team, vp, other) in [(home, at_home, visitors), (away, visitors, at_home)] {
            *totals.entry(team).or_default() += vp;
            own.entry(team).or_default().push(vp);
            against.entry(team).or_default().push(other);
        }
    }
    let mean = |scores: &Vec<i64>| {
        let count = i64::try_from(scores.len()).expect("a few");
        (2 * scores.iter().sum::<i64>() + count).div_euclid(2 * count)
    };
    let (home, away) = forfeit.expect("a forfeit");
    let winner = mean(&own[&home]).max(mean(&against[&away])).max(1_200);
    *totals.entry(home).or_default() += winner;
    *totals.entry(2).or_default() -= 150;
    totals
}
