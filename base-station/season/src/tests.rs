mod brackets;

use std::collections::BTreeMap;

use protocol::words::SessionId;

use super::*;

const fn session(number: u32) -> SessionId {
    SessionId::new(number).expect("a session")
}

fn who(name: &str) -> PlayerKey {
    name.parse().expect("a player")
}

fn pair(names: &str) -> [PlayerKey; 2] {
    let (one, other) = names.split_once('+').expect("two players");
    [who(one), who(other)]
}

/// `Ann+Ben 61.5` on each line.
fn night(number: u32, lines: &str) -> Night {
    let lines: Vec<(&str, f64)> = lines
        .split(',')
        .map(|line| {
            line.trim()
                .rsplit_once(' ')
                .expect("a pair and a percentage")
        })
        .map(|(pair, percent)| (pair, percent.parse().expect("a percentage")))
        .collect();
    let of = u32::try_from(lines.len()).expect("a few");
    let lines = lines.iter().map(|(names, percent)| {
        let better = lines.iter().filter(|(_, other)| other > percent).count();
        NightLine {
            imps: None,
            players: pair(names).map(Some),
            percent: Some(hundredths(*percent)),
            vp: None,
            boards: 24,
            list: 0,
            rank: Some(u32::try_from(better + 1).expect("a few")),
            of,
        }
    });
    Night {
        session: session(number),
        tables: 4,
        lines: lines.collect(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a percentage")]
fn hundredths(percent: f64) -> Hundredths {
    Hundredths((percent * 100.0).round() as i32)
}

#[derive(Default)]
struct Club {
    nights: Vec<Night>,
    entries: BTreeMap<EntryNumber, Entry>,
    notes: BTreeMap<(SessionId, EntryNumber), Note>,
    handicaps: BTreeMap<PlayerKey, Hundredths>,
}

impl Club {
    fn playing(nights: &[&str]) -> Self {
        let nights = (1..).zip(nights).map(|(at, lines)| night(at, lines));
        Self {
            nights: nights.collect(),
            ..Self::default()
        }
    }

    fn enter(&mut self, pairs: &[&str]) {
        for (number, names) in (1..).zip(pairs) {
            let entry = Entry {
                players: pair(names),
                withdrawn: false,
                non_contending: false,
            };
            self.entries.insert(EntryNumber(number), entry);
        }
    }

    fn standing(&self, rules: &Rules) -> Vec<Line> {
        rules.check().expect("rules that make sense");
        let nights: Vec<&Night> = self.nights.iter().collect();
        Competition {
            rules,
            nights: &nights,
            entries: &self.entries,
            notes: &self.notes,
            handicaps: &self.handicaps,
        }
        .standing()
    }
}

/// `1 Ann+Ben 55.20` for each line; a dash for no place.
fn shown(lines: &[Line]) -> Vec<String> {
    let line = |line: &Line| {
        let place = line.place.map_or("-".to_owned(), |place| place.to_string());
        let names: Vec<String> = line.players.iter().map(PlayerKey::to_string).collect();
        format!("{place} {} {:.2}", names.join("+"), line.total.to_f64())
    };
    lines.iter().map(line).collect()
}

/// The worked examples of the regulations, by kind.
fn examples(kind: &str) -> Vec<serde_json::Value> {
    let all = include_str!("../../../tests/golden/examples.json");
    let all: Vec<serde_json::Value> = serde_json::from_str(all).expect("examples");
    all.into_iter().filter(|it| it["kind"] == kind).collect()
}

#[test]
fn a_substitute_may_not_raise_a_pair_above_its_average_nor_pull_it_below_nine_tenths_of_it() {
    let examples = examples("substitute");
    assert!(examples.len() >= 5);
    for example in examples {
        let number = |of: &str, key: &str| example[of][key].as_f64();
        let (Some(scored), Some(average), Some(counted)) = (
            number("input", "score_with_substitute"),
            number("input", "nominated_average"),
            number("expected", "counted"),
        ) else {
            continue;
        };
        let mut club =
            Club::playing(&[&format!("Ann+Ben {average}"), &format!("Ann+Zoe {scored}")]);
        club.enter(&["Ann+Ben"]);
        let rules = Rules {
            to_qualify: 0,
            own: 0,
            ..Rules::sabf_pairs(2)
        };
        let lines = club.standing(&rules);
        let cell = &lines[0].cells[1];
        assert_eq!(cell.played, Played::WithSubstitute(Some(who("Zoe"))));
        assert_eq!(cell.scored, Some(hundredths(scored)));
        assert_eq!(cell.counted, Some(hundredths(counted)), "{example}");
    }
}

#[test]
fn club_points_are_those_of_the_manuals_table() {
    let all = examples("masterpoints");
    let example = all
        .iter()
        .find(|it| it["id"] == "c_points")
        .expect("the table");
    let table = example["expected"]["table"].as_object().expect("a table");
    assert_eq!(table.len(), 14);
    for (size, expected) in table {
        let size: u32 = size.parse().expect("a number");
        let lines: Vec<String> = (0..size)
            .map(|at| format!("{}+{} {}", 2 * at + 1, 2 * at + 2, 70 - at))
            .collect();
        let mut evening = night(1, &lines.join(","));
        let points = |evening: &Night, player: u32| -> u64 {
            let all = club_points(evening).into_iter();
            let own = all.filter(|it| it.player == who(&player.to_string()));
            own.map(|it| u64::from(it.points)).sum()
        };
        let expected: Vec<u64> = expected
            .as_array()
            .expect("awards")
            .iter()
            .map(|it| it.as_u64().expect("points"))
            .collect();
        for at in 0..size {
            let own = usize::try_from(at).expect("a few");
            let award = expected.get(own).copied().unwrap_or(0);
            assert_eq!(
                points(&evening, 2 * at + 1),
                award,
                "{size} pairs, place {}",
                at + 1
            );
        }
        // Fewer than 20 deals are half of it, and one table awards nothing.
        evening.lines.iter_mut().for_each(|line| line.boards = 15);
        assert_eq!(points(&evening, 1), expected[0].div_ceil(2));
        evening.tables = 1;
        assert!(club_points(&evening).is_empty());
    }
}

#[test]
fn a_pair_that_represents_the_club_gets_its_average_and_one_nobody_excused_gets_nothing() {
    let mut club = Club::playing(&["Ann+Ben 58, Cem+Dora 50", "Cem+Dora 52, Xan+Yve 61"]);
    club.enter(&["Ann+Ben", "Cem+Dora"]);
    let rules = Rules {
        to_qualify: 1,
        own: 1,
        ..Rules::sabf_pairs(2)
    };
    let total = |club: &Club| club.standing(&rules)[0].total.to_f64();
    let first = (session(2), EntryNumber(1));
    let others = |excused| Note::PlayedBy {
        players: pair("Xan+Yve"),
        excused,
    };
    for (note, expected) in [
        (Note::Away(Absence::Representing), 116.0),
        (Note::Away(Absence::OtherChampionship), 58.0 + 52.2),
        (Note::Away(Absence::PlayOffsDay), 116.0),
        (others(true), 116.0),
    ] {
        club.notes.insert(first, note.clone());
        let got = total(&club);
        assert!((got - expected).abs() < 0.001, "{note:?}: {got}");
    }
    club.notes.insert(first, others(false));
    assert_eq!(
        shown(&club.standing(&rules)),
        ["1 Cem+Dora 102.00", "2 Ann+Ben 58.00"]
    );
}

#[test]
fn a_place_needs_three_quarters_of_the_sessions_and_more_than_half_of_them_without_substitutes() {
    let nights: Vec<String> = (0..6)
        .map(|at| {
            let first = if at < 3 { "Ann+Ben 60" } else { "Ann+Zoe 60" };
            let second = if at == 5 {
                "Uli+Vera 50"
            } else {
                "Cem+Dora 50"
            };
            let third = if at < 4 { "Eva+Finn 55" } else { "Kim+Lea 55" };
            format!("{first}, {second}, {third}")
        })
        .collect();
    let nights: Vec<&str> = nights.iter().map(String::as_str).collect();
    let mut club = Club::playing(&nights);
    club.enter(&["Ann+Ben", "Cem+Dora", "Eva+Finn"]);
    let lines = club.standing(&Rules::sabf_pairs(6));
    assert_eq!(shown(&lines)[0], "1 Cem+Dora 250.00");
    assert_eq!(lines[1].players, pair("Ann+Ben"));
    assert_eq!(lines[1].status, Status::Out(Why::TooFewOwn));
    assert_eq!(lines[2].status, Status::Out(Why::TooFew));
}

#[test]
fn somebody_who_sits_in_for_one_pair_while_another_pair_claims_them_is_put_to_the_director() {
    let mut club = Club::playing(&["Ann+Cem 60, Ben+Zoe 40", "Ann+Ben 50, Cem+Dora 55"]);
    club.enter(&["Ann+Ben", "Cem+Dora"]);
    let rules = Rules {
        to_qualify: 1,
        own: 1,
        ..Rules::sabf_pairs(2)
    };
    let of = |lines: &[Line], names: &str| {
        let found = lines.iter().find(|line| line.players == pair(names));
        found.expect("a line").cells[0].played.clone()
    };
    let lines = club.standing(&rules);
    assert_eq!(of(&lines, "Ann+Ben"), Played::Unclear);
    assert_eq!(of(&lines, "Cem+Dora"), Played::Unclear);
    let note = Note::PlayedBy {
        players: pair("Ben+Zoe"),
        excused: false,
    };
    club.notes.insert((session(1), EntryNumber(1)), note);
    let lines = club.standing(&rules);
    assert_eq!(
        of(&lines, "Ann+Ben"),
        Played::WithSubstitute(Some(who("Zoe")))
    );
}

#[test]
fn a_ladder_six_five_five_drops_the_weakest_of_six_and_lists_whoever_played_five() {
    let club = Club::playing(&[
        "Ann+Ben 50, Cem+Dora 60",
        "Ann+Ben 51, Cem+Dora 60",
        "Ann+Ben 52, Cem+Dora 60",
        "Ann+Ben 53, Cem+Dora 60",
        "Ann+Ben 54",
        "Ben+Ann 20",
    ]);
    let rules = Rules::ladder(Contestants::Pairs, 6, 5, 5);
    let lines = club.standing(&rules);
    assert_eq!(shown(&lines), ["1 Ann+Ben 52.00", "- Cem+Dora 60.00"]);
    assert!(!lines[0].cells[5].in_total);
    assert_eq!(lines[1].status, Status::Out(Why::TooFew));
}

#[test]
fn in_the_middle_of_a_ladder_everybody_reads_what_they_still_need() {
    let club = Club::playing(&["Ann+Ben 50, Cem+Dora 60", "Ann+Ben 52"]);
    let rules = Rules::ladder(Contestants::Pairs, 4, 3, 3);
    let lines = club.standing(&rules);
    let status: Vec<(&Status, Option<u32>)> = lines
        .iter()
        .map(|line| (&line.status, line.place))
        .collect();
    assert_eq!(
        status,
        [(&Status::Needs(2), None), (&Status::Needs(1), None)]
    );
    let gone = Rules::ladder(Contestants::Pairs, 3, 3, 3);
    assert_eq!(club.standing(&gone)[1].status, Status::Out(Why::TooFew));
}

#[test]
fn who_kept_one_partner_over_three_nights_is_out_where_partners_have_to_change() {
    let club = Club::playing(&[
        "Ann+Ben 60, Cem+Dora 50",
        "Ann+Cem 55, Ben+Dora 45",
        "Ann+Ben 50, Cem+Eva 40, Uli+Vera 70",
    ]);
    let rules = Rules {
        partners: Partners::MustChange,
        ..Rules::ladder(Contestants::Players, 3, 3, 3)
    };
    let lines = club.standing(&rules);
    assert_eq!(
        shown(&lines)[..3],
        ["1 Ann 55.00", "2 Ben 51.67", "3 Cem 48.33"]
    );
    let together = Club::playing(&["Ann+Ben 60", "Ann+Ben 55", "Ann+Ben 50"]);
    for line in together.standing(&rules) {
        assert_eq!(line.status, Status::Out(Why::OnePartner), "{line:?}");
    }
    let begun = Club::playing(&["Ann+Ben 60", "Ann+Ben 55"]);
    let early = Rules {
        to_qualify: 2,
        ..rules
    };
    assert_eq!(begun.standing(&early)[0].status, Status::NeedsPartner);
}

#[test]
fn where_each_partner_counts_once_only_the_best_session_with_each_is_taken() {
    let club = Club::playing(&["Ann+Ben 50", "Ann+Ben 60", "Ann+Cem 40"]);
    let rules = Rules {
        partners: Partners::OnceEach,
        ..Rules::ladder(Contestants::Players, 3, 2, 2)
    };
    let lines = club.standing(&rules);
    let ann = lines.iter().find(|line| line.players == [who("Ann")]);
    let ann = ann.expect("a line");
    assert_eq!(ann.total, Hundredths::whole(50));
    assert_eq!(ann.cells[0].played, Played::SamePartner);
}

#[test]
fn a_handicap_turns_the_ranking_round_and_the_raw_one_stands_beside_it() {
    let mut club = Club::playing(&["1+2 60, 3+4 48"]);
    for (player, handicap) in [("1", -9), ("2", -6), ("3", 9), ("4", 9)] {
        let handicap = Hundredths::whole(handicap);
        club.handicaps.insert(who(player), handicap);
    }
    let rules = Rules {
        handicap: true,
        ..Rules::ladder(Contestants::Pairs, 1, 1, 1)
    };
    let lines = club.standing(&rules);
    assert_eq!(shown(&lines), ["1 3+4 57.00", "2 1+2 52.50"]);
    assert_eq!(lines[1].raw, (Hundredths::whole(60), Some(1)));
}

#[test]
fn sums_within_three_hundredths_of_the_best_are_level_and_separated_in_the_regulations_order() {
    let mut club = Club::playing(&[
        "Ann+Ben 61, Cem+Dora 55, Eva+Finn 55.5",
        "Ann+Ben 49, Cem+Dora 54.98, Eva+Finn 54.46",
    ]);
    club.enter(&["Cem+Dora", "Eva+Finn", "Ann+Ben"]);
    let lines = club.standing(&Rules::sabf_pairs(2));
    // 110.00, 109.98 and 109.96: the last is 0.04 from the first.
    assert_eq!(
        shown(&lines),
        ["1 Ann+Ben 110.00", "2 Cem+Dora 109.98", "3 Eva+Finn 109.96"]
    );
    assert_eq!(lines[1].decided_by, Some(TieStep::Above(60)));
    assert_eq!(lines[2].decided_by, None);
}

#[test]
fn a_pair_wins_its_category_and_every_stratum_it_reaches() {
    let club = Club::playing(&["1+2 60, 3+4 55, 5+6 50, 1+2 60"]);
    let lines = club.standing(&Rules::ladder(Contestants::Pairs, 1, 1, 1));
    let mut groups = Groups {
        kind: GroupKind::Strata,
        names: vec!["A".to_owned(), "B".to_owned()],
        of: ["3", "4", "5", "6"].map(|player| (who(player), 1)).to_vec(),
    };
    let lists = group_lists(&lines, &groups);
    assert_eq!(lists[0].places, [(1, 0), (2, 1), (3, 2)]);
    assert_eq!(lists[1].places, [(1, 1), (2, 2)]);
    groups.kind = GroupKind::Categories;
    groups.of.pop();
    let lists = group_lists(&lines, &groups);
    assert_eq!(lists[1].places, [(1, 1)]);
}

#[test]
fn handicaps_come_from_the_mean_of_a_period_within_their_scale() {
    let nights = [night(1, "1+2 72, 3+4 46.4"), night(2, "1+3 55, 2+4 45")];
    let nights: Vec<&Night> = nights.iter().collect();
    let scale = Scale {
        most: Hundredths::whole(9),
        step: Hundredths::whole(1),
        sessions: 2,
    };
    let got: Vec<(String, i32)> = worked_out(&nights, scale)
        .iter()
        .map(|it| (it.player.to_string(), it.handicap.0))
        .collect();
    let expected = [("1", -900), ("2", -800), ("3", -100), ("4", 400)];
    assert_eq!(got, expected.map(|(who, it)| (who.to_owned(), it)));
}

#[test]
fn a_year_has_every_session_with_partner_place_and_club_points() {
    let nights = [
        night(1, "Ann+Ben 60, Cem+Dora 50, Eva+Finn 40, Gil+Hal 30"),
        night(2, "Ann+Cem 48, Ben+Dora 52, Eva+Finn 55, Gil+Hal 45"),
    ];
    let nights: Vec<&Night> = nights.iter().collect();
    let year = year(&who("Ann"), &nights);
    assert_eq!(year.mean, Some(Hundredths::whole(54)));
    assert_eq!((year.best, year.points), (Some(Hundredths::whole(60)), 40));
    let partners: Vec<_> = year.lines.iter().map(|line| line.partner.clone()).collect();
    assert_eq!(partners, [Some(who("Ben")), Some(who("Cem"))]);
    assert_eq!(year.lines[1].rank, Some(3));
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let usual = Rules::ladder(Contestants::Pairs, 6, 5, 5);
    let refused = [
        Rules {
            sessions: 0,
            ..usual
        },
        Rules {
            to_count: 0,
            ..usual
        },
        Rules {
            to_count: 7,
            ..usual
        },
        Rules {
            to_qualify: 7,
            ..usual
        },
        Rules { own: 6, ..usual },
        Rules {
            partners: Partners::MustChange,
            ..usual
        },
        Rules {
            measure: Measure::VictoryPoints,
            handicap: true,
            ..usual
        },
        Rules {
            measure: Measure::VictoryPoints,
            ..Rules::sabf_pairs(6)
        },
        Rules {
            level_within: Hundredths(101),
            ..usual
        },
    ];
    for rules in refused {
        assert!(rules.check().is_err(), "{rules:?}");
    }
    for text in ["", " ", "0", "99999999999999999999"] {
        assert!(text.parse::<PlayerKey>().is_err(), "{text:?}");
    }
    assert_eq!("00123".parse(), Ok(who("123")));
}
