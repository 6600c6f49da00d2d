//! Screens from the first key to the first board.

use protocol::message::RefusalReason;

use super::{App, Flow, Page};
use crate::RowStyle::{Large, Normal};
use crate::app::{Claim, LinkStatus};
use crate::screen::RowText;
use crate::texts::{Text, fill, refusal, seat as seat_name};

pub(super) fn page(app: &App, flow: &Flow, page: &mut Page) {
    match flow {
        Flow::Section { claim, letter } => {
            let title = match claim {
                Claim::LogOn => Text::SectionTitle,
                Claim::Replace => Text::SectionReplace,
                Claim::Recover => Text::SectionRecover,
            };
            page.title(title, &[]);
            page.plain(Large, fill("{}", &[letter]));
            page.sentence(Text::SectionPrompt, &[]);
            page.hints([
                Some(Text::HintBack),
                Some(Text::HintScroll),
                Some(Text::HintOkNext),
            ]);
        }
        Flow::Table { section, typed, .. } => {
            page.title(Text::TableTitle, &[section]);
            page.plain(Large, fill("{}{}", &[section, typed]));
            page.sentence(Text::TablePrompt, &[]);
            let next = (!typed.is_empty()).then_some(Text::HintOkNext);
            page.hints([Some(Text::HintBack), None, next]);
        }
        Flow::LoggingOn { section, table, .. } => {
            page.title(Text::LoggingOnTitle, &[section, table]);
            let prompt = if app.live.to_say.asks_director {
                refusal(RefusalReason::AskingDirector)
            } else {
                Text::LoggingOnPrompt
            };
            page.sentence(prompt, &[]);
            page.hints([Some(Text::HintBack), None, None]);
        }
        Flow::LogOnRefused {
            section,
            table,
            reason,
            ..
        } => {
            page.title(Text::RefusedTitle, &[section, table]);
            let silent = match app.live.link {
                LinkStatus::AnotherClub => Text::AnotherClubSentence,
                LinkStatus::TooOld => refusal(RefusalReason::VersionTooOld),
                LinkStatus::NoKey => Text::NoKeySentence,
                _ => Text::NoAnswerSentence,
            };
            page.sentence(reason.map_or(silent, refusal), &[]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintOkRetry)]);
        }
        Flow::OldResults => {
            page.title(Text::OldTitle, &[]);
            page.sentence(Text::OldSentence, &[&app.kept.sheet.unsettled()]);
            page.hints([Some(Text::HintBack), None, Some(Text::HintDirector)]);
        }
        Flow::Players { seat, typed } => {
            page.title(Text::PlayersTitle, &[&page.word(seat_name(*seat))]);
            page.plain(Large, fill("{}", &[typed]));
            match app.number_of(*seat).filter(|_| typed.is_empty()) {
                Some(number) => page.sentence(Text::PlayersKeep, &[&number]),
                None => page.sentence(Text::PlayersPrompt, &[]),
            }
            page.plain(Normal, typed_numbers(app, page));
            let known = app.number_of(*seat).is_some();
            let next = (known || !typed.is_empty()).then_some(Text::HintOkNext);
            page.hints([Some(Text::HintBack), None, next]);
        }
        Flow::WrongTable => {
            page.title(Text::WrongTableTitle, &[]);
            let tag = app.tag();
            page.sentence(Text::WrongTableSentence, &[&tag.section, &tag.table]);
            let players = app.may_correct_players();
            if players {
                page.sentence(Text::WrongPlayers, &[]);
            }
            let players = players.then_some(Text::HintPlayers);
            page.hints([Some(Text::HintBack), players, Some(Text::HintOkLog)]);
        }
        Flow::Replaced => {
            page.title(Text::ReplacedTitle, &[]);
            page.sentence(Text::ReplacedSentence, &[]);
            page.hints([None, None, Some(Text::HintOk)]);
        }
        _ => {
            page.title(Text::StartTitle, &[]);
            page.sentence(Text::StartPrompt, &[]);
            if app.kept.sheet.never_sent() > 0 {
                page.sentence(Text::StartUnsent, &[&app.kept.sheet.never_sent()]);
            }
            page.hints([None, None, Some(Text::HintOkStart)]);
        }
    }
}

/// The numbers that were typed for the seats before this one.
fn typed_numbers(app: &App, page: &Page) -> RowText {
    let mut line = RowText::new();
    for (seat, number) in protocol::words::Seat::ALL.into_iter().zip(app.live.numbers) {
        let seat = super::words::SeatLetter(seat, page.language);
        let part: RowText = match number {
            Some(number) if number.get() == 0 => {
                fill("{} {}  ", &[&seat, &page.word(Text::Visitor)])
            }
            Some(number) => fill("{} {}  ", &[&seat, &number]),
            None => continue,
        };
        let longer: RowText = fill("{}{}", &[&line, &part]);
        if !Normal.fits(longer.trim_end()) {
            break;
        }
        line = longer;
    }
    line.trim_end().try_into().unwrap_or_default()
}
