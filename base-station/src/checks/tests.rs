//! Stories of the room. How well the checks do on many evenings is measured by the `watchful`
//! program of the system tests.

use protocol::words::{
    BoardNumber, BoardResult, Card, Contract, PairNumber, Played, RoundNumber, Score, Seat,
    SectionLetter, Side, TableNumber, Tricks,
};

use super::{
    Answer, Attention, CheckSettings, Kind, Line, LineId, Mistake, Moment, PairsSeen, Room, Watch,
    WrittenFault, doctor, judge_contract, judge_score,
};
use crate::deals::read_pbn;
use crate::movement::{self, PairId, Setup, Variant, generate};

const DEALS: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/real/club_session_deals.pbn"
));

fn board(number: u8) -> BoardNumber {
    BoardNumber::new(number).expect("a board")
}

fn table(number: u16) -> TableNumber {
    TableNumber::new(number).expect("a table")
}

fn round(number: u8) -> RoundNumber {
    RoundNumber::new(number).expect("a round")
}

fn watch(tables: u16, boards: u8, variant: Option<Variant>) -> Watch {
    let setup = Setup {
        variant,
        ..Setup::new(table(tables), board(boards))
    };
    let movement = generate(movement::Kind::Mitchell, setup).expect("a Mitchell");
    let deals = read_pbn(DEALS).expect("the real deals");
    let room = Room::new(SectionLetter::A, movement, deals);
    Watch::new(room, CheckSettings::default())
}

fn played(contract: &str, declarer: Seat, result: &str, lead: Option<&str>) -> BoardResult {
    let contract = Contract::parse(contract, declarer).expect("a contract");
    BoardResult::Played(Played {
        contract,
        tricks: contract.level.tricks_from_text(result).expect("tricks"),
        lead: lead.map(|card| card.parse::<Card>().expect("a card")),
    })
}

/// Enters a result at table 1 in round 1, where boards 1 to 3 are due.
fn enter(watch: &mut Watch, number: u8, result: BoardResult) -> super::Change {
    let id = LineId {
        board: board(number),
        round: round(1),
        table: table(1),
    };
    let line = Line {
        ns: PairNumber::new(1),
        ew: PairNumber::new(1),
        result,
        stated: None,
        at: Moment(1000),
    };
    watch.result(id, line)
}

#[test]
fn a_lead_from_the_other_defender_names_the_other_declarer_and_goes_when_put_right() {
    // Board 1: North holds HT, South, who leads against East, does not.
    let mut watch = watch(9, 27, None);
    let wrong = enter(&mut watch, 1, played("3NT", Seat::East, "=", Some("HT")));
    let [finding] = wrong.raised.as_slice() else {
        panic!("one finding, not {wrong:?}");
    };
    assert_eq!(finding.id.to_string(), "lead-not-held.A1.r1.b1");
    assert!(finding.sentence.contains("South does not hold it"));
    assert!(finding.sentence.contains("the card of North"));
    assert_eq!(
        finding.answers.first(),
        Some(&Answer::ChangeDeclarer {
            declarer: Seat::West
        })
    );
    let right = enter(&mut watch, 1, played("3NT", Seat::West, "=", Some("HT")));
    assert_eq!(right.raised, []);
    assert_eq!(right.cleared, [finding.id]);
    assert_eq!(watch.findings().count(), 0);
}

#[test]
fn a_false_alarm_is_counted_and_not_raised_again() {
    let mut watch = watch(9, 27, None);
    let wrong = played("3NT", Seat::East, "=", Some("HT"));
    let raised = enter(&mut watch, 1, wrong).raised;
    let id = raised[0].id;
    watch.answered(id, true);
    assert_eq!(enter(&mut watch, 1, wrong).raised, []);
    let counts: Vec<_> = watch.counts().collect();
    let (kind, count) = counts[0];
    assert_eq!(kind, Kind::LeadNotHeld);
    assert_eq!(
        (count.raised, count.put_right, count.false_alarms),
        (1, 0, 1)
    );
}

#[test]
fn a_check_that_is_off_says_nothing_and_a_quiet_one_is_marked_quiet() {
    let mut settings = CheckSettings::default();
    settings.choose(Kind::LeadNotHeld, Attention::Off);
    let mut watch = watch(9, 27, None);
    watch.choose(settings.clone());
    let wrong = played("3NT", Seat::East, "=", Some("HT"));
    assert_eq!(enter(&mut watch, 1, wrong).raised, []);
    settings.choose(Kind::LeadNotHeld, Attention::Quiet);
    watch.choose(settings);
    enter(&mut watch, 1, wrong);
    let attention: Vec<_> = watch.findings().map(|(_, attention)| attention).collect();
    assert_eq!(attention, [Attention::Quiet]);
}

