//! Every printed victory point scale, row by row: boards are typed in, and the standing is read.

use super::naive::golden;
use super::stage::{Stage, hundredths, whole};
use super::*;

/// Margin, winner and loser in hundredths.
type Printed = (i64, i64, i64);

/// A match of so many boards that comes to each of these margins in turn.
async fn reads(scale: &str, boards: u8, rows: &[Printed]) {
    assert!(!rows.is_empty(), "{scale} has nothing for {boards} boards");
    let stage = Stage::open(json!({"size": 2, "format": "head-to-head", "rounds": 1,
        "boards": boards, "comparison": "teams-imps", "scale": scale, "column": "boards"}))
    .await;
    let mut shown: Vec<i64> = vec![0; usize::from(boards)];
    for board in 1..=boards {
        stage.swings(1, 1, board, 0).await;
    }
    for &(margin, winner, loser) in rows {
        let mut left = margin;
        for (board, shown) in (1..=boards).zip(&mut shown) {
            let most = if board == 1 { 10 } else { 6 };
            let here = left.min(most);
            left -= here;
            if *shown != here {
                stage.swings(1, 1, board, here).await;
                *shown = here;
            }
        }
        assert_eq!(left, 0, "{boards} boards are too few for {margin} IMPs");
        let now = stage.now().await;
        let own = &now["rounds"][0]["matches"][0];
        assert_eq!(
            own["home"]["margin"].as_f64(),
            Some(f64::from(i32::try_from(margin).expect("small")))
        );
        let standing = standing(&now);
        let (home, away) = (
            own["home"]["contestant"].as_u64(),
            own["away"]["contestant"].as_u64(),
        );
        let points = [home, away].map(|it| standing[&it.expect("a team")]);
        assert_eq!(
            points,
            [winner, loser],
            "{scale}, {boards} boards, {margin} IMPs"
        );
    }
}

/// Rows of a file by their number of boards.
fn by_boards(rows: impl Iterator<Item = (u8, Printed)>) -> BTreeMap<u8, Vec<Printed>> {
    let mut all: BTreeMap<u8, Vec<Printed>> = BTreeMap::new();
    for (boards, row) in rows {
        all.entry(boards).or_default().push(row);
    }
    all
}

fn boards(text: &str) -> u8 {
    text.parse().expect("boards")
}

async fn continuous(scale: &str, file: &str) {
    let rows = golden(file).into_iter().map(|row| {
        let printed = (whole(&row[0]), hundredths(&row[2]), hundredths(&row[3]));
        (boards(&row[1]), printed)
    });
    for (boards, rows) in by_boards(rows) {
        reads(scale, boards, &rows).await;
    }
}

#[tokio::test]
async fn the_continuous_scale_of_clubs_is_read_from_the_standing() {
    continuous("wbf", "vp_wbf_continuous_003.tsv").await;
}

#[tokio::test]
async fn the_continuous_scale_by_its_formula_is_read_from_the_standing() {
    continuous("wbf-formula", "vp_wbf_continuous_000.tsv").await;
}

/// Both edges of every band.
async fn bands(scale: &str, file: &str) {
    let rows = golden(file).into_iter().flat_map(|row| {
        let points = (hundredths(&row[3]), hundredths(&row[4]));
        let edges = [&row[1], &row[2]].map(|edge| edge.parse::<i64>().ok());
        let edges = edges
            .into_iter()
            .flatten()
            .collect::<std::collections::BTreeSet<_>>();
        let boards = boards(&row[0]);
        let most = 10 + 6 * (i64::from(boards) - 1);
        let edges = edges.into_iter().filter(move |edge| *edge <= most);
        edges
            .map(move |edge| (boards, (edge, points.0, points.1)))
            .collect::<Vec<_>>()
    });
    for (boards, rows) in by_boards(rows) {
        reads(scale, boards, &rows).await;
    }
}

#[tokio::test]
async fn scales_in_whole_points_are_read_from_the_standing() {
    bands("wbf-discrete", "vp_wbf_discrete_003.tsv").await;
    bands("gnot2006", "vp_2006_25scale_002.tsv").await;
}

#[tokio::test]
async fn the_interstate_scales_are_read_from_the_standing() {
    let rows = golden("vp_itc_001.tsv");
    let of = |loser: usize| -> Vec<Printed> {
        let rows = rows.iter();
        rows.map(|row| (whole(&row[0]), hundredths(&row[1]), hundredths(&row[loser])))
            .collect()
    };
    reads("itc", 16, &of(2)).await;
    reads("itc-complement", 16, &of(3)).await;
    let twelve: Vec<Printed> = golden("vp_abf_swiss_pairs12_001.tsv")
        .iter()
        .filter_map(|row| {
            let margin = row[0].parse().ok()?;
            Some((margin, hundredths(&row[1]), hundredths(&row[2])))
        })
        .collect();
    reads("abf12", 12, &twelve).await;
}

#[tokio::test]
async fn a_butler_match_uses_the_teams_column_of_seven_tenths_of_its_boards() {
    let teams = golden("vp_wbf_continuous_000.tsv");
    for row in golden("vp_butler_equivalence_000.tsv") {
        let (own, column) = (boards(&row[0]), &row[1]);
        let printed = teams.iter().find(|it| it[0] == "9" && it[1] == *column);
        let Some(printed) = printed else { continue };
        let stage = Stage::open(json!({"size": 4, "format": "round-robin", "rounds": 1,
            "boards": own, "comparison": "butler", "regulation": "sabf"}))
        .await;
        for board in 1..=own {
            // The datum is the mean of the two: nothing.
            for (table, score) in [(1, "90"), (2, "-90")] {
                let score = if board <= 3 { score } else { "0" };
                stage.types(table, 1, board, score).await;
            }
        }
        let now = stage.now().await;
        let home = now["rounds"][0]["matches"][0]["home"]["contestant"].as_u64();
        let points = standing(&now)[&home.expect("a pair")];
        assert_eq!(points, hundredths(&printed[2]), "{own} boards");
    }
}

