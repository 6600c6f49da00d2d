//! A match between two clubs.

use super::*;
use crate::view::RankingView;

#[test]
fn a_match_between_two_clubs_says_what_each_club_has() {
    let mut room = Room::playing(Kind::Interclub, 3, 3);
    let mut pads: Vec<_> = (1..=3).map(|at| room.log_on(at.into(), at)).collect();
    // The visitors sit North-South at table 1 and 3, and East-West at table 2. On board 1 they
    // hold the better cards and take one trick more than the home club each time they can.
    for (at, played_in, result) in [(1, 1, "4S N +1"), (3, 2, "4S N ="), (2, 3, "4S N =")] {
        pads[at - 1].enters(&mut room, played_in, 1, result);
    }
    let ranking = RankingView::of(&room.keeper.state().club, room.session());
    let clubs: Vec<_> = ranking
        .clubs
        .iter()
        .map(|it| (it.name, it.percent))
        .collect();
    // NS at table 1 has a top (100%), at table 3 shares the bottom (25%); EW at table 2 75%.
    let expected = [("Visitors", Some(66.67)), ("Home club", Some(33.33))];
    assert_eq!(clubs, expected);
}
