//! Who plays: numbers typed at the table, the club's list, visitors, substitutes.

use protocol::message::Players;
use protocol::words::PlayerNumber;

use super::*;
use crate::session::checklist;
use crate::session::plan::Partner;

fn number(number: u32) -> PlayerNumber {
    PlayerNumber::new(number).expect("a number")
}

fn listed<const MANY: usize>(players: [(u32, &str); MANY]) -> Vec<(PlayerNumber, String)> {
    let players = players.into_iter();
    players
        .map(|(it, name)| (number(it), name.to_owned()))
        .collect()
}

fn seated(numbers: [Option<u32>; 4]) -> Up {
    Up::Players(Players {
        round: round(1),
        seats: numbers.map(|it| it.map(number)),
    })
}

#[test]
fn numbers_typed_at_the_table_become_names_on_the_pad() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let members = listed([(4711, "Ruth Weiss"), (4712, "Paul Braun")]);
    room.direct(Command::ListMembers {
        members,
        digits: Vec::new(),
    });
    let pad = room.log_on(1, 1);
    let answer = pad.says(&mut room, seated([Some(4711), None, Some(4712), Some(0)]));
    let names = answer.iter().find_map(|down| match down {
        Down::Names(names) => Some(names.seats.each_ref().map(|name| name.as_str().to_owned())),
        _ => None,
    });
    let expected = ["Ruth Weiss", "", "Paul Braun", "Visitor"].map(str::to_owned);
    assert_eq!(names, Some(expected));
}

#[test]
fn the_same_number_at_two_tables_is_flagged_and_visitors_are_not() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let (one, two) = (room.log_on(1, 1), room.log_on(2, 2));
    one.says(
        &mut room,
        seated([Some(4711), Some(0), Some(4712), Some(0)]),
    );
    two.says(
        &mut room,
        seated([Some(4711), Some(0), Some(4713), Some(0)]),
    );
    let twice = room.session().roster.claimed_twice();
    let pairs = ["A1NS", "A2NS"].map(|pair| pair.parse().expect("a pair"));
    assert_eq!(twice, [(number(4711), pairs.to_vec())]);
    let points = checklist(&room.keeper.state().club, room.session(), room.now);
    let flagged = "player number 4711 plays in pairs NS 1, NS 2";
    assert!(points.iter().any(|point| point.sentence == flagged));
}

#[test]
fn a_substitute_plays_from_a_round_on_and_the_first_player_before_it() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pair = "A1NS".parse().expect("a pair");
    let name = |name: &str, from| Command::NamePlayer {
        pair,
        partner: Partner::First,
        number: None,
        name: name.to_owned(),
        from: round(from),
        digits: 0,
    };
    room.direct(name("Ruth", 1));
    room.direct(name("Otto", 4));
    let state = room.keeper.state();
    let roster = &room.session().roster;
    for (in_round, expected) in [(1, "Ruth"), (3, "Ruth"), (4, "Otto"), (5, "Otto")] {
        let found = roster.name(&state.club, pair, Partner::First, round(in_round));
        assert_eq!(found, expected, "in round {in_round}");
    }
}

#[test]
fn a_name_for_a_pair_that_does_not_play_tonight_is_refused() {
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    for (nobody, called) in [("A6NS", "NS A6"), ("B1NS", "NS B1"), ("A1", "A1")] {
        let refused = room.refused(Command::NamePlayer {
            pair: nobody.parse().expect("a pair"),
            partner: Partner::First,
            number: None,
            name: "Ruth".to_owned(),
            from: round(1),
            digits: 0,
        });
        assert_eq!(
            refused,
            format!("there is no pair {called} in this session")
        );
    }
}

/// Everything that is said of a pair goes through one function: number, side and names, in the
/// reader's language; the section only where there are several.
#[test]
fn a_pair_is_called_by_its_number_and_its_names_in_every_language() {
    use telling::Language;
    let mut room = Room::playing(Kind::Mitchell, 5, 25);
    let pair: PairId = "A3NS".parse().expect("a pair");
    let told = |room: &Room, language| {
        let told = telling::tell!(Refused::PairDoesNotPlay { pair });
        let called = room.keeper.state().calling(told);
        called.in_words(telling::Voice::plain(language))
    };
    assert_eq!(
        told(&room, Language::English),
        "pair NS 3 does not play tonight"
    );
    for (partner, name) in [(Partner::First, "Cooper"), (Partner::Second, "Fisher")] {
        room.direct(Command::NamePlayer {
            pair,
            partner,
            number: None,
            name: name.to_owned(),
            from: round(1),
            digits: 0,
        });
    }
    let said = [
        (Language::English, "NS 3 Cooper and Fisher"),
        (Language::German, "NS 3 Cooper und Fisher"),
        (Language::French, "NS 3 Cooper et Fisher"),
        (Language::Dutch, "NZ 3 Cooper en Fisher"),
    ];
    for (language, called) in said {
        let words = told(&room, language);
        assert!(words.contains(called), "{words}");
    }
    // A pair of a section that is not there keeps its letter.
    let stranger: PairId = "B3NS".parse().expect("a pair");
    let told = telling::tell!(Refused::PairDoesNotPlay { pair: stranger });
    let called = room.keeper.state().calling(told).to_string();
    assert_eq!(called, "pair NS B3 does not play tonight");
}
