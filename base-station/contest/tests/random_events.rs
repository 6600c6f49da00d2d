//! Random Swiss events against matchers that know nothing of ours: Gabow's in petgraph says
//! whether a draw without a rematch exists, a dynamic program over all subsets says how close the
//! closest draw of a small field is.
//!
//! A few events run with every test. All of them:
//! `BYESTAND_EVENTS=2000 cargo test --release -p contest --test random_events -- --nocapture`

#![expect(clippy::print_stdout, reason = "the long run tells what it measured")]

use std::collections::BTreeSet;
use std::time::Instant;

use contest::draw::{Draw, Entrant, Meeting, Method, OddField, Wish, draw};
use contest::{ContestantNumber, Lot};
use scoring::VictoryPoints;

/// One event, played round by round.
struct Event {
    field: Vec<Entrant>,
    lot: Lot,
}

impl Event {
    fn new(size: usize, seed: u64) -> Self {
        let mut lot = Lot::new(seed);
        let entrant = |number: u16| Entrant::new(ContestantNumber::new(number).expect("from 1"));
        let size = u16::try_from(size).expect("a few");
        let mut field: Vec<Entrant> = (1..=size).map(entrant).collect();
        // In every other event a few may not meet.
        if lot.below(2) == 0 {
            for _ in 0..=field.len() / 8 {
                let (one, other) = (lot.below(field.len()), lot.below(field.len()));
                if one != other {
                    let number = field[other].number;
                    field[one].forbidden.push(number);
                }
            }
        }
        Self { field, lot }
    }

    fn draw(&self, round: u16, method: Method, seed: u64) -> Draw {
        let wish = Wish {
            round,
            method,
            odd: OddField::Bye,
            seed,
            ..Wish::default()
        };
        draw(&self.field, &wish).expect("a field is drawn").draw
    }

    /// Everybody plays; the better number wins more often.
    fn play(&mut self, round: u16, draw: &Draw) {
        for pairing in &draw.matches {
            let vp = 100 * i32::try_from(self.lot.below(21)).expect("up to 20");
            for (own, other, vp, home) in [
                (pairing.home, pairing.away, vp, 1),
                (pairing.away, pairing.home, 2_000 - vp, -1),
            ] {
                let entrant = &mut self.field[usize::from(own.get()) - 1];
                entrant.vp = entrant.vp + VictoryPoints(vp);
                entrant.home += home;
                entrant.met.push(Meeting {
                    opponent: other,
                    round,
                });
            }
        }
        if let Some(bye) = draw.bye {
            let entrant = &mut self.field[usize::from(bye.get()) - 1];
            entrant.byes += 1;
            entrant.vp = entrant.vp + VictoryPoints::whole(12);
        }
    }

    fn met(&self, one: usize, other: usize) -> bool {
        let number = self.field[other].number;
        self.field[one].met.iter().any(|it| it.opponent == number)
    }

    fn forbidden(&self, one: usize, other: usize) -> bool {
        let says = |one: usize, other: usize| {
            let number = self.field[other].number;
            self.field[one].forbidden.contains(&number)
        };
        says(one, other) || says(other, one)
    }

    /// Everybody plays once, tables are numbered through, and what is called a rematch is one.
    fn check_whole(&self, draw: &Draw) {
        let mut seen = BTreeSet::new();
        for (pairing, table) in draw.matches.iter().zip(1..) {
            assert_eq!(pairing.table.get(), table);
            assert!(seen.insert(pairing.home) && seen.insert(pairing.away));
            let at = |it: ContestantNumber| usize::from(it.get()) - 1;
            assert_eq!(
                pairing.rematch,
                self.met(at(pairing.home), at(pairing.away))
            );
        }
        assert!(draw.bye.is_none_or(|bye| seen.insert(bye)));
        assert_eq!(seen.len(), self.field.len());
    }

    /// Whether everybody can have a new opponent (or a bye), by petgraph's matching.
    fn new_opponents_for_all(&self) -> bool {
        let size = self.field.len();
        let mut graph = petgraph::graph::UnGraph::<(), ()>::new_undirected();
        let nodes: Vec<_> = (0..size + size % 2).map(|_| graph.add_node(())).collect();
        for one in 0..nodes.len() {
            for other in one + 1..nodes.len() {
                let bye = other == size;
                if bye || !(self.met(one, other) || self.forbidden(one, other)) {
                    graph.add_edge(nodes[one], nodes[other], ());
                }
            }
        }
        petgraph::algo::maximum_matching(&graph).is_perfect()
    }

