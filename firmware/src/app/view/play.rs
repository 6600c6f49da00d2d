//! Screens of the evening: rounds and boards.

use protocol::message::{FeedbackLevel, NextPlace, PairNames, ResultStyle, RoundSheet};
use protocol::words::{BoardNumber, BoardResult, PairNumber, Side};

use super::words::{
    CardSymbols, ContractSymbols, Percent, Signed, StrainSymbol, result_line, scored_line, symbol,
};
use super::{App, Flow, Page, first_shown};
use crate::RowStyle::{Inverse, Large, Normal, Small};
use crate::app::typing::{Lead, Sign, Special};
use crate::app::{Draft, Step, Typing};
use crate::game::boards;
use crate::screen::RowText;
use crate::texts::{Text, fill, seat as seat_name, vulnerability};
use crate::{Line, LineState};

/// Rows of a list that has a prompt under it.
const LIST_ROWS: usize = 4;

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    match flow {
        Flow::RoundStart => round_start(app, page),
        Flow::PairTyped { typed } => {
            page.title(Text::PairTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            page.sentence(Text::PairPrompt, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOkNext)]);
        }
        Flow::ChoosePin { typed } => {
            page.title(Text::PinTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            page.sentence(Text::PinPrompt, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOkNext)]);
        }
        Flow::SitOut => {
            page.title(Text::SitOutTitle, &[&app.progress.round]);
            page.sentence(Text::SitOutSentence, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintAccept)]);
        }
        Flow::BoardTyped { typed } => {
            page.title(Text::BoardTypedTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            if let Some((first, last)) = app.round_sheet().and_then(first_and_last) {
                page.sentence(Text::BoardTypedPrompt, &[&first, &last]);
            }
            last_agreed(app, page);
            let results = offers_results(app).then_some(Text::HintResults);
            page.hints([Some(Text::HintBackBoards), results, Some(Text::HintOkNext)]);
        }
        Flow::Entry(typing) => entry(app, typing, page),
        Flow::Check { draft, .. } => check(draft, page),
        Flow::AcceptPin { draft, typed, .. } => {
            page.title(Text::AcceptPinTitle, &[]);
            page.plain(Large, stars(typed.len()));
            page.plain(Normal, result_line(draft.result, page.language));
            page.sentence(Text::AcceptPinPrompt, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOk)]);
        }
        Flow::RoundSummary { cursor, typed } => {
            summary(app, usize::from(*cursor), page);
            if typed.is_empty() {
                page.row(Small, Text::SummaryPrompt, &[]);
            } else {
                page.rows.truncate(3);
                page.row(Inverse, Text::SummaryTyped, &[typed]);
            }
            let results = offers_results(app).then_some(Text::HintBoardResults);
            page.hints([Some(Text::HintBack), results, Some(Text::HintOkChoose)]);
        }
        Flow::OutOfRange { board } => {
            page.title(Text::RangeTitle, &[board]);
            page.sentence(Text::RangeSentence, &[board]);
            page.row(Small, Text::RangePrompt, &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintDirector)]);
        }
        Flow::RoundEnd => round_end(app, page),
        _ => {
            page.title(Text::SessionTitle, &[]);
            match app.sheet.unsent() {
                0 => page.sentence(Text::SessionThanks, &[]),
                unsent => page.sentence(Text::SessionUnsent, &[&unsent]),
            }
            let ranking = app.settings.ranking.then_some(Text::HintRanking);
            page.hints([Some(Text::HintBack), ranking, Some(Text::HintOkEnd)]);
        }
    }
}

/// As many stars as digits were typed: a number that opens something is not shown.
pub(super) fn stars(typed: u8) -> RowText {
    let mut stars = RowText::new();
    for _ in 0..typed {
        let _ = stars.push('*');
    }
    let _ = stars.push('_');
    stars
}

