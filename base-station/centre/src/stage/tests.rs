use super::*;
use crate::said::Became;
use scoring::Fault;

const ROUNDS: u8 = 5;

/// Two rooms of three and two tables, and so many pairs.
fn stage(pairs: u16) -> Stage {
    let numbers = (1..=pairs).filter_map(ContestantNumber::new);
    let contestant = |number: ContestantNumber| {
        let players = [format!("North {number}"), format!("South {number}")];
        let contestant = Contestant {
            players,
            ..Contestant::default()
        };
        (number, contestant)
    };
    Stage {
        rounds: ROUNDS,
        boards: 4,
        rules: rules("cross_imps"),
        rooms: vec![(7, 3), (9, 2)],
        contestants: numbers.map(contestant).collect(),
        drawn: BTreeMap::new(),
        carried: Carried::default(),
    }
}

/// What the rooms say when everybody has played: the lower number wins a thousand.
fn play(stage: &Stage, sheets: &mut BTreeMap<ClubNumber, Arc<Sheet>>, round: RoundNumber) {
    for seated in &stage.drawn[&round].1.matches {
        let score = if seated.home < seated.away {
            1_000
        } else {
            -1_000
        };
        for board in stage.boards_of(round) {
            line(sheets, *seated, (round, board), score);
        }
    }
}

fn line(
    sheets: &mut BTreeMap<ClubNumber, Arc<Sheet>>,
    seated: Seated,
    (round, board): (RoundNumber, BoardNumber),
    score: i16,
) {
    let place = Place {
        section: SectionLetter::A,
        board,
        round,
        table: seated.table,
    };
    let pair = |number: ContestantNumber| Some(format!("A{number}").parse().expect("a pair"));
    let line = Line {
        place,
        ns: pair(seated.home),
        ew: pair(seated.away),
        became: Became::Score(score),
        form: 0,
        fault: [Fault::None; 2],
    };
    let sheet = Arc::make_mut(sheets.entry(seated.club).or_default());
    sheet.lines.insert(place, line);
}

fn publish(stage: &mut Stage, sheets: &BTreeMap<ClubNumber, Arc<Sheet>>) -> RoundNumber {
    let matches = stage.matches(sheets);
    let proposal = stage.propose(None, &matches, 42).expect("it is drawn");
    assert!(proposal.unfinished.is_empty());
    stage.drawn.insert(proposal.round, (1, proposal.drawn));
    proposal.round
}

/// Everybody has met these.
fn met(stage: &Stage) -> Vec<BTreeSet<ContestantNumber>> {
    let all = stage.drawn.values().flat_map(|(_, drawn)| &drawn.matches);
    all.map(|it| [it.home, it.away].into()).collect()
}

#[test]
fn a_swiss_over_two_rooms_brings_nobody_together_twice_and_pairs_change_rooms() {
    let mut stage = stage(10);
    let mut sheets = BTreeMap::new();
    let mut rooms: BTreeMap<ContestantNumber, BTreeSet<ClubNumber>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let round = publish(&mut stage, &sheets);
        let drawn = &stage.drawn[&round].1;
        let seats: BTreeSet<_> = drawn.matches.iter().map(|it| (it.club, it.table)).collect();
        assert_eq!(seats.len(), 5, "each match has a table of its own");
        for seated in &drawn.matches {
            rooms.entry(seated.home).or_default().insert(seated.club);
            rooms.entry(seated.away).or_default().insert(seated.club);
        }
        play(&stage, &mut sheets, round);
    }
    assert_eq!(stage.next_round(), None);
    assert_eq!(stage.propose(None, &[], 1).err(), Some(Undrawn::All));
    let met = met(&stage);
    let different: BTreeSet<_> = met.iter().collect();
    assert_eq!(different.len(), met.len(), "nobody meets anybody twice");
    let changed = rooms.values().filter(|it| it.len() > 1);
    assert!(changed.count() > 2, "{rooms:?}");
    let standing = stage.standing(&stage.matches(&sheets));
    let vp = |number: u16| {
        let mut lines = standing.iter();
        let own = lines.find(|it| it.contestant.get() == number);
        own.expect("everybody has a place").vp
    };
    assert!(vp(1) > vp(10), "{standing:?}");
    let all: i32 = standing.iter().map(|it| it.vp.0).sum();
    assert_eq!(all, 25 * 2000, "each match shares twenty victory points");
}

