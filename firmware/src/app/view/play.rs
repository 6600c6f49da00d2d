//! Screens of the evening: rounds and boards.

use protocol::message::{
    FeedbackLevel, LeadEntry, NextPlace, PairNames, RefusalReason, ResultStyle, RoundSheet,
};
use protocol::words::{BoardNumber, BoardResult, Contract, Doubling, PairNumber, Seat, Side};

use super::words::{
    CardSymbols, ContractSymbols, Percent, SeatLetter, Signed, StrainSymbol, outcome_line,
    result_line, scored_line, symbol,
};
use super::{App, Flow, Page, first_shown};
use crate::RowStyle::{Inverse, Large, Normal};
use crate::app::digits::PIN_DIGITS;
use crate::app::typing::{Lead, Sign, Special};
use crate::app::{Draft, Step, Typing};
use crate::draw::LINE_WIDTH;
use crate::game::boards;
use crate::screen::RowText;
use crate::texts::{Text, fill, seat as seat_name, shortened, side_letters, vulnerability};
use crate::{Line, LineState};

/// Rows of a list.
const LIST_ROWS: usize = 4;

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    match flow {
        Flow::RoundStart => round_start(app, page),
        Flow::PairTyped { typed } => {
            page.title(Text::PairTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            page.sentence(Text::PairPrompt, &[]);
            let next = (!typed.is_empty()).then_some(Text::HintOkNext);
            page.hints([Some(Text::HintBack), None, next]);
        }
        Flow::ChoosePin { typed } => {
            page.title(Text::PinTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            page.sentence(Text::PinPrompt, &[]);
            let next = (typed.len() == PIN_DIGITS).then_some(Text::HintOkNext);
            page.hints([Some(Text::HintBack), None, next]);
        }
        Flow::SitOut => {
            page.title(Text::SitOutTitle, &[&app.kept.progress.round]);
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
            let next = (!typed.is_empty()).then_some(Text::HintOkNext);
            page.hints([Some(Text::HintBackBoards), results, next]);
        }
        Flow::Entry(typing) => entry(app, typing, page),
        Flow::Check { draft, .. } => check(draft, page),
        Flow::AcceptPin { draft, typed, .. } => {
            page.title(Text::AcceptPinTitle, &[]);
            page.plain(Large, stars(typed.len()));
            page.plain(Normal, result_line(draft.result, page.language));
            page.sentence(Text::AcceptPinPrompt, &[]);
            let ok = (typed.len() == PIN_DIGITS).then_some(Text::HintOk);
            page.hints([Some(Text::HintBack), None, ok]);
        }
        Flow::RoundSummary { cursor, typed } => {
            summary(app, usize::from(*cursor), page);
            if !typed.is_empty() {
                page.rows.truncate(3);
                page.row(Inverse, Text::SummaryTyped, &[typed]);
            }
            let results = offers_results(app).then_some(Text::HintBoardResults);
            let players = app.may_correct_players().then_some(Text::HintPlayers);
            let results = results.or(players);
            page.hints([Some(Text::HintBack), results, Some(Text::HintOkChoose)]);
        }
        Flow::OutOfRange { board, refused } => {
            page.title(Text::RangeTitle, &[board]);
            let sentence = match refused {
                None if app.live.to_say.board_is_unsaid() => Text::RangeAsking,
                None => Text::RangeWaiting,
                Some(RefusalReason::BoardNotOfSession) => Text::RangeNotOfSession,
                Some(RefusalReason::BoardOfEarlierRound) => Text::RangeEarlier,
                Some(_) => Text::RangeRefused,
            };
            page.sentence(sentence, &[board]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintDirector)]);
        }
        Flow::RoundEnd => round_end(app, page),
        Flow::Slip { top, ns } => super::slip::page(app, usize::from(*top), *ns, page),
        _ => {
            page.title(Text::SessionTitle, &[]);
            match app.kept.sheet.unsent() {
                0 => page.sentence(Text::SessionThanks, &[]),
                unsent => page.sentence(Text::SessionUnsent, &[&unsent]),
            }
            let ranking = app.kept.settings.ranking.then_some(Text::HintRanking);
            let back = app.playing().map(|_| Text::HintBack);
            page.hints([back, ranking, Some(Text::HintOkEnd)]);
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
    page.title(Text::RoundTitle, &[&app.kept.progress.round]);
    page.hints([Some(Text::HintBack), None, None]);
    let Some(sheet) = app.round_sheet() else {
        let round = app.kept.progress.round;
        if app.is_undrawn(round) {
            return page.sentence(Text::RoundNotDrawn, &[&round]);
        }
        return page.sentence(Text::RoundUnknown, &[]);
    };
    let Some((first, last)) = first_and_last(sheet) else {
        page.sentence(Text::RoundEmpty, &[]);
        return page.hints([Some(Text::HintBack), None, Some(Text::HintOkNext)]);
    };
    page.hints([Some(Text::HintBackNo), None, Some(Text::HintOkYes)]);
    if first == last {
        page.title(Text::RoundStartOne, &[&first]);
    } else {
        page.title(Text::RoundStartTitle, &[&first, &last]);
    }
    let names = app
        .kept
        .names
        .as_ref()
        .filter(|names| names.round <= sheet.round);
    if let Some(matching) = app
        .matching()
        .filter(|it| it.names.iter().all(|name| !name.is_empty()))
    {
        let [ns, ew] = &matching.names;
        for (side, number, name) in [
            (Side::NorthSouth, sheet.ns, ns),
            (Side::EastWest, sheet.ew, ew),
        ] {
            let (direction, number) = (direction(page, side), number.map_or(0, PairNumber::get));
            let line: heapless::String<96> = fill("{} {} {}", &[&direction, &number, name]);
            page.plain(Normal, shortened(&line, LINE_WIDTH));
        }
        let home = direction(page, matching.home);
        return page.row(Normal, Text::MatchHome, &[&home]);
    }
    pair(page, Side::NorthSouth, sheet.ns, names);
    pair(page, Side::EastWest, sheet.ew, names);
}

/// A pair: by its number, or each player by name where the base knows them.
fn pair(page: &mut Page, side: Side, pair: Option<PairNumber>, names: Option<&PairNames>) {
    let direction = direction(page, side);
    let Some(pair) = pair else {
        return page.row(Normal, Text::RoundPhantom, &[&direction]);
    };
    let (seats, players) = match (side, names.map(|names| &names.seats)) {
        (Side::NorthSouth, Some([north, _, south, _])) => {
            ([Seat::North, Seat::South], [north, south])
        }
        (Side::EastWest, Some([_, east, _, west])) => ([Seat::East, Seat::West], [east, west]),
        (_, None) => return page.row(Normal, Text::RoundPair, &[&direction, &pair]),
    };
    if players.iter().all(|name| name.is_empty()) {
        return page.row(Normal, Text::RoundPair, &[&direction, &pair]);
    }
    for (seat, name) in seats.into_iter().zip(players) {
        let seat = SeatLetter(seat, page.language);
        let line: heapless::String<96> = fill("{} {}  {}", &[&seat, &pair, name]);
        page.plain(Normal, shortened(&line, LINE_WIDTH));
    }
}

/// N-S or E-W as the language writes them.
fn direction(page: &Page, side: Side) -> &'static str {
    side_letters(side, page.language)
}

