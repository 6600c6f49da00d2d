//! What a format can't say, in sentences for the director.

use super::evening::Said;
use super::{Evening, Format, LineSheet};
use crate::session::plan::{Method, PenaltyAmount, Ruling, SideAward};

impl Evening {
    /// Everything of this session that a file of this format would leave out or change.
    pub fn losses(&self, format: Format) -> Vec<String> {
        let mut losses = Vec::new();
        if matches!(format, Format::Web | Format::Pdf) {
            // What is printed: everything is on it.
            return losses;
        }
        self.of_matches(format, &mut losses);
        if format != Format::Csv {
            for line in self.lines() {
                losses.extend(of_line(format, line));
            }
        }
        for cell in &self.without_a_pair {
            let (board, table) = (cell.board, cell.table_id());
            losses.push(format!(
                "Board {board} at table {table}: one of its pairs is not known, so its result is not in this file."
            ));
        }
        self.of_pairs(format, &mut losses);
        if matches!(format, Format::Usebio | Format::UsebioMyabf) {
            losses.push("Tables and rounds are not in this file.".to_owned());
        }
        if matches!(format, Format::NzXml | Format::Csv) && !self.deals.is_empty() {
            losses.push("The cards are not in this file.".to_owned());
        }
        if format == Format::Bws {
            let sentence = "Matchpoints, IMPs and the ranking are not in this file; the program that reads it works them out.";
            losses.push(sentence.to_owned());
            if self.method != Method::Matchpoints {
                losses.push("That it is scored by IMPs is not in this file.".to_owned());
            }
        }
        if format == Format::RankingCsv {
            losses.push("Only the ranking is in this file.".to_owned());
        }
        losses
    }

    fn of_matches(&self, format: Format, losses: &mut Vec<String>) {
        if self.contests.is_empty() {
            return;
        }
        if !matches!(format, Format::Usebio | Format::UsebioMyabf) {
            losses.push("Matches and victory points are not in this file.".to_owned());
            return;
        }
        if format == Format::UsebioMyabf {
            losses.push("MyABF takes no events of matches.".to_owned());
        }
        for contest in &self.contests {
            for (round, contestant) in &contest.byes {
                losses.push(format!(
                    "Round {round}: the bye of {contestant} is in its total only."
                ));
            }
            for own in contest.matches.iter().filter(|own| own.decided) {
                losses.push(format!(
                    "Round {}, match {}: that the director decided it is not said; its victory points are.",
                    own.round, own.number
                ));
            }
        }
    }

    fn of_pairs(&self, format: Format, losses: &mut Vec<String>) {
        for pair in self.pairs() {
            let id = pair.id;
            if pair.substituted {
                losses.push(format!(
                    "Pair {id}: only those who began are named, not who played for them later."
                ));
            }
            let long = |name: &str| name.chars().count() > super::bws::NAME_LEN;
            if format == Format::Bws && pair.players.iter().any(|player| long(&player.name)) {
                losses.push(format!("Pair {id}: a name is cut to 18 characters."));
            }
            let players = pair.players.iter();
            let unknown = players.filter(|player| player.number.is_none()).count();
            if unknown > 0 && matches!(format, Format::UsebioMyabf | Format::NzXml) {
                losses.push(format!(
                    "Pair {id}: {unknown} of its players have no number, which this federation asks for."
                ));
            }
        }
        for (pair, amount) in &self.penalties {
            let told = match (format, amount) {
                // Totals have penalties taken off; USEBIO has a place for the difference.
                (_, PenaltyAmount::Warning)
                | (
                    Format::Usebio | Format::UsebioMyabf,
                    PenaltyAmount::PercentOfTop(_)
                    | PenaltyAmount::Matchpoints(_)
                    | PenaltyAmount::Imps(_),
                ) => continue,
                (
                    Format::Usebio
                    | Format::UsebioMyabf
                    | Format::Pbn
                    | Format::NzXml
                    | Format::Csv
                    | Format::RankingCsv,
                    PenaltyAmount::PercentOfSession(_),
                ) => "a penalty off the percentage is in its percentage only.",
                (Format::Bws | Format::Web | Format::Pdf, _) => "its penalty is not in this file.",
                _ => "its penalty is in its total only.",
            };
            losses.push(format!("Pair {pair}: {told}"));
        }
    }
}

fn of_line(format: Format, line: &LineSheet) -> Option<String> {
    let cell = line.cell;
    let place = format!("Board {} at table {}", cell.board, cell.table_id());
    if format == Format::RankingCsv {
        return None;
    }
    if line.form != crate::session::Line::USUAL_FORM {
        return Some(format!(
            "{place}: that another form of the board was played here is not said; its points are."
        ));
    }
    if format == Format::Bws {
        return of_bws(line).map(|told| format!("{place}: {told}"));
    }
    let award = |award: &SideAward| match award {
        SideAward::Weighted(_) => Some("a weighted score is written as the percentage it came to."),
        SideAward::Score(_) => Some("a split score is written as the percentages it came to."),
        SideAward::AveragePlus | SideAward::AverageMinus => {
            Some("average plus and minus are written as 60% and 40%.")
        }
        SideAward::Percent(_) | SideAward::Average => None,
    };
    let told = match (&line.ruling, line.said()) {
        (Ruling::Award { ns, ew }, Some(Said::Awarded(_))) => award(ns).or_else(|| award(ew)),
        (_, None) => Some("a board that was not played is left out."),
        _ => None,
    };
    let told = told.or_else(|| match line.said() {
        Some(Said::Awarded(percents)) => {
            let whole = |percent: Option<u16>| {
                percent.is_some_and(|it| it.is_multiple_of(100) && it < 10_000)
            };
            let exact = percents.into_iter().all(whole);
            (!exact && matches!(format, Format::Usebio | Format::UsebioMyabf))
                .then_some("an awarded percentage is rounded to whole percents below 100.")
        }
        _ => None,
    });
    let told = told.filter(|_| {
        // New Zealand's file says that a result was adjusted, and its points.
        format != Format::NzXml || line.said().is_none()
    })?;
    Some(format!("{place}: {told}"))
}

/// The terminals know averages of 40, 50 and 60%, and nothing else that a director awards.
fn of_bws(line: &LineSheet) -> Option<&'static str> {
    let known = |percent: &Option<u16>| matches!(percent, Some(4_000 | 5_000 | 6_000));
    match line.said() {
        Some(Said::Awarded(percents)) if percents.iter().all(known) => None,
        Some(Said::Awarded(_) | Said::Score(_)) => {
            Some("what was awarded is written as an arbitral score, without its value.")
        }
        Some(Said::Played(_) | Said::PassedOut) | None => None,
    }
}
