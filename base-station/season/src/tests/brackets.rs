//! Knock-outs played to their winners.

use super::*;

fn all_won_by(
    bracket: &Bracket,
    better: impl Fn(u16, u16) -> bool,
) -> BTreeMap<MatchNumber, Ended> {
    let mut ended = BTreeMap::new();
    for own in &bracket.matches {
        let now = bracket.standing(&ended, &BTreeMap::new());
        if let [Side::Known(one), Side::Known(other)] = now[&own.number].sides {
            ended.insert(own.number, Ended::Won(u8::from(!better(one, other))));
        }
    }
    ended
}

#[test]
fn of_58_teams_the_first_six_have_byes_and_seeds_of_a_match_add_up_to_65() {
    let bracket = Bracket::new(Shape::SingleKnockOut, 58).expect("a bracket");
    let first: Vec<_> = bracket.matches.iter().filter(|it| it.stage == 1).collect();
    assert_eq!((first.len(), bracket.matches.len()), (32, 63));
    let mut byes = Vec::new();
    for own in first {
        match own.from {
            [Source::Seed(one), Source::Seed(other)] => assert_eq!(one + other, 65),
            [Source::Seed(one), Source::Bye] | [Source::Bye, Source::Seed(one)] => byes.push(one),
            from => panic!("{from:?}"),
        }
    }
    byes.sort_unstable();
    assert_eq!(byes, [1, 2, 3, 4, 5, 6]);
    // Where nobody surprises anybody, seeds meet as they should.
    let ended = all_won_by(&bracket, |one, other| one < other);
    assert_eq!(ended.len(), 57);
    let standing = bracket.standing(&ended, &BTreeMap::new());
    for own in bracket.matches.iter().filter(|it| it.stage > 1) {
        let [Side::Known(one), Side::Known(other)] = standing[&own.number].sides else {
            panic!("{own:?}");
        };
        assert_eq!(u32::from(one + other), (1 << (7 - own.stage)) + 1);
    }
    let places = bracket.places(&standing);
    for seed in 1..=58 {
        let expected = if seed <= 2 {
            u32::from(seed)
        } else {
            u32::from(seed - 1).next_power_of_two().max(2)
                / if u32::from(seed - 1).is_power_of_two() {
                    1
                } else {
                    2
                }
                + 1
        };
        assert_eq!(places[&seed], expected, "seed {seed}");
    }
}

#[test]
fn in_a_double_knock_out_everybody_but_the_winner_loses_exactly_twice_and_nobody_meets_again_at_once()
 {
    for entrants in 2..=40_u16 {
        let bracket = Bracket::new(Shape::DoubleKnockOut, entrants).expect("a bracket");
        let mut dice = fastrand::Rng::with_seed(u64::from(entrants));
        let chances: Vec<u32> = (0..=entrants).map(|_| dice.u32(..)).collect();
        let better = |one: u16, other: u16| chances[usize::from(one)] > chances[usize::from(other)];
        let ended = all_won_by(&bracket, better);
        let standing = bracket.standing(&ended, &BTreeMap::new());
        let mut lost: BTreeMap<u16, u32> = BTreeMap::new();
        let mut met: BTreeMap<[u16; 2], u16> = BTreeMap::new();
        let final_stage = bracket.matches.last().expect("a final").stage;
        for own in &bracket.matches {
            let now = &standing[&own.number];
            let [Side::Known(one), Side::Known(other)] = now.sides else {
                continue;
            };
            let Side::Known(loser) = now.loser else {
                panic!("{entrants} {own:?}");
            };
            *lost.entry(loser).or_default() += 1;
            let pair = [one.min(other), one.max(other)];
            if let Some(before) = met.insert(pair, own.stage) {
                assert!(
                    own.stage + 1 >= final_stage || own.stage >= before + 3,
                    "{entrants}: {pair:?} in stage {before} and {}",
                    own.stage
                );
            }
        }
        let best = (1..=entrants)
            .max_by_key(|seed| chances[usize::from(*seed)])
            .expect("somebody");
        let places = bracket.places(&standing);
        assert_eq!(places[&best], 1, "{entrants}");
        assert_eq!(places.len(), usize::from(entrants));
        for seed in 1..=entrants {
            let times = lost.get(&seed).copied().unwrap_or_default();
            let expected = match seed {
                seed if seed == best => 0,
                // The other one of the final has lost once before it.
                _ => 2,
            };
            assert_eq!(times, expected, "{entrants}: seed {seed}");
        }
    }
}

