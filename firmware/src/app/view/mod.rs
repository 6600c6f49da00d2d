//! Screens from the pad's state: one function for each.

mod director;
mod feedback;
mod log_on;
mod play;
mod slip;
mod words;

use core::fmt::Display;

use heapless::Vec;
use protocol::message::{HandRecord, Language};
use protocol::time::Instant;

use super::{App, Flow, LinkStatus, MINUTE_US};
use crate::draw::body_height;
use crate::game::Stage;
use crate::screen::{ROWS_MAX, RowText, fit};
use crate::texts::{Text, fill, wrap};
use crate::{Body, Hint, Key, Row, RowStyle, Screen, Status};

/// What the display should show.
pub(super) fn screen(app: &App, now: Instant) -> Screen {
    let mut page = Page::new(app.kept.settings.language);
    match &app.live.flow {
        flow @ (Flow::Start
        | Flow::Section { .. }
        | Flow::Table { .. }
        | Flow::LoggingOn { .. }
        | Flow::LogOnRefused { .. }
        | Flow::OldResults
        | Flow::Players { .. }
        | Flow::WrongTable
        | Flow::Replaced) => log_on::page(app, flow, &mut page),
        flow @ (Flow::RoundStart
        | Flow::PairTyped { .. }
        | Flow::ChoosePin { .. }
        | Flow::SitOut
        | Flow::BoardTyped { .. }
        | Flow::Entry(_)
        | Flow::Check { .. }
        | Flow::AcceptPin { .. }
        | Flow::RoundSummary { .. }
        | Flow::OutOfRange { .. }
        | Flow::RoundEnd
        | Flow::Slip { .. }
        | Flow::SessionEnd) => play::page(app, flow, &mut page),
        flow @ (Flow::Traveller { .. }
        | Flow::HandRecord { .. }
        | Flow::Par { .. }
        | Flow::Ranking { .. }
        | Flow::CallDirector
        | Flow::Notice
        | Flow::UnknownPlayers { .. }
        | Flow::EntryRefused { .. }) => feedback::page(app, flow, &mut page),
        Flow::Test { key, .. } => page.test(*key),
        flow => director::page(app, flow, &mut page),
    }
    if let Some(warning) = app.live.warning {
        page.warn(warning, app.live.flow.screen_id().is_tall());
    }
    Screen {
        id: app.live.flow.screen_id(),
        status: status(app, now),
        title: page.title,
        body: match (page.hands, &app.live.flow) {
            (Some(hands), _) => Body::Hands(hands, page.language),
            (
                None,
                Flow::Test {
                    picture: Some(picture),
                    ..
                },
            ) => Body::Picture(*picture),
            (None, _) => Body::Rows(page.rows),
        },
        hints: page.hints,
    }
}

/// A screen while it is being composed.
pub(super) struct Page {
    language: Language,
    title: RowText,
    rows: Vec<Row, ROWS_MAX>,
    hints: [Hint; 3],
    hands: Option<HandRecord>,
}

impl Page {
    fn new(language: Language) -> Self {
        Self {
            language,
            title: RowText::new(),
            rows: Vec::new(),
            hints: [const { Hint::new() }; 3],
            hands: None,
        }
    }