fn round_start(app: &App, page: &mut Page) {
    page.title(Text::RoundStartTitle, &[&app.progress.round]);
    page.hints([Some(Text::HintBackNo), None, Some(Text::HintOkYes)]);
    let Some(sheet) = app.round_sheet() else {
        page.title(Text::RoundTitle, &[&app.progress.round]);
        page.sentence(Text::RoundUnknown, &[]);
        page.hints([Some(Text::HintBack), None, None]);
        return;
    };
    if sheet.boards == 0 {
        page.title(Text::RoundTitle, &[&app.progress.round]);
        page.sentence(Text::RoundEmpty, &[]);
        page.hints([Some(Text::HintBack), None, Some(Text::HintOkNext)]);
        return;
    }
    let names = app
        .names
        .as_ref()
        .filter(|names| names.round <= sheet.round);
    pair(page, Side::NorthSouth, sheet.ns, names);
    pair(page, Side::EastWest, sheet.ew, names);
    match first_and_last(sheet) {
        Some((first, last)) if first != last => {
            page.row(Normal, Text::RoundBoards, &[&first, &last]);
        }
        Some((first, _)) => page.row(Normal, Text::RoundBoard, &[&first]),
        None => {}
    }
}

fn pair(page: &mut Page, side: Side, pair: Option<PairNumber>, names: Option<&PairNames>) {
    let direction = direction(page, side);
    let Some(pair) = pair else {
        return page.row(Normal, Text::RoundPhantom, &[&direction]);
    };
    page.row(Normal, Text::RoundPair, &[&direction, &pair]);
    let Some([north, east, south, west]) = names.map(|names| &names.seats) else {
        return;
    };
    let (one, two) = match side {
        Side::NorthSouth => (north, south),
        Side::EastWest => (east, west),
    };
    if !one.is_empty() || !two.is_empty() {
        // Two long names share the row fairly.
        let line: heapless::String<96> = fill("{} & {}", &[&cut(one), &cut(two)]);
        page.plain(Small, line.as_str().try_into().unwrap_or_default());
    }
}

fn cut(name: &str) -> &str {
    let end = name.char_indices().nth(15).map_or(name.len(), |(at, _)| at);
    name.get(..end).unwrap_or(name)
}

/// N-S or E-W as the language writes them.
fn direction(page: &Page, side: Side) -> &'static str {
    use protocol::message::Language;
    match (side, page.language) {
        (Side::NorthSouth, _) => "N-S",
        (Side::EastWest, Language::English) => "E-W",
        (Side::EastWest, Language::German) => "O-W",
    }
}

fn first_and_last(sheet: &RoundSheet) -> Option<(BoardNumber, BoardNumber)> {
    Some((boards(sheet).next()?, boards(sheet).last()?))
}

fn entry(app: &App, typing: &Typing, page: &mut Page) {
    let board = typing.board;
    let earlier = app.sheet.line(typing.round, board);
    let title = match (typing.by_director, earlier) {
        (true, _) => Text::EntryDirector,
        (false, Some(_)) => Text::EntryCorrect,
        (false, None) => Text::EntryTitle,
    };
    page.title(title, &[&board]);
    let vulnerable = page.word(vulnerability(board.vulnerability()));
    if app.gate_open {
        page.row(Normal, Text::EntryDealer, &[&board.dealer(), &vulnerable]);
    } else {
        // The board itself tells its dealer.
        page.row(Small, Text::Stopped, &[]);
    }
    page.plain(Large, typed_line(typing, page));
    let (prompt, small) = prompt(app, typing);
    let needed = app.settings.result_style == ResultStyle::American;
    let level = typing
        .level
        .filter(|_| needed)
        .map_or(0, protocol::words::Level::get);
    page.row(Normal, prompt, &[&level]);
    if let Some(small) = small {
        page.row(Small, small, &[]);
    }
    let score = typing.result(&app.settings).ok();
    let score = score.and_then(|result| result.score(board));
    match (score, earlier) {
        (Some(score), _) => page.row(Normal, Text::ScoreNs, &[&Signed(score)]),
        (None, Some(line)) => {
            let was = scored_line(line.entry.result, board, page.language);
            page.row(Small, Text::EntryWas, &[&was]);
        }
        (None, None) if typing.is_empty() => last_agreed(app, page),
        (None, None) => {}
    }
    entry_hints(app, typing, page);
}

fn entry_hints(app: &App, typing: &Typing, page: &mut Page) {
    let results = offers_results(app).then_some(Text::HintResults);
    let hints = match (typing.is_empty(), typing.by_director) {
        (true, false) => [Some(Text::HintBackBoards), Some(Text::HintBoards), results],
        (true, true) => [Some(Text::HintBack), None, None],
        (false, _) => [Some(Text::HintBack), None, Some(Text::HintOkNext)],
    };
    page.hints(hints);
}