    /// Forbidden matches, rematches, and the sum of squared differences.
    fn cost(&self, pairs: &[(usize, usize)]) -> (u32, u32, i64) {
        let mut cost = (0, 0, 0);
        for &(one, other) in pairs {
            let (more, again, square) = self.cost_of(one, other);
            cost = (cost.0 + more, cost.1 + again, cost.2 + square);
        }
        cost
    }

    fn cost_of(&self, one: usize, other: usize) -> (u32, u32, i64) {
        let difference = i64::from(self.field[one].vp.0 - self.field[other].vp.0);
        (
            u32::from(self.forbidden(one, other)),
            u32::from(self.met(one, other)),
            difference * difference,
        )
    }

    /// The best of all draws of these, by trying every subset.
    fn best(&self, playing: &[usize]) -> (u32, u32, i64) {
        let mut best = vec![None; 1 << playing.len()];
        best[0] = Some((0, 0, 0));
        for set in 1..best.len() {
            let first = set.trailing_zeros() as usize;
            for second in first + 1..playing.len() {
                let both = (1 << first) | (1 << second);
                if set & both != both {
                    continue;
                }
                let Some(rest): Option<(u32, u32, i64)> = best[set & !both] else {
                    continue;
                };
                let own = self.cost_of(playing[first], playing[second]);
                let sum = (rest.0 + own.0, rest.1 + own.1, rest.2 + own.2);
                if best[set].is_none_or(|least| sum < least) {
                    best[set] = Some(sum);
                }
            }
        }
        best.last().copied().flatten().expect("an even number")
    }
}

fn pairs(draw: &Draw) -> Vec<(usize, usize)> {
    let at = |it: ContestantNumber| usize::from(it.get()) - 1;
    let matches = draw.matches.iter();
    matches.map(|it| (at(it.home), at(it.away))).collect()
}

/// How many events to play: few by default, all by the command above.
fn events() -> u64 {
    let wanted = std::env::var("BYESTAND_EVENTS").ok();
    wanted.and_then(|it| it.parse().ok()).unwrap_or(40)
}

#[test]
fn nobody_meets_twice_in_a_random_swiss_while_a_draw_without_a_rematch_exists() {
    let all = events();
    let largest = if all > 100 { 195 } else { 55 };
    let (mut rounds_drawn, mut rematches, mut slowest) = (0, 0, 0);
    for seed in 0..all {
        let mut sizes = Lot::new(seed ^ 0xB1D);
        let size = 6 + sizes.below(largest);
        let rounds = 5 + sizes.below(8);
        let mut event = Event::new(size, seed);
        for round in 1..=u16::try_from(rounds).expect("a few") {
            let begun = Instant::now();
            let drawn = event.draw(round, Method::Swiss, seed + u64::from(round));
            slowest = slowest.max(begun.elapsed().as_millis());
            event.check_whole(&drawn);
            let again = drawn.matches.iter().filter(|it| it.rematch).count();
            let kept = pairs(&drawn)
                .iter()
                .all(|&(one, other)| !event.forbidden(one, other));
            if again > 0 || !kept {
                assert!(
                    !event.new_opponents_for_all(),
                    "event {seed}, round {round}"
                );
                rematches += again;
            }
            rounds_drawn += 1;
            event.play(round, &drawn);
        }
    }
    println!(
        "{all} events, {rounds_drawn} draws, {rematches} rematches, none of which could be avoided; slowest draw {slowest} ms"
    );
}

#[test]
fn the_classical_draw_of_a_random_swiss_has_no_rematch_either() {
    for seed in 0..events() / 4 {
        let mut sizes = Lot::new(seed ^ 0xC1A55);
        let size = 6 + sizes.below(50);
        let mut event = Event::new(size, seed);
        for round in 1..=8 {
            let drawn = event.draw(round, Method::Classical, seed);
            event.check_whole(&drawn);
            if drawn.matches.iter().any(|it| it.rematch) {
                assert!(
                    !event.new_opponents_for_all(),
                    "event {seed}, round {round}"
                );
            }
            event.play(round, &drawn);
        }
    }
}

#[test]
fn no_draw_of_a_small_field_is_closer_than_ours() {
    for seed in 0..events() {
        let mut sizes = Lot::new(seed ^ 0x5A11);
        let size = 6 + sizes.below(11);
        let mut event = Event::new(size, seed);
        for round in 1..=u16::try_from(5 + sizes.below(8)).expect("a few") {
            let drawn = event.draw(round, Method::Swiss, seed);
            let bye = drawn.bye.map(|it| usize::from(it.get()) - 1);
            let playing: Vec<usize> = (0..size).filter(|it| Some(*it) != bye).collect();
            let ours = event.cost(&pairs(&drawn));
            assert_eq!(ours, event.best(&playing), "event {seed}, round {round}");
            event.play(round, &drawn);
        }
    }
}