    fn word(&self, text: Text) -> &'static str {
        text.in_language(self.language)
    }

    fn title(&mut self, text: Text, gaps: &[&dyn Display]) {
        self.title = fill(self.word(text), gaps);
    }

    fn row(&mut self, style: RowStyle, text: Text, gaps: &[&dyn Display]) {
        let text = fill(self.word(text), gaps);
        self.plain(style, text);
    }

    fn plain(&mut self, style: RowStyle, text: RowText) {
        // A screen with too many rows would be found by the tests.
        let _ = self.rows.push(Row { text, style });
    }

    /// A sentence over as many rows as it needs.
    fn sentence(&mut self, text: Text, gaps: &[&dyn Display]) {
        let filled: heapless::String<128> = fill(self.word(text), gaps);
        self.wrapped(RowStyle::Normal, &filled);
    }

    fn wrapped(&mut self, style: RowStyle, text: &str) {
        for part in wrap::<5>(text, style) {
            self.plain(style, part.try_into().unwrap_or_default());
        }
    }

    /// Hints from the left; `None` leaves a place empty.
    fn hints(&mut self, hints: [Option<Text>; 3]) {
        for (place, hint) in self.hints.iter_mut().zip(hints) {
            *place = hint
                .and_then(|hint| hint.in_language(self.language).try_into().ok())
                .unwrap_or_default();
        }
        // Where three are too wide, the names of the keys have to do at the two ends.
        for end in [2, 0] {
            if !fit(&self.hints)
                && let Some(hint) = self.hints.get_mut(end)
                && let Some(colon) = hint.find(':')
            {
                hint.truncate(colon);
            }
        }
    }

    /// What was wrong with the last key, in place of the rows at the foot if need be.
    fn warn(&mut self, warning: Text, tall: bool) {
        let words = self.word(warning);
        let parts = wrap::<2>(words, RowStyle::Inverse);
        let needed: u32 = parts.iter().map(|_| RowStyle::Inverse.height()).sum();
        while self.height() + needed > body_height(tall) && self.rows.pop().is_some() {}
        for part in parts {
            self.plain(RowStyle::Inverse, part.try_into().unwrap_or_default());
        }
    }

    /// Keys are pressed one after the other, and the last one is shown.
    fn test(&mut self, key: Option<Key>) {
        self.title(Text::TestTitle, &[]);
        self.sentence(Text::TestSentence, &[]);
        if let Some(key) = key {
            self.plain(RowStyle::Large, fill("{}", &[&key.legend()]));
        }
    }

    fn height(&self) -> u32 {
        self.rows.iter().map(|row| row.style.height()).sum()
    }
}

/// The rows of a list around its cursor: the first one shown.
fn first_shown(cursor: usize, shown: usize, count: usize) -> usize {
    let last = count.saturating_sub(shown);
    cursor.saturating_sub(shown / 2).min(last)
}

fn status(app: &App, now: Instant) -> Status {
    let word = |text: Text| text.in_language(app.kept.settings.language);
    let mut status = Status::default();
    if let Some(game) = app
        .kept
        .game
        .as_ref()
        .filter(|game| game.stage != Stage::PutAway)
    {
        let total = game.rounds_total;
        let round: RowText = fill(word(Text::StatusRound), &[&app.kept.progress.round, &total]);
        status.place = fill("{}{} {}", &[&game.tag.section, &game.tag.table, &round]);
    } else if app.kept.badge.0 > 0 {
        status.place = fill(word(Text::StatusBadge), &[&app.kept.badge.0]);
    }
    let unsent = app.kept.sheet.unsent();
    let no_answer = app.live.link == LinkStatus::NoAnswer;
    status.alert = if app.live.store_failed {
        fill(word(Text::StatusStore), &[])
    } else if app.live.battery.is_low() {
        fill(word(Text::StatusBattery), &[])
    } else if unsent > 0 {
        fill(word(Text::StatusUnsent), &[&unsent])
    } else if app.live.called {
        fill(word(Text::StatusCalled), &[])
    } else if no_answer {
        fill(word(Text::StatusNoAnswer), &[])
    } else {
        RowText::new()
    };
    if let Some(game) = app.kept.game.as_ref().filter(|_| !status.fits()) {
        let (tag, total) = (&game.tag, game.rounds_total);
        let short: [&dyn Display; 4] = [&tag.section, &tag.table, &app.kept.progress.round, &total];
        status.place = fill("{}{} {}/{}", &short);
    }
    if let Some(left_us) = app.clock_left_us(now).filter(|_| !status.place.is_empty()) {
        let minutes = left_us.div_euclid(MINUTE_US);
        let minutes: RowText = fill(word(Text::StatusMinutes), &[&minutes]);
        // What is wrong is more important than the time.
        let mut timed = status.clone();
        timed.place = fill("{}  {}", &[&status.place, &minutes]);
        if timed.fits() {
            return timed;
        }
    }
    status
}
