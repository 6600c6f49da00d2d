//! What a program sets up, what it hears, and what it is told that it can't have.

use protocol::words::{
    BoardNumber, BoardResult, Contract, PairNumber, Percentage, Played, RoundNumber, Score, Seat,
    SectionLetter, Side, TableNumber, Tricks,
};
use serde_json::{Value, json};

use super::{Base, EVENT, GUID, init, section};
use crate::connector::{losses, waiting};
use crate::session::plan::{Partner, PenaltyAmount, Ruling, SideAward};
use crate::session::{Cell, Command, PairId, Phase, TableId};

pub(super) fn cell(section: char, table: u16, round: u8, board: u8) -> Cell {
    let table = TableId {
        section: SectionLetter::new(section).expect("a letter"),
        table: TableNumber::new(table).expect("a table"),
    };
    let round = RoundNumber::new(round).expect("a round");
    Cell::new(table, round, BoardNumber::new(board).expect("a board"))
}

pub(super) fn played(text: &str, declarer: Seat, tricks: u8) -> Ruling {
    Ruling::Result(BoardResult::Played(Played {
        contract: Contract::parse(text, declarer).expect("a contract"),
        tricks: Tricks::new(tricks).expect("tricks"),
        lead: None,
    }))
}

fn rule(base: &mut Base, cell: Cell, ruling: Ruling) {
    let why = "seen at the table".to_owned();
    base.direct(Command::Rule { cell, ruling, why });
}

#[test]
fn what_was_not_accepted_comes_again_even_after_a_kill() {
    let mut base = Base::playing();
    assert_eq!(base.session().phase, Phase::Open);
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::South, 10));
    let first = base.ask_about(19, GUID, "");
    base.restart();
    let again = base.ask_about(19, GUID, "");
    assert_eq!(first.data, again.data);
    assert_eq!(first.data.as_array().map(Vec::len), Some(1));
    // Something new has come before the program accepts what it knows.
    rule(&mut base, cell('A', 1, 1, 6), played("3NT", Seat::West, 9));
    assert_eq!(base.ask(27, &json!(first.last)).kind, 1);
    base.restart();
    let rest = base.results();
    let boards: Vec<&Value> = rest.iter().map(|it| &it["BoardNumber"]).collect();
    assert_eq!(boards, [&json!(6)]);
    assert_eq!(base.results(), Vec::<Value>::new());
    // Everything can be asked for again, and an older number changes nothing.
    assert_eq!(base.ask(27, &json!(first.last)).kind, 1);
    let all = base.ask_about(23, GUID, "");
    assert_eq!(all.data.as_array().map(Vec::len), Some(2));
    let ahead = base.ask(27, &json!(1_000_000));
    assert_eq!((ahead.kind, ahead.error), (4, 5), "{ahead:?}");
}

#[test]
fn corrections_deletions_and_undoing_come_as_the_vendors_program_says_them() {
    let mut base = Base::playing();
    let at = cell('A', 2, 1, 7);
    rule(&mut base, at, played("4HX", Seat::East, 8));
    let one = base.results().pop().expect("a result");
    assert_eq!(
        (
            &one["Level"],
            &one["Denomination"],
            &one["Stake"],
            &one["TotalTricks"]
        ),
        (&json!(4), &json!(3), &json!(1), &json!(8))
    );
    assert_eq!(one["DeclaringPair"], one["PairEastWest"]);
    rule(&mut base, at, Ruling::TakenAway);
    let change = base.state().seq;
    let gone = base.results().pop().expect("a deletion");
    assert_eq!(
        (&gone["IsDeleted"], &gone["BoardNumber"]),
        (&json!(true), &json!(7))
    );
    base.direct(Command::Undo {
        change,
        why: String::new(),
    });
    assert_eq!(base.results(), [one]);
    // Heard, taken away before it was accepted: the program must not keep it.
    let other = cell('A', 2, 1, 8);
    rule(&mut base, other, played("1C", Seat::East, 7));
    assert_eq!(
        base.ask_about(19, GUID, "").data.as_array().map(Vec::len),
        Some(1)
    );
    rule(&mut base, other, Ruling::TakenAway);
    base.restart();
    let gone = base.results();
    assert_eq!((gone.len(), &gone[0]["IsDeleted"]), (1, &json!(true)));
    assert_eq!(base.results(), Vec::<Value>::new());
}

