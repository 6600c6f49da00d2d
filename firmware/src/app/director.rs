//! The director's menu on the pad, behind a number, and closing by itself.

use protocol::frame::ClubKey;
use protocol::time::Instant;
use protocol::words::{BoardNumber, BoardResult, Percentage, RoundNumber};

use super::digits::{BOARD_DIGITS_MAX, Typed};
use super::{Adjusting, App, Claim, Digits, Draft, Flow, Typing};
use crate::game::{Stage, boards};
use crate::texts::Text;
use crate::{Key, RecordKey};

/// The entries of the menu in their order; the digit that opens one is its place from 1, the
/// tenth is 0.
pub(super) const MENU: [Text; 11] = [
    Text::MenuCurrentGame,
    Text::MenuResults,
    Text::MenuAllowBoard,
    Text::MenuReplace,
    Text::MenuResend,
    Text::MenuRecover,
    Text::MenuNewGame,
    Text::MenuRadio,
    Text::MenuClubKey,
    Text::MenuService,
    Text::MenuRestart,
];

/// Hexadecimal digits of a club key.
pub(super) const KEY_DIGITS: u8 = 64;

impl App {
    pub(super) fn director_key(&mut self, key: Key, now: Instant) {
        match self.live.flow {
            Flow::DirectorPin { typed, behind } => self.pin_key(key, typed, behind, now),
            Flow::Menu { cursor } => self.menu_key(key, cursor),
            Flow::CurrentGame => match key {
                Key::Ok => self.leave(),
                _ => self.live.flow = Flow::Menu { cursor: 0 },
            },
            Flow::Results { cursor } => self.results_key(key, cursor),
            Flow::ResultDetail {
                round,
                board,
                cursor,
            } => self.detail_key(key, round, board, cursor),
            Flow::Adjust(adjusting) => self.adjust_key(key, adjusting),
            Flow::AllowBoard { typed } => self.allow_key(key, typed),
            Flow::ResendConfirm | Flow::RecoverConfirm | Flow::NewGameConfirm | Flow::ForgetOld => {
                match key {
                    Key::Accept => self.confirmed(),
                    Key::Back | Key::Clear => self.live.flow = Flow::Menu { cursor: 0 },
                    _ => self.warn(Text::AcceptOrBack),
                }
            }
            Flow::Radio { network, typed } => self.radio_key(key, network, typed),
            Flow::ClubKey { typed, len } => self.club_key_key(key, typed, len),
            Flow::Service => match key {
                Key::Ok => self.leave(),
                _ => self.live.flow = Flow::Menu { cursor: 9 },
            },
            Flow::RestartConfirm => match key {
                Key::Accept => self.effects.restart = true,
                Key::Back | Key::Clear => self.live.flow = Flow::Menu { cursor: 10 },
                _ => self.warn(Text::AcceptOrBack),
            },
            // The same screens as the players', for the director.
            Flow::Section { claim, letter } => self.section_key(key, claim, letter),
            Flow::Table {
                claim,
                section,
                typed,
            } => self.table_key(key, claim, section, typed),
            Flow::Entry(typing) => self.entry_key(key, typing),
            Flow::Check { draft, typing } => self.check_key(key, draft, typing),
            _ => self.leave(),
        }
    }

    fn menu_key(&mut self, key: Key, cursor: u8) {
        let last = u8::try_from(MENU.len() - 1).unwrap_or(u8::MAX);
        let chosen = match (key, key.digit()) {
            (Key::Ok, _) => cursor,
            (_, Some(0)) => 9,
            (_, Some(digit)) => digit - 1,
            (Key::Up, _) => {
                let cursor = cursor.checked_sub(1).unwrap_or(last);
                self.live.flow = Flow::Menu { cursor };
                return;
            }
            (Key::Down, _) => {
                let cursor = if cursor >= last { 0 } else { cursor + 1 };
                self.live.flow = Flow::Menu { cursor };
                return;
            }
            (Key::Back | Key::Clear | Key::Director, _) => return self.leave(),
            _ => return self.warn(Text::OkOrBack),
        };
        let playing = self.playing().is_some();
        self.live.flow = match MENU.get(usize::from(chosen)) {
            Some(Text::MenuCurrentGame) => Flow::CurrentGame,
            Some(Text::MenuResults) if self.kept.game.is_some() => Flow::Results { cursor: 0 },
            Some(Text::MenuAllowBoard) if playing => Flow::AllowBoard {
                typed: Digits::NONE,
            },
            Some(Text::MenuReplace) => Self::claim_flow(Claim::Replace),
            Some(Text::MenuResend) if self.kept.sheet.number_reached().0 > 0 => Flow::ResendConfirm,
            Some(Text::MenuRecover) if self.kept.game.is_some() && !playing => Flow::RecoverConfirm,
            Some(Text::MenuRecover) if !playing => Self::claim_flow(Claim::Recover),
            Some(Text::MenuNewGame) if self.kept.game.is_some() => Flow::NewGameConfirm,
            Some(Text::MenuRadio) => Flow::Radio {
                network: None,
                typed: Digits::NONE,
            },
            Some(Text::MenuClubKey) => Flow::ClubKey {
                typed: [0; 32],
                len: 0,
            },
            Some(Text::MenuService) => Flow::Service,
            Some(Text::MenuRestart) => Flow::RestartConfirm,
            _ => {
                self.live.flow = Flow::Menu { cursor: chosen };
                return self.warn(Text::NothingThere);
            }
        };
    }

