//! The director's page in a real browser, from set-up to the released result.
//!
//! Screenshots of every step are kept in `tests/output/screenshots`.

mod browser_parts {
    pub(crate) mod evening;
    pub(crate) mod large_room;
    pub(crate) mod offline;
}

use browser_parts::{evening, large_room, offline};
use tests::browser::{DESKTOP, PHONE};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evening_from_set_up_to_the_released_result_on_a_laptop() {
    evening::play(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_evening_from_set_up_to_the_released_result_on_a_phone() {
    evening::play(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_was_cut_off_shows_the_same_as_a_fresh_one_when_it_is_back() {
    offline::come_back().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_tables_sending_at_once_keep_the_page_quick() {
    large_room::send_at_once().await;
}
