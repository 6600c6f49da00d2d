//! From the first key to the first board: section, table, player numbers.

use protocol::message::{PlayerNumbers, Players, Welcome};
use protocol::time::Instant;
use protocol::words::{PlayerNumber, RoundNumber, Seat, SectionLetter, TableNumber};

use super::digits::Typed;
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
        self.live.flow = match key {
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
        typed: Digits,
    ) {
        let table = typed
            .value()
            .and_then(|table| u16::try_from(table).ok())
            .and_then(TableNumber::new);
        match (typed.press(key, TABLE_DIGITS_MAX), key, table) {
            (Typed::Digits(typed), ..) => {
                self.live.flow = Flow::Table {
                    claim,
                    section,
                    typed,
                };
            }
            (Typed::Left, ..) => {
                self.live.flow = Flow::Section {
                    claim,
                    letter: section,
                };
            }
            (Typed::Other, Key::Ok, Some(table)) => self.claim(claim, section, table),
            (Typed::Other, ..) => self.warn(Text::ExpectTable),
        }
    }

    /// Asks the base for a table.
    pub(super) fn claim(&mut self, claim: Claim, section: SectionLetter, table: TableNumber) {
        self.live.flow = Flow::LoggingOn {
            claim,
            section,
            table,
        };
        // A replacement is asked for in the menu; from here on it is the players' evening.
        self.live.under = self.live.flow;
        self.live.link = LinkStatus::Asleep;
        self.live.to_say.claim(claim, section, table);
    }

    pub(super) fn logging_on_key(&mut self, key: Key) {
        match key {
            Key::Back | Key::Clear => {
                let _ = self.live.to_say.forget_claim();
                self.live.flow = self.home();
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
                self.live.flow = Flow::Section {
                    claim,
                    letter: section,
                };
            }
            Key::Back | Key::Clear => self.live.flow = self.home(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    pub(super) fn old_results_key(&mut self, key: Key) {
        match key {
            Key::Back | Key::Clear => {
                self.live.welcome = None;
                self.live.flow = self.home();
            }
            _ => self.warn(Text::FetchDirector),
        }
    }

    /// The base gave the pad a table.
    pub(super) fn welcomed(&mut self, welcome: &Welcome, now: Instant) {
        let other = self
            .kept
            .game
            .as_ref()
            .is_some_and(|game| game.tag != Game::from(welcome).tag);
        let _ = self.live.to_say.forget_claim();
        if other && self.kept.sheet.unsettled() > 0 {
            self.live.welcome = Some(welcome.clone());
            self.live.flow = Flow::OldResults;
            self.live.under = self.live.flow;
        } else {
            self.adopt(welcome, now);
        }
    }

    /// Takes over the table. Only now is an earlier game forgotten.
    pub(super) fn adopt(&mut self, welcome: &Welcome, now: Instant) {
        let game = Game::from(welcome);
        let tag = game.tag;
        let same = self
            .kept
            .game
            .as_ref()
            .is_some_and(|known| known.tag == tag);
        if !same {
            self.kept.sheet = Sheet::new();
            self.kept.schedule = Schedule::EMPTY;
            self.kept.names = None;
            self.kept.players = None;
            self.live.numbers = [None; 4];
            self.kept.progress = Progress::of_round(tag, welcome.round, None);
            if welcome.recorded > 0 {
                // A table that has results has told who sits there.
                let seats = [None; 4];
                let round = welcome.round;
                self.kept.players = Some(StoredPlayers {
                    tag,
                    players: Players { round, seats },
                    delivered: true,
                });
                self.persist(RecordKey::Players);
            }
        } else if self.kept.progress.round < welcome.round {
            self.kept.progress =
                Progress::of_round(tag, welcome.round, self.kept.schedule.round(welcome.round));
        }
        self.kept.game = Some(game);
        self.kept.settings = welcome.settings;
        self.live.welcome = None;
        self.live.called = false;
        self.live.gate_open = true;
        self.persist(RecordKey::Game);
        self.persist(RecordKey::Settings);
        self.persist(RecordKey::Progress);
        self.live.to_say.expect_news(now);
        // A pad that comes back to its own table goes on where it is.
        let waiting = matches!(self.live.flow, Flow::LoggingOn { .. } | Flow::Start);
        if !same || waiting {
            self.live.flow = self.home();
            self.live.under = self.live.flow;
        }
    }

    /// Puts the game away; it can be recovered until the next log-on is confirmed.
    pub(super) fn put_away(&mut self) {
        if let Some(game) = &mut self.kept.game {
            game.stage = Stage::PutAway;
            self.persist(RecordKey::Game);
        }
        self.live.flow = Flow::Start;
        self.live.under = self.live.flow;
    }

    /// Whether player numbers are still to be asked for.
    pub(super) fn wants_players(&self) -> bool {
        let asked = self
            .kept
            .players
            .as_ref()
            .map(|stored| stored.players.round);
        match self.kept.settings.player_numbers {
            PlayerNumbers::Off => false,
            PlayerNumbers::Once => asked.is_none() && self.kept.sheet.lines().next().is_none(),
            PlayerNumbers::EveryRound => {
                !self.kept.progress.confirmed && asked < Some(self.kept.progress.round)
            }
        }
    }

    pub(super) fn ask_players() -> Flow {
        ask_player(Seat::North)
    }

    pub(super) fn players_key(&mut self, key: Key, seat: Seat, typed: Digits) {
        match (typed.press(key, PLAYER_DIGITS_MAX), key) {
            (Typed::Digits(typed), _) => self.live.flow = Flow::Players { seat, typed },
            // All four were typed before: nothing changes.
            (Typed::Left, _) if seat == Seat::North && self.kept.players.is_some() => {
                self.live.flow = self.home();
            }
            (Typed::Left, _) if seat == Seat::North => self.live.flow = Flow::WrongTable,
            (Typed::Left, _) => self.live.flow = ask_player(seat.right()),
            // Typed before: it stays.
            (_, Key::Ok) if typed.is_empty() && self.number_of(seat).is_some() => {
                self.player_typed(seat, self.number_of(seat));
            }
            (_, Key::Ok) => match typed.value().and_then(PlayerNumber::new) {
                Some(number) => self.player_typed(seat, Some(number)),
                None => self.warn(Text::ExpectPlayer),
            },
            (Typed::Other, _) => self.warn(Text::ExpectPlayer),
        }
    }

    /// What was typed for a seat.
    pub(super) fn number_of(&self, seat: Seat) -> Option<PlayerNumber> {
        self.live
            .numbers
            .get(usize::from(seat.index()))
            .copied()
            .flatten()
    }

    /// Whether a mistyped number can be put right here: in the round for which it was typed. After
    /// that the director puts it right.
    pub(super) fn may_correct_players(&self) -> bool {
        let typed = self
            .kept
            .players
            .as_ref()
            .map(|stored| stored.players.round);
        self.kept.settings.player_numbers != PlayerNumbers::Off
            && self.playing().is_some()
            && typed == Some(self.kept.progress.round)
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
                if let Some(number) = self.live.numbers.get_mut(usize::from(seat.index())) {
                    *number = None;
                }
                self.live.flow = ask_player(seat);
            }
            _ => self.warn(Text::OkOrBack),
        }
    }

    fn player_typed(&mut self, seat: Seat, number: Option<PlayerNumber>) {
        if let Some(place) = self.live.numbers.get_mut(usize::from(seat.index())) {
            *place = number;
        }
        if seat != Seat::West {
            self.live.flow = ask_player(seat.left());
            return;
        }
        self.kept.players = Some(StoredPlayers {
            tag: self.tag(),
            players: Players {
                round: self.kept.progress.round,
                seats: self.live.numbers,
            },
            delivered: false,
        });
        self.persist(RecordKey::Players);
        self.live.flow = self.home();
    }

    pub(super) fn wrong_table_key(&mut self, key: Key) {
        match key {
            Key::Ok => {
                self.live.to_say.log_off();
                self.put_away();
            }
            Key::Left if self.may_correct_players() => self.live.flow = Self::ask_players(),
            Key::Back | Key::Clear => self.live.flow = self.home(),
            _ => self.warn(Text::OkOrBack),
        }
    }

    pub(super) fn tag(&self) -> GameTag {
        self.kept
            .game
            .as_ref()
            .map_or(GameTag::NONE, |game| game.tag)
    }

    /// Goes on to a round of this game.
    pub(super) fn begin_round(&mut self, round: RoundNumber) {
        self.kept.progress = Progress::of_round(self.tag(), round, self.kept.schedule.round(round));
        self.persist(RecordKey::Progress);
        self.live.flow = self.home();
    }
}

const fn ask_player(seat: Seat) -> Flow {
    Flow::Players {
        seat,
        typed: Digits::NONE,
    }
}

/// The letter some places on, around the end of the alphabet.
fn turn(letter: SectionLetter, places: u8) -> SectionLetter {
    let index = (u8::from(letter) - b'A' + places) % 26;
    SectionLetter::new(char::from(b'A' + index)).unwrap_or(SectionLetter::A)
}
