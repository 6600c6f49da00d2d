//! Taking in a session file: the same checks as for typing, and nobody waits for it.

use std::time::{Duration, Instant};

use super::*;

/// How long anything else may take while a hostile file is looked at, on a busy machine.
const OTHERS_WAIT_MAX: Duration = Duration::from_millis(1_500);

impl Site {
    /// A session of one result that was taken back, as a file's lines.
    async fn session_file(&self) -> Vec<Value> {
        self.set_up().await;
        let line = json!({"table": "A1", "round": 1, "board": 2, "typed": "4SS+1"});
        self.does("/api/lines/typed", line).await;
        let change = self.session.view().state.seq;
        let undo = json!({"change": change, "why": "the wrong board"});
        self.does("/api/undo", undo).await;
        let path = "/api/calendar/sessions/1/file";
        let (status, file) = self.ask("GET", path, None).await;
        assert_eq!(status, StatusCode::OK);
        let text = file.as_str().expect("text");
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        lines.collect()
    }

    async fn take_in(&self, lines: &[Value]) -> (StatusCode, Value) {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let file = json!({"text": lines.join("\n")});
        self.ask("POST", "/api/calendar/import", Some(file)).await
    }
}

/// The record's event, by its name.
fn is(record: &Value, event: &str) -> bool {
    record["event"].get(event).is_some()
}

#[tokio::test]
async fn an_import_goes_through_the_same_checks_as_typing() {
    let site = Site::open().await;
    let file = site.session_file().await;
    let ruled = file.iter().position(|line| is(line, "Ruled"));
    let ruled = ruled.expect("a result");
    let (status, answer) = site.take_in(&file).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let spoil = |at: usize, change: &dyn Fn(&mut Value)| {
        let mut lines = file.clone();
        change(&mut lines[at]);
        lines
    };
    let endless = "x".repeat(100_000);
    let why = |text: &str| {
        let text = text.to_owned();
        spoil(ruled, &move |line| {
            line["event"]["Ruled"]["why"] = json!(text);
        })
    };
    let members = json!([[7, "Anna\u{202E}"]]);
    let password = json!({"PasswordSet": {"hash": "mine"}});
    let cases = [
        (
            "a day that is none",
            spoil(0, &|it| it["date"] = json!("soon")),
        ),
        (
            "a 31st of June",
            spoil(0, &|it| it["date"] = json!("2026-06-31")),
        ),
        ("no event", spoil(0, &|it| it["event"] = json!("  "))),
        (
            "an endless event",
            spoil(0, &|it| it["event"] = json!(endless)),
        ),
        (
            "an endless title",
            spoil(0, &|it| it["title"] = json!(endless)),
        ),
        (
            "a bell in the title",
            spoil(0, &|it| it["title"] = json!("a\u{7}b")),
        ),
        (
            "a name that turns around",
            spoil(0, &|it| it["members"] = members.clone()),
        ),
        ("an endless reason", why(&endless)),
        ("an escape in a reason", why("\u{1b}[2J")),
        (
            "a day to come",
            spoil(ruled, &|it| it["at"] = json!(u64::MAX)),
        ),
        (
            "the club's password",
            spoil(ruled, &|it| it["event"] = password.clone()),
        ),
    ];
    let before = site.session.view().state.seq;
    for (what, lines) in cases {
        let (status, answer) = site.take_in(&lines).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{what}: {answer}");
        let sentence = answer["problem"].as_str().expect("a sentence");
        assert!(sentence.len() < 300, "{what}: {sentence}");
        assert_eq!(site.session.view().state.seq, before, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_would_hold_the_owner_for_long_holds_nobody_up() {
    let site = Site::open().await;
    let small = site.session_file().await;
    let mut lines: Vec<Value> = small
        .iter()
        .filter(|line| !is(line, "Undone"))
        .cloned()
        .collect();
    lines.pop();
    let find = |event| small.iter().find(|line| is(line, event)).expect("there");
    let (ruled, undone) = (find("Ruled"), find("Undone"));
    let first = small.iter().filter_map(|line| line["seq"].as_u64()).max();
    let mut seq = first.expect("records");
    // Every result is taken back, thousands of times: 1.7 MB that held the owner for 22 seconds.
    let mut length = 0;
    while length < 1_700_000 {
        for record in [ruled, undone] {
            seq += 1;
            let mut record = record.clone();
            record["seq"] = json!(seq);
            if is(&record, "Undone") {
                record["event"]["Undone"]["change"] = json!(seq - 1);
            }
            length += record.to_string().len();
            lines.push(record);
        }
    }
    let records = lines.len() - 1;
    lines.push(json!({"records": records}));
    let begin = Instant::now();
    let importing = site.take_in(&lines);
    let asking = async {
        let mut worst = Duration::ZERO;
        for turn in 0..20 {
            let asked = Instant::now();
            site.does("/api/gate", json!({"open": turn % 2 == 0})).await;
            worst = worst.max(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        worst
    };
    let ((status, answer), worst) = tokio::join!(importing, asking);
    assert_eq!(status, StatusCode::OK, "{answer}");
    let imported = begin.elapsed();
    let chosen = Instant::now();
    site.does(
        "/api/calendar/choose",
        json!({"session": answer["session"]}),
    )
    .await;
    fuzz::measured(&format!(
        "{records} records of {length} bytes taken in within {:.1} s; the director waited for at most {} ms meanwhile, and {} ms to open it",
        imported.as_secs_f64(),
        worst.as_millis(),
        chosen.elapsed().as_millis()
    ));
    assert!(worst < OTHERS_WAIT_MAX, "{worst:?}");
    assert!(chosen.elapsed() < Duration::from_secs(5));
}
