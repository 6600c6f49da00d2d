//! Draws that people have printed, or would do on paper.

use std::cell::Cell;

use super::*;

thread_local! {
    /// How many matchings this thread's draws have asked for.
    pub(super) static MATCHINGS: Cell<usize> = const { Cell::new(0) };
}

fn number(number: u16) -> ContestantNumber {
    ContestantNumber::new(number).expect("a contestant")
}

fn entrant(own: u16, vp: i32, met: &[u16]) -> Entrant {
    Entrant {
        vp: VictoryPoints::whole(vp),
        met: met
            .iter()
            .zip(1..)
            .map(|(&opponent, round)| Meeting {
                opponent: number(opponent),
                round,
            })
            .collect(),
        ..Entrant::new(number(own))
    }
}

/// A field of seeds that have played nothing.
fn seeds(size: u16) -> Vec<Entrant> {
    (1..=size)
        .map(|seed| Entrant {
            place: u32::from(seed),
            ..entrant(seed, 0, &[])
        })
        .collect()
}

fn wish(method: Method) -> Wish {
    Wish {
        round: 3,
        method,
        odd: OddField::Bye,
        seed: 7,
        ..Wish::default()
    }
}

/// `1-4 2-3`, the lower number first, in the order of the tables.
fn told(drawn: &Drawn) -> String {
    let pair = |it: &Pairing| format!("{}-{}", it.home.min(it.away), it.home.max(it.away));
    let pairs: Vec<String> = drawn.draw.matches.iter().map(pair).collect();
    pairs.join(" ")
}

#[test]
fn the_highest_meets_the_next_highest_not_met_and_clashes_are_repaired_from_the_bottom() {
    // 1 has met 2; 5 and 6 have met each other and everybody but 4 and 3.
    let field = [
        entrant(1, 60, &[2]),
        entrant(2, 50, &[1]),
        entrant(3, 40, &[]),
        entrant(4, 30, &[]),
        entrant(5, 20, &[6]),
        entrant(6, 10, &[5]),
    ];
    // Straight on would be 1-3 2-4 5-6; the last two have met, so table 2 gives way.
    let drawn = draw(&field, &wish(Method::Classical)).expect("a draw");
    assert_eq!(told(&drawn), "1-3 2-5 4-6");
    assert_eq!(
        drawn.passed_over[0],
        [PassedOver {
            contestant: number(2),
            why: Why::Met { round: 1 }
        }]
    );
    assert_eq!(drawn.passed_over[1][0].why, Why::ForTheOthers);
}

#[test]
fn the_danish_way_repeats_matches_and_keeps_forbidden_ones_apart() {
    let mut field = vec![
        entrant(1, 60, &[2]),
        entrant(2, 50, &[1]),
        entrant(3, 40, &[4]),
        entrant(4, 30, &[3]),
    ];
    let drawn = draw(&field, &wish(Method::Danish)).expect("a draw");
    assert_eq!(told(&drawn), "1-2 3-4");
    assert!(drawn.draw.matches.iter().all(|it| it.rematch));
    field[0].forbidden.push(number(2));
    let drawn = draw(&field, &wish(Method::Danish)).expect("a draw");
    assert_eq!(told(&drawn), "1-3 2-4");
}

#[test]
fn a_rematch_that_cannot_be_avoided_is_at_the_bottom_of_a_classical_draw() {
    // Everybody has met everybody.
    let field: Vec<Entrant> = (1..=4)
        .map(|own| {
            let others: Vec<u16> = (1..=4).filter(|it| *it != own).collect();
            entrant(own, 100 - i32::from(own), &others)
        })
        .collect();
    let drawn = draw(&field, &wish(Method::Classical)).expect("a draw");
    assert_eq!(told(&drawn), "1-2 3-4");
}

#[test]
fn a_modified_swiss_repeats_matches_of_the_first_half_only() {
    // ABF's two examples: nine rounds are normal to 5, ten are normal to 6.
    for (rounds, normal_to, repeats_to) in [(9, 5, 4), (10, 6, 5)] {
        let rule = Rematches::OfFirstHalf(rounds);
        for now in 1..=rounds {
            for earlier in 1..now {
                let counts = now <= normal_to || earlier > repeats_to;
                assert_eq!(
                    rule.counts(earlier, now),
                    counts,
                    "{rounds} {now} {earlier}"
                );
            }
        }
    }
}

