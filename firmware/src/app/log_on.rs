//! From the first key to the first board: section, table, player numbers.

use protocol::message::{PlayerNumbers, Players, Welcome};
use protocol::time::Instant;
use protocol::words::{PlayerNumber, RoundNumber, Seat, SectionLetter, TableNumber};

use super::{App, Claim, Digits, Flow, LinkStatus};
use crate::game::{Game, GameTag, Progress, Schedule, Stage, StoredPlayers};
use crate::texts::Text;
use crate::{Key, RecordKey, Sheet};

/// Digits of a player number: the longest national numbers have nine.
const PLAYER_DIGITS_MAX: u8 = 9;

/// Digits of a table number.
const TABLE_DIGITS_MAX: u8 = 3;

impl App {
    /// Begins to claim a table.
    pub(super) fn claim_flow(claim: Claim) -> Flow {
        Flow::Section {
            claim,
            letter: SectionLetter::A,
        }
    }

    pub(super) fn section_key(&mut self, key: Key, claim: Claim, letter: SectionLetter) {
        let to_table = |section| Flow::Table {
            claim,
            section,
            typed: Digits::NONE,
        };
        self.flow = match key {
            Key::Ok => to_table(letter),
            Key::Back | Key::Clear if claim == Claim::LogOn => Flow::Start,
            Key::Back | Key::Clear => Flow::Menu { cursor: 0 },
            Key::Up | Key::Left => Flow::Section {
                claim,
                letter: turn(letter, 25),
            },
            Key::Down | Key::Right => Flow::Section {
                claim,
                letter: turn(letter, 1),
            },
            _ => match key.letter() {
                Some(section) => to_table(section),
                None => return self.warn(Text::ExpectSection),
            },
        };
    }

    pub(super) fn table_key(
        &mut self,
        key: Key,
        claim: Claim,
        section: SectionLetter,
        mut typed: Digits,
    ) {
        match key {
            Key::Back if !typed.pop() => {
                self.flow = Flow::Section {
                    claim,
                    letter: section,
                };
                return;
            }
            Key::Back => {}
            Key::Clear => typed = Digits::NONE,
            Key::Ok => {
                let table = typed
                    .value()
                    .and_then(|table| u16::try_from(table).ok())
                    .and_then(TableNumber::new);
                match table {
                    Some(table) => self.claim(claim, section, table),
                    None => self.warn(Text::ExpectTable),
                }
                return;
            }
            _ => match key.digit() {
                Some(digit) => typed.push(digit, TABLE_DIGITS_MAX),
                None => self.warn(Text::ExpectTable),
            },
        }
        self.flow = Flow::Table {
            claim,
            section,
            typed,
        };
    }

    /// Asks the base for a table.
    pub(super) fn claim(&mut self, claim: Claim, section: SectionLetter, table: TableNumber) {
        self.flow = Flow::LoggingOn {
            claim,
            section,
            table,
        };
        // A replacement is asked for in the menu; from here on it is the players' evening.
        self.under = self.flow;
        self.link = LinkStatus::Asleep;
        self.said.claim(claim, section, table);
    }

    pub(super) fn logging_on_key(&mut self, key: Key) {
        match key {
            Key::Back | Key::Clear => {
                let _ = self.said.forget_claim();
                self.flow = self.home();
            }
            _ => self.warn(Text::PleaseWait),
        }
    }