fn first_and_last(sheet: &RoundSheet) -> Option<(BoardNumber, BoardNumber)> {
    Some((boards(sheet).next()?, boards(sheet).last()?))
}

fn entry(app: &App, typing: &Typing, page: &mut Page) {
    let board = typing.board;
    let earlier = app.kept.sheet.line(typing.round, board);
    let title = match (typing.by_director, earlier) {
        (true, _) => Text::EntryDirector,
        (false, Some(_)) => Text::EntryCorrect,
        (false, None) => Text::EntryTitle,
    };
    let vulnerable = page.word(vulnerability(board.vulnerability()));
    page.title(title, &[&board, &vulnerable]);
    page.plain(Large, typed_line(typing, page));
    let (prompt, small) = prompt(app, typing);
    let needed = app.kept.settings.result_style == ResultStyle::American;
    let level = typing
        .level
        .filter(|_| needed)
        .map_or(0, protocol::words::Level::get);
    page.row(Normal, prompt, &[&level]);
    if let Some(small) = small {
        page.row(Normal, small, &[&SeatLetter(board.dealer(), page.language)]);
    }
    let score = typing.result(&app.kept.settings).ok();
    let score = score.and_then(|result| result.score(board));
    match (score, earlier) {
        _ if !app.live.gate_open => page.row(Normal, Text::Stopped, &[]),
        (Some(score), _) => page.row(Normal, Text::ScoreNs, &[&Signed(score)]),
        (None, Some(line)) => {
            let was = scored_line(line.outcome(), board, page.language);
            let row = fill(page.word(Text::EntryWas), &[&was]);
            page.plain(Normal, row);
        }
        (None, None) if typing.is_empty() => last_agreed(app, page),
        (None, None) => {}
    }
    entry_hints(app, typing, page);
}

