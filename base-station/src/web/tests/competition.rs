//! Competitions over several sessions, from entry to winner through the interface, checked against
//! plain sums over the sessions' own rankings.

mod butler;
mod championship;
mod examples;
mod gnot;
mod interstate;
mod knockouts;
mod ladders;
mod naive;
mod plate;
mod played;
mod qualifying;
mod speed;
mod stages;

use std::collections::BTreeMap;

use self::naive::{Brought, pair_of};
use super::*;

/// What a table makes of a board.
const TYPED: [&str; 9] = [
    "4SN=", "4SS-1", "3NE=", "3NW-2", "2HS+1", "5DXN-3", "1NW+2", "6CS=", "3SE-1",
];

/// Who sat where, by players' numbers.
type Seats = Vec<[u32; 2]>;

/// The ten pairs 1001 and 1002, 1003 and 1004, and so on.
fn ten_pairs() -> Seats {
    (0..10).map(|at| [1001 + 2 * at, 1002 + 2 * at]).collect()
}

/// The club's list: `Player 1001` and a hundred more.
async fn members(site: &Site) {
    members_up_to(site, 1130).await;
}

async fn members_up_to(site: &Site, highest: u32) {
    let list: Vec<String> = (1001..=highest)
        .map(|number| format!("{number},Player {number}"))
        .collect();
    site.does("/api/members", json!({"csv": list.join("\n")}))
        .await;
}

impl Site {
    async fn reads(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    async fn puts(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask("PUT", path, Some(body)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// Refused with one sentence, and nothing has changed.
    async fn refuses(&self, method: &str, path: &str, body: Value) -> String {
        let seq = self.session.view().state.seq;
        let (status, answer) = self.ask(method, path, Some(body.clone())).await;
        assert!(status.is_client_error(), "{path} {body}: {answer}");
        assert_eq!(self.session.view().state.seq, seq, "nothing changed");
        let problem = answer["problem"].as_str().expect("a sentence");
        assert!((15..300).contains(&problem.len()), "{problem}");
        problem.to_owned()
    }

    fn chosen(&self) -> u64 {
        let state = &self.session.view().state;
        u64::from(state.session.as_ref().expect("a session").id.get())
    }

    /// A further session of the first event, chosen; of this one, if there is none. Its number.
    async fn next_session_of(&self, event: &str, date: &str) -> u64 {
        let calendar = self.reads("/api/calendar").await;
        match calendar["sessions"][0]["event_id"].as_u64() {
            None => {
                let event = json!({"name": event, "date": date});
                self.does("/api/calendar/events", event).await;
            }
            Some(event) => {
                let session = json!({"event": event, "date": date});
                self.does("/api/calendar/sessions", session).await;
                let calendar = self.reads("/api/calendar").await;
                let all = calendar["sessions"].as_array().expect("sessions").iter();
                let newest = all.map(|it| it["id"].as_u64().expect("a number")).max();
                self.does("/api/calendar/choose", json!({"session": newest}))
                    .await;
            }
        }
        self.chosen()
    }

    /// A session of the Monday event, named and set up; the number of the session.
    async fn sits_down(&self, date: &str, seats: &Seats) -> u64 {
        self.next_session_of("Monday", date).await;
        let room = json!({"section": "A", "colour": "Red", "pairs": seats.len(), "boards_min": 15, "boards_max": 15});
        self.does("/api/setup/sections", room).await;
        let names = self.reads("/api/names").await;
        let pairs = names["pairs"].as_array().expect("pairs");
        assert_eq!(pairs.len(), seats.len());
        for (pair, players) in pairs.iter().zip(seats) {
            for (partner, number) in ["First", "Second"].iter().zip(players) {
                let player = json!({"pair": pair["pair"], "partner": partner, "number": number});
                self.does("/api/names", player).await;
            }
        }
        self.open_for_log_on().await;
        self.chosen()
    }

    /// Plays all boards, by a seed of the evening.
    async fn plays(&self, seed: u64) {
        let view = self.reads("/api/view").await;
        let mut dice = fastrand::Rng::with_seed(seed);
        for cell in view["cells"].as_array().expect("cells") {
            for board in cell["boards"].as_array().expect("boards") {
                let typed = TYPED[dice.usize(..TYPED.len())];
                let line = json!({"table": cell["table"], "round": cell["round"], "board": board, "typed": typed});
                self.does("/api/lines/typed", line).await;
            }
        }
    }

    async fn releases(&self) {
        self.does("/api/end-play", json!({})).await;
        self.does("/api/release", json!({"despite_checklist": true}))
            .await;
    }

    /// A whole evening, and what it brought to each pair.
    async fn evening(&self, date: &str, seats: &Seats, seed: u64) -> (u64, Brought) {
        let session = self.sits_down(date, seats).await;
        self.plays(seed).await;
        self.releases().await;
        (session, self.brought().await)
    }

    /// The ranking of the chosen session in hundredths.
    async fn brought(&self) -> Brought {
        let ranking = self.reads("/api/ranking").await;
        let lists = ranking["lists"].as_array().expect("lists").iter();
        let lines = lists.flat_map(|list| list["lines"].as_array().expect("lines"));
        lines
            .map(|line| {
                let names = line["names"].as_str().expect("names");
                (pair_of(names), hundredths(&line["percent"]))
            })
            .collect()
    }

    async fn competition(&self, number: u64) -> Value {
        self.reads(&format!("/api/competitions/{number}")).await
    }

    async fn begins(&self, plan: Value) -> u64 {
        let begun = self.does("/api/competitions", plan).await;
        begun["competition"].as_u64().expect("a number")
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a few hundred percent")]
fn hundredths(value: &Value) -> i64 {
    (value.as_f64().expect("a number") * 100.0).round() as i64
}

/// Totals in hundredths by names, of those who have a place.
fn placed(competition: &Value) -> BTreeMap<String, (String, i64)> {
    let lines = competition["lines"].as_array().expect("lines").iter();
    lines
        .filter(|line| line["place"] != "")
        .map(|line| {
            let text = |key: &str| line[key].as_str().expect("text").to_owned();
            (text("names"), (text("place"), hundredths(&line["total"])))
        })
        .collect()
}

fn line_of<'a>(competition: &'a Value, names: &str) -> &'a Value {
    let mut lines = competition["lines"].as_array().expect("lines").iter();
    let found = lines.find(|line| line["names"] == names);
    found.unwrap_or_else(|| panic!("no {names} in {competition}"))
}

fn named(pair: [u32; 2]) -> String {
    format!("Player {} – Player {}", pair[0], pair[1])
}
