//! Changes of the movement as the page makes them.

use super::*;

#[tokio::test]
async fn a_late_pair_is_previewed_and_let_in_and_the_change_taken_back() {
    let site = Site::open().await;
    site.set_up().await;
    let place = json!({"table": "A1", "round": 1, "board": 2, "typed": "4SS+1"});
    site.does("/api/lines/typed", place).await;
    let (status, possible) = site.ask("GET", "/api/movement/A/repairs", None).await;
    assert_eq!(status, StatusCode::OK, "{possible}");
    assert_eq!(possible["first_free_round"], 2);
    let choices = possible["choices"].as_array().expect("choices");
    let choice = choices.iter().find(|choice| choice["possible"] == true);
    let repair = choice.expect("something can be done")["repair"].clone();
    let change = json!({"section": "A", "repair": repair, "why": "flat tyre"});
    let before = site.session.view().state.seq;
    let preview = site.does("/api/movement/preview", change.clone()).await;
    assert_eq!(
        site.session.view().state.seq,
        before,
        "nothing has happened"
    );
    assert!(!preview["what"].as_str().expect("a sentence").is_empty());
    assert!(!preview["changes"].as_array().expect("data").is_empty());
    assert!(!preview["sentences"].as_array().expect("words").is_empty());
    let grid = |view: &Value| view["tables"].as_array().map(Vec::len);
    let (_, earlier) = site.ask("GET", "/api/view", None).await;
    let done = site.does("/api/movement/apply", change).await;
    let (_, view) = site.ask("GET", "/api/view", None).await;
    assert!(grid(&view) >= grid(&earlier));
    let (_, cell) = site.ask("GET", "/api/tables/A1/rounds/1", None).await;
    assert_eq!(cell["lines"][1]["score"], 650, "what is in stays: {cell}");
    let undo = json!({"change": done["seq"], "why": "they went home"});
    site.does("/api/undo", undo).await;
    let (_, view) = site.ask("GET", "/api/view", None).await;
    assert_eq!(view["cells"], earlier["cells"]);
    assert_eq!(view["session"], earlier["session"]);
}

#[tokio::test]
async fn a_repair_that_does_not_fit_is_refused_with_its_reason() {
    let site = Site::open().await;
    site.set_up().await;
    for (repair, words) in [
        (json!({"kind": "skip_made", "after": 2}), "skip"),
        (
            json!({"kind": "bye_stand_out", "mistake": "too-low"}),
            "bye-stand",
        ),
        (json!({"kind": "cut_short", "last": 9}), "anyway"),
        (
            json!({"kind": "pair_leaves", "pair": "A77EW"}),
            "does not play",
        ),
    ] {
        let change = json!({"section": "A", "repair": repair});
        let (status, answer) = site
            .ask("POST", "/api/movement/preview", Some(change))
            .await;
        assert_eq!(status, StatusCode::CONFLICT, "{answer}");
        let sentence = answer["problem"].as_str().expect("a sentence");
        assert!(sentence.contains(words), "{sentence}");
    }
}
