//! What pads hear of matches: rounds that are not drawn, the slip, and what stays hidden.

use protocol::message::{FeedbackLevel, MatchAtTable, PlayerNumbers, Question, Settings, Slip};
use protocol::words::Side;

use super::*;

impl TablePad {
    async fn says(&self, site: &Site, up: Up) -> Vec<Down> {
        let answer = site.session.pad_says(self.id, Some(self.binding), up).await;
        answer.expect("an answer")
    }

    /// Everything that a pad is told at log-on.
    async fn comes_back(site: &Site, table: u16) -> Vec<Down> {
        let claim = claim(table);
        let id = PadId::new(1_000 + u32::from(table)).expect("a pad");
        let answer = site.session.pad_says(id, None, Up::Recover(claim)).await;
        answer.expect("an answer")
    }
}

/// Everything that a pad is told when it comes back.
pub(super) async fn told(site: &Site, pad: &mut TablePad) -> Vec<Down> {
    let told = TablePad::comes_back(site, pad.table).await;
    let welcome = told.iter().find_map(|down| match down {
        Down::Welcome(welcome) => Some(welcome.clone()),
        _ => None,
    });
    if let Some(welcome) = welcome {
        pad.binding.epoch = welcome.epoch;
        pad.next = welcome.next_entry;
    }
    told
}

fn slip(site: &Site, table: u16, round: u8) -> Option<Slip> {
    let state = site.session.view().state.clone();
    let session = state.session.as_ref().expect("a session");
    let table = crate::session::TableId {
        section: SectionLetter::A,
        table: TableNumber::new(table).expect("a table"),
    };
    session.slip_for_tests(table, RoundNumber::new(round).expect("a round"))
}