    /// Every board of this table up to the round being played.
    pub(super) fn all_boards(&self) -> impl Iterator<Item = (RoundNumber, BoardNumber)> {
        (1..=self.kept.progress.round.get())
            .rev()
            .filter_map(RoundNumber::new)
            .flat_map(move |round| {
                let sheet = self
                    .kept
                    .schedule
                    .round(round)
                    .map(boards)
                    .into_iter()
                    .flatten();
                let allowed = self.kept.progress.allowed.iter().copied();
                let allowed = allowed.filter(move |_| round == self.kept.progress.round);
                sheet.chain(allowed).map(move |board| (round, board))
            })
    }

    fn results_key(&mut self, key: Key, cursor: u8) {
        let last = u8::try_from(self.all_boards().count().saturating_sub(1)).unwrap_or(u8::MAX);
        match key {
            Key::Up => {
                self.live.flow = Flow::Results {
                    cursor: cursor.saturating_sub(1),
                };
            }
            Key::Down => {
                self.live.flow = Flow::Results {
                    cursor: cursor.saturating_add(1).min(last),
                };
            }
            Key::Ok => {
                let chosen = self.all_boards().nth(usize::from(cursor));
                match chosen {
                    Some((round, board)) => {
                        self.live.flow = Flow::ResultDetail {
                            round,
                            board,
                            cursor,
                        };
                    }
                    None => self.warn(Text::NothingThere),
                }
            }
            Key::Back | Key::Clear => self.live.flow = Flow::Menu { cursor: 1 },
            _ => self.warn(Text::OkOrBack),
        }
    }

    fn detail_key(&mut self, key: Key, round: RoundNumber, board: BoardNumber, cursor: u8) {
        match key {
            Key::Ok => {
                let mut typing = self.typing(round, board);
                typing.by_director = true;
                self.live.flow = Flow::Entry(typing);
            }
            Key::Right => {
                self.live.flow = Flow::Adjust(Adjusting {
                    round,
                    board,
                    ns: None,
                    whole: Digits::NONE,
                    decimals: None,
                });
            }
            Key::Back | Key::Clear => self.live.flow = Flow::Results { cursor },
            _ => self.warn(Text::ReplaceOrAdjust),
        }
    }

    /// Out of an entry that the director began and did not finish.
    pub(super) fn back_to_results(&mut self, typing: &Typing) {
        let cursor = self
            .all_boards()
            .position(|line| line == (typing.round, typing.board));
        self.live.flow = Flow::ResultDetail {
            round: typing.round,
            board: typing.board,
            cursor: cursor.and_then(|at| u8::try_from(at).ok()).unwrap_or(0),
        };
    }

    fn adjust_key(&mut self, key: Key, mut adjusting: Adjusting) {
        let typed = match adjusting.decimals {
            Some(decimals) => decimals.press(key, 2),
            None => adjusting.whole.press(key, 3),
        };
        match (typed, key) {
            (_, Key::Clear) => (adjusting.whole, adjusting.decimals) = (Digits::NONE, None),
            (Typed::Digits(typed), _) if adjusting.decimals.is_some() => {
                adjusting.decimals = Some(typed);
            }
            (Typed::Digits(typed), _) => adjusting.whole = typed,
            (Typed::Left, _) if adjusting.decimals.is_some() => adjusting.decimals = None,
            (Typed::Left, _) => {
                if adjusting.ns.take().is_none() {
                    let typing = Typing::new(adjusting.round, adjusting.board);
                    return self.back_to_results(&typing);
                }
            }
            (_, Key::Right) if adjusting.decimals.is_none() && !adjusting.whole.is_empty() => {
                adjusting.decimals = Some(Digits::NONE);
            }
            (_, Key::Ok) => match (percentage(&adjusting), adjusting.ns) {
                (None, _) => self.warn(Text::ExpectPercentage),
                (Some(ns), None) => {
                    adjusting.ns = Some(ns);
                    (adjusting.whole, adjusting.decimals) = (Digits::NONE, None);
                }
                (Some(ew), Some(ns)) => {
                    self.live.flow = Flow::Check {
                        draft: Draft {
                            round: adjusting.round,
                            board: adjusting.board,
                            result: BoardResult::Adjusted { ns, ew },
                            by_director: true,
                        },
                        typing: None,
                    };
                    return;
                }
            },
            (Typed::Other, _) => self.warn(Text::ExpectPercentage),
        }
        self.live.flow = Flow::Adjust(adjusting);
    }

