//! USEBIO 1.2: pairs events with their travellers, matches, and hand records.

mod matches;

use std::io;

use protocol::words::{Rank, Seat, Side, Suit};

use super::evening::{Said, plain, plain_percent};
use super::xml::Xml;
use super::{About, BoardSheet, Evening, ExportError, LineSheet, PairSheet, SectionSheet};
use crate::deals::DealtBoard;
use crate::scoring::Points;
use crate::session::PairId;
use crate::session::plan::Method;

/// Who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The EBU, `BridgeWebs`, Pianola.
    Ebu,
    /// Australia.
    MyAbf,
}

const DOCTYPE: &str = "USEBIO SYSTEM \"http://www.ebu.co.uk/usebio/usebio_v1_2.dtd\"";

pub(super) fn write(
    evening: &Evening,
    about: &About,
    dialect: Dialect,
) -> Result<Vec<u8>, ExportError> {
    let mut xml = Xml::new(Some(DOCTYPE))?;
    xml.element("USEBIO", &[("Version", "1.2")], |xml| {
        xml.element("CLUB", &[], |xml| {
            xml.leaf("CLUB_NAME", &about.club)?;
            xml.leaf("CLUB_ID_NUMBER", &about.club_number)
        })?;
        let pairs = evening.without_matches();
        if !pairs.sections.is_empty() {
            pairs_event(xml, &pairs, dialect)?;
        }
        for contest in &evening.contests {
            matches::event(xml, evening, contest, dialect)?;
        }
        hands(xml, evening)
    })?;
    Ok(xml.done()?)
}

fn pairs_event(xml: &mut Xml, evening: &Evening, dialect: Dialect) -> io::Result<()> {
    let kind = match (dialect, evening.method) {
        (Dialect::Ebu, _) => "PAIRS",
        (Dialect::MyAbf, Method::Matchpoints) => "MP_PAIRS",
        (Dialect::MyAbf, Method::Butler) => "BUTLER_PAIRS",
        (Dialect::MyAbf, Method::CrossImps) => "CROSS_IMP",
    };
    xml.element("EVENT", &[("EVENT_TYPE", kind)], |xml| {
        head(xml, evening, &[&evening.event, &evening.title])?;
        of_pairs(xml, evening, dialect)?;
        if let [section] = evening.sections.as_slice() {
            return inside(xml, evening, section);
        }
        xml.element("SESSION", &[("SESSION_ID", "1")], |xml| {
            for section in &evening.sections {
                let letter = section.letter.to_string();
                xml.element("SECTION", &[("SECTION_ID", &letter)], |xml| {
                    inside(xml, evening, section)
                })?;
            }
            Ok(())
        })
    })
}

/// What every event begins with.
fn head(xml: &mut Xml, evening: &Evening, title: &[&str]) -> io::Result<()> {
    xml.leaf("EVENT_IDENTIFIER", "1")?;
    let title = title.iter().filter(|it| !it.is_empty());
    let title: Vec<&str> = title.copied().collect();
    xml.leaf("EVENT_DESCRIPTION", title.join(", "))?;
    xml.leaf("PROGRAM_NAME", "Byestand")?;
    xml.leaf("PROGRAM_VERSION", env!("CARGO_PKG_VERSION"))?;
    xml.leaf("DATE", date(&evening.date))?;
    xml.leaf("MPS_AWARDED_FLAG", "N")?;
    xml.leaf("SESSION_COUNT", "1")
}

fn of_pairs(xml: &mut Xml, evening: &Evening, dialect: Dialect) -> io::Result<()> {
    xml.leaf("WINNER_TYPE", if evening.two_winners() { "2" } else { "1" })?;
    xml.leaf("SECTION_COUNT", evening.sections.len().to_string())?;
    if dialect == Dialect::Ebu {
        let method = match evening.method {
            Method::Matchpoints => "MATCH_POINTS",
            Method::CrossImps => "CROSS_IMPS",
            Method::Butler => "BUTLER_IMPS",
        };
        xml.leaf("BOARD_SCORING_METHOD", method)?;
    }
    let mut boards: Vec<_> = (evening.sections.iter())
        .flat_map(|section| section.boards.iter().map(|sheet| sheet.board))
        .collect();
    boards.sort();
    boards.dedup();
    xml.leaf("BOARDS_PLAYED", boards.len().to_string())?;
    let of_side = |side| evening.pairs().filter(|pair| pair.id.side == side).count();
    if evening.two_winners() {
        xml.leaf("PAIRS", of_side(Some(Side::NorthSouth)).to_string())?;
        xml.leaf("EW_PAIRS", of_side(Some(Side::EastWest)).to_string())
    } else {
        xml.leaf("PAIRS", evening.pairs().count().to_string())
    }
}

/// 2026-11-16 as 16/11/2026.
fn date(date: &str) -> String {
    let parts: Vec<&str> = date.split('-').collect();
    match parts.as_slice() {
        [year, month, day] => format!("{day}/{month}/{year}"),
        _ => date.to_owned(),
    }
}

/// The pair's number in its section, with its direction where both count from 1.
fn number(pair: PairId) -> String {
    let side = pair.side.map_or_else(String::new, |side| side.to_string());
    format!("{}{side}", pair.number)
}

fn inside(xml: &mut Xml, evening: &Evening, section: &SectionSheet) -> io::Result<()> {
    xml.element("PARTICIPANTS", &[], |xml| {
        (section.pairs.iter()).try_for_each(|pair| participant(xml, evening, pair))
    })?;
    (section.boards.iter()).try_for_each(|sheet| board(xml, evening, sheet))
}

