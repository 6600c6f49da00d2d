//! Every size a club might ask for: sound, or refused with a reason.

use protocol::words::{BoardNumber, TableNumber};

use super::{Kind, Setup, Variant, generate};

/// A match of two clubs has sizes of its own.
fn kinds() -> impl Iterator<Item = Kind> {
    let kinds = Kind::ALL.into_iter();
    kinds.filter(|kind| *kind != Kind::Interclub)
}

fn sizes() -> impl Iterator<Item = Setup> {
    (3..=20).flat_map(|tables| {
        (18..=32).map(move |boards| {
            Setup::new(
                TableNumber::new(tables).unwrap(),
                BoardNumber::new(boards).unwrap(),
            )
        })
    })
}

#[test]
fn whatever_a_director_asks_for_is_sound_or_refused_with_a_reason() {
    let mut sound = 0;
    for setup in sizes() {
        for kind in kinds() {
            match generate(kind, setup) {
                Ok(movement) => {
                    assert_eq!(movement.faults(), [], "{}", movement.name);
                    assert_eq!(movement.table_count(), usize::from(setup.tables.get()));
                    let exact = movement.boards().len() == usize::from(setup.boards.get());
                    let named = movement
                        .notes
                        .iter()
                        .any(|note| note.to_string().contains("nearest"));
                    assert!(exact != named, "{} for {setup:?}", movement.name);
                    sound += 1;
                }
                Err(refused) => assert!(refused.to_string().len() > 30, "{refused}"),
            }
        }
    }
    assert!(sound > 400, "only {sound} of all sizes have a movement");
}

#[test]
fn every_room_of_3_to_20_tables_has_a_mitchell_near_its_boards() {
    for setup in sizes().filter(|setup| setup.boards.get() >= 20) {
        let movement = generate(Kind::Mitchell, setup).unwrap();
        let away = movement
            .boards()
            .len()
            .abs_diff(usize::from(setup.boards.get()));
        assert!(away <= 6, "{} for {setup:?}", movement.name);
    }
}

#[test]
fn a_director_who_insists_on_a_variant_gets_it_or_hears_why_not() {
    for setup in sizes() {
        for variant in [Variant::Skip, Variant::Share, Variant::FeedIn] {
            let setup = Setup {
                variant: Some(variant),
                ..setup
            };
            match generate(Kind::Mitchell, setup) {
                Ok(movement) => assert_eq!(movement.faults(), [], "{}", movement.name),
                Err(refused) => assert!(refused.to_string().len() > 30, "{refused}"),
            }
        }
    }
}

#[test]
fn shortened_howells_have_a_sitting_pair_more_for_every_round_removed() {
    let mut missing = Vec::new();
    for tables in 4..=9u8 {
        for rounds in tables..2 * tables {
            let setup = Setup::new(
                TableNumber::new(u16::from(tables)).unwrap(),
                BoardNumber::new(2 * rounds).unwrap(),
            );
            let setup = Setup {
                per_round: std::num::NonZeroU8::new(2),
                ..setup
            };
            let Ok(movement) = generate(Kind::Howell, setup) else {
                missing.push((tables, rounds));
                continue;
            };
            assert_eq!(movement.round_count(), usize::from(rounds));
            let sitting = movement.rounds[0]
                .seatings
                .iter()
                .filter(|seating| seating.ns.unwrap().get() > u16::from(rounds))
                .count();
            assert_eq!(sitting, usize::from(2 * tables - rounds));
            assert!(
                movement
                    .meetings()
                    .histogram
                    .keys()
                    .all(|&times| times == 1)
            );
        }
    }
    // Mitchells of an even number of tables, and a few short ones that the search does not find.
    let unknown = [
        (4, 4),
        (4, 5),
        (4, 6),
        (5, 8),
        (6, 6),
        (6, 7),
        (8, 8),
        (8, 9),
        (8, 14),
        (9, 16),
    ];
    assert!(
        missing.iter().all(|size| unknown.contains(size)),
        "{missing:?}"
    );
}
