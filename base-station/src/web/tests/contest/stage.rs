//! A stage of matches whose results are typed in, score by score.

use super::*;

/// What home wins on a board that others pass out, by typed scores that are possible at every
/// vulnerability: open room, closed room.
const SWINGS: [(&str, &str); 7] = [
    ("0", "0"),
    ("110", "90"),
    ("140", "90"),
    ("90", "0"),
    ("140", "0"),
    ("200", "0"),
    ("230", "0"),
];

/// More than six, on board 1 where nobody is vulnerable.
const ON_BOARD_1: [(&str, &str); 4] = [("300", "0"), ("350", "0"), ("400", "0"), ("450", "0")];

pub(super) struct Stage {
    pub(super) site: Site,
}

impl Stage {
    /// Set up, and not drawn.
    pub(super) async fn set_up(body: Value) -> Self {
        let site = Site::open().await;
        let event = json!({"name": "Matches", "date": "2026-11-17"});
        site.does("/api/calendar/events", event).await;
        let mut whole = json!({"section": "A", "name": "Matches"});
        if let Some((whole, body)) = whole.as_object_mut().zip(body.as_object()) {
            whole.extend(body.clone());
        }
        site.does("/api/contest", whole).await;
        Self { site }
    }

    /// Set up with its first round drawn, and open.
    pub(super) async fn open(body: Value) -> Self {
        let stage = Self::set_up(body).await;
        stage.draw(json!({"seed": 3})).await;
        stage.site.open_for_log_on().await;
        stage
    }

    pub(super) async fn draw(&self, wish: Value) {
        self.post("/api/contest/draw", wish).await;
    }

    /// Something about section A.
    pub(super) async fn post(&self, path: &str, body: Value) -> Value {
        self.site.does(path, with_section(body)).await
    }

    pub(super) async fn refused(&self, path: &str, body: Value) -> String {
        refused(&self.site, path, with_section(body)).await
    }

    pub(super) async fn now(&self) -> Value {
        contest(&self.site).await
    }

    pub(super) async fn types(&self, table: u16, round: u8, board: u8, typed: &str) {
        let line =
            json!({"table": format!("A{table}"), "round": round, "board": board, "typed": typed});
        let (status, answer) = self.site.ask("POST", "/api/lines/typed", Some(line)).await;
        let stands = answer.to_string().contains("stands like that already");
        assert!(status == StatusCode::OK || stands, "{answer}");
    }

    pub(super) async fn rules(&self, table: u16, round: u8, board: u8, result: Value) {
        let line = json!({"table": format!("A{table}"), "round": round, "board": board,
            "result": result, "why": "ruled"});
        self.site.does("/api/lines/rule", line).await;
    }

    /// A board of a teams match that home wins by so many IMPs.
    pub(super) async fn swings(&self, number: u16, round: u8, board: u8, imps: i64) {
        let at = usize::try_from(imps.abs()).expect("a few");
        let (open, closed) = if at < SWINGS.len() {
            SWINGS[at]
        } else {
            assert_eq!(board, 1, "more than six are for board 1");
            ON_BOARD_1[at - SWINGS.len()]
        };
        let (open, closed) = if imps < 0 {
            (closed, open)
        } else {
            (open, closed)
        };
        self.types(number * 2 - 1, round, board, open).await;
        self.types(number * 2, round, board, closed).await;
    }

    /// A match of six boards a round that home wins by so many IMPs, at most 36.
    pub(super) async fn wins(&self, number: u16, round: u8, boards: u8, imps: i64) {
        let mut left = imps.abs();
        for board in (round - 1) * boards + 1..=round * boards {
            let here = left.min(6);
            left -= here;
            self.swings(number, round, board, here * imps.signum())
                .await;
        }
        assert_eq!(left, 0);
    }

    pub(super) async fn sheet(&self, round: u8, number: u16) -> Value {
        let path = format!("/api/contest/match?section=A&round={round}&number={number}");
        self.site.ask("GET", &path, None).await.1
    }
}

fn with_section(mut body: Value) -> Value {
    if let Some(body) = body.as_object_mut() {
        body.insert("section".to_owned(), json!("A"));
    }
    body
}

/// `57.25` in hundredths.
pub(super) fn hundredths(text: &str) -> i64 {
    let number: f64 = text.parse().expect("a number");
    #[expect(clippy::cast_possible_truncation, reason = "a few thousand")]
    let hundredths = (number * 100.0).round() as i64;
    hundredths
}

pub(super) fn whole(text: &str) -> i64 {
    text.parse().expect("a whole number")
}
