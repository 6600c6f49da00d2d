//! The whole event as USEBIO 1.2: every pair of every club in one list, and every line of every board.

use std::collections::{BTreeMap, HashMap};
use std::io;

use protocol::words::BoardNumber;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use scoring::{Method, Percent, Points, Standing};

use crate::field::Entrant;
use crate::said::{Awarded, Became, Line, PairName};
use crate::snapshot::{BoardShown, Snapshot};

const DOCTYPE: &str = "USEBIO SYSTEM \"http://www.ebu.co.uk/usebio/usebio_v1_2.dtd\"";

type Xml = Writer<Vec<u8>>;

/// The file. Pairs are numbered through, club by club; a player's club is known by its number.
pub(super) fn write(shown: &Snapshot, date: &str) -> io::Result<Vec<u8>> {
    let mut standings: Vec<&Standing<Entrant>> = shown.ranking.standings.iter().collect();
    standings.sort_by_key(|standing| standing.contestant);
    let numbers: HashMap<Entrant, usize> =
        standings.iter().map(|it| it.contestant).zip(1..).collect();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped(DOCTYPE)))?;
    xml.create_element("USEBIO")
        .with_attribute(("Version", "1.2"))
        .write_inner_content(|xml| {
            xml.create_element("CLUB").write_inner_content(|xml| {
                leaf(xml, "CLUB_NAME", &shown.about.name)?;
                leaf(xml, "CLUB_ID_NUMBER", "")
            })?;
            xml.create_element("EVENT")
                .with_attribute(("EVENT_TYPE", "PAIRS"))
                .write_inner_content(|xml| {
                    head(xml, shown, date)?;
                    xml.create_element("PARTICIPANTS")
                        .write_inner_content(|xml| {
                            let mut pairs = standings.iter().zip(1..);
                            pairs.try_for_each(|(standing, number)| {
                                pair(xml, shown, standing, number)
                            })
                        })?;
                    boards(xml, shown, &numbers)
                })?;
            Ok(())
        })?;
    Ok(xml.into_inner())
}

fn leaf(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    // XML has no way to write most control characters.
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let written = xml
        .create_element(name)
        .write_text_content(BytesText::new(&text));
    written.map(drop)
}

fn head(xml: &mut Xml, shown: &Snapshot, date: &str) -> io::Result<()> {
    let method = match shown.rules.method {
        Method::Matchpoints => "MATCH_POINTS",
        Method::CrossImps => "CROSS_IMPS",
        Method::Butler(_) => "BUTLER_IMPS",
    };
    let pairs = shown.ranking.standings.len().to_string();
    let boards = shown.boards.len().to_string();
    let event = shown.about.event.to_string();
    for (name, text) in [
        ("EVENT_IDENTIFIER", event.as_str()),
        ("EVENT_DESCRIPTION", &shown.about.name),
        ("PROGRAM_NAME", "Byestand"),
        ("PROGRAM_VERSION", env!("CARGO_PKG_VERSION")),
        ("DATE", date),
        ("MPS_AWARDED_FLAG", "N"),
        ("SESSION_COUNT", "1"),
        ("WINNER_TYPE", "1"),
        ("SECTION_COUNT", "1"),
        ("BOARD_SCORING_METHOD", method),
        ("BOARDS_PLAYED", &boards),
        ("PAIRS", &pairs),
    ] {
        leaf(xml, name, text)?;
    }
    Ok(())
}

/// Hundredths as a number with at most two decimals.
fn percent(percent: Percent) -> String {
    format!("{:.2}", percent.to_f64())
}