#[test]
fn the_bye_goes_to_the_lowest_who_had_none() {
    let mut field: Vec<Entrant> = (1..=7)
        .map(|own| entrant(own, 70 - i32::from(own), &[]))
        .collect();
    field[6].byes = 1;
    for method in [Method::Swiss, Method::Classical, Method::Danish] {
        let drawn = draw(&field, &wish(method)).expect("a draw");
        assert_eq!(drawn.draw.bye, Some(number(6)), "{method:?}");
        assert_eq!(drawn.draw.matches.len(), 3);
    }
}

#[test]
fn an_odd_field_is_refused_until_the_director_says_what_becomes_of_it() {
    let field = seeds(7);
    let ask = Wish {
        odd: OddField::Ask,
        ..wish(Method::Swiss)
    };
    let refused = draw(&field, &ask).expect_err("odd");
    assert!(
        refused.to_string().contains("7 is an odd number"),
        "{refused}"
    );
    assert!(first_round(&field, FirstRound::Random, &ask).is_err());
}

#[test]
fn a_triangle_is_made_of_three_outside_the_top_half_who_have_not_met() {
    let mut field: Vec<Entrant> = (1..=11)
        .map(|own| entrant(own, 110 - i32::from(own), &[]))
        .collect();
    field[10] = entrant(11, 99, &[10]);
    field[9] = entrant(10, 100, &[11]);
    let triangle = Wish {
        odd: OddField::Triangle,
        ..wish(Method::Swiss)
    };
    let drawn = draw(&field, &triangle).expect("a draw");
    let three = drawn.draw.triangle.expect("a triangle");
    assert!(three.iter().all(|it| it.get() > 6), "{three:?}");
    assert!(!(three.contains(&number(10)) && three.contains(&number(11))));
    assert_eq!(drawn.draw.matches.len(), 4);
}

#[test]
fn who_cannot_move_keeps_the_table_and_two_of_them_do_not_meet() {
    let table = |number| TableNumber::new(number).expect("a table");
    let mut field: Vec<Entrant> = (1..=8)
        .map(|own| entrant(own, 80 - i32::from(own), &[]))
        .collect();
    field[0].stationary = Stationary::At(table(3));
    field[1].stationary = Stationary::At(table(1));
    for method in [Method::Swiss, Method::Classical] {
        let drawn = draw(&field, &wish(method)).expect("a draw");
        let at = |own: u16| {
            let mut matches = drawn.draw.matches.iter();
            let found = matches.find(|it| it.home == number(own) || it.away == number(own));
            found.map(|it| it.table)
        };
        assert_eq!(at(1), Some(table(3)), "{method:?}");
        assert_eq!(at(2), Some(table(1)), "{method:?}");
        let tables: Vec<u16> = drawn.draw.matches.iter().map(|it| it.table.get()).collect();
        assert_eq!(tables, [1, 2, 3, 4]);
    }
}

#[test]
fn two_of_one_club_meet_only_where_nothing_better_is_left() {
    let mut field = vec![
        entrant(1, 60, &[]),
        entrant(2, 60, &[]),
        entrant(3, 40, &[]),
        entrant(4, 40, &[]),
    ];
    field[0].club = Some("Harbour".into());
    field[1].club = Some("Harbour".into());
    let drawn = draw(&field, &wish(Method::Swiss)).expect("a draw");
    assert!(!told(&drawn).contains("1-2"), "{}", told(&drawn));
    // But no rematch for it.
    field[0].met = vec![
        Meeting {
            opponent: number(3),
            round: 1,
        },
        Meeting {
            opponent: number(4),
            round: 2,
        },
    ];
    let drawn = draw(&field, &wish(Method::Swiss)).expect("a draw");
    assert_eq!(told(&drawn), "1-2 3-4");
}

