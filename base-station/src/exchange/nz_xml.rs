//! The XML that New Zealand Bridge takes from scoring programs.

use protocol::words::Side;

use super::evening::{Said, plain, plain_percent};
use super::xml::Xml;
use super::{About, Evening, ExportError, LineSheet, PairSheet, SectionSheet};
use crate::scoring::Points;
use crate::session::PairId;
use crate::session::plan::Method;

/// Points of a pair that did not play.
const PHANTOM: i64 = -9_999;

pub(super) fn write(evening: &Evening, about: &About) -> Result<Vec<u8>, ExportError> {
    let mut xml = Xml::new(None)?;
    let scoring = match evening.method {
        Method::Matchpoints => "MP",
        Method::CrossImps => "XIMP",
        Method::Butler => "BUTLER",
    };
    let event = [
        ("club", about.club.as_str()),
        ("club_no", about.club_number.as_str()),
        ("event_name", evening.event.as_str()),
        ("event_date", evening.date.as_str()),
        ("scoring_type", scoring),
    ];
    xml.element("root", &event, |xml| {
        let letters: Vec<String> = (evening.sections.iter())
            .map(|section| section.letter.to_string())
            .collect();
        xml.element("sections", &[], |xml| {
            letters.iter().try_for_each(|letter| {
                xml.empty("section", &[("sectid", letter), ("handicapped", "0")])
            })
        })?;
        xml.element("scores", &[], |xml| {
            (evening.sections.iter().zip(&letters)).try_for_each(|(section, letter)| {
                xml.element("scsection", &[("id", letter)], |xml| {
                    (section.pairs.iter()).try_for_each(|pair| score(xml, evening, pair))
                })
            })
        })?;
        xml.element("board_results", &[], |xml| {
            (evening.sections.iter().zip(&letters)).try_for_each(|(section, letter)| {
                xml.element("brsection", &[("id", letter)], |xml| results(xml, section))
            })
        })
    })?;
    Ok(xml.done()?)
}

fn score(xml: &mut Xml, evening: &Evening, pair: &PairSheet) -> std::io::Result<()> {
    let direction = match pair.id.side {
        Some(Side::NorthSouth) => "N",
        Some(Side::EastWest) => "E",
        None => "H",
    };
    let [first, second] = &pair.players;
    let number = |at: usize| {
        let player = pair.players.get(at);
        player.map_or_else(String::new, |player| player.written.clone())
    };
    let result = match pair.percent {
        Some(percent) => plain_percent(percent),
        None => plain(pair.points),
    };
    let points = if evening.method == Method::Matchpoints {
        format!("{}/{}", plain(pair.points), plain(pair.top))
    } else {
        plain(pair.points)
    };
    let attributes = [
        ("no", pair.id.number.to_string()),
        ("dir", direction.to_owned()),
        ("player_name_1", first.name.clone()),
        ("player_name_2", second.name.clone()),
        ("nzb_no_1", number(0)),
        ("nzb_no_2", number(1)),
        ("place", pair.place()),
        ("res", result.clone()),
        ("raw_score", result),
        ("handicap", "0".to_owned()),
        ("match_points", points),
        ("apoints", "0".to_owned()),
        ("bpoints", "0".to_owned()),
        ("cpoints", "0".to_owned()),
    ];
    let attributes = attributes
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    xml.empty("pair", &attributes)
}

fn results(xml: &mut Xml, section: &SectionSheet) -> std::io::Result<()> {
    for sheet in &section.boards {
        for line in &sheet.lines {
            if let Some(said) = line.said() {
                result(xml, line, &said)?;
            }
        }
    }
    Ok(())
}

fn result(xml: &mut Xml, line: &LineSheet, said: &Said) -> std::io::Result<()> {
    let [contract, declarer, made, lead, score] = match said {
        Said::Played(played) => {
            let contract = played.contract;
            [
                format!(
                    "{} {}{}",
                    contract.level, contract.strain, contract.doubling
                ),
                contract.declarer.to_string(),
                crate::view::made(contract.over(played.tricks)),
                played.lead.map(|lead| lead.to_string()).unwrap_or_default(),
                line.score.unwrap_or_default().0.to_string(),
            ]
        }
        Said::PassedOut => ["PASS", "", "", "", "0"].map(str::to_owned),
        Said::Score(score) => {
            let nothing = String::new;
            [
                nothing(),
                nothing(),
                nothing(),
                nothing(),
                score.0.to_string(),
            ]
        }
        Said::Awarded(_) => ["", "", "", "", "Adj"].map(str::to_owned),
    };
    // Tenths, cut off, as that program counts.
    let tenths = |points: Option<Points>| {
        let tenths = points.map(|points| points.ten_thousandths().div_euclid(1_000));
        tenths.unwrap_or(PHANTOM).to_string()
    };
    let pair = |pair: PairId| pair.number.to_string();
    let attributes = [
        ("bd", line.cell.board.to_string()),
        ("ns", pair(line.ns)),
        ("ew", pair(line.ew)),
        ("cont", contract),
        ("dec", declarer),
        ("res", made),
        ("lead", lead),
        ("score", score),
        ("mp_ns", tenths(line.ns_points)),
        ("mp_ew", tenths(line.ew_points)),
    ];
    let attributes = attributes
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    xml.empty("result", &attributes)
}