fn participant(xml: &mut Xml, evening: &Evening, pair: &PairSheet) -> io::Result<()> {
    xml.element("PAIR", &[], |xml| {
        xml.leaf("PAIR_NUMBER", number(pair.id))?;
        if let Some(side) = pair.id.side {
            xml.leaf("DIRECTION", side.to_string())?;
        }
        xml.leaf("BOARDS_PLAYED", pair.boards.to_string())?;
        xml.leaf("TOTAL_SCORE", plain(pair.points))?;
        if let Some(percent) = pair.percent {
            xml.leaf("PERCENTAGE", plain_percent(percent))?;
        }
        xml.leaf("PLACE", pair.place())?;
        let off = evening.taken_off(pair);
        if off != Points::ZERO {
            xml.leaf("ADJUSTMENT", plain(off))?;
        }
        for player in &pair.players {
            xml.element("PLAYER", &[], |xml| {
                xml.leaf("PLAYER_NAME", &player.name)?;
                xml.leaf("NATIONAL_ID_NUMBER", &player.written)
            })?;
        }
        Ok(())
    })
}

fn board(xml: &mut Xml, evening: &Evening, sheet: &BoardSheet) -> io::Result<()> {
    xml.element("BOARD", &[], |xml| {
        xml.leaf("BOARD_NUMBER", sheet.board.to_string())?;
        if let Some(datum) = sheet.datum.filter(|_| evening.method == Method::Butler) {
            xml.leaf("BOARD_AVERAGE", datum.to_f64().to_string())?;
        }
        // The file has no rounds: in their order it would change when it is taken in and written
        // again. Travellers are read by the pairs, anyway.
        let mut lines: Vec<&LineSheet> = sheet.lines.iter().collect();
        lines.sort_by_key(|line| (line.ns, line.ew, line.cell));
        for line in lines {
            if let Some(said) = line.said() {
                traveller_line(xml, evening.method, line, &said)?;
            }
        }
        Ok(())
    })
}

fn traveller_line(xml: &mut Xml, method: Method, line: &LineSheet, said: &Said) -> io::Result<()> {
    xml.element("TRAVELLER_LINE", &[], |xml| {
        xml.leaf("NS_PAIR_NUMBER", number(line.ns))?;
        xml.leaf("EW_PAIR_NUMBER", number(line.ew))?;
        result(xml, line, said)?;
        let (ns, ew) = match method {
            Method::Matchpoints => ("NS_MATCH_POINTS", "EW_MATCH_POINTS"),
            Method::CrossImps => ("NS_CROSS_IMP_POINTS", "EW_CROSS_IMP_POINTS"),
            Method::Butler => ("NS_BUTLER_POINTS", "EW_BUTLER_POINTS"),
        };
        if let Some(points) = line.ns_points {
            xml.leaf(ns, plain(points))?;
        }
        if let Some(points) = line.ew_points {
            xml.leaf(ew, plain(points))?;
        }
        Ok(())
    })
}

/// What was played and what it scored.
fn result(xml: &mut Xml, line: &LineSheet, said: &Said) -> io::Result<()> {
    match said {
        Said::Played(played) => {
            xml.leaf("CONTRACT", played.contract.to_string())?;
            xml.leaf("PLAYED_BY", played.contract.declarer.to_string())?;
            if let Some(lead) = played.lead {
                xml.leaf("LEAD", format!("{}{}", lead.rank, lead.suit))?;
            }
            xml.leaf("TRICKS", played.tricks.to_string())?;
            let score = line.score.unwrap_or_default();
            xml.leaf("SCORE", score.0.to_string())?;
        }
        Said::PassedOut => {
            xml.leaf("CONTRACT", "PASS")?;
            xml.leaf("SCORE", "0")?;
        }
        Said::Score(score) => xml.leaf("SCORE", score.0.to_string())?,
        Said::Awarded(percents) => {
            let [ns, ew] = percents.map(|percent| match percent {
                Some(percent) => ((percent + 50) / 100).min(99),
                // IMPs have no percentages, and half is what nobody wins or loses by.
                None => 50,
            });
            xml.leaf("SCORE", format!("A{ns:02}{ew:02}"))?;
        }
    }
    Ok(())
}

fn hands(xml: &mut Xml, evening: &Evening) -> io::Result<()> {
    if evening.deals.is_empty() {
        return Ok(());
    }
    xml.element("HANDSET", &[], |xml| {
        evening.deals.iter().try_for_each(|dealt| hand(xml, dealt))
    })
}

fn hand(xml: &mut Xml, dealt: &DealtBoard) -> io::Result<()> {
    xml.element("BOARD", &[], |xml| {
        xml.leaf("BOARD_NUMBER", dealt.board.to_string())?;
        for (seat, name) in [
            (Seat::North, "North"),
            (Seat::East, "East"),
            (Seat::South, "South"),
            (Seat::West, "West"),
        ] {
            xml.element("HAND", &[], |xml| {
                xml.leaf("DIRECTION", name)?;
                for (suit, element) in [
                    (Suit::Clubs, "CLUBS"),
                    (Suit::Diamonds, "DIAMONDS"),
                    (Suit::Hearts, "HEARTS"),
                    (Suit::Spades, "SPADES"),
                ] {
                    let cards = dealt.deal.hand(seat);
                    let ranks: String = cards.suit(suit).map(Rank::letter).collect();
                    xml.leaf(element, ranks)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    })
}
