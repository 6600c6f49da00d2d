//! Screens of the director's menu.

use protocol::message::{FirmwareVersion, WIRE_VERSION};

use super::play::{board_line, stars};
use super::words::{Percent, scored_line};
use super::{App, Flow, Page, first_shown};
use crate::RowStyle::{Inverse, Large, Normal};
use crate::app::director::{KEY_DIGITS, MENU};
use crate::app::{Adjusting, Digits, LinkStatus};
use crate::draw::LINE_WIDTH;
use crate::screen::RowText;
use crate::texts::{Text, fill, shortened};

/// Rows of a list without a prompt.
const LIST_ROWS: usize = 4;

/// Hexadecimal digits of a key that are shown in a row.
const KEY_DIGITS_SHOWN: u8 = 16;

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    let tag = app.tag();
    match flow {
        Flow::DirectorPin { typed, .. } => {
            page.title(Text::DirectorPinTitle, &[]);
            page.plain(Large, stars(typed.len()));
            let prompt = if app.is_judged() {
                Text::DirectorPinAsking
            } else {
                Text::DirectorPinPrompt
            };
            page.sentence(prompt, &[]);
            page.hints([Some(Text::HintBack), None, None]);
        }
        Flow::Menu { cursor } => menu(usize::from(*cursor), page),
        Flow::CurrentGame => current_game(app, page),
        Flow::Results { cursor } => {
            page.title(Text::ResultsTitle, &[&tag.section, &tag.table]);
            let cursor = usize::from(*cursor);
            let first = first_shown(cursor, LIST_ROWS, app.all_boards().count());
            let shown = app.all_boards().enumerate().skip(first).take(LIST_ROWS);
            for (index, (round, board)) in shown {
                let style = if index == cursor { Inverse } else { Normal };
                page.plain(style, board_line(app, round, board, page));
            }
            page.hints([
                Some(Text::HintBack),
                Some(Text::HintScroll),
                Some(Text::HintOkChoose),
            ]);
        }
        Flow::ResultDetail { round, board, .. } => {
            page.title(Text::DetailTitle, &[round, board]);
            match app.kept.sheet.line(*round, *board) {
                Some(line) => {
                    let result = scored_line(line.entry.result, *board, page.language);
                    page.plain(Normal, result);
                }
                None => page.row(Normal, Text::NoResult, &[]),
            }
            page.sentence(Text::DetailPrompt, &[]);
            page.hints([
                Some(Text::HintBack),
                Some(Text::HintAdjust),
                Some(Text::HintOkReplace),
            ]);
        }
        Flow::Adjust(adjusting) => adjust(adjusting, page),
        Flow::AllowBoard { typed } => {
            page.title(Text::AllowTitle, &[]);
            page.plain(Large, fill("{}", &[typed]));
            page.sentence(Text::AllowPrompt, &[]);
            let accept = (!typed.is_empty()).then_some(Text::HintAccept);
            page.hints([Some(Text::HintBack), None, accept]);
        }
        Flow::Radio { network, typed } => radio(app, *network, *typed, page),
        Flow::ClubKey { typed, len } => club_key(typed, *len, page),
        Flow::Service => service(app, page),
        question => ask(app, question, page),
    }
}

fn menu(cursor: usize, page: &mut Page) {
    page.title(Text::MenuTitle, &[]);
    let first = first_shown(cursor, LIST_ROWS, MENU.len());
    for (index, entry) in MENU.iter().enumerate().skip(first).take(LIST_ROWS) {
        let style = if index == cursor { Inverse } else { Normal };
        let text: RowText = match index {
            0..9 => fill("{} {}", &[&(index + 1), &page.word(*entry)]),
            9 => fill("0 {}", &[&page.word(*entry)]),
            _ => fill("  {}", &[&page.word(*entry)]),
        };
        page.plain(style, text);
    }
    page.hints([
        Some(Text::HintBack),
        Some(Text::HintScroll),
        Some(Text::HintOkChoose),
    ]);
}

fn current_game(app: &App, page: &mut Page) {
    page.title(Text::MenuCurrentGame, &[]);
    page.hints([Some(Text::HintBack), None, Some(Text::HintOk)]);
    let Some(game) = &app.kept.game else {
        return page.row(Normal, Text::GameNone, &[]);
    };
    let tag = &game.tag;
    let round = app.kept.progress.round;
    let event: RowText = shortened(&game.event, LINE_WIDTH);
    page.plain(Normal, event);
    page.row(Normal, Text::GameTable, &[&tag.section, &tag.table, &round]);
    page.row(Normal, Text::GameSession, &[&tag.session]);
    let results = app.kept.sheet.lines().count();
    page.row(
        Normal,
        Text::GameEntries,
        &[&results, &app.kept.sheet.unsent()],
    );
}

fn adjust(adjusting: &Adjusting, page: &mut Page) {
    page.title(Text::AdjustTitle, &[&adjusting.board]);
    let typed: RowText = match adjusting.decimals {
        Some(decimals) => {
            let whole = adjusting.whole.value().unwrap_or(0);
            fill("{}.{}", &[&whole, &decimals])
        }
        None => fill("{}", &[&adjusting.whole]),
    };
    match adjusting.ns {
        None => page.row(Large, Text::AdjustNs, &[&typed]),
        Some(ns) => {
            page.row(Normal, Text::AdjustNs, &[&Percent(ns)]);
            page.row(Large, Text::AdjustEw, &[&typed]);
        }
    }
    let typed = !adjusting.whole.is_empty();
    let point = (typed && adjusting.decimals.is_none()).then_some(Text::HintPoint);
    let next = typed.then_some(Text::HintOkNext);
    page.hints([Some(Text::HintBack), point, next]);
}