#[test]
fn home_goes_to_whoever_was_away_more_often() {
    let mut field = seeds(2);
    field[0].home = 1;
    field[1].home = -1;
    let drawn = draw(&field, &wish(Method::Swiss)).expect("a draw");
    assert_eq!(drawn.draw.matches[0].home, number(2));
}

#[test]
fn the_same_seed_gives_the_same_draw_whatever_order_the_field_comes_in() {
    let field = seeds(40).into_iter().map(|it| Entrant { place: 0, ..it });
    let field: Vec<Entrant> = field.collect();
    let mut turned = field.clone();
    turned.reverse();
    let one = draw(&field, &wish(Method::Swiss)).expect("a draw");
    let same = draw(&turned, &wish(Method::Swiss)).expect("a draw");
    assert_eq!(one.draw, same.draw);
    let other = Wish {
        seed: 8,
        ..wish(Method::Swiss)
    };
    assert_ne!(one.draw, draw(&field, &other).expect("a draw").draw);
}

#[test]
fn halves_and_quarters_bring_together_whom_they_should() {
    let first = Wish {
        round: 1,
        ..wish(Method::Swiss)
    };
    let drawn = first_round(&seeds(8), FirstRound::Halves, &first).expect("a draw");
    assert_eq!(told(&drawn), "1-5 2-6 3-7 4-8");
    for size in [8, 20, 22] {
        let drawn = first_round(&seeds(size), FirstRound::Quarters, &first).expect("a draw");
        let top = (size / 2).div_ceil(2);
        let outer = |it: ContestantNumber| it.get() <= top || it.get() > top + size / 2;
        for pairing in &drawn.draw.matches {
            assert_ne!(outer(pairing.home), outer(pairing.away), "{pairing:?}");
        }
    }
}

#[test]
fn the_seeded_start_is_the_manuals() {
    let round = |round, size| {
        let wish = Wish {
            round,
            ..wish(Method::Swiss)
        };
        let drawn = first_round(&seeds(size), FirstRound::SeededStart, &wish).expect("a draw");
        let mut pairs: Vec<(u16, u16)> = drawn
            .draw
            .matches
            .iter()
            .map(|it| (it.home.min(it.away).get(), it.home.max(it.away).get()))
            .collect();
        pairs.sort_unstable();
        pairs
    };
    // Twenty: i against i + 10, then sums of 11 and of 31.
    assert!(round(1, 20).iter().all(|(one, other)| one + 10 == *other));
    for (one, other) in round(2, 20) {
        assert_eq!(one + other, if one <= 10 { 11 } else { 31 });
    }
    // Twenty-two: 9 to 14 among themselves; the others i against i + 14, then sums of 9 and 37.
    for (one, other) in round(1, 22) {
        let pool = 9..=14;
        assert_eq!(pool.contains(&one), pool.contains(&other));
        assert!(pool.contains(&one) || one + 14 == other);
    }
    for (one, other) in round(2, 22) {
        match one {
            1..=8 => assert_eq!(one + other, 9),
            9..=14 => assert!((9..=14).contains(&other)),
            _ => assert_eq!(one + other, 37),
        }
    }
    // Nobody meets twice.
    assert!(round(1, 22).iter().all(|pair| !round(2, 22).contains(pair)));
    let third = Wish {
        round: 3,
        ..wish(Method::Swiss)
    };
    assert!(first_round(&seeds(20), FirstRound::SeededStart, &third).is_err());
}

#[test]
fn a_draw_by_hand_is_taken_as_it_is_or_refused_with_a_reason() {
    let mut field = seeds(4);
    field[0].met = vec![Meeting {
        opponent: number(2),
        round: 1,
    }];
    let pairs = [(number(2), number(1)), (number(3), number(4))];
    let drawn = by_hand(&field, &pairs, None, &wish(Method::Swiss)).expect("a draw");
    assert_eq!(drawn.draw.matches[0].home, number(2));
    assert!(drawn.draw.matches[0].rematch);
    let twice = [(number(1), number(2)), (number(1), number(4))];
    let refused = by_hand(&field, &twice, None, &wish(Method::Swiss)).expect_err("twice");
    assert_eq!(
        refused.to_string(),
        "contestant 1 is in two matches of this round"
    );
    let missing = by_hand(&field, &pairs[..1], None, &wish(Method::Swiss)).expect_err("missing");
    assert_eq!(
        missing.to_string(),
        "contestant 3 has no match in this round and no bye"
    );
}