#[test]
fn the_odd_pair_has_a_bye_and_never_a_second_one_before_the_others() {
    let mut stage = stage(9);
    let mut sheets = BTreeMap::new();
    let mut byes = BTreeSet::new();
    for _ in 0..ROUNDS {
        let round = publish(&mut stage, &sheets);
        let bye = stage.drawn[&round].1.bye.expect("nine is odd");
        assert!(byes.insert(bye), "{bye} has a second bye");
        play(&stage, &mut sheets, round);
    }
    let standing = stage.standing(&stage.matches(&sheets));
    let all: i32 = standing.iter().map(|it| it.vp.0).sum();
    assert_eq!(all, 20 * 2000 + 5 * 1200);
}

#[test]
fn too_many_pairs_for_the_tables_are_told_so_before_anything_is_drawn() {
    let stage = stage(12);
    let short = Undrawn::Tables {
        matches: 6,
        tables: 5,
    };
    assert_eq!(stage.propose(None, &[], 1).err(), Some(short));
}

#[test]
fn the_next_session_goes_on_with_victory_points_and_opponents() {
    let mut first = stage(10);
    first.rounds = 3;
    let mut sheets = BTreeMap::new();
    for _ in 0..3 {
        let round = publish(&mut first, &sheets);
        play(&first, &mut sheets, round);
    }
    let before = first.standing(&first.matches(&sheets));
    let text = serde_json::to_string(&first.carry_on(&first.matches(&sheets))).expect("written");
    let mut second = Stage {
        carried: serde_json::from_str(&text).expect("read"),
        ..stage(10)
    };
    second.rounds = 2;
    assert_eq!(second.standing(&[]), before);
    let mut sheets = BTreeMap::new();
    for _ in 0..2 {
        let round = publish(&mut second, &sheets);
        play(&second, &mut sheets, round);
    }
    let all: Vec<_> = met(&first).into_iter().chain(met(&second)).collect();
    let different: BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len(), "nobody meets anybody twice");
    let standing = second.standing(&second.matches(&sheets));
    assert_eq!(standing[0].matches, 5);
    let all: i32 = standing.iter().map(|it| it.vp.0).sum();
    assert_eq!(all, 25 * 2000);
}

#[test]
fn a_match_that_is_not_finished_is_told_and_one_that_sat_the_other_way_round_counts_the_same() {
    let mut stage = stage(4);
    let mut sheets = BTreeMap::new();
    let round = publish(&mut stage, &sheets);
    let both = stage.drawn[&round].1.matches.clone();
    for (seated, score) in both.into_iter().zip([1_000, -1_000]) {
        for board in stage.boards_of(round) {
            line(&mut sheets, seated, (round, board), score);
        }
    }
    let straight = stage.matches(&sheets);
    let seated = stage.drawn[&round].1.matches[0];
    for board in stage.boards_of(round) {
        let sheet = Arc::make_mut(sheets.get_mut(&seated.club).expect("it has played"));
        let place = Place {
            section: SectionLetter::A,
            board,
            round,
            table: seated.table,
        };
        let line = sheet.lines.get_mut(&place).expect("it is there");
        std::mem::swap(&mut line.ns, &mut line.ew);
    }
    let turned = stage.matches(&sheets);
    // The same scores were made by the others now.
    assert!(turned[0].scored.complete);
    let margin = |it: &Match| it.scored.sides[0].margin > Points::ZERO;
    assert_ne!(margin(&straight[0]), margin(&turned[0]));
    let sheet = Arc::make_mut(sheets.get_mut(&seated.club).expect("it has played"));
    let place = *sheet.lines.keys().next().expect("a line");
    sheet.lines.remove(&place);
    let matches = stage.matches(&sheets);
    let proposal = stage.propose(None, &matches, 1).expect("it is drawn");
    assert_eq!(proposal.unfinished.len(), 1);
    assert_eq!(proposal.unfinished[0].missing, 1);
}