    pub(super) fn log_on_refused_key(
        &mut self,
        key: Key,
        claim: Claim,
        section: SectionLetter,
        table: TableNumber,
    ) {
        match key {
            Key::Ok => self.claim(claim, section, table),
            Key::Back | Key::Clear if claim == Claim::LogOn => {
                self.flow = Flow::Section {
                    claim,
                    letter: section,
                };
            }
            Key::Back | Key::Clear => self.flow = self.home(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    pub(super) fn old_results_key(&mut self, key: Key) {
        match key {
            Key::Back | Key::Clear => {
                self.welcome = None;
                self.flow = self.home();
            }
            _ => self.warn(Text::FetchDirector),
        }
    }

    /// The base gave the pad a table.
    pub(super) fn welcomed(&mut self, welcome: &Welcome, now: Instant) {
        let other = self
            .game
            .as_ref()
            .is_some_and(|game| game.tag != Game::from(welcome).tag);
        let _ = self.said.forget_claim();
        if other && self.sheet.unsettled() > 0 {
            self.welcome = Some(welcome.clone());
            self.flow = Flow::OldResults;
            self.under = self.flow;
        } else {
            self.adopt(welcome, now);
        }
    }

    /// Takes over the table. Only now is an earlier game forgotten.
    pub(super) fn adopt(&mut self, welcome: &Welcome, now: Instant) {
        let game = Game::from(welcome);
        let tag = game.tag;
        let same = self.game.as_ref().is_some_and(|known| known.tag == tag);
        if !same {
            self.sheet = Sheet::new();
            self.schedule = Schedule::EMPTY;
            self.names = None;
            self.players = None;
            self.matches = super::matches::Matches::default();
            self.numbers = [None; 4];
            self.progress = Progress::of_round(tag, welcome.round, None);
            if welcome.recorded > 0 {
                // A table that has results has told who sits there.
                let seats = [None; 4];
                let round = welcome.round;
                self.players = Some(StoredPlayers {
                    tag,
                    players: Players { round, seats },
                    delivered: true,
                });
                self.persist(RecordKey::Players);
            }
        } else if self.progress.round < welcome.round {
            self.progress =
                Progress::of_round(tag, welcome.round, self.schedule.round(welcome.round));
        }
        self.game = Some(game);
        self.settings = welcome.settings;
        self.welcome = None;
        self.called = false;
        self.gate_open = true;
        self.persist(RecordKey::Game);
        self.persist(RecordKey::Settings);
        self.persist(RecordKey::Progress);
        self.said.expect_news(now);
        // A pad that comes back to its own table goes on where it is.
        let waiting = matches!(self.flow, Flow::LoggingOn { .. } | Flow::Start);
        if !same || waiting {
            self.flow = self.home();
            self.under = self.flow;
        }
    }

    /// Puts the game away; it can be recovered until the next log-on is confirmed.
    pub(super) fn put_away(&mut self) {
        if let Some(game) = &mut self.game {
            game.stage = Stage::PutAway;
            self.persist(RecordKey::Game);
        }
        self.flow = Flow::Start;
        self.under = self.flow;
    }

    /// Whether player numbers are still to be asked for.
    pub(super) fn wants_players(&self) -> bool {
        let asked = self.players.as_ref().map(|stored| stored.players.round);
        match self.settings.player_numbers {
            PlayerNumbers::Off => false,
            PlayerNumbers::Once => asked.is_none() && self.sheet.lines().next().is_none(),
            PlayerNumbers::EveryRound => {
                !self.progress.confirmed && asked < Some(self.progress.round)
            }
        }
    }

    pub(super) fn ask_players() -> Flow {
        Flow::Players {
            seat: Seat::North,
            typed: Digits::NONE,
        }
    }

    pub(super) fn players_key(&mut self, key: Key, seat: Seat, mut typed: Digits) {
        match key {
            Key::Back if typed.pop() => {}
            // All four were typed before: nothing changes.
            Key::Back if seat == Seat::North && self.players.is_some() => {
                self.flow = self.home();
                return;
            }
            Key::Back if seat == Seat::North => {
                self.flow = Flow::WrongTable;
                return;
            }
            Key::Back => {
                self.flow = Flow::Players {
                    seat: seat.right(),
                    typed: Digits::NONE,
                };
                return;
            }
            Key::Clear => typed = Digits::NONE,
            // Typed before: it stays.
            Key::Ok if typed.is_empty() && self.number_of(seat).is_some() => {
                return self.player_typed(seat, self.number_of(seat));
            }
            Key::Ok => match typed.value().and_then(PlayerNumber::new) {
                Some(number) => return self.player_typed(seat, Some(number)),
                None => self.warn(Text::ExpectPlayer),
            },
            _ => match key.digit() {
                Some(digit) => typed.push(digit, PLAYER_DIGITS_MAX),
                None => self.warn(Text::ExpectPlayer),
            },
        }
        self.flow = Flow::Players { seat, typed };
    }

    /// What was typed for a seat.
    pub(super) fn number_of(&self, seat: Seat) -> Option<PlayerNumber> {
        self.numbers
            .get(usize::from(seat.index()))
            .copied()
            .flatten()
    }

    /// Whether a mistyped number can be put right here: in the round for which it was typed. After
    /// that the director puts it right.
    pub(super) fn may_correct_players(&self) -> bool {
        let typed = self.players.as_ref().map(|stored| stored.players.round);
        self.settings.player_numbers != PlayerNumbers::Off
            && self.playing().is_some()
            && typed == Some(self.progress.round)
    }

    pub(super) fn unknown_players_key(&mut self, key: Key, seats: [bool; 4]) {
        match key {
            Key::Ok => self.leave(),
            Key::Back | Key::Clear => {
                let unknown = Seat::ALL
                    .into_iter()
                    .zip(seats)
                    .find(|(_, unknown)| *unknown);
                let seat = unknown.map_or(Seat::North, |(seat, _)| seat);
                if let Some(number) = self.numbers.get_mut(usize::from(seat.index())) {
                    *number = None;
                }
                self.flow = Flow::Players {
                    seat,
                    typed: Digits::NONE,
                };
            }
            _ => self.warn(Text::OkOrBack),
        }
    }

    fn player_typed(&mut self, seat: Seat, number: Option<PlayerNumber>) {
        if let Some(place) = self.numbers.get_mut(usize::from(seat.index())) {
            *place = number;
        }
        if seat != Seat::West {
            self.flow = Flow::Players {
                seat: seat.left(),
                typed: Digits::NONE,
            };
            return;
        }
        self.players = Some(StoredPlayers {
            tag: self.tag(),
            players: Players {
                round: self.progress.round,
                seats: self.numbers,
            },
            delivered: false,
        });
        self.persist(RecordKey::Players);
        self.flow = self.home();
    }

    pub(super) fn wrong_table_key(&mut self, key: Key) {
        match key {
            Key::Ok => {
                self.said.log_off();
                self.put_away();
            }
            Key::Left if self.may_correct_players() => self.flow = Self::ask_players(),
            Key::Back | Key::Clear => self.flow = self.home(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    pub(super) fn tag(&self) -> GameTag {
        self.game.as_ref().map_or(GameTag::NONE, |game| game.tag)
    }

    /// Goes on to a round of this game.
    pub(super) fn begin_round(&mut self, round: RoundNumber) {
        self.progress = Progress::of_round(self.tag(), round, self.schedule.round(round));
        self.persist(RecordKey::Progress);
        self.flow = self.home();
    }
}

/// The letter some places on, around the end of the alphabet.
fn turn(letter: SectionLetter, places: u8) -> SectionLetter {
    let index = (u8::from(letter) - b'A' + places) % 26;
    SectionLetter::new(char::from(b'A' + index)).unwrap_or(SectionLetter::A)
}
