//! A Swiss of pairs and a round robin of teams, played whole: set up and drawn through the
//! interface, results from pads, standings against a naive calculation from printed tables.

mod charts;
mod decisions;
mod examples;
mod formats;
mod fouled;
mod irregular;
mod ledger;
mod level;
pub(super) mod naive;
mod nights;
mod regulations;
mod rounds;
mod scales;
mod slips;
mod stage;
mod stages;
mod trials;
mod wishes;

use std::collections::BTreeMap;

use protocol::link::Binding;
use protocol::message::{Down, Entry, EntryNumber, LogOn, Up};
use protocol::words::{BoardNumber, BoardResult, PadId, RoundNumber, SectionLetter, TableNumber};

use self::naive::{naive_swiss, naive_teams, score};
use super::*;

/// What a table of the room makes of a board, so that every match has swings.
const RESULTS: [&str; 9] = [
    "4S N =", "4S S -1", "3NT E =", "3NT W -2", "2H S +1", "5DX N -3", "1NT W +2", "6C S =",
    "3S E -1",
];

fn result_at(round: u8, table: u16, board: u8) -> BoardResult {
    let spread = u32::from(round) * 7 + u32::from(table) * 5 + u32::from(board) * 3;
    let at = (spread * spread + u32::from(table)) % 9;
    bench_parts::played(RESULTS[at as usize])
}

fn claim(table: u16) -> LogOn {
    let table = TableNumber::new(table).expect("a table");
    bench_parts::claim(SectionLetter::A, table)
}

/// Hundredths of home and away of a match.
fn points(now: &Value, round: usize, number: usize) -> [i64; 2] {
    let own = &now["rounds"][round - 1]["matches"][number - 1];
    ["home", "away"].map(|side| {
        let vp = own[side]["vp"].as_f64().expect("victory points");
        #[expect(clippy::cast_possible_truncation, reason = "at most 70")]
        let hundredths = (vp * 100.0).round() as i64;
        hundredths
    })
}

/// A pad at its table.
struct TablePad {
    id: PadId,
    section: SectionLetter,
    table: u16,
    binding: Binding,
    next: EntryNumber,
}

impl TablePad {
    async fn log_on(site: &Site, table: u16) -> Self {
        Self::log_on_in(site, SectionLetter::A, table).await
    }

    async fn log_on_in(site: &Site, section: SectionLetter, table: u16) -> Self {
        let thousand = if section == SectionLetter::A {
            1_000
        } else {
            2_000
        };
        let id = PadId::new(thousand + u32::from(table)).expect("a pad");
        let number = TableNumber::new(table).expect("a table");
        let claim = bench_parts::claim(section, number);
        let downs = site.session.pad_says(id, None, Up::LogOn(claim)).await;
        let downs = downs.expect("an answer");
        let welcome = downs.iter().find_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome.clone()),
            _ => None,
        });
        let welcome = welcome.unwrap_or_else(|| panic!("expected a welcome in {downs:?}"));
        Self {
            id,
            section,
            table,
            binding: Binding {
                session: welcome.session,
                epoch: welcome.epoch,
            },
            next: welcome.next_entry,
        }
    }

    /// Results of a whole round.
    async fn plays(&mut self, site: &Site, round: u8, boards: std::ops::RangeInclusive<u8>) {
        for board in boards {
            self.enters(site, round, board).await;
        }
    }

    async fn enters(&mut self, site: &Site, round: u8, board: u8) {
        let round_number = RoundNumber::new(round).expect("a round");
        let entry = Entry {
            number: self.next,
            round: round_number,
            agreed_in: round_number,
            board: BoardNumber::new(board).expect("a board"),
            result: result_at(round, self.table, board),
            correction: false,
            by_director: false,
        };
        let (entry_round, entry_board) = (entry.round, entry.board);
        self.next = self.next.next();
        let binding = Some(self.binding);
        let downs = site
            .session
            .pad_says(self.id, binding, Up::Entry(entry))
            .await;
        let downs = downs.expect("an answer");
        let received = |down: &Down| matches!(down, Down::Received { .. });
        assert!(
            downs.iter().any(received),
            "table {} round {round} board {board}: {downs:?}",
            self.table
        );
        // A pad is answered before pages are told.
        let mut views = site.session.watch();
        let section = self.section;
        let table = TableNumber::new(self.table).expect("a table");
        let table = crate::session::TableId { section, table };
        let cell = crate::session::Cell::new(table, entry_round, entry_board);
        let told = views.wait_for(|view| {
            let session = view.state.session.as_ref();
            session.is_some_and(|session| session.is_in(cell))
        });
        drop(told.await.expect("a view"));
    }
}

