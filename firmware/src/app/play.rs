//! The players' evening: from "is this you?" to the last board.

use protocol::message::{Acceptance, LeadEntry, PairCheck, RefusalReason};
use protocol::words::{BoardNumber, PairNumber, RoundNumber};

use super::digits::{BOARD_DIGITS_MAX, PIN_DIGITS, Typed};
use super::{App, Digits, Draft, Flow, Step, Typing};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// Digits of a pair number.
const PAIR_DIGITS_MAX: u8 = 4;

impl App {
    /// A key on a screen of the evening itself.
    pub(super) fn play_key(&mut self, key: Key) {
        match self.live.flow {
            Flow::Start => match key {
                Key::Ok => self.live.flow = Self::claim_flow(super::Claim::LogOn),
                _ => self.warn(Text::PressOk),
            },
            Flow::Section { claim, letter } => self.section_key(key, claim, letter),
            Flow::Table {
                claim,
                section,
                typed,
            } => self.table_key(key, claim, section, typed),
            Flow::LoggingOn { .. } => self.logging_on_key(key),
            Flow::LogOnRefused {
                claim,
                section,
                table,
                ..
            } => self.log_on_refused_key(key, claim, section, table),
            Flow::OldResults => self.old_results_key(key),
            Flow::Players { seat, typed } => self.players_key(key, seat, typed),
            Flow::WrongTable => self.wrong_table_key(key),
            Flow::RoundStart => self.round_start_key(key),
            Flow::PairTyped { typed } => self.pair_typed_key(key, typed),
            Flow::ChoosePin { typed } => self.choose_pin_key(key, typed),
            Flow::SitOut => self.sit_out_key(key),
            Flow::BoardTyped { typed } => self.board_typed_key(key, typed),
            Flow::Entry(typing) => self.entry_key(key, typing),
            Flow::Check { draft, typing } => self.check_key(key, draft, typing),
            Flow::AcceptPin {
                draft,
                typing,
                typed,
            } => self.accept_pin_key(key, draft, typing, typed),
            Flow::RoundSummary { cursor, typed } => self.summary_key(key, cursor, typed),
            Flow::OutOfRange { refused, .. } => match key {
                Key::Back | Key::Clear => self.live.flow = self.home(),
                Key::Ok if refused.is_some() => self.live.flow = self.home(),
                _ => self.warn(Text::PleaseWait),
            },
            Flow::RoundEnd => self.round_end_key(key),
            Flow::SessionEnd => self.session_end_key(key),
            Flow::Replaced => match key {
                Key::Ok => self.put_away(),
                _ => self.warn(Text::PressOk),
            },
            _ => self.leave(),
        }
    }

