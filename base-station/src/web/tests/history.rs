//! The audit trail as the page reads it.

use super::*;

#[tokio::test]
async fn point_8_the_audit_trail_tells_what_happened_to_the_club_between_what_happened_tonight() {
    let site = Site::open().await;
    site.set_up().await;
    site.does("/api/gate", json!({"open": false})).await;
    site.does("/api/access/reading", json!({"without_password": true}))
        .await;
    site.does("/api/gate", json!({"open": true})).await;
    let texts = |answer: &Value| -> Vec<String> {
        let changes = answer["changes"].as_array().expect("changes");
        let texts = changes.iter().map(|change| change["text"].as_str());
        texts.map(|text| text.expect("a text").to_owned()).collect()
    };
    let (_, history) = site.ask("GET", "/api/history", None).await;
    let told = texts(&history);
    assert_eq!(
        told.iter().take(3).map(String::as_str).collect::<Vec<_>>(),
        [
            "pads may send again",
            "anyone may look at the director's page without the password",
            "pads were stopped"
        ]
    );
    assert!(told.contains(&"event Monday pairs was created".to_owned()));
    assert_eq!(history["changes"][1]["can_undo"], false);
    // Older ones are asked for by the place of the last one that is known.
    let third = history["changes"][2]["seq"].as_u64().expect("a place");
    let (_, older) = site
        .ask("GET", &format!("/api/history?before={third}"), None)
        .await;
    assert_eq!(texts(&older), told[3..]);
}

#[tokio::test]
async fn the_audit_trail_says_what_was_taken_back_and_not_only_its_number() {
    let site = Site::open().await;
    site.set_up().await;
    let line = json!({"table": "A1", "round": 1, "board": 1, "typed": "4SS+1"});
    site.does("/api/lines/typed", line).await;
    let (_, history) = site.ask("GET", "/api/history", None).await;
    let (typed, text) = (
        &history["changes"][0]["seq"],
        &history["changes"][0]["text"],
    );
    let text = text.as_str().expect("a text").to_owned();
    site.does("/api/undo", json!({"change": typed, "why": ""}))
        .await;
    let (_, history) = site.ask("GET", "/api/history", None).await;
    assert_eq!(history["changes"][0]["text"], format!("taken back: {text}"));
    assert_eq!(history["changes"][1]["undone"], true);
}

#[tokio::test]
async fn p164_a_changed_score_says_who_was_asked_in_the_readers_language() {
    let site = Site::open().await;
    site.set_up().await;
    let line = json!({"table": "A1", "round": 1, "board": 1, "typed": "4SS+1"});
    site.does("/api/lines/typed", line).await;
    let reasons = [
        ("both", "", "Beide Seiten wurden gefragt"),
        ("impossible", "slip", "Der Anschrieb war unmöglich. slip"),
        ("vulnerable", "", "Die Gefahrenlage war falsch"),
        ("ruling", "", "Die Turnierleitung hat entschieden"),
    ];
    for ((asked, why, said), made) in reasons.into_iter().zip(["=", "+1", "+2", "-1"]) {
        let changed = json!({"table": "A1", "round": 1, "board": 1, "asked": asked, "why": why,
            "result": {"kind": "Played", "contract": "4S", "declarer": "S", "result": made, "lead": null}});
        site.does("/api/lines/rule", changed).await;
        let (_, cell) = site
            .ask("GET", "/api/tables/A1/rounds/1?language=de", None)
            .await;
        let history = cell["history"].as_array().expect("a history");
        let last = history.iter().max_by_key(|change| change["seq"].as_u64());
        assert_eq!(last.expect("a change")["why"], said);
    }
    let whom = json!({"table": "A1", "round": 1, "board": 1, "asked": "nobody", "why": "",
        "result": {"kind": "PassedOut"}});
    let (status, _) = site.ask("POST", "/api/lines/rule", Some(whom)).await;
    assert!(status.is_client_error());
}

#[tokio::test]
async fn p164_a_score_changed_by_a_ruling_an_answer_or_a_sheet_says_what_it_rests_on() {
    let site = Site::open().await;
    site.set_up().await;
    let place = json!({"table": "A1", "round": 1, "board": 1});
    let with = |more: Value| {
        let mut line = place.clone();
        let fields = line.as_object_mut().expect("fields");
        fields.extend(more.as_object().expect("fields").clone());
        line
    };
    let last_why = async || {
        let (_, cell) = site.ask("GET", "/api/tables/A1/rounds/1", None).await;
        let history = cell["history"].as_array().expect("a history");
        let last = history.iter().max_by_key(|change| change["seq"].as_u64());
        last.expect("a change")["why"].clone()
    };
    // The first time nothing is changed; the second time the paper says otherwise.
    site.does("/api/lines/typed", with(json!({"typed": "4SS+1"})))
        .await;
    assert_eq!(last_why().await, "");
    for typed in ["4SS=", "4SS= 450"] {
        site.does("/api/lines/typed", with(json!({"typed": typed})))
            .await;
        assert_eq!(last_why().await, "The sheet of paper has it so", "{typed}");
    }
    // Contract and score do not agree: the director asks the table and answers.
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let warnings = view["warnings"].as_array().expect("warnings");
    let [doubt] = warnings.as_slice() else {
        panic!("one warning, not {warnings:?}");
    };
    let answers = doubt["answers"].as_array().expect("answers");
    let changes = answers.iter().find(|it| it["changes_score"] == true);
    let right = answers.iter().find(|it| it["false_alarm"] == true);
    assert_eq!(right.expect("it may be right")["changes_score"], false);
    let answer = &changes.expect("a score is changed")["answer"];
    let said = json!({"key": doubt["key"], "answer": answer, "asked": "both"});
    site.does("/api/warnings/answer", said).await;
    assert_eq!(last_why().await, "Both sides were asked");
    let award = json!({"kind": "Percent", "value": "60"});
    let ruled = with(json!({"asked": "ruling", "why": "heard a remark",
        "result": {"kind": "Adjusted", "ns": award, "ew": award}}));
    site.does("/api/lines/rule", ruled).await;
    assert_eq!(last_why().await, "The director decided. heard a remark");
}