/// Standing in hundredths by contestant.
fn standing(contest: &Value) -> BTreeMap<u64, i64> {
    let lines = contest["standing"].as_array().expect("a standing");
    lines
        .iter()
        .map(|line| {
            let vp = line["vp"].as_f64().expect("victory points");
            #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
            let hundredths = (vp * 100.0).round() as i64;
            (line["contestant"].as_u64().expect("a number"), hundredths)
        })
        .collect()
}

async fn contest(site: &Site) -> Value {
    let (status, answer) = site.ask("GET", "/api/contest", None).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["contests"][0].clone()
}

/// Round, table, home, away.
fn matches(contest: &Value) -> Vec<(u8, u16, u64, u64)> {
    let rounds = contest["rounds"].as_array().expect("rounds");
    let mut all = Vec::new();
    for round in rounds {
        for own in round["matches"].as_array().expect("matches") {
            let number = |value: &Value| value.as_u64().expect("a number");
            all.push((
                u8::try_from(number(&round["round"])).expect("a round"),
                u16::try_from(number(&own["number"])).expect("a table"),
                number(&own["home"]["contestant"]),
                number(&own["away"]["contestant"]),
            ));
        }
    }
    all
}

async fn refused(site: &Site, path: &str, body: Value) -> String {
    let seq = site.session.view().state.seq;
    let (status, answer) = site.ask("POST", path, Some(body)).await;
    assert!(status.is_client_error(), "{answer}");
    assert_eq!(site.session.view().state.seq, seq, "nothing changed");
    answer["problem"].as_str().expect("a sentence").to_owned()
}

