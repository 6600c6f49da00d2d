//! The director's page in a real browser, from set-up to the released result.
//!
//! Screenshots of every step are kept in `tests/output/screenshots`.

mod browser_parts {
    pub(crate) mod access;
    pub(crate) mod actions;
    pub(crate) mod any_room;
    pub(crate) mod at_a_glance;
    pub(crate) mod championship;
    pub(crate) mod evening;
    pub(crate) mod every_language;
    pub(crate) mod guide;
    pub(crate) mod half_done;
    pub(crate) mod in_the_club;
    pub(crate) mod irregular;
    pub(crate) mod large_room;
    pub(crate) mod level;
    pub(crate) mod match_steps;
    pub(crate) mod matches;
    pub(crate) mod nights;
    pub(crate) mod offline;
    pub(crate) mod on_paper;
    pub(crate) mod own_phones;
    pub(crate) mod past;
    pub(crate) mod phone_faces;
    pub(crate) mod phones;
    pub(crate) mod polish;
    pub(crate) mod remedy;
    pub(crate) mod setting_up;
    pub(crate) mod stages;
    pub(crate) mod two_directors;
}

use browser_parts::{
    access, actions, any_room, at_a_glance, championship, evening, every_language, guide,
    half_done, in_the_club, irregular, large_room, level, matches, nights, offline, on_paper,
    own_phones, past, phone_faces, phones, polish, remedy, setting_up, stages, two_directors,
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
async fn the_fingerprint_in_the_window_on_the_page_and_in_the_browser_is_one() {
    access::one_fingerprint_everywhere().await;
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
async fn twelve_tables_of_phones_play_a_round_with_taps_and_keys() {
    phones::play_a_round().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_loses_its_network_its_tab_and_its_base_and_no_result() {
    phones::lose_everything_but_results().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn east_west_accept_on_their_own_phone_or_where_it_is_away_on_the_tables() {
    own_phones::accept_there_or_here().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_can_be_used_by_everybody_in_every_language() {
    phone_faces::in_every_language().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_and_tablets_show_every_key_in_every_size() {
    phone_faces::in_every_size().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_whose_memory_is_full_says_so_and_calls_nothing_agreed() {
    phone_faces::with_a_full_memory().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_phone_has_its_first_key_within_seconds() {
    phones::first_key_on_a_slow_phone().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_from_set_up_to_the_published_standing_on_a_laptop() {
    matches::swiss(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_from_set_up_to_the_published_standing_on_a_phone() {
    matches::swiss(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_goes_on_on_a_second_night_and_is_drawn_by_hand_on_a_laptop() {
    nights::two_nights(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_swiss_goes_on_on_a_second_night_and_is_drawn_by_hand_on_a_phone() {
    nights::two_nights(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_that_go_wrong_are_put_right_on_a_laptop() {
    irregular::teams(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_that_go_wrong_are_put_right_on_a_phone() {
    irregular::teams(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_that_ends_level_is_played_on_and_decided_by_lot_on_a_laptop() {
    level::ends_level(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_final_that_ends_level_is_played_on_and_decided_by_lot_on_a_phone() {
    level::ends_level(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_asks_for_the_club_and_leads_to_a_practice_and_to_the_first_evening() {
    in_the_club::first_start().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_helper_is_told_how_it_is_without_names_and_the_key_is_renewed_on_a_phone() {
    in_the_club::help_on_the_telephone().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_are_let_in_with_a_click_and_a_password() {
    in_the_club::let_phones_in().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_brought_back_on_the_page_which_comes_back_with_it() {
    in_the_club::bring_a_copy_back().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_real_evening_on_paper_is_typed_by_keys_alone_and_nothing_asks_for_pads() {
    on_paper::type_an_evening().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fourteen_tables_fit_a_laptop_and_a_flag_opens_at_its_board() {
    at_a_glance::fourteen_tables().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_television_shows_clock_seats_and_messages_and_after_the_release_the_ranking() {
    at_a_glance::room_display().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_tables_are_typed_from_paper_without_the_mouse() {
    on_paper::type_twelve_tables().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_movement_is_chosen_and_seen_and_sections_are_let_in_one_by_one() {
    any_room::choose_any().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_header_stays_where_it_is_and_edges_tell_that_there_is_more() {
    polish::nothing_jumps().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_director_on_the_way_has_everything_in_one_hand_and_is_notified() {
    polish::one_hand().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_has_one_type_and_one_scale() {
    polish::one_look().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_is_there_within_a_second() {
    polish::first_load().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_new_scores_a_real_evening_with_the_guide_only() {
    guide::follow().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_part_of_an_evening_can_be_used_in_every_language_size_and_colour() {
    every_language::walk_through().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_half_done_stays_while_the_room_goes_on_on_a_laptop() {
    half_done::goes_on(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_half_done_stays_while_the_room_goes_on_on_a_phone() {
    half_done::goes_on(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_championship_from_set_up_to_the_bracket_on_a_laptop() {
    championship::to_the_bracket(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_championship_from_set_up_to_the_bracket_on_a_phone() {
    championship::to_the_bracket(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_championship_goes_from_stage_to_stage_on_a_laptop() {
    stages::from_stage_to_stage(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_championship_goes_from_stage_to_stage_on_a_phone() {
    stages::from_stage_to_stage(PHONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modem_that_is_silent_says_what_to_do_on_a_laptop() {
    in_the_club::a_silent_modem(DESKTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modem_that_is_silent_says_what_to_do_on_a_phone() {
    in_the_club::a_silent_modem(PHONE).await;
}
