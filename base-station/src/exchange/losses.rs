//! What a format can't say, in sentences for the director.

use super::evening::Said;
use super::{Evening, Format, LineSheet};
use crate::session::plan::{Method, PenaltyAmount, Ruling, SideAward};
use telling::{Told, tell};

impl Evening {
    /// Everything of this session that a file of this format would leave out or change.
    pub fn losses(&self, format: Format) -> Vec<Told> {
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
            losses.push(tell!(Exchange::BoardAtTableOne { board, table }));
        }
        self.of_pairs(format, &mut losses);
        if matches!(format, Format::Usebio | Format::UsebioMyabf) {
            losses.push(tell!(Exchange::TablesRoundsNotFile));
        }
        if matches!(format, Format::NzXml | Format::Csv) && !self.deals.is_empty() {
            losses.push(tell!(Exchange::CardsNotFile));
        }
        if format == Format::Bws {
            losses.push(tell!(Exchange::MatchpointsImpsRankingNot));
            if self.method != Method::Matchpoints {
                losses.push(tell!(Exchange::ScoredByImpsNot));
            }
        }
        if format == Format::RankingCsv {
            losses.push(tell!(Exchange::OnlyRankingFile));
        }
        losses
    }

    fn of_matches(&self, format: Format, losses: &mut Vec<Told>) {
        if self.contests.is_empty() {
            return;
        }
        if !matches!(format, Format::Usebio | Format::UsebioMyabf) {
            losses.push(tell!(Exchange::MatchesVictoryPointsNot));
            return;
        }
        if format == Format::UsebioMyabf {
            losses.push(tell!(Exchange::MyabfTakesNoEvents));
        }
        for contest in &self.contests {
            for (round, contestant) in &contest.byes {
                losses.push(tell!(Exchange::RoundByeItsTotal { round, contestant }));
            }
            for own in contest.matches.iter().filter(|own| own.decided) {
                losses.push(tell!(Exchange::RoundMatchDirectorDecided {
                    round: own.round,
                    number: own.number
                }));
            }
        }
    }

    fn of_pairs(&self, format: Format, losses: &mut Vec<Told>) {
        for pair in self.pairs() {
            let id = pair.id;
            if pair.substituted {
                losses.push(tell!(Exchange::PairOnlyThoseWho { pair: id }));
            }
            let long = |name: &str| name.chars().count() > super::bws::NAME_LEN;
            if format == Format::Bws && pair.players.iter().any(|player| long(&player.name)) {
                losses.push(tell!(Exchange::PairNameCut18 { pair: id }));
            }
            let players = pair.players.iter();
            let unknown = players.filter(|player| player.number.is_none()).count();
            if unknown > 0 && matches!(format, Format::UsebioMyabf | Format::NzXml) {
                losses.push(tell!(Exchange::PairItsPlayersNo { pair: id, unknown }));
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
                ) => tell!(Exchange::PairPenaltyOffPercentage { pair }),
                (Format::Bws | Format::Web | Format::Pdf, _) => {
                    tell!(Exchange::PairItsPenaltyNot { pair })
                }
                _ => tell!(Exchange::PairItsPenaltyIts { pair }),
            };
            losses.push(told);
        }
    }
}

fn of_line(format: Format, line: &LineSheet) -> Option<Told> {
    let cell = line.cell;
    let (board, table) = (cell.board, cell.table_id());
    if format == Format::RankingCsv {
        return None;
    }
    if line.form != crate::session::Line::USUAL_FORM {
        return Some(tell!(Exchange::BoardAtTableAnother { board, table }));
    }
    if format == Format::Bws {
        return of_bws(line);
    }
    let award = |award: &SideAward| match award {
        SideAward::Weighted(_) => Some(tell!(Exchange::BoardAtTableWeighted { board, table })),
        SideAward::Score(_) => Some(tell!(Exchange::BoardAtTableSplit { board, table })),
        SideAward::AveragePlus | SideAward::AverageMinus => {
            Some(tell!(Exchange::BoardAtTableAverage { board, table }))
        }
        SideAward::Percent(_) | SideAward::Average => None,
    };
    let told = match (&line.ruling, line.said()) {
        (Ruling::Award { ns, ew }, Some(Said::Awarded(_))) => award(ns).or_else(|| award(ew)),
        (_, None) => Some(tell!(Exchange::BoardAtTableBoard { board, table })),
        _ => None,
    };
    let told = told.or_else(|| match line.said() {
        Some(Said::Awarded(percents)) => {
            let whole = |percent: Option<u16>| {
                percent.is_some_and(|it| it.is_multiple_of(100) && it < 10_000)
            };
            let exact = percents.into_iter().all(whole);
            (!exact && matches!(format, Format::Usebio | Format::UsebioMyabf))
                .then(|| tell!(Exchange::BoardAtTableAwarded { board, table }))
        }
        _ => None,
    });
    told.filter(|_| {
        // New Zealand's file says that a result was adjusted, and its points.
        format != Format::NzXml || line.said().is_none()
    })
}

/// The terminals know averages of 40, 50 and 60%, and nothing else that a director awards.
fn of_bws(line: &LineSheet) -> Option<Told> {
    let (board, table) = (line.cell.board, line.cell.table_id());
    let known = |percent: &Option<u16>| matches!(percent, Some(4_000 | 5_000 | 6_000));
    match line.said() {
        Some(Said::Awarded(percents)) if percents.iter().all(known) => None,
        Some(Said::Awarded(_) | Said::Score(_)) => {
            Some(tell!(Exchange::BoardAtTableWhat { board, table }))
        }
        Some(Said::Played(_) | Said::PassedOut) | None => None,
    }
}