#[tokio::test]
async fn a_swiss_of_22_pairs_is_played_with_a_late_result_a_correction_and_a_pair_that_goes_home() {
    let site = Site::open().await;
    let event = json!({"name": "Tuesday Swiss", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let swiss = json!({"section": "A", "name": "Swiss pairs", "size": 22, "format": "swiss",
        "rounds": 3, "boards": 9, "comparison": "butler", "odd": "bye"});
    site.does("/api/contest", swiss).await;
    assert_eq!(contest(&site).await["next_step"], "Draw round 1.");
    let draw = |seed: u64| json!({"section": "A", "seed": seed});
    site.does("/api/contest/draw", draw(11)).await;
    assert_eq!(
        contest(&site).await["next_step"],
        "Open the session for log-on."
    );
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    for table in 1..=11 {
        pads.push(TablePad::log_on(&site, table).await);
    }
    for pad in &mut pads {
        // Table 7 is a board behind.
        let boards = if pad.table == 7 { 1..=8 } else { 1..=9 };
        for board in boards {
            pad.enters(&site, 1, board).await;
        }
    }
    let now = contest(&site).await;
    let missing: Vec<&Value> = now["rounds"][0]["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .map(|own| &own["missing"])
        .filter(|missing| **missing != json!([]))
        .collect();
    assert_eq!(missing, [&json!(["7: 9"])]);
    assert_eq!(
        now["next_step"],
        "Round 1: table 7 is missing boards 9. Then draw round 2, or draw it now."
    );
    let proposal = site.does("/api/contest/draw/propose", draw(12)).await;
    assert_eq!(proposal["unfinished"], json!([7]));
    assert_eq!(
        matches(&contest(&site).await).len(),
        11,
        "nothing is published"
    );
    pads[6].enters(&site, 1, 9).await;
    assert_eq!(contest(&site).await["next_step"], "Draw round 2.");
    let proposal = site.does("/api/contest/draw/propose", draw(12)).await;
    assert_eq!(proposal["unfinished"], json!([]));
    // Published as it was proposed.
    let mut published = draw(12);
    published["matches"] = proposal["matches"].clone();
    site.does("/api/contest/draw", published).await;
    let drawn = matches(&contest(&site).await);
    // A correction after the draw changes the match and the standing, not the draw.
    let before = standing(&contest(&site).await);
    let result = json!({"kind": "Played", "contract": "7NT", "declarer": "N", "result": "="});
    let place = json!({"table": "A3", "round": 1, "board": 4, "result": result, "why": "misread"});
    site.does("/api/lines/rule", place).await;
    let after = contest(&site).await;
    assert_ne!(standing(&after), before);
    assert_eq!(matches(&after), drawn);
    for pad in &mut pads {
        for board in 10..=18 {
            pad.enters(&site, 2, board).await;
        }
    }
    let late = refused(
        &site,
        "/api/contest/draw",
        json!({"section": "A", "round": 2, "why": "?"}),
    );
    assert!(late.await.contains("has begun"));
    let gone = json!({"section": "A", "contestant": 5, "why": "ill"});
    site.does("/api/contest/withdraw", gone).await;
    site.does("/api/contest/draw", draw(13)).await;
    let now = contest(&site).await;
    let bye = now["rounds"][2]["bye"]["contestant"]
        .as_u64()
        .expect("a bye");
    for pad in pads.iter_mut().take(10) {
        for board in 19..=27 {
            pad.enters(&site, 3, board).await;
        }
    }
    let end = contest(&site).await;
    assert_eq!(end["next_step"], "All matches are in. Release the result.");
    for sheet in ["draw", "standing"] {
        let (status, page) = site.ask("GET", &format!("/print/{sheet}"), None).await;
        assert_eq!(status, StatusCode::OK);
        let page = page.as_str().expect("a page");
        assert!(page.contains("Swiss pairs"), "{sheet}: {page}");
    }
    check_swiss(&site, &end, bye).await;
}

/// What must be true of the Swiss when it is over.
async fn check_swiss(site: &Site, end: &Value, bye: u64) {
    // Nobody met twice, and 5 did not play the last round.
    let mut met = std::collections::BTreeSet::new();
    for (round, _, home, away) in matches(end) {
        assert!(met.insert((home.min(away), home.max(away))));
        assert!(round < 3 || (home != 5 && away != 5 && home != bye && away != bye));
    }
    let naive = naive_swiss(&matches(end), bye);
    assert_eq!(standing(end), naive);
    let places: Vec<u64> = end["standing"]
        .as_array()
        .expect("a standing")
        .iter()
        .map(|line| line["contestant"].as_u64().expect("a number"))
        .collect();
    assert!(
        places
            .windows(2)
            .all(|two| naive[&two[0]] >= naive[&two[1]])
    );
    // Its sheet adds up to its margin.
    let path = "/api/contest/match?section=A&round=1&number=3";
    let (_, sheet) = site.ask("GET", path, None).await;
    let sum: f64 = sheet["lines"]
        .as_array()
        .expect("boards")
        .iter()
        .map(|line| line["home"].as_f64().expect("IMPs"))
        .sum();
    assert_eq!(sheet["matching"]["home"]["margin"].as_f64(), Some(sum));
}

#[tokio::test]
async fn eight_teams_play_a_round_robin_with_a_forfeit_and_a_penalty() {
    let site = Site::open().await;
    let event = json!({"name": "Teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let teams = json!({"section": "A", "name": "Club teams", "size": 8, "format": "round-robin",
        "boards": 6, "comparison": "teams-imps"});
    site.does("/api/contest", teams).await;
    site.does("/api/contest/draw", json!({"section": "A"}))
        .await;
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    for table in 1..=8 {
        pads.push(TablePad::log_on(&site, table).await);
    }
    for round in 1..=7 {
        if round > 1 {
            site.does("/api/contest/draw", json!({"section": "A"}))
                .await;
        }
        for pad in &mut pads {
            // Match 2 of round 4 is not played: its away team does not come.
            if round == 4 && matches!(pad.table, 3 | 4) {
                continue;
            }
            for board in (round - 1) * 6 + 1..=round * 6 {
                pad.enters(&site, round, board).await;
            }
        }
        if round == 4 {
            let away = matches(&contest(&site).await)
                .into_iter()
                .find(|it| (it.0, it.1) == (4, 2))
                .expect("the match")
                .3;
            let forfeit = json!({"section": "A", "round": 4, "number": 2,
                "decision": {"kind": "forfeit", "by": away}, "why": "did not come"});
            site.does("/api/contest/match", forfeit).await;
            let interim = contest(&site).await;
            let own = &interim["rounds"][3]["matches"][1];
            assert_eq!(own["home"]["vp"], 12.0, "{own}");
            assert_eq!(own["away"]["vp"], 0.0);
        }
    }
    let fine =
        json!({"pair": "A2NS", "kind": "VictoryPoints", "value": "1.5", "why": "late again"});
    site.does("/api/penalties", fine).await;
    let end = contest(&site).await;
    assert_eq!(end["next_step"], "All matches are in. Release the result.");
    let all = matches(&end);
    let met: std::collections::BTreeSet<_> = all
        .iter()
        .map(|it| (it.2.min(it.3), it.2.max(it.3)))
        .collect();
    assert_eq!(
        (all.len(), met.len()),
        (28, 28),
        "everybody meets everybody once"
    );
    assert_eq!(standing(&end), naive_teams(&all));
    let cross = end["cross_table"].as_array().expect("a cross-table");
    assert_eq!(cross.len(), 8);
    assert!(
        cross
            .iter()
            .all(|line| line["against"].as_array().map(Vec::len) == Some(7))
    );
    // The board by board sheet of both rooms.
    let path = "/api/contest/match?section=A&round=1&number=1";
    let (_, sheet) = site.ask("GET", path, None).await;
    let first = &sheet["lines"][0];
    assert_eq!(first["open"], score(result_at(1, 1, 1), 1));
    assert_eq!(first["closed"], score(result_at(1, 2, 1), 1));
    // What is published can't be taken back by undoing its sittings.
    let state = site.session.view().state.clone();
    let session = state.session.as_ref().expect("a session");
    let drawn = session
        .records
        .iter()
        .rev()
        .find(|record| matches!(record.event, crate::session::Event::MovementRevised { .. }));
    let change = drawn.expect("a draw").seq;
    let undo = refused(&site, "/api/undo", json!({"change": change, "why": "no"})).await;
    assert!(undo.contains("published draw"), "{undo}");
}

#[tokio::test]
async fn what_cannot_be_a_stage_or_a_draw_is_refused_in_a_sentence() {
    let site = Site::open().await;
    let event = json!({"name": "Wrong", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let swiss = |size: u16, boards: u8, rest: Value| {
        let mut body = json!({"section": "A", "name": "Swiss", "size": size, "format": "swiss",
            "rounds": 3, "boards": boards, "comparison": "butler"});
        let both = body.as_object_mut().zip(rest.as_object());
        if let Some((body, rest)) = both {
            body.extend(rest.clone());
        }
        body
    };
    for (body, words) in [
        (swiss(7, 8, json!({})), "odd number"),
        (
            swiss(8, 9, json!({"scale": "gnot2006", "column": "boards"})),
            "8 or 14",
        ),
        (swiss(8, 0, json!({})), "0 boards"),
        (swiss(8, 90, json!({})), "255 boards"),
        (swiss(1, 8, json!({"odd": "bye"})), "2 to 400"),
        (
            json!({"section": "A", "name": "Teams", "format": "round-robin", "boards": 8,
                "comparison": "teams-imps", "contestants": [
                    {"number": 1, "players": ["Ann", "Bert", "Cleo", "Dan"]},
                    {"number": 2, "players": ["Eve", "Fay", "Gus", "ann"]}]}),
            "Ann plays for 1 and for 2",
        ),
    ] {
        let sentence = refused(&site, "/api/contest", body).await;
        assert!(sentence.contains(words), "{sentence}");
    }
    let early = refused(&site, "/api/contest/draw", json!({"section": "A"})).await;
    assert!(early.contains("plays no matches"), "{early}");
    site.does("/api/contest", swiss(4, 2, json!({}))).await;
    let by_hand = |pairs: Value| json!({"section": "A", "matches": pairs});
    let twice = by_hand(json!([{"home": 1, "away": 2}, {"home": 1, "away": 4}]));
    let twice = refused(&site, "/api/contest/draw", twice).await;
    assert!(twice.contains("1 is in two matches"), "{twice}");
    let pairs = json!([{"home": 1, "away": 2}, {"home": 4, "away": 3}]);
    site.does("/api/contest/draw", by_hand(pairs.clone())).await;
    let again = refused(
        &site,
        "/api/contest/draw",
        json!({"section": "A", "round": 1}),
    )
    .await;
    assert!(again.contains("say why"), "{again}");
    site.open_for_log_on().await;
    let repeated = refused(&site, "/api/contest/draw", by_hand(pairs)).await;
    assert!(repeated.contains("1 and 2 have met"), "{repeated}");
}
