//! The players' evening: from "is this you?" to the last board.

use protocol::message::{Acceptance, LeadEntry, PairCheck, Pin, RefusalReason};
use protocol::words::{BoardNumber, PairNumber, RoundNumber};

use super::number::four_digits;
use super::{App, Digits, Draft, Flow, Step, Typing};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// Digits of a PIN.
pub(super) const PIN_DIGITS: u8 = 4;

/// Digits of a board number.
pub(super) const BOARD_DIGITS_MAX: u8 = 3;

/// Digits of a pair number.
const PAIR_DIGITS_MAX: u8 = 4;

impl App {
    /// A key on a screen of the evening itself.
    pub(super) fn play_key(&mut self, key: Key) {
        match self.flow {
            Flow::Start => match key {
                Key::Ok => self.flow = Self::claim_flow(super::Claim::LogOn),
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
                Key::Back | Key::Clear => self.flow = self.home(),
                Key::Ok if refused.is_some() => self.flow = self.home(),
                _ => self.warn(Text::PleaseWait),
            },
            Flow::RoundEnd => self.round_end_key(key),
            Flow::Slip { top, ns } => self.slip_key(key, top, ns),
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
                _ if self.is_undrawn(self.progress.round) => self.warn(Text::DrawComes),
                _ => self.warn(Text::ScheduleMissing),
            };
        };
        match key {
            Key::Ok if sheet.boards == 0 => self.next_round(),
            Key::Ok => match self.settings.pair_check {
                PairCheck::Typed if sheet.ew.is_some() => {
                    self.flow = Flow::PairTyped {
                        typed: Digits::NONE,
                    };
                }
                check => {
                    if check != PairCheck::Off {
                        self.said.pairs_seen();
                    }
                    self.pairs_confirmed();
                }
            },
            Key::Left if self.may_correct_players() => self.flow = Self::ask_players(),
            Key::Back | Key::Clear => self.step_back(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    /// "No, this is not us", or back to a round that is not over yet.
    fn step_back(&mut self) {
        let round = self.progress.round;
        let earlier = RoundNumber::new(round.get() - 1);
        let begun = self.sheet.round_reached() >= Some(round);
        match earlier {
            Some(earlier) if !begun && self.schedule.round(earlier).is_some() => {
                self.begin_round(earlier);
                self.progress.confirmed = true;
                self.flow = self.home();
            }
            _ if self.sheet.lines().next().is_none() => self.flow = Flow::WrongTable,
            _ => self.lay_over(Flow::CallDirector),
        }
    }

    fn pair_typed_key(&mut self, key: Key, mut typed: Digits) {
        match key {
            Key::Back if !typed.pop() => {
                self.flow = Flow::RoundStart;
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Ok => match typed.value() {
                None => self.warn(Text::ExpectPair),
                Some(number) => {
                    // 0 is a phantom.
                    self.progress.ew = u16::try_from(number).ok().and_then(PairNumber::new);
                    self.said.pairs_seen();
                    return self.pairs_confirmed();
                }
            },
            _ => match key.digit() {
                Some(digit) => typed.push(digit, PAIR_DIGITS_MAX),
                None => self.warn(Text::ExpectPair),
            },
        }
        self.flow = Flow::PairTyped { typed };
    }

    fn pairs_confirmed(&mut self) {
        if self.settings.acceptance == Acceptance::Pin && !self.sits_out() {
            self.flow = Flow::ChoosePin {
                typed: Digits::NONE,
            };
            return;
        }
        self.progress.confirmed = true;
        self.persist(RecordKey::Progress);
        self.flow = self.home();
    }

    fn choose_pin_key(&mut self, key: Key, mut typed: Digits) {
        match key {
            Key::Back if !typed.pop() => {
                self.flow = Flow::RoundStart;
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Ok => {
                let pin = typed.value().and_then(|pin| u16::try_from(pin).ok());
                match pin {
                    Some(pin) if typed.len() == PIN_DIGITS => {
                        self.progress.ew_pin = Some(Pin(pin));
                        self.progress.confirmed = true;
                        self.persist(RecordKey::Progress);
                        self.flow = self.home();
                        return;
                    }
                    _ => self.warn(Text::ExpectFourDigits),
                }
            }
            _ => match key.digit() {
                Some(digit) => typed.push(digit, PIN_DIGITS),
                None => self.warn(Text::ExpectFourDigits),
            },
        }
        self.flow = Flow::ChoosePin { typed };
    }

    fn sit_out_key(&mut self, key: Key) {
        match key {
            Key::Accept => self.agree_sit_out(),
            Key::Back | Key::Clear => {
                self.progress.confirmed = false;
                let sheet = self.round_sheet().copied();
                if let Some(sheet) = sheet {
                    self.progress.ns = sheet.ns;
                    self.progress.ew = sheet.ew;
                }
                self.persist(RecordKey::Progress);
                self.flow = Flow::RoundStart;
            }
            _ => self.warn(Text::AcceptOrBack),
        }
    }

    fn board_typed_key(&mut self, key: Key, mut typed: Digits) {
        match key {
            Key::Back if !typed.pop() => {
                self.flow = self.summary();
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Ok => match board_number(typed) {
                Some(board) => return self.choose_board(board),
                None => self.warn(Text::ExpectBoard),
            },
            Key::Down => return self.ask_about_last(),
            _ => match key.digit() {
                Some(digit) => typed.push(digit, BOARD_DIGITS_MAX),
                None => self.warn(Text::ExpectBoard),
            },
        }
        self.flow = Flow::BoardTyped { typed };
    }

    /// Goes to a board of this round, or reports one that is out of range.
    pub(super) fn choose_board(&mut self, board: BoardNumber) {
        let Some(round) = self.round_of(board) else {
            let earlier = self.was_played_here(board);
            let refused = earlier.then_some(RefusalReason::BoardOfEarlierRound);
            if !earlier {
                self.said.board_wanted(self.progress.round, board);
            }
            self.flow = Flow::OutOfRange { board, refused };
            return;
        };
        if round == self.progress.round && !self.is_done(board) {
            self.progress.board = Some(board);
            self.persist(RecordKey::Progress);
        }
        self.flow = Flow::Entry(self.typing(round, board));
    }

    /// A board as it stands: a correction starts from what is there, lead included.
    pub(super) fn typing(&self, round: RoundNumber, board: BoardNumber) -> Typing {
        match self.sheet.line(round, board) {
            Some(line) => Typing::of(round, board, line.entry.result, &self.settings),
            None => Typing::new(round, board),
        }
    }

    pub(super) fn entry_key(&mut self, key: Key, mut typing: Typing) {
        if typing.is_resting() {
            match key {
                Key::Back if typing.by_director => return self.back_to_results(&typing),
                Key::Back => {
                    self.flow = self.summary();
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
        let step = typing.step(&self.settings);
        let skips = step == Step::LeadSuit && self.settings.lead == LeadEntry::Optional;
        match key {
            Key::Back => {
                typing.back();
            }
            Key::Clear => {
                let by_director = typing.by_director;
                typing = Typing::new(typing.round, typing.board);
                typing.by_director = by_director;
            }
            Key::Ok if !skips => match typing.result(&self.settings) {
                Ok(result) => {
                    self.flow = Flow::Check {
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
                if let Err(expected) = typing.press(key, &self.settings) {
                    self.warn(expected);
                }
            }
        }
        self.flow = Flow::Entry(typing);
    }

    pub(super) fn check_key(&mut self, key: Key, draft: Draft, typing: Option<Typing>) {
        match key {
            Key::Accept if self.settings.acceptance == Acceptance::Pin && !draft.by_director => {
                self.flow = Flow::AcceptPin {
                    draft,
                    typing,
                    typed: Digits::NONE,
                };
            }
            Key::Accept => self.agree(draft),
            Key::Back | Key::Clear => {
                self.flow = match typing {
                    Some(typing) => Flow::Entry(typing),
                    None => Flow::Results { cursor: 0 },
                };
            }
            _ => self.warn(Text::EastAccepts),
        }
    }

    fn accept_pin_key(
        &mut self,
        key: Key,
        draft: Draft,
        typing: Option<Typing>,
        mut typed: Digits,
    ) {
        match key {
            Key::Back if !typed.pop() => {
                self.flow = Flow::Check { draft, typing };
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Ok | Key::Accept => {
                let pin = four_digits(typed);
                // East-West forget theirs; then the director accepts for them.
                if pin.is_some()
                    && (pin == self.progress.ew_pin || self.knows_director(pin, self.last_key))
                {
                    return self.agree(draft);
                }
                self.warn(Text::WrongPin);
                typed = Digits::NONE;
            }
            _ => match key.digit() {
                Some(digit) => typed.push(digit, PIN_DIGITS),
                None => self.warn(Text::ExpectFourDigits),
            },
        }
        self.flow = Flow::AcceptPin {
            draft,
            typing,
            typed,
        };
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

    fn summary_key(&mut self, key: Key, mut cursor: u8, mut typed: Digits) {
        let last = u8::try_from(self.round_boards().count().saturating_sub(1)).unwrap_or(u8::MAX);
        let chosen = || self.round_boards().nth(usize::from(cursor));
        match key {
            Key::Back if !typed.pop() => {
                self.flow = self.home();
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Up => cursor = cursor.saturating_sub(1),
            Key::Down => cursor = cursor.saturating_add(1).min(last),
            Key::Left if self.may_correct_players() => {
                self.flow = Self::ask_players();
                return;
            }
            Key::Right => {
                if let Some(board) = chosen().filter(|board| self.is_done(*board)) {
                    return self.ask_about(board);
                }
                self.warn(Text::NotFinished);
            }
            Key::Ok => {
                let board = if typed.is_empty() {
                    chosen()
                } else {
                    board_number(typed)
                };
                match board {
                    Some(board) => return self.choose_board(board),
                    None => self.warn(Text::ExpectBoard),
                }
            }
            _ => match key.digit() {
                Some(digit) => typed.push(digit, BOARD_DIGITS_MAX),
                None => self.warn(Text::ExpectBoard),
            },
        }
        self.flow = Flow::RoundSummary { cursor, typed };
    }

    fn round_end_key(&mut self, key: Key) {
        match key {
            Key::Ok => self.next_round(),
            Key::Back | Key::Clear => self.flow = self.summary(),
            Key::Down => self.ask_about_last(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    /// Behind the last board of a round.
    fn next_round(&mut self) {
        let total = self.game.as_ref().map(|game| game.rounds_total);
        match self.progress.round.next() {
            Some(round) if Some(round) <= total => self.begin_round(round),
            _ => self.flow = Flow::SessionEnd,
        }
    }

    fn session_end_key(&mut self, key: Key) {
        match key {
            Key::Ok if self.sheet.unsent() > 0 => self.warn(Text::StillUnsent),
            Key::Ok => {
                self.said.log_off();
                self.put_away();
            }
            Key::Back | Key::Clear if self.playing().is_some() => self.flow = self.home(),
            Key::Down => self.ask_ranking(),
            _ => self.warn(Text::PressOk),
        }
    }
}

/// The board that was typed.
pub(super) fn board_number(typed: Digits) -> Option<BoardNumber> {
    typed
        .value()
        .and_then(|board| u8::try_from(board).ok())
        .and_then(BoardNumber::new)
}