    fn allow_key(&mut self, key: Key, typed: Digits) {
        match (typed.press(key, BOARD_DIGITS_MAX), key, typed.board()) {
            (Typed::Digits(typed), ..) => self.live.flow = Flow::AllowBoard { typed },
            (Typed::Left, ..) => self.live.flow = Flow::Menu { cursor: 2 },
            (Typed::Other, Key::Accept, Some(board)) => {
                // The base says whether it is a board of this session: nobody can allow
                // another one.
                let round = self.kept.progress.round;
                self.live.to_say.board_allowed(round, board);
                self.leave();
                self.live.flow = Flow::OutOfRange {
                    board,
                    refused: None,
                };
                self.live.under = self.live.flow;
            }
            (Typed::Other, Key::Accept, None) => self.warn(Text::ExpectBoard),
            (Typed::Other, ..) => self.warn(Text::AcceptOrBack),
        }
    }

    /// ACCEPT on one of the questions.
    fn confirmed(&mut self) {
        match self.live.flow {
            Flow::ResendConfirm => {
                self.resend_everything();
                self.leave();
            }
            Flow::NewGameConfirm => {
                self.live.to_say.log_off();
                self.put_away();
            }
            Flow::RecoverConfirm => {
                if let Some(game) = &mut self.kept.game {
                    game.stage = Stage::Playing;
                    let tag = game.tag;
                    self.persist(RecordKey::Game);
                    // The base may have given the table away meanwhile: ask for it.
                    self.live.under = self.home();
                    self.live.flow = self.live.under;
                    self.live.to_say.forget_log_off();
                    self.live
                        .to_say
                        .claim(Claim::Recover, tag.section, tag.table);
                }
            }
            Flow::ForgetOld => match self.live.welcome.take() {
                Some(welcome) => self.adopt(&welcome, self.live.last_key),
                None => self.leave(),
            },
            _ => {}
        }
    }

    fn radio_key(&mut self, key: Key, network: Option<u8>, typed: Digits) {
        let number = typed.value().and_then(|number| u8::try_from(number).ok());
        match (typed.press(key, 3), key, number, network) {
            (Typed::Digits(typed), ..) => self.live.flow = Flow::Radio { network, typed },
            (Typed::Left, _, _, None) => self.live.flow = Flow::Menu { cursor: 7 },
            (Typed::Left, _, _, Some(_)) => {
                self.live.flow = Flow::Radio {
                    network: None,
                    typed,
                };
            }
            (Typed::Other, Key::Ok, Some(_), None) => {
                self.live.flow = Flow::Radio {
                    network: number,
                    typed: Digits::NONE,
                };
            }
            (Typed::Other, Key::Ok, Some(channel), Some(network)) => {
                self.kept.radio.network = network;
                self.kept.radio.channel = channel;
                self.persist(RecordKey::Radio);
                self.effects.link_changed = true;
                self.live.flow = Flow::Menu { cursor: 7 };
            }
            (Typed::Other, ..) => self.warn(Text::ExpectByte),
        }
    }

    fn club_key_key(&mut self, key: Key, mut typed: [u8; 32], mut len: u8) {
        match key {
            Key::Back if len == 0 => {
                self.live.flow = Flow::Menu { cursor: 8 };
                return;
            }
            Key::Back => {
                len -= 1;
                if let Some(byte) = typed.get_mut(usize::from(len / 2)) {
                    *byte &= if len.is_multiple_of(2) { 0x00 } else { 0xf0 };
                }
            }
            Key::Clear => (typed, len) = ([0; 32], 0),
            Key::Ok if len == KEY_DIGITS => {
                self.kept.keys = Some(ClubKey::new(typed).for_pad(self.pad));
                self.live.key_runs_low = false;
                self.persist(RecordKey::ClubKey);
                self.effects.link_changed = true;
                self.live.flow = Flow::Menu { cursor: 8 };
                return;
            }
            _ => match key.hexadecimal() {
                Some(digit) if len < KEY_DIGITS => {
                    if let Some(byte) = typed.get_mut(usize::from(len / 2)) {
                        *byte |= if len.is_multiple_of(2) {
                            digit << 4
                        } else {
                            digit
                        };
                    }
                    len += 1;
                }
                _ => self.warn(Text::ExpectKey),
            },
        }
        self.live.flow = Flow::ClubKey { typed, len };
    }
}

/// What was typed, in hundredths of a percent.
fn percentage(adjusting: &Adjusting) -> Option<Percentage> {
    let whole = adjusting.whole.value()?;
    let decimals = adjusting.decimals.unwrap_or(Digits::NONE);
    let hundredths = match (decimals.value(), decimals.len()) {
        (Some(tenths), 1) => tenths * 10,
        (Some(hundredths), _) => hundredths,
        (None, _) => 0,
    };
    u16::try_from(whole * 100 + hundredths)
        .ok()
        .and_then(Percentage::new)
}
