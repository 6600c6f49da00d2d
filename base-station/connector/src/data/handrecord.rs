//! The cards of a board, suit by suit, and double-dummy tricks.

use serde::{Deserialize, Serialize};

/// The cards of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
#[expect(missing_docs, reason = "the names are those of the wire")]
pub struct Handrecord {
    pub session_guid: String,
    pub scoring_group_number: i64,
    pub section_letters: String,
    pub board_number: i64,
    pub north_clubs: String,
    pub north_diamonds: String,
    pub north_hearts: String,
    pub north_spades: String,
    pub east_clubs: String,
    pub east_diamonds: String,
    pub east_hearts: String,
    pub east_spades: String,
    pub south_clubs: String,
    pub south_diamonds: String,
    pub south_hearts: String,
    pub south_spades: String,
    pub west_clubs: String,
    pub west_diamonds: String,
    pub west_hearts: String,
    pub west_spades: String,
    pub has_hand_evaluation_data: bool,
    pub double_dummy_north_clubs: i64,
    pub double_dummy_north_diamonds: i64,
    pub double_dummy_north_hearts: i64,
    pub double_dummy_north_spades: i64,
    pub double_dummy_north_no_trump: i64,
    pub double_dummy_east_clubs: i64,
    pub double_dummy_east_diamonds: i64,
    pub double_dummy_east_hearts: i64,
    pub double_dummy_east_spades: i64,
    pub double_dummy_east_no_trump: i64,
    pub double_dummy_south_clubs: i64,
    pub double_dummy_south_diamonds: i64,
    pub double_dummy_south_hearts: i64,
    pub double_dummy_south_spades: i64,
    pub double_dummy_south_no_trump: i64,
    pub double_dummy_west_clubs: i64,
    pub double_dummy_west_diamonds: i64,
    pub double_dummy_west_hearts: i64,
    pub double_dummy_west_spades: i64,
    pub double_dummy_west_no_trump: i64,
}

impl Handrecord {
    /// By seat from North clockwise, each from clubs to spades.
    pub fn suits_mut(&mut self) -> [[&mut String; 4]; 4] {
        [
            [
                &mut self.north_clubs,
                &mut self.north_diamonds,
                &mut self.north_hearts,
                &mut self.north_spades,
            ],
            [
                &mut self.east_clubs,
                &mut self.east_diamonds,
                &mut self.east_hearts,
                &mut self.east_spades,
            ],
            [
                &mut self.south_clubs,
                &mut self.south_diamonds,
                &mut self.south_hearts,
                &mut self.south_spades,
            ],
            [
                &mut self.west_clubs,
                &mut self.west_diamonds,
                &mut self.west_hearts,
                &mut self.west_spades,
            ],
        ]
    }

    /// By declarer from North clockwise, each from clubs to no-trump.
    pub fn tricks_mut(&mut self) -> [[&mut i64; 5]; 4] {
        [
            [
                &mut self.double_dummy_north_clubs,
                &mut self.double_dummy_north_diamonds,
                &mut self.double_dummy_north_hearts,
                &mut self.double_dummy_north_spades,
                &mut self.double_dummy_north_no_trump,
            ],
            [
                &mut self.double_dummy_east_clubs,
                &mut self.double_dummy_east_diamonds,
                &mut self.double_dummy_east_hearts,
                &mut self.double_dummy_east_spades,
                &mut self.double_dummy_east_no_trump,
            ],
            [
                &mut self.double_dummy_south_clubs,
                &mut self.double_dummy_south_diamonds,
                &mut self.double_dummy_south_hearts,
                &mut self.double_dummy_south_spades,
                &mut self.double_dummy_south_no_trump,
            ],
            [
                &mut self.double_dummy_west_clubs,
                &mut self.double_dummy_west_diamonds,
                &mut self.double_dummy_west_hearts,
                &mut self.double_dummy_west_spades,
                &mut self.double_dummy_west_no_trump,
            ],
        ]
    }
}
