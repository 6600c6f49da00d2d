//! A deal file that belongs to other boards, through the interface.

use base64::Engine as _;

use super::*;

/// Boards 1 to 15 with a suit in every hand: North has the spades, East the hearts.
fn odd_file() -> Value {
    let suits = [
        "AKQJT98765432...",
        ".AKQJT98765432..",
        "..AKQJT98765432.",
        "...AKQJT98765432",
    ];
    let hands = suits.join(" ");
    let boards = (1..=15).map(|board| format!("[Board \"{board}\"]\n[Deal \"N:{hands}\"]\n"));
    let pbn = boards.collect::<Vec<_>>().join("\n");
    let base64 = base64::engine::general_purpose::STANDARD.encode(pbn);
    json!({"file": "other.pbn", "base64": base64})
}

async fn doubts(site: &Site) -> Vec<Value> {
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let warnings = view["warnings"].as_array().expect("warnings").clone();
    warnings
        .into_iter()
        .filter(|warning| warning["kind"] == "DealsDoNotFit")
        .collect()
}

#[tokio::test]
async fn point_17_a_file_that_does_not_fit_is_one_warning_with_a_button_that_takes_it_off() {
    let site = Site::open().await;
    site.set_up().await;
    site.does("/api/deals", odd_file()).await;
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let cells = view["cells"].as_array().expect("cells").clone();
    let mut results = 0;
    for cell in cells.iter().filter(|cell| cell["round"] == 1) {
        for board in cell["boards"].as_array().expect("boards") {
            // North-South have no hearts in that file.
            let line = json!({"table": cell["table"], "round": 1, "board": board, "typed": "4HN="});
            site.does("/api/lines/typed", line).await;
            results += 1;
        }
    }
    assert!(results >= 12, "{results}");
    let doubts_now = doubts(&site).await;
    let [doubt] = doubts_now.as_slice() else {
        panic!("one warning, not {doubts_now:?}");
    };
    let text = doubt["text"].as_str().expect("a sentence");
    assert!(
        text.contains("does not seem to belong to these boards"),
        "{text}"
    );
    assert!(text.contains(&format!("only 0 of {results}")), "{text}");
    let (_, view) = site.ask("GET", "/api/view", None).await;
    let others = view["warnings"].as_array().map_or(0, Vec::len);
    assert_eq!(others, 1, "and nothing else: {view:#}");
    let off = &doubt["answers"][0];
    assert_eq!(off["label"], "Take the deal file off");
    let answer = json!({"key": doubt["key"], "answer": off["answer"]});
    site.does("/api/warnings/answer", answer).await;
    assert_eq!(doubts(&site).await, Vec::<Value>::new());
    let (_, history) = site.ask("GET", "/api/history", None).await;
    let told = history["changes"][0]["text"].as_str();
    assert_eq!(told, Some("the deal file was taken off"));
    // It can be put back, and trusted.
    let undo = json!({"change": history["changes"][0]["seq"], "why": ""});
    site.does("/api/undo", undo).await;
    let again = doubts(&site).await;
    assert_eq!(again.len(), 1);
    let right = &again[0]["answers"][1];
    assert_eq!(right["false_alarm"], true);
    let answer = json!({"key": again[0]["key"], "answer": right["answer"]});
    site.does("/api/warnings/answer", answer).await;
    assert_eq!(doubts(&site).await, Vec::<Value>::new());
}
