//! Years of a club at once: `BYESTAND_SESSIONS=520 cargo nextest run -p base-station --lib \
//! years_of_a_club --no-capture` is ten years of 400 players.

use std::time::{Duration, Instant};

use super::*;

/// How long a page may take once its sessions have been read.
const PAGE_MAX: Duration = Duration::from_secs(1);

/// A session file with other players on another day.
fn another_evening(file: &str, at: u32) -> String {
    let day = format!("{}-{:02}-{:02}", 2016 + at / 52, 1 + at % 12, 1 + at % 28);
    let mut lines = Vec::new();
    for line in file.lines() {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        if record.get("date").is_some() {
            record["date"] = json!(day);
        }
        let named = record.pointer_mut("/event/PlayerNamed/number");
        if let Some(number) = named {
            let first = number.as_u64().expect("a number") - 1001;
            *number = json!(1001 + (first * 7 + u64::from(at) * 17) % 400);
        }
        lines.push(record.to_string());
    }
    lines.join("\n") + "\n"
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stderr, reason = "the times are what is looked at")]
async fn years_of_a_club_are_one_page() {
    let wanted = std::env::var("BYESTAND_SESSIONS").ok();
    let sessions: u32 = wanted.and_then(|it| it.parse().ok()).unwrap_or(12);
    let site = Site::open().await;
    members_up_to(&site, 1400).await;
    site.evening("2016-01-01", &ten_pairs(), 5).await;
    let file = site.reads("/api/calendar/sessions/1/file").await;
    let file = file.as_str().expect("a file").to_owned();
    for at in 1..sessions {
        let text = another_evening(&file, at);
        site.does("/api/calendar/import", json!({"text": text}))
            .await;
    }
    let rules = json!({"contestants": "players", "measure": "percent", "total": "mean", "sessions": 366,
        "to_qualify": 5, "to_count": 20, "handicap": true});
    let plan = json!({"name": "For ever", "rules": rules, "takes": {"from": "2016-01-01"}});
    let number = site.begins(plan.clone()).await;
    let mut pairs = plan;
    pairs["name"] = json!("Pairs for ever");
    pairs["rules"]["contestants"] = json!("pairs");
    let pairs = site.begins(pairs).await;
    for (what, path) in [
        (
            "ladder of players, nothing read yet",
            format!("/api/competitions/{number}"),
        ),
        ("the same again", format!("/api/competitions/{number}")),
        ("ladder of pairs", format!("/api/competitions/{pairs}")),
        ("its page for players", format!("/competitions/{pairs}")),
        ("all players", "/api/players/totals".to_owned()),
        ("handicaps", "/api/players/handicaps".to_owned()),
        (
            "a player's years",
            "/api/players/year?player=1100".to_owned(),
        ),
    ] {
        let start = Instant::now();
        let answer = site.reads(&path).await;
        let took = start.elapsed();
        let length = answer.to_string().len();
        eprintln!(
            "{what}, {sessions} sessions: {} ms, {length} bytes",
            took.as_millis()
        );
        if !what.ends_with("yet") && sessions < 100 {
            assert!(took < PAGE_MAX, "{what}: {took:?}");
        }
    }
}