#[test]
fn a_contract_that_only_the_other_side_can_make_is_asked_about() {
    // Board 1 is East-West's: ten tricks in spades.
    let mut watch = watch(9, 27, None);
    let raised = enter(&mut watch, 1, played("4S", Seat::North, "=", None)).raised;
    assert_eq!(raised[0].id.kind, Kind::WrongSide);
    let raised = enter(&mut watch, 1, played("4S", Seat::East, "-7", None)).raised;
    assert_eq!(raised[0].id.kind, Kind::TricksOfOtherSide);
    assert_eq!(
        raised[0].answers[0],
        Answer::ChangeTricks {
            tricks: Tricks::new(10).expect("ten")
        }
    );
}

#[test]
fn a_result_of_a_pair_that_was_thought_to_have_left_asks_who_played() {
    let mut watch = watch(9, 27, None);
    let left = PairId {
        line: Some(Side::EastWest),
        number: PairNumber::new(1).expect("one"),
    };
    watch.change_room(|room| {
        let without = room.movement.with_withdrawn_pair(left, RoundNumber::FIRST);
        room.movement = without.expect("it may go").movement;
    });
    // East-West pair 1 would have been at table 2.
    let seating = watch.room().seating(table(2), round(2)).cloned();
    let seating = seating.expect("a table");
    assert_eq!(seating.ew, None);
    let id = LineId {
        board: seating.boards.iter().next().expect("a board"),
        round: round(2),
        table: table(2),
    };
    let line = |ew| Line {
        ns: seating.ns,
        ew,
        result: BoardResult::NotPlayed,
        stated: None,
        at: Moment(1000),
    };
    let raised = watch.result(id, line(None)).raised;
    assert!(raised.iter().all(|it| it.id.kind != Kind::PairMissing));
    let played = |ew| Line {
        result: played("1NT", Seat::North, "=", None),
        ..line(ew)
    };
    let raised = watch.result(id, played(None)).raised;
    let missing = raised.iter().find(|it| it.id.kind == Kind::PairMissing);
    let missing = missing.expect("somebody is missing");
    assert!(missing.sentence.contains("no East-West pair sits there"));
    let seat = Answer::SeatPairs {
        ns: seating.ns,
        ew: Some(left.number),
    };
    assert_eq!(missing.answers.first(), Some(&seat));
    let told = watch.result(id, played(Some(left.number)));
    assert!(told.cleared.contains(&missing.id));
}

#[test]
fn written_scores_are_judged_by_the_vulnerability_of_the_board() {
    let cases = [
        // Board 1: nobody is vulnerable. 620 is a vulnerable game.
        (1, 620, Some(WrittenFault::Vulnerability)),
        (1, 420, None),
        (2, 620, None),
        (1, -50, None),
        (1, 430, None),
        (1, 30, Some(WrittenFault::Impossible)),
        (1, 0, None),
    ];
    for (number, score, expected) in cases {
        let fault = judge_score(board(number), Score(score));
        assert_eq!(fault, expected, "board {number}: {score}");
    }
    let game = Contract::parse("4S", Seat::North).expect("a contract");
    let ten = Tricks::new(10).expect("ten");
    assert_eq!(
        judge_contract(board(1), game, ten, Score(620)),
        Some(WrittenFault::NotThisContract {
            gives: Score(420),
            other_vulnerability: true
        })
    );
}

#[test]
fn pads_of_two_tables_that_were_mixed_up_are_told_to_be_swapped() {
    let mut watch = watch(9, 27, None);
    let seen = |ns, ew| PairsSeen {
        ns: PairNumber::new(ns),
        ew: PairNumber::new(ew),
    };
    watch.pairs_seen(table(3), round(1), seen(5, 5));
    let change = watch.pairs_seen(table(5), round(1), seen(3, 3));
    let found: Vec<_> = watch.findings().map(|(finding, _)| finding).collect();
    assert_eq!(found.len(), 1, "{change:?}");
    assert_eq!(found[0].id.kind, Kind::PadsSwapped);
    assert_eq!(found[0].answers[0], Answer::SwapPads { with: table(5) });
}

/// Enters a result of board 1 at a table of a room without deals.
fn at_table(watch: &mut Watch, number: u16, result: BoardResult, stated: Option<i16>) {
    let id = LineId {
        board: board(1),
        round: round(1),
        table: table(number),
    };
    let line = Line {
        ns: PairNumber::new(number),
        ew: PairNumber::new(number),
        result,
        stated: stated.map(Score),
        at: Moment(1000),
    };
    watch.result(id, line);
}

fn signs(watch: &Watch) -> Vec<(u16, Answer)> {
    let all = watch.findings().map(|(finding, _)| finding);
    all.filter(|finding| finding.id.kind == Kind::SignAlone)
        .map(|finding| {
            let table = finding.id.table.expect("a table").get();
            (table, finding.answers[0].clone())
        })
        .collect()
}

