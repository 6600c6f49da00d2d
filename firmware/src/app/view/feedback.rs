//! Screens that lie over the evening for a moment.

use protocol::message::{Feedback, HandRecord, TravellerLine};
use protocol::words::{Percentage, Seat, Strain};

use super::words::{ContractSymbols, Over, Percent, SeatLetter, Signed, StrainSymbol};
use super::{App, Flow, Page};
use crate::RowStyle::{Inverse, Normal};
use crate::app::LinkStatus;
use crate::app::over::LIST_ROWS;
use crate::screen::RowText;
use crate::texts::{Text, fill, refusal, seat as seat_name, side_letters};

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    match flow {
        Flow::Traveller { board, top } => {
            page.title(Text::TravellerTitle, &[board]);
            let hands = app.kept.settings.hand_record.then_some(Text::HintHands);
            let scroll = app.has_more_lines().then_some(Text::HintScroll);
            page.hints([scroll, hands, Some(Text::HintOk)]);
            match &app.live.feedback {
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
            page.hints([Some(Text::HintBack), Some(Text::HintPar), None]);
            match &app.live.feedback {
                Some(Feedback::HandRecord(record)) if record.board == *board => {
                    page.hands = Some(record.clone());
                }
                _ => nothing_yet(app, page),
            }
        }
        Flow::Par { board } => {
            page.title(Text::HandsTitle, &[board]);
            page.hints([Some(Text::HintHandsBack), None, Some(Text::HintOk)]);
            match &app.live.feedback {
                Some(Feedback::HandRecord(record)) if record.board == *board => par(record, page),
                _ => nothing_yet(app, page),
            }
        }
        Flow::Ranking { top } => {
            page.title(Text::RankingTitle, &[]);
            let scroll = app.has_more_lines().then_some(Text::HintScroll);
            page.hints([scroll, None, Some(Text::HintOk)]);
            match &app.live.feedback {
                Some(Feedback::Ranking { lines }) => {
                    let shown = lines.iter().skip(usize::from(*top));
                    for line in shown.take(usize::from(LIST_ROWS)) {
                        let who: RowText = match line.side {
                            Some(side) => {
                                let side = side_letters(side, page.language);
                                fill("{} {}", &[&side, &line.pair])
                            }
                            None => fill("{}", &[&line.pair]),
                        };
                        let gaps: [&dyn core::fmt::Display; 3] =
                            [&line.rank, &who, &Percent(line.percentage)];
                        page.plain(Normal, fill("{}.  {}\t{}%", &gaps));
                    }
                }
                _ => nothing_yet(app, page),
            }
        }
        Flow::CallDirector if app.live.called => {
            page.title(Text::CancelTitle, &[]);
            page.sentence(Text::CancelSentence, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOk)]);
        }
        Flow::CallDirector => {
            page.title(Text::CallTitle, &[]);
            page.sentence(Text::CallSentence, &[]);
            page.hints([Some(Text::HintBackNo), None, Some(Text::HintOkCall)]);
        }
        Flow::UnknownPlayers { seats } => {
            page.title(Text::UnknownTitle, &[]);
            for (seat, number) in unknown_numbers(app, *seats).take(3) {
                let seat = page.word(seat_name(seat));
                page.row(Normal, Text::UnknownNumber, &[&seat, &number]);
            }
            page.row(Normal, Text::UnknownPrompt, &[]);
            page.hints([Some(Text::HintBackChange), None, Some(Text::HintOkRight)]);
        }
        Flow::EntryRefused { board, reason } => {
            page.title(Text::EntryRefusedTitle, &[board]);
            page.sentence(refusal(*reason), &[]);
            page.hints([None, None, Some(Text::HintOk)]);
        }
        _ => {
            page.title(Text::NoticeTitle, &[]);
            page.wrapped(Normal, &app.live.notice);
            page.hints([None, None, Some(Text::HintOk)]);
        }
    }
}

/// The numbers that the club does not know, as many as fit.
fn unknown_numbers(
    app: &App,
    seats: [bool; 4],
) -> impl Iterator<Item = (Seat, protocol::words::PlayerNumber)> {
    let numbers = Seat::ALL.into_iter().zip(app.live.numbers).zip(seats);
    numbers.filter_map(|((seat, number), unknown)| Some((seat, number.filter(|_| unknown)?)))
}

fn nothing_yet(app: &App, page: &mut Page) {
    let text = match (app.live.feedback_refused, app.live.link) {
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
    let percent: RowText = match line.ns_percentage.map(Percentage::get) {
        Some(hundredths) => fill("{}.{}", &[&(hundredths / 100), &(hundredths / 10 % 10)]),
        // A result that stands alone has nothing to be compared with.
        None => RowText::new(),
    };
    let row: RowText = match &line.played {
        // No contract scores nothing.
        _ if line.score.0 == 0 => {
            let passed = page.word(Text::TravellerPassed);
            match line.times {
                1 => fill("{}\t{}", &[&passed, &percent]),
                times => fill("{} x{}\t{}", &[&passed, &times, &percent]),
            }
        }
        Some((contract, tricks)) if line.times == 1 => fill(
            "{} {} {}{}\t{}",
            &[
                &score,
                &ContractSymbols(contract),
                &SeatLetter(contract.declarer, page.language),
                &Over(contract.over(*tricks)),
                &percent,
            ],
        ),
        _ => fill("{} x{}\t{}", &[&score, &line.times, &percent]),
    };
    page.plain(style, row);
}

fn par(record: &HandRecord, page: &mut Page) {
    match record.par {
        Some(par) => {
            let contract: RowText = match par.contract {
                Some(contract) => {
                    let declarer = SeatLetter(contract.declarer, page.language);
                    fill("{} {}", &[&ContractSymbols(&contract), &declarer])
                }
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
    let mut heads = RowText::new();
    for strain in Strain::ALL {
        let _ = heads.push_str(fill::<8>("\t{}", &[&StrainSymbol(strain)]).as_str());
    }
    page.plain(Normal, heads);
    for seat in Seat::ALL {
        let mut row: RowText = fill("{}", &[&SeatLetter(seat, page.language)]);
        for strain in Strain::ALL {
            use core::fmt::Write;
            let _ = match tricks.get(seat, strain) {
                Some(tricks) => write!(row, "\t{}", tricks.get()),
                None => write!(row, "\t-"),
            };
        }
        page.plain(Normal, row);
    }
}