#[test]
fn averages_have_their_numbers_and_other_awards_are_named_as_lost() {
    let mut base = Base::playing();
    let percent = |value| SideAward::Percent(Percentage::whole(value).expect("a percentage"));
    let at = cell('A', 1, 1, 5);
    let awards = [
        (SideAward::AverageMinus, SideAward::AverageMinus, -1),
        (SideAward::AverageMinus, SideAward::AveragePlus, -3),
        (SideAward::Average, percent(40), -4),
        (SideAward::AveragePlus, SideAward::AverageMinus, -7),
        (percent(60), percent(60), -9),
    ];
    for (ns, ew, level) in awards {
        rule(&mut base, at, Ruling::Award { ns, ew });
        let heard = base.results().pop().expect("it comes");
        assert_eq!(heard["Level"], level);
    }
    rule(&mut base, at, Ruling::Result(BoardResult::NotPlayed));
    assert_eq!(base.results().pop().expect("it comes")["Level"], -10);
    let split = Ruling::Award {
        ns: SideAward::Score(Score(420)),
        ew: SideAward::Score(Score(-50)),
    };
    rule(&mut base, at, split);
    let heard = base.results().pop().expect("it comes");
    assert_eq!(
        heard["IsDeleted"], true,
        "the program must not keep the old one"
    );
    base.direct(Command::Penalise {
        pair: PairId {
            section: SectionLetter::A,
            side: Some(Side::NorthSouth),
            number: PairNumber::new(1).expect("a pair"),
        },
        amount: PenaltyAmount::Warning,
        why: "late".to_owned(),
        public: false,
    });
    let losses = losses(base.state());
    assert_eq!(losses.len(), 2, "{losses:#?}");
    assert!(
        losses[0].to_string().starts_with("Board 5 at table A1: "),
        "{losses:#?}"
    );
}

#[test]
fn what_the_program_sends_does_not_come_back_and_can_be_sent_twice() {
    let mut base = Base::playing();
    let score = json!([{"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1,
        "RoundNumber": 1, "BoardNumber": 5, "ScoringDirection": 3, "PairNorthSouth": 1,
        "PairEastWest": 1, "DeclaringPair": 1, "DeclarerDirection": 1, "Level": 4,
        "Denomination": 4, "TotalTricks": 10, "LeadCardRank": 13, "LeadCardSuit": 3}]);
    for _ in 0..2 {
        assert_eq!(base.ask(10, &score).kind, 1);
    }
    let records = base.state().seq;
    assert_eq!(base.ask(10, &score).kind, 1);
    assert_eq!(base.state().seq, records, "the same again is no change");
    assert_eq!(base.results(), Vec::<Value>::new());
    let all = base.ask_about(23, GUID, "");
    assert_eq!(all.data[0]["LeadCardRank"], 13);
    // The director knows better, and the program hears of it.
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::North, 9));
    assert_eq!(base.results()[0]["TotalTricks"], 9);
    // And takes it away.
    let gone = json!([{"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1,
        "RoundNumber": 1, "BoardNumber": 5, "IsDeleted": true}]);
    assert_eq!(base.ask(10, &gone).kind, 1);
    assert!(base.session().lines.values().all(|line| !line.is_in()));
}