/// Whether there is a finished board of this round, and the club lets players look at results.
fn offers_results(app: &App) -> bool {
    let finished = app
        .sheet
        .newest()
        .is_some_and(|line| line.entry.round == app.progress.round);
    let shown = match app.settings.feedback {
        FeedbackLevel::Traveller => true,
        FeedbackLevel::TravellerAtRoundEnd => app.proposed().is_none(),
        FeedbackLevel::None | FeedbackLevel::Percentage => false,
    };
    finished && (shown || app.settings.hand_record)
}

/// `4♠X S ♦K +1`, with a cursor where something is missing.
fn typed_line(typing: &Typing, page: &Page) -> RowText {
    use core::fmt::Write;
    let mut line = RowText::new();
    match typing.special {
        Some(Special::PassedOut) => return fill(page.word(Text::PassedOut), &[]),
        Some(Special::NotPlayed) => return fill(page.word(Text::NotPlayed), &[]),
        None => {}
    }
    let Some(level) = typing.level else {
        return fill("_", &[]);
    };
    // The line is shorter than a row: nothing of this can fail.
    let _ = write!(line, "{level}");
    if let Some(strain) = typing.strain {
        let _ = write!(line, "{}{}", StrainSymbol(strain), typing.doubling);
    }
    if let Some(declarer) = typing.declarer {
        let _ = write!(line, " {declarer}");
    }
    match (typing.lead, typing.lead_card()) {
        (Lead::Suit(suit), _) => drop(write!(line, " {}", symbol(suit))),
        (_, Some(card)) => drop(write!(line, " {}", CardSymbols(card))),
        _ => {}
    }
    let sign = match typing.sign {
        Some(Sign::Made) => "=",
        Some(Sign::Over) => "+",
        Some(Sign::Down) => "-",
        None => "",
    };
    let digits = typing.digits.value();
    if !sign.is_empty() || digits.is_some() {
        let _ = write!(line, " {sign}");
    }
    match digits {
        Some(digits) => drop(write!(line, "{digits}")),
        None if sign == "=" => {}
        None => drop(line.push('_')),
    }
    line
}

fn prompt(app: &App, typing: &Typing) -> (Text, Option<Text>) {
    use protocol::message::LeadEntry;
    match typing.step(&app.settings) {
        Step::Level => (Text::AskLevel, Some(Text::AskLevelSmall)),
        Step::Strain => (Text::AskStrain, None),
        Step::Declarer => (Text::AskDeclarer, None),
        Step::LeadSuit => {
            let optional = app.settings.lead == LeadEntry::Optional;
            (Text::AskLead, optional.then_some(Text::AskLeadSmall))
        }
        Step::LeadRank => (Text::AskRank, None),
        Step::Tricks => match app.settings.result_style {
            ResultStyle::OverUnder => (Text::AskOverUnder, None),
            ResultStyle::TotalTricks => (Text::AskTotal, None),
            ResultStyle::American => (Text::AskAmerican, None),
        },
        Step::Done => (Text::AskOk, None),
    }
}

/// The result agreed last, and how far it has come.
fn last_agreed(app: &App, page: &mut Page) {
    let Some(line) = app.sheet.newest() else {
        return;
    };
    let board = line.entry.board;
    let result = scored_line(line.entry.result, board, page.language);
    let text: RowText = match line.state {
        LineState::Received(Some(percentage)) => {
            fill("{}: {} {}%", &[&board, &result, &Percent(percentage)])
        }
        _ => fill("{}: {} {}", &[&board, &result, &state_word(line, page)]),
    };
    page.plain(Small, text);
}

fn state_word(line: &Line, page: &Page) -> &'static str {
    page.word(match line.state {
        LineState::Unsent => Text::LastWaiting,
        LineState::Received(_) | LineState::Elsewhere => Text::LastReceived,
        LineState::Refused(_) => Text::LastRefused,
        LineState::Directors | LineState::Withdrawn => Text::LastDirectors,
    })
}