fn radio(app: &App, network: Option<u8>, typed: Digits, page: &mut Page) {
    page.title(Text::RadioTitle, &[]);
    match network {
        None => page.row(Large, Text::RadioNetwork, &[&typed]),
        Some(network) => {
            page.row(Normal, Text::RadioNetwork, &[&network]);
            page.row(Large, Text::RadioChannel, &[&typed]);
        }
    }
    let now = app.kept.radio;
    page.sentence(Text::RadioNow, &[&now.network, &now.channel]);
    let next = (!typed.is_empty()).then_some(Text::HintOkNext);
    page.hints([Some(Text::HintBack), None, next]);
}

fn club_key(typed: &[u8; 32], len: u8, page: &mut Page) {
    page.title(Text::KeyTitle, &[&len]);
    let mut row = RowText::new();
    for place in 0..len {
        let byte = typed.get(usize::from(place / 2)).copied().unwrap_or(0);
        let digit = if place % 2 == 0 { byte >> 4 } else { byte & 15 };
        if place > 0 && place % KEY_DIGITS_SHOWN == 0 {
            page.plain(Normal, core::mem::take(&mut row));
        } else if place % 4 == 0 && place > 0 {
            let _ = row.push(' ');
        }
        let digit = char::from_digit(u32::from(digit), 16).unwrap_or('?');
        let _ = row.push(digit.to_ascii_uppercase());
    }
    page.plain(Normal, row);
    if len <= 48 {
        page.row(Normal, Text::KeyPrompt, &[]);
    }
    let ok = (len == KEY_DIGITS).then_some(Text::HintOk);
    page.hints([Some(Text::HintBack), None, ok]);
}

fn service(app: &App, page: &mut Page) {
    let pad: RowText = {
        use core::fmt::Write;
        let mut text = RowText::new();
        let _ = write!(text, "{:08X}", app.pad.get());
        text
    };
    page.title(Text::ServiceTitle, &[&pad]);
    let mv = app.live.battery.millivolts();
    let (volts, tenths) = (mv / 1000, mv / 100 % 10);
    let cells = page.word(if app.live.battery.is_low() {
        Text::BatteryChange
    } else {
        Text::BatteryGood
    });
    match mv {
        0 => page.row(Normal, Text::BatteryUnknown, &[]),
        _ => page.row(Normal, Text::ServiceBattery, &[&volts, &tenths, &cells]),
    }
    let base = page.word(match app.live.link {
        LinkStatus::Answered { .. } => Text::SignalAnswers,
        LinkStatus::NoAnswer => Text::SignalNone,
        LinkStatus::AnotherClub => Text::SignalOther,
        LinkStatus::TooOld => Text::SignalTooOld,
        LinkStatus::Asleep | LinkStatus::NoKey => Text::SignalNotAsked,
    });
    page.row(Normal, Text::ServiceSignal, &[&base]);
    match &app.kept.keys {
        Some(keys) => {
            use core::fmt::Write;
            let mut check = RowText::new();
            for byte in keys.check().0 {
                let _ = write!(check, "{byte:02X}");
            }
            page.row(Normal, Text::ServiceKey, &[&check]);
        }
        None => page.row(Normal, Text::ServiceNoKey, &[]),
    }
    let FirmwareVersion(major, minor, patch) = app.firmware;
    page.row(
        Normal,
        Text::ServiceVersion,
        &[&major, &minor, &patch, &WIRE_VERSION],
    );
    page.hints([Some(Text::HintBack), None, Some(Text::HintOk)]);
}

/// Questions that ACCEPT answers.
fn ask(app: &App, question: &Flow, page: &mut Page) {
    let tag = app.tag();
    let unsent = app.kept.sheet.unsent();
    page.hints([Some(Text::HintBackNo), None, Some(Text::HintAccept)]);
    match question {
        Flow::ResendConfirm => {
            page.title(Text::ResendTitle, &[]);
            page.sentence(Text::ResendSentence, &[&app.kept.sheet.own()]);
        }
        Flow::RecoverConfirm => {
            page.title(Text::RecoverTitle, &[]);
            let results = app.kept.sheet.lines().count();
            page.sentence(Text::RecoverSentence, &[&tag.section, &tag.table, &results]);
        }
        Flow::NewGameConfirm => {
            page.title(Text::NewGameTitle, &[]);
            if unsent > 0 {
                page.row(Inverse, Text::NewGamePrompt, &[&unsent]);
            }
            page.sentence(Text::NewGameSentence, &[&tag.section, &tag.table]);
        }
        Flow::ForgetOld => {
            page.title(Text::ForgetTitle, &[]);
            let unsettled = app.kept.sheet.unsettled();
            page.sentence(
                Text::ForgetSentence,
                &[&unsettled, &tag.section, &tag.table],
            );
        }
        _ => {
            page.title(Text::RestartTitle, &[]);
            page.sentence(Text::RestartSentence, &[]);
        }
    }
}