#[test]
fn pairs_that_sat_the_other_way_round_are_told_by_their_declarer() {
    let mut base = Base::new();
    base.ask(5, &init(&[section("A", 1, 1)]));
    let at = cell('A', 1, 1, 5);
    rule(&mut base, at, played("2S", Seat::North, 8));
    let straight = base.results().pop().expect("it comes");
    assert_eq!(straight["DeclaringPair"], straight["PairNorthSouth"]);
    let why = String::new();
    base.direct(Command::TurnLine { cell: at, why });
    let turned = base.results().pop().expect("it comes");
    assert_eq!(turned["PairNorthSouth"], straight["PairNorthSouth"]);
    assert_eq!(turned["DeclarerDirection"], 1);
    assert_eq!(turned["DeclaringPair"], turned["PairEastWest"]);
    // The same said by the program: nothing changes.
    let before = base.session().lines.get(&at).cloned();
    assert_eq!(base.ask(10, &json!([turned])).kind, 1);
    assert_eq!(base.session().lines.get(&at).cloned(), before);
    assert_eq!(base.ask(10, &json!([straight])).kind, 1);
    let line = base.session().lines.get(&at).expect("a line");
    assert_eq!(line.ns.map(|pair| pair.number.get()), Some(1));
}

#[test]
fn a_movement_that_changes_keeps_what_was_played_and_names_what_changed() {
    let mut base = Base::playing();
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::South, 10));
    base.results();
    let mut update = section("A", 1, 2);
    update["ScoringGroupScoringMethod"] = json!(10);
    for table in update["Tables"].as_array_mut().expect("tables") {
        let rounds = table["Rounds"].as_array_mut().expect("rounds");
        rounds.remove(0);
        let mut fourth = rounds[0].clone();
        fourth["RoundNumber"] = json!(4);
        rounds.push(fourth);
    }
    let answer = base.ask(6, &update);
    assert_eq!((answer.kind, answer.error), (14, 0), "{answer:?}");
    let tables = answer.data["Tables"].as_array().expect("tables");
    for table in tables {
        let rounds: Vec<&Value> = (table["Rounds"].as_array().expect("rounds").iter())
            .map(|round| &round["RoundNumber"])
            .collect();
        assert_eq!(rounds, [&json!(4)]);
    }
    let there = base.ask_about(32, GUID, &json!({"Letters": "A"}).to_string());
    assert_eq!(
        there.data["Tables"][0]["Rounds"].as_array().map(Vec::len),
        Some(4)
    );
    assert_eq!(base.session().lines.len(), 1);
    assert_eq!(base.results(), Vec::<Value>::new());
    // The same again changes nothing.
    let seq = base.state().seq;
    assert_eq!(base.ask(6, &update).kind, 14);
    assert_eq!(base.state().seq, seq);
    // A section with results stays, one without goes.
    let gone = json!({"SessionGuid": GUID, "Letters": "A", "IsDeleted": true});
    assert_eq!(base.ask(6, &gone).error, 4);
    let mut added = section("B", 2, 2);
    added["ScoringGroupScoringMethod"] = json!(10);
    assert_eq!(base.ask(6, &added).kind, 14);
    assert_eq!(base.session().sections.len(), 2);
    let gone = json!({"SessionGuid": GUID, "Letters": "B", "IsDeleted": true});
    assert_eq!(base.ask(6, &gone).kind, 1);
    assert_eq!(base.session().sections.len(), 1);
}

#[test]
fn sections_with_several_letters_and_added_sessions_find_their_results_again() {
    let mut base = Base::new();
    let done = base.ask(5, &init(&[section("AA", 1, 2), section("B", 2, 2)]));
    assert_eq!(
        done.data,
        "the event is set up; section AA is called A on the pads"
    );
    let other = "00000000000000000000000000000001";
    let text = init(&[section("C", 3, 2)]).to_string().replace(GUID, other);
    let mut more: Value = serde_json::from_str(&text).expect("JSON");
    let session = more["Sessions"][0].take();
    let add = json!({"EventGuid": EVENT, "Session": session, "PlayerData": []});
    let done = base.ask_about(7, EVENT, &add.to_string());
    assert_eq!((done.kind, done.error), (1, 0), "{done:?}");
    assert_eq!(base.session().sections.len(), 3);
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::South, 10));
    rule(&mut base, cell('C', 1, 1, 5), played("5S", Seat::South, 10));
    let heard = base.results();
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0]["SectionLetters"], "AA");
    let there = base.ask_about(19, other, "");
    assert_eq!(there.data[0]["SectionLetters"], "C");
    assert_eq!(there.data[0]["Level"], 5);
    let unknown = base.ask_about(19, "00000000000000000000000000000009", "");
    assert_eq!((unknown.kind, unknown.error), (4, 6));
}

