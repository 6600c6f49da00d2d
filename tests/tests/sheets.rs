//! What is shown is what counts: random sessions whose every sheet, file and answer is added up by
//! somebody who knows nothing but what is printed. `BYESTAND_SHEETS=500` plays the full number.

use tests::sheets::evening::Evening;

#[tokio::test]
async fn point_1_every_sheet_and_every_answer_adds_up_to_the_ranking() {
    let sessions = std::env::var("BYESTAND_SHEETS")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(8);
    for seed in 1..=sessions {
        let evening = Evening::play(seed).await;
        let wrong = evening.wrong().await;
        let scoring = evening.session().scoring;
        assert!(wrong.is_empty(), "session {seed}, {scoring:?}: {wrong:#?}");
    }
}