#[test]
fn who_cannot_move_keeps_the_table_of_a_draw_by_hand_and_of_a_first_round() {
    let table = |number| TableNumber::new(number).expect("a table");
    let mut field = seeds(6);
    field[4].stationary = Stationary::At(table(1));
    let pairs = [
        (number(1), number(2)),
        (number(3), number(4)),
        (number(5), number(6)),
    ];
    let drawn = by_hand(&field, &pairs, None, &wish(Method::Swiss)).expect("a draw");
    let tables: Vec<u16> = drawn.draw.matches.iter().map(|it| it.table.get()).collect();
    assert_eq!(tables, [2, 3, 1]);
    let first = Wish {
        round: 1,
        ..wish(Method::Swiss)
    };
    for way in [FirstRound::Random, FirstRound::Halves, FirstRound::Quarters] {
        let drawn = first_round(&field, way, &first).expect("a draw");
        let mut matches = drawn.draw.matches.iter();
        let own = matches.find(|it| [it.home, it.away].contains(&number(5)));
        assert_eq!(own.map(|it| it.table), Some(table(1)), "{way:?}");
    }
}

#[test]
fn the_first_of_the_swiss_meets_the_first_who_drops_in() {
    let field: Vec<Entrant> = (1..=8)
        .map(|own| entrant(own, 80 - i32::from(own), &[]))
        .collect();
    let dropping = [number(8), number(7)];
    let drawn = with_drop_ins(&field, &dropping, &wish(Method::Swiss)).expect("a draw");
    assert_eq!(told(&drawn), "1-8 2-7 3-4 5-6");
}

#[test]
fn a_score_that_must_be_a_misprint_is_refused_and_not_drawn_wrongly() {
    let field: Vec<Entrant> = (1..=400)
        .map(|own| Entrant {
            vp: VictoryPoints(i32::MAX / 400 * i32::from(own)),
            met: vec![Meeting {
                opponent: number(own % 400 + 1),
                round: 1,
            }],
            ..entrant(own, 0, &[])
        })
        .collect();
    // Either it comes out, or it is refused in words; it never overflows.
    if let Err(refused) = draw(&field, &wish(Method::Swiss)) {
        assert!(refused.to_string().contains("too far apart"), "{refused}");
    }
}

/// A draw, and how many matchings it took.
fn counted(field: &[Entrant], wish: &Wish) -> (Drawn, usize) {
    MATCHINGS.with(|counted| counted.set(0));
    let drawn = draw(field, wish).expect("a draw");
    (drawn, MATCHINGS.with(Cell::get))
}

#[test]
fn four_hundred_are_drawn_with_few_matchings_however_often_they_have_met() {
    // A matching of 400 takes some hundredths of a second, optimised: twenty of them are within the
    // second that is promised.
    let most = 20;
    let mut field = seeds(400);
    let mut lot = Lot::new(17);
    for round in 1..=12 {
        let wish = |method| Wish {
            round,
            ..wish(method)
        };
        let (drawn, swiss) = counted(&field, &wish(Method::Swiss));
        assert_eq!(swiss, 1, "round {round}");
        // Somebody sits out, too, where the field is odd.
        for field in [&field[..], &field[1..]] {
            let (_, classical) = counted(field, &wish(Method::Classical));
            assert!(classical <= most, "round {round}: {classical} matchings");
        }
        for pairing in &drawn.draw.matches {
            let vp = 100 * i32::try_from(lot.below(21)).expect("up to 20");
            for (own, other, vp) in [
                (pairing.home, pairing.away, vp),
                (pairing.away, pairing.home, 2_000 - vp),
            ] {
                let entrant = &mut field[usize::from(own.get()) - 1];
                entrant.vp = entrant.vp + VictoryPoints(vp);
                let opponent = other;
                entrant.met.push(Meeting { opponent, round });
            }
        }
    }
}