#[test]
fn a_final_five_sends_its_winners_and_losers_where_the_regulation_says() {
    let bracket = Bracket::new(Shape::FinalFive, 5).expect("five");
    // 5 beats 4; 3 beats 2; then 2 beats 5; 1 beats 3; 3 beats 2; 1 beats 3.
    let upsets = [(5, 4), (3, 2)];
    let better = |one: u16, other: u16| {
        upsets.contains(&(one, other)) || (one < other && !upsets.contains(&(other, one)))
    };
    let mut ended = BTreeMap::new();
    let mut played = Vec::new();
    for own in &bracket.matches {
        let now = bracket.standing(&ended, &BTreeMap::new())[&own.number];
        let [Side::Known(one), Side::Known(other)] = now.sides else {
            panic!("{own:?}");
        };
        played.push((own.stage, one.min(other), one.max(other)));
        ended.insert(own.number, Ended::Won(u8::from(!better(one, other))));
    }
    played.sort_unstable();
    assert_eq!(
        played,
        [
            (1, 2, 3),
            (1, 4, 5),
            (2, 1, 3),
            (2, 2, 5),
            (3, 2, 3),
            (4, 1, 3)
        ]
    );
    let places = bracket.places(&bracket.standing(&ended, &BTreeMap::new()));
    let expected = [(1, 1), (2, 3), (3, 2), (4, 5), (5, 4)];
    assert_eq!(places, expected.into());
}

#[test]
fn nobody_comes_to_a_semi_final_and_whoever_would_have_met_its_winner_has_a_bye() {
    let bracket = Bracket::new(Shape::SingleKnockOut, 4).expect("four");
    let mut ended = BTreeMap::from([
        (MatchNumber(1), Ended::Abandoned),
        (MatchNumber(2), Ended::Won(0)),
    ]);
    let standing = bracket.standing(&ended, &BTreeMap::new());
    let Side::Known(winner) = standing[&MatchNumber(3)].winner else {
        panic!("{standing:?}");
    };
    assert_eq!(bracket.places(&standing)[&winner], 1);
    ended.insert(MatchNumber(1), Ended::Won(0));
    ended.insert(MatchNumber(3), Ended::Abandoned);
    let standing = bracket.standing(&ended, &BTreeMap::new());
    assert!(
        bracket.places(&standing).values().all(|place| *place > 1),
        "no champion"
    );
}

#[test]
fn a_final_that_was_drawn_stays_and_says_who_would_play_it_now() {
    let bracket = Bracket::new(Shape::SingleKnockOut, 4).expect("four");
    let mut ended = BTreeMap::from([
        (MatchNumber(1), Ended::Won(0)),
        (MatchNumber(2), Ended::Won(0)),
    ]);
    let last = MatchNumber(3);
    let [Side::Known(one), Side::Known(other)] =
        bracket.standing(&ended, &BTreeMap::new())[&last].sides
    else {
        panic!("two finalists");
    };
    let drawn = BTreeMap::from([(last, [one, other])]);
    ended.insert(MatchNumber(2), Ended::Won(1));
    let now = bracket.standing(&ended, &drawn)[&last];
    assert_eq!(now.sides, [Side::Known(one), Side::Known(other)]);
    let [first, second] = now.otherwise.expect("others");
    assert_eq!(first, Side::Known(one));
    assert_ne!(second, Side::Known(other));
}

#[test]
fn a_bracket_for_one_and_a_final_five_of_six_are_refused() {
    for (shape, entrants) in [
        (Shape::SingleKnockOut, 1),
        (Shape::DoubleKnockOut, 257),
        (Shape::FinalFive, 6),
    ] {
        assert!(Bracket::new(shape, entrants).is_err(), "{entrants}");
    }
}