fn entry_hints(app: &App, typing: &Typing, page: &mut Page) {
    let results = offers_results(app).then_some(Text::HintResults);
    let hints = match (typing.is_resting(), typing.by_director) {
        (true, _) if !typing.is_empty() => [Some(Text::HintBack), None, Some(Text::HintOkNext)],
        (true, false) => [Some(Text::HintBackBoards), Some(Text::HintBoards), results],
        (true, true) => [Some(Text::HintBack), None, None],
        (false, _) => {
            // OK goes on where all is typed, and where the lead may be left out.
            let goes_on = match typing.step(&app.kept.settings) {
                Step::Done => true,
                Step::LeadSuit => app.kept.settings.lead == LeadEntry::Optional,
                _ => false,
            };
            [
                Some(Text::HintBack),
                None,
                goes_on.then_some(Text::HintOkNext),
            ]
        }
    };
    page.hints(hints);
}

/// Whether there is a finished board of this round, and the club lets players look at results.
fn offers_results(app: &App) -> bool {
    let finished = app
        .kept
        .sheet
        .newest()
        .is_some_and(|line| line.entry.round == app.kept.progress.round);
    let shown = match app.kept.settings.feedback {
        FeedbackLevel::Traveller => true,
        FeedbackLevel::TravellerAtRoundEnd => app.proposed().is_none(),
        FeedbackLevel::None | FeedbackLevel::Percentage => false,
    };
    finished && (shown || app.kept.settings.hand_record)
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
    match typing.step(&app.kept.settings) {
        Step::Level => (Text::AskLevel, Some(Text::AskLevelSmall)),
        Step::Strain => (Text::AskStrain, None),
        Step::Declarer => (Text::AskDeclarer, None),
        Step::LeadSuit => {
            let optional = app.kept.settings.lead == LeadEntry::Optional;
            (Text::AskLead, optional.then_some(Text::AskLeadSmall))
        }
        Step::LeadRank => (Text::AskRank, None),
        Step::Tricks => match app.kept.settings.result_style {
            ResultStyle::OverUnder => (Text::AskOverUnder, None),
            ResultStyle::TotalTricks => (Text::AskTotal, None),
            ResultStyle::American => (Text::AskAmerican, None),
        },
        Step::Done => (Text::AskOk, None),
    }
}

/// The result agreed last, and how far it has come.
fn last_agreed(app: &App, page: &mut Page) {
    let Some(line) = app.kept.sheet.newest() else {
        return;
    };
    let board = line.entry.board;
    let scored = scored_line(line.outcome(), board, page.language);
    let result = outcome_line(line.outcome(), page.language);
    let short: RowText = match line.outcome().score(board) {
        Some(score) => fill("{}", &[&Signed(score)]),
        None => result.clone(),
    };
    let state: RowText = match line.state {
        LineState::Received(Some(percentage)) => {
            let side = direction(page, Side::NorthSouth);
            fill("{} {}%", &[&side, &Percent(percentage)])
        }
        _ => fill("{}", &[&state_word(line, page)]),
    };
    let percent = matches!(line.state, LineState::Received(Some(_)));
    // Where the percentage is known the score says more than the contract.
    let said = if percent {
        [short, result, scored]
    } else {
        [scored, result, short]
    };
    for said in said {
        let text: RowText = fill("{}: {} {}", &[&board, &said, &state]);
        if Normal.fits(&text) {
            return page.plain(Normal, text);
        }
    }
}