async fn teams(site: &Site) -> Vec<TablePad> {
    let event = json!({"name": "Teams", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let teams = json!({"section": "A", "name": "Teams", "format": "swiss", "rounds": 3,
        "boards": 6, "comparison": "teams-imps", "contestants": [
            {"number": 1, "name": "Eagles"}, {"number": 2, "name": "Owls"},
            {"number": 3, "name": "Kites"}, {"number": 4}]});
    site.does("/api/contest", teams).await;
    let first = json!([{"home": 1, "away": 2}, {"home": 3, "away": 4}]);
    site.does(
        "/api/contest/draw",
        json!({"section": "A", "matches": first}),
    )
    .await;
    site.open_for_log_on().await;
    let mut pads = Vec::new();
    for table in 1..=4 {
        pads.push(TablePad::log_on(site, table).await);
    }
    pads
}

#[tokio::test]
async fn a_pad_hears_that_round_2_is_not_drawn_and_who_is_at_home() {
    let site = Site::open().await;
    let mut pads = teams(&site).await;
    pads[3].enters(&site, 1, 1).await;
    let told = TablePad::comes_back(&site, 4).await;
    let total = RoundNumber::new(3).expect("a round");
    let from = RoundNumber::new(2).expect("a round");
    assert!(
        told.contains(&Down::NotDrawn {
            from,
            rounds_total: total
        }),
        "{told:?}"
    );
    let matching = MatchAtTable {
        round: RoundNumber::FIRST,
        home: Side::EastWest,
        names: ["4", "Kites"].map(|name| name.try_into().expect("short")),
    };
    assert!(told.contains(&Down::Match(matching)), "{told:?}");
    // Older pads go by the rounds that are drawn.
    let drawn = told.iter().find_map(|down| match down {
        Down::Schedule { rounds_total, .. } => Some(rounds_total.get()),
        _ => None,
    });
    assert_eq!(drawn, Some(1));
}

#[tokio::test]
async fn both_tables_accept_the_slip_and_then_only_the_director_changes_a_board() {
    let site = Site::open().await;
    let mut pads = teams(&site).await;
    pads[0].plays(&site, 1, 1..=6).await;
    assert_eq!(slip(&site, 1, 1), None, "the other table has not finished");
    pads[1].plays(&site, 1, 1..=6).await;
    let open = slip(&site, 1, 1).expect("a slip");
    let closed = slip(&site, 2, 1).expect("a slip");
    assert_eq!(open.lines.len(), 6);
    assert_eq!(open.total, closed.total.map(|it| -it));
    assert_eq!(open.vp, closed.vp.map(|[ns, ew]| [ew, ns]));
    let (round, check) = (RoundNumber::FIRST, open.check);
    // Who read an older slip reads the new one.
    let other = Up::SlipAccepted {
        round,
        check: check.wrapping_add(1),
    };
    let answer = pads[0].says(&site, other).await;
    assert_eq!(answer, [Down::Slip(open)]);
    for pad in &pads[..2] {
        let seq = site.session.view().state.seq;
        let accepted = Up::SlipAccepted { round, check };
        assert_eq!(pad.says(&site, accepted.clone()).await, []);
        assert_eq!(pad.says(&site, accepted).await, [], "once is enough");
        let mut views = site.session.watch();
        drop(
            views
                .wait_for(|view| view.state.seq > seq)
                .await
                .expect("a view"),
        );
    }
    let own = |now: &Value| now["rounds"][0]["matches"][0].clone();
    assert_eq!(own(&contest(&site).await)["accepted"], true);
    let correction = Entry {
        number: pads[0].next,
        round,
        agreed_in: round,
        board: BoardNumber::new(3).expect("a board"),
        result: bench_parts::played("1NT N ="),
        correction: true,
        by_director: false,
    };
    let answer = pads[0].says(&site, Up::Entry(correction)).await;
    let refused = |down: &Down| {
        matches!(
            down,
            Down::Refused {
                reason: protocol::message::RefusalReason::RoundOver,
                ..
            }
        )
    };
    assert!(answer.iter().any(refused), "{answer:?}");
    let result = json!({"kind": "Played", "contract": "7NT", "declarer": "N", "result": "="});
    let line = json!({"table": "A1", "round": 1, "board": 3, "result": result, "why": "misread"});
    site.does("/api/lines/rule", line).await;
    assert_eq!(
        own(&contest(&site).await)["accepted"],
        false,
        "it is another slip now"
    );
    assert!(slip(&site, 1, 1).is_some_and(|it| !it.accepted));
}

#[tokio::test]
async fn the_other_table_stays_hidden_until_the_match_is_over() {
    let site = Site::open().await;
    let mut pads = teams(&site).await;
    let settings = Settings {
        feedback: FeedbackLevel::Traveller,
        ..Settings::CLUB_EVENING
    };
    let command = crate::session::Command::ChangeSettings(settings);
    let who = crate::session::Who::Director("Anna".to_owned());
    site.session.command(command, who).await.expect("settings");
    pads[0].plays(&site, 1, 1..=6).await;
    pads[1].enters(&site, 1, 1).await;
    let board = BoardNumber::new(1).expect("a board");
    let ask = Up::Ask(Question::Traveller(board));
    let answer = pads[0].says(&site, ask.clone()).await;
    assert!(matches!(answer[..], [Down::Refused { .. }]), "{answer:?}");
    pads[1].plays(&site, 1, 2..=6).await;
    // Other matches are not shown even then.
    pads[2].enters(&site, 1, 1).await;
    let answer = pads[0].says(&site, ask).await;
    let [Down::Feedback(protocol::message::Feedback::Traveller { lines, .. })] = &answer[..] else {
        panic!("{answer:?}");
    };
    let times: u8 = lines.iter().map(|line| line.times).sum();
    assert_eq!(times, 2);
}

#[tokio::test]
async fn pads_ask_for_numbers_only_where_players_are_not_known() {
    let site = Site::open().await;
    let event = json!({"name": "Two events", "date": "2026-11-17"});
    site.does("/api/calendar/events", event).await;
    let known = json!({"section": "A", "name": "Known", "format": "swiss", "rounds": 1,
        "boards": 2, "comparison": "butler", "contestants": [
            {"number": 1, "players": ["Ann", "Bob"]}, {"number": 2, "players": ["Cleo", "Dan"]}]});
    let unknown = json!({"section": "B", "name": "Unknown", "format": "swiss", "rounds": 1,
        "boards": 2, "comparison": "butler", "contestants": [
            {"number": 1, "players": ["Eve", "Fay"]}, {"number": 2}]});
    for (section, event) in [("A", known), ("B", unknown)] {
        site.does("/api/contest", event).await;
        site.does("/api/contest/draw", json!({"section": section}))
            .await;
    }
    site.open_for_log_on().await;
    let asks = async |section: SectionLetter, pad: u32| {
        let claim = bench_parts::claim(section, TableNumber::new(1).expect("a table"));
        let pad = PadId::new(pad).expect("a pad");
        let downs = site.session.pad_says(pad, None, Up::LogOn(claim)).await;
        let downs = downs.expect("an answer").into_iter();
        let mut welcomes = downs.filter_map(|down| match down {
            Down::Welcome(welcome) => Some(welcome.settings.player_numbers),
            _ => None,
        });
        welcomes.next().expect("a welcome")
    };
    assert_eq!(asks(SectionLetter::A, 1_001).await, PlayerNumbers::Off);
    let usual = site.session.view().state.pad_settings().player_numbers;
    assert_ne!(usual, PlayerNumbers::Off);
    let other: SectionLetter = "B".parse().expect("a section");
    assert_eq!(asks(other, 2_001).await, usual);
}