fn check(draft: &Draft, page: &mut Page) {
    let title = if draft.by_director {
        Text::CheckDirector
    } else {
        Text::CheckTitle
    };
    page.title(title, &[&draft.board]);
    page.hints([Some(Text::HintBackChange), None, Some(Text::HintAccept)]);
    match &draft.result {
        BoardResult::Played(played) => {
            let contract = &played.contract;
            let declarer = page.word(seat_name(contract.declarer));
            page.row(
                Large,
                Text::CheckContract,
                &[&ContractSymbols(contract), &declarer],
            );
            match played.lead {
                Some(card) => page.row(Normal, Text::CheckLead, &[&CardSymbols(card)]),
                None => page.row(Normal, Text::CheckNoLead, &[]),
            }
            let tricks = played.tricks;
            match contract.over(tricks) {
                0 => page.row(Normal, Text::CheckMade, &[&tricks]),
                over if over > 0 => page.row(Normal, Text::CheckOver, &[&over, &tricks]),
                under => page.row(Normal, Text::CheckDown, &[&-under, &tricks]),
            }
        }
        BoardResult::PassedOut => {
            page.row(Large, Text::PassedOut, &[]);
            page.sentence(Text::CheckPassedOut, &[]);
            return;
        }
        BoardResult::NotPlayed => {
            // Four rows of explanation leave no room for the largest type.
            page.row(Normal, Text::NotPlayed, &[]);
            page.sentence(Text::CheckNotPlayed, &[]);
            return;
        }
        BoardResult::SitOut => page.row(Large, Text::SitOut, &[]),
        BoardResult::Adjusted { ns, ew } => {
            page.row(Normal, Text::AdjustNs, &[&Percent(*ns)]);
            page.row(Normal, Text::AdjustEw, &[&Percent(*ew)]);
        }
    }
    if let Some(score) = draft.result.score(draft.board) {
        page.row(Large, Text::ScoreNs, &[&Signed(score)]);
    }
}

fn summary(app: &App, cursor: usize, page: &mut Page) {
    page.title(Text::SummaryTitle, &[&app.progress.round]);
    let count = app.round_boards().count();
    let first = first_shown(cursor, LIST_ROWS, count);
    for (index, board) in app.round_boards().enumerate().skip(first).take(LIST_ROWS) {
        let style = if index == cursor { Inverse } else { Normal };
        page.plain(style, board_line(app, app.progress.round, board, page));
    }
}

/// A board and its result, for lists.
pub(super) fn board_line(
    app: &App,
    round: protocol::words::RoundNumber,
    board: BoardNumber,
    page: &Page,
) -> RowText {
    match app.sheet.line(round, board) {
        Some(line) => {
            let result = scored_line(line.entry.result, board, page.language);
            fill("{} {}", &[&board, &result])
        }
        None => fill("{} {}", &[&board, &page.word(Text::NoResult)]),
    }
}

fn round_end(app: &App, page: &mut Page) {
    page.title(Text::EndTitle, &[&app.progress.round]);
    let results = offers_results(app).then_some(Text::HintResults);
    page.hints([Some(Text::HintBackBoards), results, Some(Text::HintOkNext)]);
    let Some(sheet) = app.round_sheet() else {
        return;
    };
    for (side, pair, next) in [
        (Side::NorthSouth, sheet.ns, sheet.ns_next),
        (Side::EastWest, sheet.ew, sheet.ew_next),
    ] {
        let who = direction(page, side);
        match next {
            _ if pair.is_none() => {}
            NextPlace::Stay => page.row(Normal, Text::EndStay, &[&who]),
            NextPlace::Go(table, to) => {
                page.row(Normal, Text::EndGo, &[&who, &table, &direction(page, to)]);
            }
            NextPlace::SitOut => page.row(Normal, Text::EndSitOut, &[&who]),
            NextPlace::Finished => page.row(Normal, Text::EndFinished, &[&who]),
        }
    }
    match (sheet.boards_to, sheet.ns_next) {
        (Some(table), _) => page.row(Normal, Text::EndBoardsTo, &[&table]),
        (None, NextPlace::Finished) => {}
        (None, _) => page.row(Normal, Text::EndBoardsStand, &[]),
    }
    last_agreed(app, page);
}