fn state_word(line: &Line, page: &Page) -> &'static str {
    page.word(match line.state {
        LineState::Unsent | LineState::Again => Text::LastWaiting,
        LineState::Received(_) | LineState::Elsewhere => Text::LastReceived,
        LineState::Refused(_) => Text::LastRefused,
        LineState::Directors | LineState::Withdrawn | LineState::Awarded { .. } => {
            Text::LastDirectors
        }
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
            let bid = Contract {
                doubling: Doubling::Undoubled,
                ..*contract
            };
            let doubling = page.word(match contract.doubling {
                Doubling::Undoubled => Text::Undoubled,
                Doubling::Doubled => Text::Doubled,
                Doubling::Redoubled => Text::Redoubled,
            });
            page.row(
                Large,
                Text::CheckContract,
                &[&ContractSymbols(&bid), &doubling],
            );
            match played.lead {
                Some(card) => page.row(Large, Text::CheckLead, &[&declarer, &CardSymbols(card)]),
                None => page.row(Large, Text::CheckNoLead, &[&declarer]),
            }
            match contract.over(played.tricks) {
                0 => page.row(Large, Text::CheckMade, &[]),
                over if over > 0 => page.row(Large, Text::CheckOver, &[&over]),
                under => page.row(Large, Text::CheckDown, &[&-under]),
            }
            if let Some(score) = draft.result.score(draft.board) {
                page.row(Normal, Text::CheckScore, &[&played.tricks, &Signed(score)]);
            }
        }
        BoardResult::PassedOut => {
            page.row(Large, Text::PassedOut, &[]);
            page.sentence(Text::CheckPassedOut, &[]);
        }
        BoardResult::NotPlayed => {
            page.row(Large, Text::NotPlayed, &[]);
            page.sentence(Text::CheckNotPlayed, &[]);
        }
        BoardResult::SitOut => page.row(Large, Text::SitOut, &[]),
        BoardResult::Adjusted { ns, ew } => {
            page.row(Large, Text::AdjustNs, &[&Percent(*ns)]);
            page.row(Large, Text::AdjustEw, &[&Percent(*ew)]);
        }
    }
}

fn summary(app: &App, cursor: usize, page: &mut Page) {
    page.title(Text::SummaryTitle, &[&app.kept.progress.round]);
    let count = app.round_boards().count();
    let first = first_shown(cursor, LIST_ROWS, count);
    for (index, board) in app.round_boards().enumerate().skip(first).take(LIST_ROWS) {
        let style = if index == cursor { Inverse } else { Normal };
        page.plain(style, board_line(app, app.kept.progress.round, board, page));
    }
}

/// A board and its result, for lists.
pub(super) fn board_line(
    app: &App,
    round: protocol::words::RoundNumber,
    board: BoardNumber,
    page: &Page,
) -> RowText {
    match app.kept.sheet.line(round, board) {
        Some(line) => {
            let result = scored_line(line.outcome(), board, page.language);
            fill("{} {}", &[&board, &result])
        }
        None => fill("{} {}", &[&board, &page.word(Text::NoResult)]),
    }
}

fn round_end(app: &App, page: &mut Page) {
    page.title(Text::EndTitle, &[&app.kept.progress.round]);
    let results = offers_results(app).then_some(Text::HintResults);
    page.hints([Some(Text::HintBackBoards), results, Some(Text::HintOkNext)]);
    let Some(sheet) = app.round_sheet() else {
        return;
    };
    if let Some(next) = app
        .kept
        .progress
        .round
        .next()
        .filter(|_| app.next_is_undrawn())
    {
        page.sentence(Text::EndNotDrawn, &[&next]);
        return last_agreed(app, page);
    }
    let next = app.kept.progress.round.next();
    let half_drawn = next.is_some_and(|next| app.is_half_drawn(next));
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
            NextPlace::SitOut if half_drawn => page.row(Normal, Text::EndNotYet, &[&who]),
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