#[test]
fn an_event_is_set_up_once_and_goes_on_after_another_one() {
    let mut base = Base::playing();
    let first = base.session().id;
    let again = base.ask(5, &init(&[section("A", 1, 2)]));
    assert_eq!(again.data, "the event is there already");
    assert_eq!(base.session().id, first);
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::South, 10));
    // With results in it the same event is a new evening, and the old one stays in the calendar.
    assert_eq!(base.ask(5, &init(&[section("A", 1, 2)])).kind, 1);
    assert_ne!(base.session().id, first);
    assert_eq!(base.state().club.sessions.len(), 2);
    assert_eq!(base.state().club.events.len(), 1);
    base.direct(Command::CreateEvent {
        name: "Another".to_owned(),
        date: "2026-11-17".to_owned(),
        title: String::new(),
    });
    let lost = base.ask_about(19, GUID, "");
    assert_eq!((lost.kind, lost.error), (4, 6), "{lost:?}");
    let on = base.ask(31, &json!({"EventGuid": EVENT, "Commands": 5}));
    assert_eq!((on.kind, on.error), (1, 0), "{on:?}");
    assert_eq!(base.results(), Vec::<Value>::new());
    // An evening that was set up by hand is not pushed aside once it has results.
    let plan = base.session().sections.get(&SectionLetter::A).cloned();
    let plan = crate::session::plan::SectionPlan {
        colour: String::new(),
        movement: "by hand".to_owned(),
        one_winner: false,
        sittings: plan
            .expect("a section")
            .sittings
            .values()
            .cloned()
            .collect(),
        announcements: Vec::new(),
    };
    let event = base.state().club.next_session();
    base.direct(Command::ChooseSession {
        session: protocol::words::SessionId::new(event.get() - 1).expect("the last one"),
    });
    let section_a = SectionLetter::A;
    base.direct(Command::PlanSection {
        section: section_a,
        plan,
    });
    base.direct(Command::Open);
    rule(&mut base, cell('A', 1, 1, 5), played("4S", Seat::South, 10));
    let busy = base.ask(5, &init(&[section("A", 1, 2)]));
    assert_eq!((busy.kind, busy.error), (4, 1), "{busy:?}");
    let never = base.ask(31, &json!({"EventGuid": GUID}));
    assert_eq!((never.kind, never.error), (4, 6));
}