fn pair(
    xml: &mut Xml,
    shown: &Snapshot,
    standing: &Standing<Entrant>,
    number: usize,
) -> io::Result<()> {
    let club = standing.contestant.club.to_string();
    let written = xml.create_element("PAIR").write_inner_content(|xml| {
        leaf(xml, "PAIR_NUMBER", &number.to_string())?;
        leaf(xml, "BOARDS_PLAYED", &standing.boards.to_string())?;
        leaf(xml, "TOTAL_SCORE", &standing.points.to_f64().to_string())?;
        if let Some(share) = standing.percent {
            leaf(xml, "PERCENTAGE", &percent(share))?;
        }
        let place = standing
            .rank
            .map_or_else(String::new, |rank| rank.to_string());
        leaf(xml, "PLACE", &place)?;
        let players = shown.players(standing.contestant).cloned();
        for player in players.unwrap_or_default() {
            xml.create_element("PLAYER").write_inner_content(|xml| {
                leaf(xml, "PLAYER_NAME", &player)?;
                leaf(xml, "CLUB_ID_NUMBER", &club)
            })?;
        }
        Ok(())
    });
    written.map(drop)
}

fn boards(xml: &mut Xml, shown: &Snapshot, numbers: &HashMap<Entrant, usize>) -> io::Result<()> {
    let mut lines: BTreeMap<BoardNumber, Vec<(usize, usize, &Line)>> = BTreeMap::new();
    for (club, sheet) in &shown.sheets {
        let number = |pair: Option<PairName>| {
            let pair = pair?.0;
            numbers.get(&Entrant { club: *club, pair }).copied()
        };
        let doubled = shown.doubled.get(club);
        for line in sheet.lines.values() {
            let counts = !doubled.is_some_and(|places| places.contains(&line.place));
            if let (Some(ns), Some(ew), true) = (number(line.ns), number(line.ew), counts) {
                lines
                    .entry(line.place.board)
                    .or_default()
                    .push((ns, ew, line));
            }
        }
    }
    for (board, mut lines) in lines {
        lines.sort_by_key(|(ns, ew, _)| (*ns, *ew));
        let over = shown.boards.get(&board);
        xml.create_element("BOARD").write_inner_content(|xml| {
            leaf(xml, "BOARD_NUMBER", &board.to_string())?;
            lines
                .iter()
                .try_for_each(|line| traveller_line(xml, shown.rules.method, over, line))
        })?;
    }
    Ok(())
}

fn traveller_line(
    xml: &mut Xml,
    method: Method,
    over: Option<&BoardShown>,
    (ns, ew, line): &(usize, usize, &Line),
) -> io::Result<()> {
    let score = match &line.became {
        Became::Score(score) => score.to_string(),
        Became::Adjusted(ns, ew) => format!("A{:02}{:02}", share(ns), share(ew)),
        Became::NotPlayed | Became::SitOut => return Ok(()),
    };
    let (ns_name, ew_name) = match method {
        Method::Matchpoints => ("NS_MATCH_POINTS", "EW_MATCH_POINTS"),
        Method::CrossImps => ("NS_CROSS_IMP_POINTS", "EW_CROSS_IMP_POINTS"),
        Method::Butler(_) => ("NS_BUTLER_POINTS", "EW_BUTLER_POINTS"),
    };
    let worth = over.and_then(|over| {
        let Became::Score(score) = line.became else {
            return None;
        };
        let mut scores = over.scores.iter();
        let won = scores.find(|it| it.score == Some(score))?.ns?;
        let lost = match method {
            Method::Matchpoints => over.top.ten_thousandths() - won,
            Method::CrossImps | Method::Butler(_) => -won,
        };
        Some([won, lost].map(|points| Points::from_ten_thousandths(points).to_f64()))
    });
    let written = xml
        .create_element("TRAVELLER_LINE")
        .write_inner_content(|xml| {
            leaf(xml, "NS_PAIR_NUMBER", &ns.to_string())?;
            leaf(xml, "EW_PAIR_NUMBER", &ew.to_string())?;
            leaf(xml, "SCORE", &score)?;
            if let Some([won, lost]) = worth {
                leaf(xml, ns_name, &won.to_string())?;
                leaf(xml, ew_name, &lost.to_string())?;
            }
            Ok(())
        });
    written.map(drop)
}

/// An award in whole percent; what is none counts as the average.
fn share(awarded: &Awarded) -> u16 {
    match awarded {
        Awarded::Percent(hundredths) => ((hundredths + 50) / 100).min(99),
        Awarded::AveragePlus => 60,
        Awarded::Average | Awarded::Scores(_) => 50,
        Awarded::AverageMinus => 40,
    }
}
