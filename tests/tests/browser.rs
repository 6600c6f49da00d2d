//! The director's page in a real browser, from set-up to the released result.
//!
//! Screenshots of every step are kept in `tests/output/screenshots`.

mod browser_parts {
    pub(crate) mod access;
    pub(crate) mod evening;
    pub(crate) mod large_room;
    pub(crate) mod offline;
    pub(crate) mod setting_up;
    pub(crate) mod two_directors;
}

use browser_parts::{access, evening, large_room, offline, setting_up, two_directors};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_slept_through_the_evening_shows_the_same_as_a_fresh_one() {
    offline::wake_up().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_tables_with_a_missing_pair_are_set_up_within_two_minutes() {
    setting_up::twelve_tables().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_password_only_the_director_changes_anything_and_others_may_look() {
    access::sign_in_and_look().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_directors_see_each_other_and_the_second_one_works_in_german_in_the_dark() {
    two_directors::see_each_other().await;
}