#[test]
fn names_seats_cards_and_settings_are_taken_and_the_bases_own_come_back() {
    let mut base = Base::new();
    let mut event = init(&[section("A", 1, 2)]);
    event["PlayerData"] = json!([
        {"SessionGuid": GUID, "PlayerNumber": "0017", "FirstName": "Ada", "LastName": "North"},
        {"SessionGuid": GUID, "PlayerNumber": "X1", "FirstName": "", "LastName": "Guest"}]);
    event["Participations"] = json!([
        {"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1, "Direction": 1,
         "RoundNumber": 0, "PlayerNumber": "0017"},
        {"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1, "Direction": 3,
         "RoundNumber": 1, "FirstName": "Bo", "LastName": "South"}]);
    event["Bridgemate3Settings"] = json!([{"SessionGuid": GUID, "SectionLetters": "A",
        "BM3PINcode": "1111", "BM3LeadCardEntry": 1, "BM3ViewResults": 2, "BM3Language": 3,
        "BM3ResultMethod": 1, "BM3PlayerNumberEntry": 1, "BM3ScreenBrightness": 5}]);
    let done = base.ask(5, &event);
    assert_eq!((done.kind, done.error), (1, 0), "{done:?}");
    let notes = done.data.as_str().expect("a sentence");
    assert!(notes.contains("player number X1 can't be typed"), "{notes}");
    assert!(notes.contains("PIN on the pads stays"), "{notes}");
    let settings = base.session().settings;
    assert_eq!(settings.lead, protocol::message::LeadEntry::Required);
    assert_eq!(settings.language, protocol::message::Language::German);
    // Its own names are no news.
    let nothing = json!([]);
    assert_eq!(base.ask_about(21, GUID, "").data, nothing);
    assert_eq!(base.ask_about(20, GUID, "").data, nothing);
    // What people say at the base is.
    let pair = PairId {
        section: SectionLetter::A,
        side: Some(Side::EastWest),
        number: PairNumber::new(1).expect("a pair"),
    };
    base.direct(Command::NamePlayer {
        pair,
        partner: Partner::Second,
        number: None,
        name: "Cy De West".to_owned(),
        from: RoundNumber::FIRST,
        digits: 0,
    });
    let seats = base.ask_about(21, GUID, "");
    assert_eq!(seats.data.as_array().map(Vec::len), Some(1));
    let seat = &seats.data[0];
    assert_eq!(
        (&seat["Direction"], &seat["LastName"]),
        (&json!(4), &json!("West"))
    );
    assert_eq!(base.ask(29, &json!(seats.last)).kind, 1);
    assert_eq!(base.ask_about(21, GUID, "").data, nothing);
    base.direct(Command::RenameMember {
        number: "17".parse().expect("a number"),
        name: "Ada Northern".to_owned(),
    });
    let players = base.ask_about(20, GUID, "");
    assert_eq!(players.data[0]["PlayerNumber"], "0017");
    assert_eq!(players.data[0]["LastName"], "Northern");
    assert_eq!(
        waiting(base.state(), &mut crate::connector::Memory::default())[1].1,
        1
    );
    // Cards: each suit with one hand.
    let whole = "AKQJT98765432";
    let hand = json!([{"SessionGuid": GUID, "ScoringGroupNumber": 1, "SectionLetters": "A",
        "BoardNumber": 5, "NorthClubs": whole, "EastDiamonds": whole, "SouthHearts": whole,
        "WestSpades": whole}]);
    assert_eq!(base.ask(13, &hand).kind, 1);
    assert_eq!(base.session().deals.len(), 1);
    assert_eq!(base.ask_about(22, GUID, "").data, nothing);
    let all = base.ask_about(26, GUID, "");
    assert_eq!(all.data[0]["SouthHearts"], whole);
    // Nothing is lost by clearing, and nothing waits.
    assert_eq!(base.ask_about(35, "", "").kind, 1);
    assert!(
        waiting(base.state(), &mut crate::connector::Memory::default())
            .iter()
            .all(|(_, items)| *items == 0)
    );
}

#[test]
fn what_has_no_meaning_here_is_said_so() {
    let mut base = Base::playing();
    for command in [34, 2, 9, 16, 17, 18, 40, 77, -1] {
        let answer = base.ask(command, &json!({}));
        assert_eq!(answer.kind, 4, "{command}");
        assert!(matches!(answer.error, 8 | 13), "{command}: {answer:?}");
    }
    let mut individual = section("C", 9, 1);
    individual["GameType"] = json!(20);
    let answer = base.ask(5, &init(&[individual]));
    assert_eq!((answer.kind, answer.error), (4, 8), "{answer:?}");
    let seq = base.state().seq;
    // Of a list with one wrong result nothing is taken.
    let right = json!({"SessionGuid": GUID, "SectionLetters": "A", "TableNumber": 1,
        "RoundNumber": 1, "BoardNumber": 5, "ScoringDirection": 3, "PairNorthSouth": 1,
        "PairEastWest": 1, "DeclaringPair": 1, "Level": 0});
    let mut wrong = right.clone();
    wrong["BoardNumber"] = json!(99);
    let answer = base.ask(10, &json!([right, wrong]));
    assert_eq!(answer.kind, 4, "{answer:?}");
    assert_eq!(base.state().seq, seq);
}