#[test]
fn point_17_a_score_whose_sign_stands_alone_is_flagged_without_any_cards() {
    let mut watch = watch(9, 27, None);
    watch.change_room(|room| room.deals = crate::deals::Deals::default());
    for number in 1..=4 {
        at_table(
            &mut watch,
            number,
            played("4S", Seat::North, "=", None),
            None,
        );
    }
    // A contract that failed has a sign of its own, and nothing is wrong with it.
    at_table(&mut watch, 5, played("4S", Seat::South, "-1", None), None);
    assert_eq!(signs(&watch), []);
    at_table(&mut watch, 5, played("4S", Seat::East, "=", None), None);
    let declarer = Seat::North;
    assert_eq!(signs(&watch), [(5, Answer::ChangeDeclarer { declarer })]);
    // Put right, it goes.
    at_table(&mut watch, 5, played("4S", Seat::North, "=", None), None);
    assert_eq!(signs(&watch), []);
    // A score from paper has no contract, only a sign.
    let unknown = BoardResult::Adjusted {
        ns: protocol::words::Percentage::MIN,
        ew: protocol::words::Percentage::MIN,
    };
    at_table(&mut watch, 6, unknown, Some(-420));
    assert_eq!(signs(&watch), [(6, Answer::Visit { table: table(6) })]);
    at_table(&mut watch, 6, unknown, Some(420));
    assert_eq!(signs(&watch), []);
}

#[test]
fn a_skip_a_round_early_is_named_and_can_be_played_on() {
    let watch = watch(8, 24, Some(Variant::Skip));
    let mut room = watch.room().clone();
    let movement = room.movement.clone();
    // The skip is due after round 4; in round 4 everybody is a table too high.
    let skipped = round(4);
    let planned = movement.round(skipped).expect("round 4");
    for (at, seating) in planned.tables() {
        let lower = usize::from(at.get() + 6) % 8;
        let seen = PairsSeen {
            ns: seating.ns,
            ew: planned.seatings[lower].ew,
        };
        room.pairs_seen(at, skipped, seen);
    }
    let diagnosis = doctor::diagnose(&room, skipped).expect("a diagnosis");
    assert_eq!(diagnosis.mistake, Mistake::SkipEarly);
    let finding = &super::check_round(&room, skipped)[0];
    assert!(
        finding
            .sentence
            .starts_with("Round 4: East-West have skipped"),
        "{}",
        finding.sentence
    );
    assert!(matches!(finding.answers[0], Answer::Tell { .. }));
}

/// One piece of news of a small room in which anything may be entered anywhere.
fn some_news(watch: &mut Watch, random: &mut fastrand::Rng) {
    let (at, when) = (table(random.u16(1..=4)), round(random.u8(1..=4)));
    let id = LineId {
        board: board(random.u8(1..=12)),
        round: when,
        table: at,
    };
    let pair = |random: &mut fastrand::Rng| PairNumber::new(random.u16(0..=4));
    match random.u8(0..10) {
        0 => drop(watch.board_wanted(at, when, id.board)),
        1 => drop(watch.want_settled(at, when, id.board)),
        2 => drop(watch.taken_away(id)),
        3 => {
            let (ns, ew) = (pair(random), pair(random));
            watch.pairs_seen(at, when, PairsSeen { ns, ew });
        }
        _ => {
            let contract = ["4S", "3NT", "2HX", "5C"][random.usize(..4)];
            let declarer = Seat::from_index(random.u8(..4));
            let result = match random.u8(0..8) {
                0 => BoardResult::NotPlayed,
                1 => BoardResult::PassedOut,
                made => played(
                    contract,
                    declarer,
                    ["=", "-1", "-3"][usize::from(made % 3)],
                    None,
                ),
            };
            let line = Line {
                ns: pair(random),
                ew: pair(random),
                result,
                stated: None,
                at: Moment(random.u64(..5000)),
            };
            watch.result(id, line);
        }
    }
}

#[test]
fn who_watched_all_night_sees_what_somebody_sees_who_has_just_come() {
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut watch = watch(4, 12, None);
        for news in 0..60 {
            some_news(&mut watch, &mut random);
            watch.tick();
            let mut fresh = Watch::new(watch.room().clone(), CheckSettings::default());
            fresh.change_room(|_| {});
            fresh.tick();
            let all = |watch: &Watch| -> Vec<_> {
                let findings = watch.findings();
                findings.map(|(finding, _)| finding.clone()).collect()
            };
            assert_eq!(all(&watch), all(&fresh), "seed {seed}, news {news}");
        }
    }
}
