//! Sessions that go out to other programs and come back.

mod rooms;

use std::collections::BTreeMap;

use super::import::{read, session_file};
use super::{About, Evening, Format, export};
use crate::session::{Club, Moment, PairId, Session, State};
use crate::store::replay_archive;
use rooms::{Room, Sayable, random};

fn about() -> About {
    About {
        club: "Bridge & Tea".to_owned(),
        club_number: "0042".to_owned(),
        ..About::default()
    }
}

fn file(format: Format, state: &State, session: &Session) -> Vec<u8> {
    export(format, state, session, &about()).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A database of table terminals in which people are named.
pub(super) fn bws_with_names() -> Vec<u8> {
    let mut room = Room::mitchell(3, 6);
    room.name("A1NS", ["Ann North", "Sam South"], [Some(12), Some(13)]);
    room.passed_out(1, 1, 2);
    let (state, session) = room.known();
    file(Format::Bws, state, session)
}

/// How many sessions go out and come back: `BYESTAND_ROUND_TRIPS=200` for the full number.
fn round_trips() -> u64 {
    let wanted = std::env::var("BYESTAND_ROUND_TRIPS").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(12)
}

/// Rank and points of every pair.
fn ranking(session: &Session) -> BTreeMap<PairId, (u32, crate::scoring::Points)> {
    let lists = session.standings().lists;
    let places = lists.iter().flat_map(|list| &list.places);
    places
        .map(|place| (place.pair, (place.rank.unwrap_or_default(), place.points)))
        .collect()
}

fn taken_in(bytes: &[u8]) -> Session {
    let taken = read(bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(taken.notes.is_empty(), "{:?}", taken.notes);
    let file = session_file(&taken, Moment(0)).unwrap_or_else(|refusal| panic!("{refusal}"));
    let id = protocol::words::SessionId::MIN;
    replay_archive(&mut file.as_slice(), id).expect("a session")
}

#[test]
fn a_session_that_goes_out_and_comes_back_has_the_same_ranking() {
    for seed in 0..round_trips() {
        let room = random(seed, Sayable::Yes);
        let (state, session) = room.known();
        for format in [Format::Usebio, Format::UsebioMyabf, Format::Pbn] {
            // PBN has no place for penalties.
            if format == Format::Pbn && !session.penalties.is_empty() {
                continue;
            }
            let back = taken_in(&file(format, state, session));
            assert_eq!(ranking(&back), ranking(session), "{format:?}, seed {seed}");
            let results =
                |session: &Session| session.lines.values().filter(|it| it.is_in()).count();
            assert_eq!(results(&back), results(session), "{format:?}, seed {seed}");
            assert_eq!(back.deals, session.deals, "{format:?}, seed {seed}");
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_said_before() {
    let mut said = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let room = random(seed, Sayable::NotAll);
        let (state, session) = room.known();
        let evening = Evening::of(&state.club, session);
        for format in Format::ALL {
            // A PDF says all, and takes its time.
            if format != Format::Pdf || seed == 0 {
                file(format, state, session);
            }
            for loss in evening.losses(format) {
                let loss = loss.to_string();
                let (_, about) = loss.split_once(": ").unwrap_or(("", loss.as_str()));
                said.insert(about.to_owned());
            }
        }
    }
    for expected in [
        "a weighted score is written as the percentage it came to.",
        "a split score is written as the percentages it came to.",
        "average plus and minus are written as 60% and 40%.",
        "a board that was not played is left out.",
        "an awarded percentage is rounded to whole percents below 100.",
        "its penalty is in its total only.",
        "only those who began are named, not who played for them later.",
        "Tables and rounds are not in this file.",
        "The cards are not in this file.",
    ] {
        assert!(said.contains(expected), "{expected} among {said:#?}");
    }
}

#[test]
fn a_travellers_line_is_written_as_each_program_reads_it() {
    let mut room = Room::mitchell(3, 6);
    room.name("A1NS", ["Ann <North>", "Sam"], [Some(12), None]);
    room.result((1, 1, 1), ["4SX", "S", "10", "HK"]);
    room.result((2, 1, 3), ["3NT", "E", "8", ""]);
    room.passed_out(1, 1, 2);
    let (state, session) = room.known();
    let text = |format| String::from_utf8(file(format, state, session)).expect("text");
    let usebio = text(Format::Usebio);
    let flat = usebio.replace('\n', "");
    assert!(usebio.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    for part in [
        "<!DOCTYPE USEBIO SYSTEM \"http://www.ebu.co.uk/usebio/usebio_v1_2.dtd\">",
        "<CLUB_NAME>Bridge &amp; Tea</CLUB_NAME><CLUB_ID_NUMBER>0042</CLUB_ID_NUMBER>",
        "<EVENT EVENT_TYPE=\"PAIRS\">",
        "<DATE>16/11/2026</DATE>",
        "<WINNER_TYPE>2</WINNER_TYPE>",
        "<PAIR_NUMBER>1NS</PAIR_NUMBER><DIRECTION>NS</DIRECTION>",
        "<PLAYER_NAME>Ann &lt;North&gt;</PLAYER_NAME><NATIONAL_ID_NUMBER>12</NATIONAL_ID_NUMBER>",
        "<CONTRACT>4SX</CONTRACT><PLAYED_BY>S</PLAYED_BY><LEAD>KH</LEAD><TRICKS>10</TRICKS><SCORE>590</SCORE>",
        "<CONTRACT>PASS</CONTRACT><SCORE>0</SCORE>",
    ] {
        assert!(flat.contains(part), "{part} in {flat}");
    }
    assert!(text(Format::UsebioMyabf).contains("<EVENT EVENT_TYPE=\"MP_PAIRS\">"));
    let pbn = text(Format::Pbn);
    assert!(pbn.contains("[Date \"2026.11.16\"]"), "{pbn}");
    assert!(pbn.contains("4SX S 10 HK 590 -590"), "{pbn}");
    let nz = text(Format::NzXml);
    let part =
        "bd=\"1\" ns=\"1\" ew=\"1\" cont=\"4 SX\" dec=\"S\" res=\"=\" lead=\"HK\" score=\"590\"";
    assert!(nz.contains(part), "{nz}");
    let csv = text(Format::Csv);
    assert!(csv.starts_with("\u{feff}section,board,round"), "{csv}");
    assert!(csv.contains("1NS,12,Ann <North>,,Sam,"), "{csv}");
    let folder: BTreeMap<_, _> = super::web_pages(state, session, &about())
        .into_iter()
        .map(|(name, page)| (name, String::from_utf8(page).expect("text")))
        .collect();
    assert!(folder["index.html"].contains("href=\"travellers.html\""));
    assert!(folder["index.html"].contains("Ann &lt;North&gt;"));
    assert!(!folder.contains_key("hands.html"), "there are no cards");
    for page in folder.values() {
        assert!(
            !page.contains("<script") && !page.contains("http"),
            "{page}"
        );
    }
    let german = About {
        language: crate::reports::Language::German,
        ..about()
    };
    let csv = export(Format::RankingCsv, state, session, &german).expect("a file");
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.contains("A;NS;"), "{csv}");
}

#[test]
fn a_session_without_results_is_not_exported() {
    let room = Room::mitchell(3, 6);
    let (state, session) = room.known();
    for format in Format::ALL {
        let refused = export(format, state, session, &about()).expect_err("nothing to export");
        assert!(refused.to_string().starts_with("there are no results"));
    }
}

#[test]
fn files_that_are_no_sessions_or_damaged_ones_are_refused_with_a_sentence() {
    let room = random(1, Sayable::Yes);
    let (state, session) = room.known();
    for format in [Format::Usebio, Format::Pbn] {
        let whole = file(format, state, session);
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut bytes = whole.clone();
            let at = random.usize(..bytes.len());
            match random.u8(..3) {
                0 => bytes.truncate(at),
                1 => bytes[at] = random.u8(..),
                _ => drop(bytes.drain(at..(at + random.usize(1..60)).min(whole.len()))),
            }
            // Either is right: a sentence, or what is still there.
            let taken = read(&bytes).and_then(|taken| session_file(&taken, Moment(0)));
            if let Err(refusal) = taken {
                let sentence = refusal.to_string();
                assert!(!sentence.is_empty() && sentence.len() < 500, "{refusal}");
            }
        }
    }
    let refused = read(b"<html></html>").expect_err("no session").to_string();
    assert!(refused.contains("expected USEBIO, BWS or PBN"), "{refused}");
    let teams = b"<USEBIO Version=\"1.2\"><EVENT EVENT_TYPE=\"SWISS_TEAMS\"></EVENT></USEBIO>";
    let refused = read(teams).expect_err("teams").to_string();
    assert!(refused.contains("SWISS_TEAMS"), "{refused}");
}

#[test]
fn a_session_written_as_bws_is_taken_in_again_with_its_results_names_and_cards() {
    for seed in 0..round_trips() {
        let room = random(seed, Sayable::Yes);
        let (state, session) = room.known();
        let evening = Evening::of(&state.club, session);
        let taken = read(&file(Format::Bws, state, session)).expect("a session");
        let back = session_file(&taken, Moment(0)).expect("a session file");
        let id = protocol::words::SessionId::MIN;
        let back = replay_archive(&mut back.as_slice(), id).expect("a session");
        // What terminals can't say is told, line by line, and left out.
        let told = evening.losses(Format::Bws);
        let told = told
            .iter()
            .filter(|loss| loss.to_string().contains("arbitral"))
            .count();
        assert_eq!(taken.notes.len(), told, "seed {seed}");
        let results = |evening: &Evening| {
            let lines = evening.lines();
            let lines = lines.map(|line| (line.cell, (line.ns, line.ew, line.said())));
            lines.collect::<BTreeMap<_, _>>()
        };
        let there = results(&evening);
        let back_there = results(&Evening::of(&Club::default(), &back));
        for (cell, line) in &back_there {
            assert_eq!(there.get(cell), Some(line), "seed {seed}, {cell}");
        }
        assert_eq!(back_there.len() + told, there.len(), "seed {seed}");
        let cards =
            |session: &Session| session.deals.values().map(|it| it.deal).collect::<Vec<_>>();
        assert_eq!(cards(&back), cards(session), "seed {seed}");
        let numbers = |session: &Session| {
            let players = session
                .roster
                .iter()
                .filter_map(|(pair, partner, _, player)| Some((pair, partner, player.number?)));
            players.collect::<Vec<_>>()
        };
        assert_eq!(numbers(&back), numbers(session), "seed {seed}");
    }
}

#[test]
fn no_cell_of_any_csv_is_a_formula_in_any_locale() {
    let hostile = ["=1+1", "Anna;=1+1", "＝1", " =1", "a|-2+3", "Anna,@x"];
    let mut room = Room::mitchell(3, 6);
    for (pair, name) in ["A1NS", "A2NS", "A3NS"].into_iter().zip(hostile.chunks(2)) {
        room.name(pair, [name[0], name[1]], [None, None]);
    }
    room.result((1, 1, 1), ["4S", "N", "10", "H5"]);
    let (state, session) = room.known();
    for language in crate::reports::Language::ALL {
        for format in [Format::Csv, Format::RankingCsv] {
            let about = About {
                language,
                ..about()
            };
            let bytes = export(format, state, session, &about).expect("a file");
            let text = String::from_utf8(bytes).expect("UTF-8");
            for cell in text.split([',', ';', '\t', '|', '\n', '\r']) {
                let begin = cell.trim_start_matches([' ', '"', '\u{feff}']);
                let number = begin.trim_start_matches('-').parse::<f64>().is_ok();
                let is_formula = begin.starts_with(['=', '+', '-', '@', '＝', '＠']);
                assert!(!is_formula || number, "{format:?}: {cell:?} in {text}");
            }
        }
    }
}

#[test]
fn a_result_without_a_pair_is_not_left_out_of_a_file_in_silence() {
    let mut room = Room::mitchell(3, 6);
    room.result((1, 1, 1), ["4S", "N", "10", "H5"]);
    room.result((2, 1, 3), ["3NT", "E", "9", "H5"]);
    let (state, session) = room.known();
    let mut session = session.clone();
    let cell = session.lines.keys().next().copied().expect("a line");
    session.lines.get_mut(&cell).expect("a line").ew = None;
    let told =
        "Board 1 at table A1: one of its pairs is not known, so its result is not in this file.";
    for format in [Format::Usebio, Format::Pbn, Format::Csv, Format::Bws] {
        let losses = Evening::of(&state.club, &session).losses(format);
        assert!(losses.iter().any(|it| it == told), "{format:?}: {losses:?}");
    }
}