    fn round_start_key(&mut self, key: Key) {
        let Some(sheet) = self.round_sheet().copied() else {
            return match key {
                Key::Back | Key::Clear => self.step_back(),
                _ => self.warn(Text::ScheduleMissing),
            };
        };
        match key {
            Key::Ok if sheet.boards == 0 => self.next_round(),
            Key::Ok => match self.kept.settings.pair_check {
                PairCheck::Typed if sheet.ew.is_some() => {
                    self.live.flow = Flow::PairTyped {
                        typed: Digits::NONE,
                    };
                }
                check => {
                    if check != PairCheck::Off {
                        self.live.to_say.pairs_seen();
                    }
                    self.pairs_confirmed();
                }
            },
            Key::Left if self.may_correct_players() => self.live.flow = Self::ask_players(),
            Key::Back | Key::Clear => self.step_back(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    /// "No, this is not us", or back to a round that is not over yet.
    fn step_back(&mut self) {
        let round = self.kept.progress.round;
        let earlier = RoundNumber::new(round.get() - 1);
        let begun = self.kept.sheet.round_reached() >= Some(round);
        match earlier {
            Some(earlier) if !begun && self.kept.schedule.round(earlier).is_some() => {
                self.begin_round(earlier);
                self.kept.progress.confirmed = true;
                self.live.flow = self.home();
            }
            _ if self.kept.sheet.lines().next().is_none() => self.live.flow = Flow::WrongTable,
            _ => self.lay_over(Flow::CallDirector),
        }
    }

    fn pair_typed_key(&mut self, key: Key, typed: Digits) {
        match (typed.press(key, PAIR_DIGITS_MAX), key, typed.value()) {
            (Typed::Digits(typed), ..) => self.live.flow = Flow::PairTyped { typed },
            (Typed::Left, ..) => self.live.flow = Flow::RoundStart,
            (Typed::Other, Key::Ok, Some(number)) => {
                // 0 is a phantom.
                self.kept.progress.ew = u16::try_from(number).ok().and_then(PairNumber::new);
                self.live.to_say.pairs_seen();
                self.pairs_confirmed();
            }
            (Typed::Other, ..) => self.warn(Text::ExpectPair),
        }
    }

    fn pairs_confirmed(&mut self) {
        if self.kept.settings.acceptance == Acceptance::Pin && !self.sits_out() {
            self.live.flow = Flow::ChoosePin {
                typed: Digits::NONE,
            };
            return;
        }
        self.kept.progress.confirmed = true;
        self.persist(RecordKey::Progress);
        self.live.flow = self.home();
    }

    fn choose_pin_key(&mut self, key: Key, typed: Digits) {
        match (typed.press(key, PIN_DIGITS), key, typed.pin()) {
            (Typed::Digits(typed), ..) => self.live.flow = Flow::ChoosePin { typed },
            (Typed::Left, ..) => self.live.flow = Flow::RoundStart,
            (Typed::Other, Key::Ok, Some(pin)) => {
                self.kept.progress.ew_pin = Some(pin);
                self.kept.progress.confirmed = true;
                self.persist(RecordKey::Progress);
                self.live.flow = self.home();
            }
            (Typed::Other, ..) => self.warn(Text::ExpectFourDigits),
        }
    }

    fn sit_out_key(&mut self, key: Key) {
        match key {
            Key::Accept => self.agree_sit_out(),
            Key::Back | Key::Clear => {
                self.kept.progress.confirmed = false;
                let sheet = self.round_sheet().copied();
                if let Some(sheet) = sheet {
                    self.kept.progress.ns = sheet.ns;
                    self.kept.progress.ew = sheet.ew;
                }
                self.persist(RecordKey::Progress);
                self.live.flow = Flow::RoundStart;
            }
            _ => self.warn(Text::AcceptOrBack),
        }
    }

    fn board_typed_key(&mut self, key: Key, typed: Digits) {
        match (typed.press(key, BOARD_DIGITS_MAX), key, typed.board()) {
            (Typed::Digits(typed), ..) => self.live.flow = Flow::BoardTyped { typed },
            (Typed::Left, ..) => self.live.flow = self.summary(),
            (Typed::Other, Key::Ok, Some(board)) => self.choose_board(board),
            (Typed::Other, Key::Down, _) => self.ask_about_last(),
            (Typed::Other, ..) => self.warn(Text::ExpectBoard),
        }
    }

    /// Goes to a board of this round, or reports one that is out of range.
    pub(super) fn choose_board(&mut self, board: BoardNumber) {
        let Some(round) = self.round_of(board) else {
            let earlier = self.was_played_here(board);
            let refused = earlier.then_some(RefusalReason::BoardOfEarlierRound);
            if !earlier {
                self.live
                    .to_say
                    .board_wanted(self.kept.progress.round, board);
            }
            self.live.flow = Flow::OutOfRange { board, refused };
            return;
        };
        if round == self.kept.progress.round && !self.is_done(board) {
            self.kept.progress.board = Some(board);
            self.persist(RecordKey::Progress);
        }
        self.live.flow = Flow::Entry(self.typing(round, board));
    }

    /// A board as it stands: a correction starts from what is there, lead included.
    pub(super) fn typing(&self, round: RoundNumber, board: BoardNumber) -> Typing {
        match self.kept.sheet.line(round, board) {
            Some(line) => Typing::of(round, board, line.entry.result, &self.kept.settings),
            None => Typing::new(round, board),
        }
    }

    pub(super) fn entry_key(&mut self, key: Key, mut typing: Typing) {
        if typing.is_resting() {
            match key {
                Key::Back if typing.by_director => return self.back_to_results(&typing),
                Key::Back => {
                    self.live.flow = self.summary();
                    return;
                }
                Key::Left | Key::Right if !typing.by_director => {
                    if let Some(board) = self.neighbour(typing.board, key == Key::Right) {
                        self.choose_board(board);
                    }
                    return;
                }
                Key::Down if !typing.by_director => return self.ask_about_last(),
                _ => {}
            }
        }
        let step = typing.step(&self.kept.settings);
        let skips = step == Step::LeadSuit && self.kept.settings.lead == LeadEntry::Optional;
        match key {
            Key::Back => {
                typing.back();
            }
            Key::Clear => {
                let by_director = typing.by_director;
                typing = Typing::new(typing.round, typing.board);
                typing.by_director = by_director;
            }
            Key::Ok if !skips => match typing.result(&self.kept.settings) {
                Ok(result) => {
                    self.live.flow = Flow::Check {
                        draft: Draft {
                            round: typing.round,
                            board: typing.board,
                            result,
                            by_director: typing.by_director,
                        },
                        typing: Some(typing),
                    };
                    return;
                }
                Err(expected) => self.warn(expected),
            },
            Key::Accept => self.warn(Text::FirstOk),
            _ => {
                if let Err(expected) = typing.press(key, &self.kept.settings) {
                    self.warn(expected);
                }
            }
        }
        self.live.flow = Flow::Entry(typing);
    }

    pub(super) fn check_key(&mut self, key: Key, draft: Draft, typing: Option<Typing>) {
        match key {
            Key::Accept
                if self.kept.settings.acceptance == Acceptance::Pin && !draft.by_director =>
            {
                self.live.flow = Flow::AcceptPin {
                    draft,
                    typing,
                    typed: Digits::NONE,
                };
            }
            Key::Accept => self.agree(draft),
            Key::Back | Key::Clear => {
                self.live.flow = match typing {
                    Some(typing) => Flow::Entry(typing),
                    None => Flow::Results { cursor: 0 },
                };
            }
            _ => self.warn(Text::EastAccepts),
        }
    }

    fn accept_pin_key(&mut self, key: Key, draft: Draft, typing: Option<Typing>, typed: Digits) {
        let now_typed = |typed| Flow::AcceptPin {
            draft,
            typing,
            typed,
        };
        match (typed.press(key, PIN_DIGITS), key) {
            (Typed::Digits(typed), _) => self.live.flow = now_typed(typed),
            (Typed::Left, _) => self.live.flow = Flow::Check { draft, typing },
            (Typed::Other, Key::Ok | Key::Accept) => {
                let pin = typed.pin();
                // East-West forget theirs; then the director accepts for them.
                if pin.is_some()
                    && (pin == self.kept.progress.ew_pin
                        || self.knows_director(pin, self.live.last_key))
                {
                    return self.agree(draft);
                }
                self.warn(Text::WrongPin);
                self.live.flow = now_typed(Digits::NONE);
            }
            (Typed::Other, _) => self.warn(Text::ExpectFourDigits),
        }
    }

    pub(super) fn summary(&self) -> Flow {
        let next = self
            .proposed()
            .and_then(|board| self.round_boards().position(|one| one == board));
        Flow::RoundSummary {
            cursor: next.and_then(|at| u8::try_from(at).ok()).unwrap_or(0),
            typed: Digits::NONE,
        }
    }

    fn summary_key(&mut self, key: Key, cursor: u8, typed: Digits) {
        let last = u8::try_from(self.round_boards().count().saturating_sub(1)).unwrap_or(u8::MAX);
        let chosen = self.round_boards().nth(usize::from(cursor));
        let at = |cursor, typed| Flow::RoundSummary { cursor, typed };
        match (typed.press(key, BOARD_DIGITS_MAX), key) {
            (Typed::Digits(typed), _) => self.live.flow = at(cursor, typed),
            (Typed::Left, _) => self.live.flow = self.home(),
            (_, Key::Up) => self.live.flow = at(cursor.saturating_sub(1), typed),
            (_, Key::Down) => self.live.flow = at(cursor.saturating_add(1).min(last), typed),
            (_, Key::Left) if self.may_correct_players() => self.live.flow = Self::ask_players(),
            (_, Key::Right) => match chosen.filter(|board| self.is_done(*board)) {
                Some(board) => self.ask_about(board),
                None => self.warn(Text::NotFinished),
            },
            (_, Key::Ok) => {
                let typed = (!typed.is_empty()).then(|| typed.board());
                match typed.unwrap_or(chosen) {
                    Some(board) => self.choose_board(board),
                    None => self.warn(Text::ExpectBoard),
                }
            }
            (Typed::Other, _) => self.warn(Text::ExpectBoard),
        }
    }

    fn round_end_key(&mut self, key: Key) {
        match key {
            Key::Ok => self.next_round(),
            Key::Back | Key::Clear => self.live.flow = self.summary(),
            Key::Down => self.ask_about_last(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    /// Behind the last board of a round.
    fn next_round(&mut self) {
        let total = self.kept.game.as_ref().map(|game| game.rounds_total);
        match self.kept.progress.round.next() {
            Some(round) if Some(round) <= total => self.begin_round(round),
            _ => self.live.flow = Flow::SessionEnd,
        }
    }

    fn session_end_key(&mut self, key: Key) {
        match key {
            Key::Ok if self.kept.sheet.unsent() > 0 => self.warn(Text::StillUnsent),
            Key::Ok => {
                self.live.to_say.log_off();
                self.put_away();
            }
            Key::Back | Key::Clear if self.playing().is_some() => self.live.flow = self.home(),
            Key::Down => self.ask_ranking(),
            _ => self.warn(Text::PressOk),
        }
    }
}
