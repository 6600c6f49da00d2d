//! Screens that lie over the evening for a moment.

use protocol::message::{Feedback, HandRecord, TravellerLine};
use protocol::words::{Seat, Strain};

use super::words::{ContractSymbols, Over, Percent, Signed, StrainSymbol};
use super::{App, Flow, Page};
use crate::RowStyle::{Inverse, Normal};
use crate::app::LinkStatus;
use crate::app::over::LIST_ROWS;
use crate::screen::{RowText, columns_of};
use crate::texts::{Text, fill, refusal};

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    match flow {
        Flow::Traveller { board, top } => {
            page.title(Text::TravellerTitle, &[board]);
            let hands = app.settings.hand_record.then_some(Text::HintHands);
            page.hints([Some(Text::HintScroll), hands, Some(Text::HintOk)]);
            match &app.feedback {
                Some(Feedback::Traveller { board: of, lines }) if of == board => {
                    let shown = lines.iter().skip(usize::from(*top));
                    for line in shown.take(usize::from(LIST_ROWS)) {
                        traveller_line(line, page);
                    }
                }
                _ => nothing_yet(app, page),
            }
        }
        Flow::HandRecord { board } => {
            page.title(Text::HandsTitle, &[board]);
            page.hints([
                Some(Text::HintBack),
                Some(Text::HintPar),
                Some(Text::HintOk),
            ]);
            match &app.feedback {
                Some(Feedback::HandRecord(record)) if record.board == *board => {
                    page.hands = Some(record.clone());
                }
                _ => nothing_yet(app, page),
            }
        }
        Flow::Par { board } => {
            page.title(Text::HandsTitle, &[board]);
            page.hints([Some(Text::HintHandsBack), None, Some(Text::HintOk)]);
            match &app.feedback {
                Some(Feedback::HandRecord(record)) if record.board == *board => par(record, page),
                _ => nothing_yet(app, page),
            }
        }
        Flow::Ranking { top } => {
            page.title(Text::RankingTitle, &[]);
            page.hints([Some(Text::HintScroll), None, Some(Text::HintOk)]);
            match &app.feedback {
                Some(Feedback::Ranking { lines }) => {
                    let shown = lines.iter().skip(usize::from(*top));
                    for line in shown.take(usize::from(LIST_ROWS)) {
                        let who: RowText = match line.side {
                            Some(side) => fill("{}{}", &[&side, &line.pair]),
                            None => fill("{}", &[&line.pair]),
                        };
                        let gaps: [&dyn core::fmt::Display; 3] =
                            [&line.rank, &who, &Percent(line.percentage)];
                        page.plain(Normal, fill("{}. {}  {}%", &gaps));
                    }
                }
                _ => nothing_yet(app, page),
            }
        }
        Flow::CallDirector if app.called => {
            page.title(Text::CancelTitle, &[]);
            page.sentence(Text::CancelSentence, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOk)]);
        }
        Flow::CallDirector => {
            page.title(Text::CallTitle, &[]);
            page.sentence(Text::CallSentence, &[]);
            page.hints([Some(Text::HintBackNo), None, Some(Text::HintOkCall)]);
        }
        Flow::EntryRefused { board, reason } => {
            page.title(Text::EntryRefusedTitle, &[board]);
            page.sentence(refusal(*reason), &[]);
            page.hints([None, None, Some(Text::HintOk)]);
        }
        _ => {
            page.title(Text::NoticeTitle, &[]);
            page.wrapped(Normal, &app.notice);
            page.hints([None, None, Some(Text::HintOk)]);
        }
    }
}

fn nothing_yet(app: &App, page: &mut Page) {
    let text = match (app.feedback_refused, app.link) {
        (Some(reason), _) => refusal(reason),
        (None, LinkStatus::NoAnswer) => Text::NoAnswerNow,
        (None, _) => Text::Asking,
    };
    page.sentence(text, &[]);
}

/// Score, how it came about or how often, and North-South's percentage at the right.
fn traveller_line(line: &TravellerLine, page: &mut Page) {
    let style = if line.own { Inverse } else { Normal };
    let score = Signed(line.score);
    // Tenths are enough between two columns of figures.
    let hundredths = line.ns_percentage.get();
    let percent: RowText = fill("{}.{}", &[&(hundredths / 100), &(hundredths / 10 % 10)]);
    let mut row: RowText = match &line.played {
        Some((contract, tricks)) if line.times == 1 => fill(
            "{} {} {}{}",
            &[
                &score,
                &ContractSymbols(contract),
                &contract.declarer,
                &Over(contract.over(*tricks)),
            ],
        ),
        _ => fill("{} x{}", &[&score, &line.times]),
    };
    while columns_of(&row) + columns_of(&percent) < style.columns() && row.push(' ').is_ok() {}
    let _ = row.push_str(&percent);
    page.plain(style, row);
}

fn par(record: &HandRecord, page: &mut Page) {
    match record.par {
        Some(par) => {
            let contract: RowText = match par.contract {
                Some(contract) => fill("{} {}", &[&ContractSymbols(&contract), &contract.declarer]),
                None => RowText::new(),
            };
            page.title(Text::ParTitle, &[&Signed(par.score), &contract]);
        }
        None => page.title(Text::ParTricks, &[]),
    }
    let Some(tricks) = &record.tricks else {
        if record.par.is_none() {
            page.sentence(Text::NothingKnown, &[]);
        }
        return;
    };
    let mut heads: RowText = fill("  ", &[]);
    for strain in Strain::ALL {
        let _ = heads.push_str(fill::<8>(" {}", &[&StrainSymbol(strain)]).as_str());
        if strain != Strain::NoTrump {
            let _ = heads.push(' ');
        }
    }
    page.plain(Normal, heads);
    for seat in Seat::ALL {
        let mut row: RowText = fill("{} ", &[&seat]);
        for strain in Strain::ALL {
            use core::fmt::Write;
            // The symbols above are two columns wide.
            let _ = match tricks.get(seat, strain) {
                Some(tricks) => write!(row, "{:>3} ", tricks.get()),
                None => write!(row, "  - "),
            };
        }
        page.plain(Normal, row.trim_end().try_into().unwrap_or_default());
    }
}
