//! Point 12: what is asked for after a pad was replaced.

use super::*;

/// Boards asked for at table 2.
fn asked(room: &Room) -> Vec<u8> {
    let lost = room.session().lost_with_pads();
    let cells = lost.iter().flat_map(|(_, _, cells)| cells);
    cells.map(|cell| cell.board.get()).collect()
}

#[test]
fn point_12_only_boards_that_the_old_pad_may_have_held_are_asked_for() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    room.later(8);
    old.enters(&mut room, 1, 6, "4S N =");
    // Dropped a minute after its last result: nobody can have finished another board.
    room.now = room.now.plus_ms(60_000);
    let (mut new, _) = room.replace(9, 2);
    assert_eq!(asked(&room), [0; 0]);
    // The next one dies after two minutes without a word: one board at most, the next in order.
    new.enters(&mut room, 1, 8, "1NT N =");
    room.later(2);
    let (mut third, _) = room.replace(10, 2);
    assert_eq!(asked(&room), [9]);
    // Entered again: settled. Boards that have not been played raise no alarm.
    third.enters(&mut room, 1, 9, "2H S =");
    assert_eq!(asked(&room), [0; 0]);
}

#[test]
fn point_12_a_replacement_is_asked_about_once_and_in_no_later_round() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    old.enters(&mut room, 1, 6, "4S N =");
    room.later(20);
    let (mut new, _) = room.replace(9, 2);
    assert_eq!(asked(&room), [7, 8, 9, 10]);
    let key = |room: &Room| {
        let state = room.keeper.state();
        let warnings = crate::view::warnings(state, room.keeper.presence(), room.now);
        let keys = warnings.iter().map(|warning| warning.key.clone());
        keys.filter(|key| key.starts_with("lost:"))
            .collect::<Vec<_>>()
    };
    let first = key(&room);
    assert_eq!(first.len(), 1);
    new.enters(&mut room, 1, 7, "2H S =");
    assert_eq!(
        key(&room),
        first,
        "the same question, however much has come since"
    );
    // The table goes on: what is still open is late like any other board, and asked for as such.
    new.enters(&mut room, 2, 11, "2H S =");
    assert_eq!(asked(&room), [0; 0]);
    assert_eq!(key(&room), [""; 0]);
}

#[test]
fn point_12_what_the_old_pad_hands_in_is_not_asked_for() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let mut old = room.log_on(1, 2);
    let unsent = old.agree(1, 6, played("4S N ="));
    room.later(3);
    room.replace(9, 2);
    assert_eq!(asked(&room), [6, 7]);
    assert!(is_received(&old.says(&mut room, Up::Held(unsent))));
    assert_eq!(asked(&room), [7]);
}
