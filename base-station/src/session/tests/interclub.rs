//! A match between two clubs.

use protocol::words::Percentage;

use super::*;
use crate::session::plan::PenaltyAmount;
use crate::view::RankingView;

#[test]
fn point_1_a_match_between_two_clubs_says_what_each_club_has() {
    let mut room = Room::playing(Kind::Interclub, 3, 3);
    let mut pads: Vec<_> = (1..=3).map(|at| room.log_on(at.into(), at)).collect();
    // The visitors sit North-South at table 1 and 3, and East-West at table 2. On board 1 they
    // hold the better cards and take one trick more than the home club each time they can.
    for (at, played_in, result) in [(1, 1, "4S N +1"), (3, 2, "4S N ="), (2, 3, "4S N =")] {
        pads[at - 1].enters(&mut room, played_in, 1, result);
    }
    let clubs = |room: &Room| {
        let ranking = RankingView::of(&room.keeper.state().club, room.session());
        let clubs = ranking
            .clubs
            .iter()
            .map(|it| (it.name.to_string(), it.percent));
        clubs.collect::<Vec<_>>()
    };
    // NS at table 1 has a top (100%), at table 3 shares the bottom (25%); EW at table 2 75%.
    let expected = [("Visitors", Some(66.67)), ("Home club", Some(33.33))];
    assert_eq!(
        clubs(&room),
        expected.map(|(name, share)| (name.to_owned(), share))
    );
    // A penalty off the percentage of one of three pairs is a third of it off the club's.
    let visitors = room.session().sections[&SectionLetter::A].visitors();
    let first = *visitors.expect("a match").first().expect("a pair");
    room.direct(Command::Penalise {
        pair: PairId {
            section: SectionLetter::A,
            number: first,
            side: None,
        },
        amount: PenaltyAmount::PercentOfSession(Percentage::whole(9).expect("9%")),
        why: "late".to_owned(),
        public: false,
    });
    let expected = [("Visitors", Some(63.67)), ("Home club", Some(33.33))];
    assert_eq!(
        clubs(&room),
        expected.map(|(name, share)| (name.to_owned(), share))
    );
}
