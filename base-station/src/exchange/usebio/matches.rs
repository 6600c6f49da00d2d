//! Swiss pairs and teams: an event for each section that plays matches.

use std::io;

use super::{Dialect, Said, head, result};
use crate::contest::rules::Comparison;
use crate::exchange::contests::{ContestSheet, ContestantSheet, MatchBoard, MatchOfTwo};
use crate::exchange::evening::plain;
use crate::exchange::xml::Xml;
use crate::exchange::{Evening, LineSheet, PlayerSheet};
use crate::scoring::{Points, VictoryPoints};

/// The event of a section.
pub(super) fn event(
    xml: &mut Xml,
    evening: &Evening,
    contest: &ContestSheet,
    dialect: Dialect,
) -> io::Result<()> {
    let teams = contest.comparison.is_teams();
    let kind = if teams { "SWISS_TEAMS" } else { "SWISS_PAIRS" };
    xml.element("EVENT", &[("EVENT_TYPE", kind)], |xml| {
        let name = [evening.event.as_str(), contest.name.as_str()];
        head(xml, evening, &name)?;
        if dialect == Dialect::Ebu {
            xml.leaf("BOARD_SCORING_METHOD", method(contest.comparison))?;
        }
        xml.leaf("MATCH_SCORING_METHOD", "VPS")?;
        xml.element("PARTICIPANTS", &[], |xml| {
            let all = contest.contestants.iter();
            all.into_iter()
                .try_for_each(|it| if teams { team(xml, it) } else { pair(xml, it) })
        })?;
        (contest.matches.iter()).try_for_each(|own| matching(xml, contest, own))
    })
}

const fn method(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::TeamsImps => "IMPS",
        Comparison::BoardAMatch => "BAM",
        Comparison::Butler => "BUTLER_IMPS",
        Comparison::CrossImps => "CROSS_IMPS",
        Comparison::Matchpoints => "MATCH_POINTS",
    }
}

/// `12.35`.
fn vp(points: VictoryPoints) -> String {
    plain(Points::from_ten_thousandths(i64::from(points.0) * 100))
}

fn place(contestant: &ContestantSheet) -> String {
    let equal = if contestant.shared { "=" } else { "" };
    format!("{}{equal}", contestant.place)
}

fn team(xml: &mut Xml, own: &ContestantSheet) -> io::Result<()> {
    let number = own.number.to_string();
    let name = if own.name.is_empty() {
        format!("Team {number}")
    } else {
        own.name.clone()
    };
    let about = [("TEAM_ID", number.as_str()), ("TEAM_NAME", name.as_str())];
    xml.element("TEAM", &about, |xml| {
        xml.leaf("TOTAL_SCORE", vp(own.vp))?;
        xml.leaf("PLACE", place(own))?;
        (own.players.iter()).try_for_each(|it| player(xml, it))
    })
}

fn pair(xml: &mut Xml, own: &ContestantSheet) -> io::Result<()> {
    xml.element("PAIR", &[], |xml| {
        xml.leaf("PAIR_NUMBER", own.number.to_string())?;
        xml.leaf("TOTAL_SCORE", vp(own.vp))?;
        xml.leaf("PLACE", place(own))?;
        (own.players.iter()).try_for_each(|it| player(xml, it))
    })
}

fn player(xml: &mut Xml, player: &PlayerSheet) -> io::Result<()> {
    xml.element("PLAYER", &[], |xml| {
        xml.leaf("PLAYER_NAME", &player.name)?;
        xml.leaf("NATIONAL_ID_NUMBER", &player.written)
    })
}

fn matching(xml: &mut Xml, contest: &ContestSheet, own: &MatchOfTwo) -> io::Result<()> {
    let teams = contest.comparison.is_teams();
    xml.element("MATCH", &[], |xml| {
        xml.leaf("ROUND_NUMBER", own.round.to_string())?;
        let [home, away] = own.sides.map(|side| side.to_string());
        let [home_vp, away_vp] = own.vp.map(vp);
        let [home_scored, away_scored] = own.scored.map(plain);
        if teams {
            xml.leaf("TEAM", home)?;
            xml.leaf("OPPOSING_TEAM", away)?;
            let boards = || own.boards.iter().map(|board| board.board);
            if let (Some(first), Some(last)) = (boards().min(), boards().max()) {
                xml.leaf("START_BOARD_NUMBER", first.to_string())?;
                xml.leaf("END_BOARD_NUMBER", last.to_string())?;
            }
            xml.leaf("TEAM_SCORE", home_scored)?;
            xml.leaf("OPPOSING_TEAM_SCORE", away_scored)?;
            xml.leaf("TEAM_VICTORY_POINTS", home_vp)?;
            xml.leaf("OPPOSING_TEAM_VICTORY_POINTS", away_vp)?;
        } else {
            xml.leaf("NS_PAIR_NUMBER", home)?;
            xml.leaf("EW_PAIR_NUMBER", away)?;
            xml.leaf("NS_SCORE", home_scored)?;
            xml.leaf("EW_SCORE", away_scored)?;
            xml.leaf("NS_VICTORY_POINTS", home_vp)?;
            xml.leaf("EW_VICTORY_POINTS", away_vp)?;
        }
        (own.boards.iter()).try_for_each(|board| match_board(xml, contest.comparison, board))
    })
}

fn match_board(xml: &mut Xml, comparison: Comparison, own: &MatchBoard) -> io::Result<()> {
    xml.element("BOARD", &[], |xml| {
        xml.leaf("BOARD_NUMBER", own.board.to_string())?;
        if let (true, Some(points)) = (comparison.is_teams(), own.points[0]) {
            xml.leaf("IMPS", plain(points))?;
        }
        for (line, direction) in own.lines.iter().zip(["NS", "EW"]) {
            if let Some(said) = line.said() {
                let direction = comparison.is_teams().then_some(direction);
                traveller_line(xml, comparison, own, (line, &said), direction)?;
            }
        }
        Ok(())
    })
}

/// `direction`: how the match's first team sat.
fn traveller_line(
    xml: &mut Xml,
    comparison: Comparison,
    own: &MatchBoard,
    (line, said): (&LineSheet, &Said),
    direction: Option<&str>,
) -> io::Result<()> {
    xml.element("TRAVELLER_LINE", &[], |xml| {
        if let Some(direction) = direction {
            xml.leaf("DIRECTION", direction)?;
        }
        result(xml, line, said)?;
        let names = match comparison {
            Comparison::TeamsImps | Comparison::BoardAMatch => return Ok(()),
            Comparison::Butler => ["NS_BUTLER_POINTS", "EW_BUTLER_POINTS"],
            Comparison::CrossImps => ["NS_CROSS_IMP_POINTS", "EW_CROSS_IMP_POINTS"],
            Comparison::Matchpoints => ["NS_MATCH_POINTS", "EW_MATCH_POINTS"],
        };
        for (name, points) in names.into_iter().zip(own.points) {
            if let Some(points) = points {
                xml.leaf(name, plain(points))?;
            }
        }
        Ok(())
    })
}
