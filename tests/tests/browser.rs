//! The director's page in a real browser, from set-up to the released result.
//!
//! Screenshots of every step are kept in `tests/output/screenshots`.

mod browser_parts {
    pub(crate) mod access;
    pub(crate) mod actions;
    pub(crate) mod evening;
    pub(crate) mod large_room;
    pub(crate) mod matches;
    pub(crate) mod offline;
    pub(crate) mod past;
    pub(crate) mod remedy;
    pub(crate) mod setting_up;
    pub(crate) mod two_directors;
}

use browser_parts::{
    access, actions, evening, large_room, matches, offline, past, remedy, setting_up, two_directors,
};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_director_does_everything_that_can_be_done_in_a_cell() {
    actions::do_everything().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_skip_made_too_early_is_named_its_remedy_applied_and_taken_back() {
    remedy::skip_too_early().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_of_another_evening_is_taken_in_reopened_and_released_again() {
    past::take_in_and_reopen().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_and_sheet_can_be_read_by_everybody_in_every_size_and_colour() {
    past::every_page().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_from_set_up_to_the_published_standing_on_a_laptop() {
    matches::swiss(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_from_set_up_to_the_published_standing_on_a_phone() {
    matches::swiss(PHONE).await;
}