/// A match of so many boards in which home comes to each of these percentages in turn, in
/// hundredths. Fifty-one tables make a top of 100, so that a hundredth of a percent can be awarded;
/// only the first board is played.
async fn reads_percent(scale: &str, boards: u8, rows: &[Printed]) {
    assert!(!rows.is_empty(), "{scale} has nothing for {boards} boards");
    let stage = Stage::open(json!({"size": 102, "format": "swiss", "rounds": 1,
        "boards": boards, "comparison": "matchpoints", "scale": scale, "column": "boards"}))
    .await;
    for table in 1..=51 {
        stage.types(table, 1, 1, "0").await;
    }
    for board in 2..=boards {
        stage.rules(1, 1, board, json!({"kind": "NotPlayed"})).await;
    }
    let text = |hundredths: i64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
    for &(percent, winner, loser) in rows {
        let awarded = format!("A{}/{}", text(percent), text(10_000 - percent));
        stage.types(1, 1, 1, &awarded).await;
        let now = stage.now().await;
        let own = &now["rounds"][0]["matches"][0];
        assert_eq!(own["complete"], true, "{own}");
        let standing = standing(&now);
        let points = ["home", "away"].map(|side| {
            let who = own[side]["contestant"].as_u64();
            standing[&who.expect("a pair")]
        });
        assert_eq!(
            points,
            [winner, loser],
            "{scale}, {boards} boards, {awarded}"
        );
    }
}

#[tokio::test]
async fn the_scale_of_swiss_pairs_by_percentage_is_read_from_the_standing() {
    let mut columns: BTreeMap<(u8, u8), Vec<Printed>> = BTreeMap::new();
    for row in golden("vp_matchpoint_swiss_000.tsv") {
        let column = (boards(&row[0]), boards(&row[1]));
        let (winner, loser) = (hundredths(&row[2]), hundredths(&row[3]));
        let most = row[4]
            .parse::<f64>()
            .map_or(10_000, |_| hundredths(&row[4]));
        columns
            .entry(column)
            .or_default()
            .push((most, winner, loser));
    }
    assert_eq!(columns.len(), 8);
    for ((fewest, most), bands) in columns {
        // Both edges of every band, and the losing side of them.
        let mut rows = Vec::new();
        let mut from = 5_000;
        for (upto, winner, loser) in bands {
            for percent in [from, upto] {
                rows.push((percent, winner, loser));
                rows.push((10_000 - percent, loser, winner));
            }
            from = upto + 1;
        }
        rows.dedup();
        reads_percent("matchpoint-swiss", fewest, &rows).await;
        let ends = [rows[0], rows[rows.len() - 2]];
        reads_percent("matchpoint-swiss", most, &ends).await;
    }
}

#[tokio::test]
async fn the_scale_of_the_interstate_pairs_is_read_from_the_standing() {
    let rows: Vec<Printed> = golden("vp_ipc_001.tsv")
        .iter()
        .map(|row| {
            let winner = hundredths(&row[2]);
            (hundredths(&row[0]), winner, 2_000 - winner)
        })
        .collect();
    reads_percent("ipc", 9, &rows).await;
}

#[tokio::test]
async fn a_match_of_seven_boards_is_scored_on_the_column_of_eight_where_the_rule_says_so() {
    let rows: Vec<Printed> = golden("vp_2006_25scale_002.tsv")
        .iter()
        .filter(|row| row[0] == "8")
        .map(|row| (whole(&row[1]), hundredths(&row[3]), hundredths(&row[4])))
        .filter(|row| row.0 <= 40)
        .collect();
    let match_of = |boards: u8, column: &str| {
        json!({"size": 2, "format": "head-to-head", "rounds": 1, "boards": boards,
            "comparison": "teams-imps", "scale": "gnot2006", "column": column})
    };
    let stage = Stage::open(match_of(7, "nearest-even")).await;
    for &(margin, winner, loser) in &rows {
        let mut left = margin;
        for board in 1..=7 {
            let here = left.min(if board == 1 { 10 } else { 6 });
            left -= here;
            stage.swings(1, 1, board, here).await;
        }
        let now = stage.now().await;
        let own = &now["rounds"][0]["matches"][0];
        let points = ["home", "away"].map(|side| {
            let number = own[side]["contestant"].as_u64().expect("a team");
            standing(&now)[&number]
        });
        assert_eq!(points, [winner, loser], "{margin} IMPs");
    }
    // The whist of GNOT says so by itself; another length has no column, which a match in stanzas, that
    // IMPs decide, does not need.
    let whist = json!({"section": "A", "name": "Whist", "size": 5, "format": "american-whist",
        "boards": 7, "comparison": "teams-imps", "regulation": "gnot"});
    let site = Site::open().await;
    let event = json!({"name": "Whist", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    site.does("/api/contest", whist).await;
    for (boards, column) in [(7, "boards"), (11, "nearest-even"), (10, "nearest-even")] {
        let mut wrong = match_of(boards, column);
        wrong["section"] = json!("A");
        wrong["name"] = json!("Match");
        wrong["format"] = json!("swiss");
        let said = refused(&site, "/api/contest", wrong).await;
        assert!(said.contains('8') && said.contains("14"), "{said}");
    }
}
