//! The fingers of somebody at the table: which keys to press on the screen that is shown, for
//! what the players want to enter.

use std::collections::VecDeque;

use pad::app::Flow;
use pad::{App, Key};
use protocol::message::{LeadEntry, Pin, ResultStyle, Settings};
use protocol::words::{
    BoardNumber, BoardResult, Doubling, Played, PlayerNumber, RoundNumber, SectionLetter, Strain,
    Suit, TableNumber,
};

/// What East-West choose to accept with, where the club asks for it.
const EW_PIN: [Key; 4] = [Key::Four, Key::Seven, Key::One, Key::One];

/// Who sits at the table and what they know.
#[derive(Clone, Debug)]
pub struct Fingers {
    /// The section on the table card.
    pub section: SectionLetter,
    /// The table on the table card.
    pub table: TableNumber,
    /// From North clockwise; visitors type 0.
    pub players: [PlayerNumber; 4],
    /// Keys that are about to be pressed.
    queue: VecDeque<Key>,
}

/// What the fingers do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Press this.
    Press(Key),
    /// The pad asks for the result of this board: play it, then call [`Fingers::enter`].
    Play(RoundNumber, BoardNumber),
    /// The pad waits for the base.
    Wait,
    /// The base refused the table, or something else only a director can solve.
    Stuck,
    /// The evening is over on this pad.
    Finished,
}

impl Fingers {
    /// People who sit down at a table.
    pub fn new(section: SectionLetter, table: TableNumber, players: [PlayerNumber; 4]) -> Self {
        Self {
            section,
            table,
            players,
            queue: VecDeque::new(),
        }
    }

    /// What to do on the screen that is shown.
    pub fn next(&mut self, app: &App) -> Next {
        // The base judges the director's number: whoever typed it looks before going on.
        if app.is_judged() {
            return Next::Wait;
        }
        if let Some(key) = self.queue.pop_front() {
            return Next::Press(key);
        }
        match *app.flow() {
            // The draw comes by itself.
            Flow::RoundStart if app.round_sheet().is_none() => Next::Wait,
            Flow::Start
            | Flow::RoundStart
            | Flow::RoundEnd
            | Flow::Notice
            | Flow::UnknownPlayers { .. }
            | Flow::EntryRefused { .. } => self.press([Key::Ok]),
            Flow::Section { .. } => {
                let key = Key::ALL
                    .into_iter()
                    .find(|key| key.letter() == Some(self.section));
                self.press(key)
            }
            Flow::Table { .. } => self.press_number(u32::from(self.table.get())),
            Flow::Players { seat, .. } => {
                let number = self.players[usize::from(seat.index())];
                self.press_number(number.get())
            }
            Flow::PairTyped { .. } => {
                let sheet = app.round_sheet().and_then(|sheet| sheet.ew);
                self.press_number(sheet.map_or(0, |pair| u32::from(pair.get())))
            }
            Flow::ChoosePin { .. } | Flow::AcceptPin { .. } => {
                self.press(EW_PIN.into_iter().chain([Key::Ok]))
            }
            Flow::SitOut | Flow::Check { .. } | Flow::Slip { .. } => self.press([Key::Accept]),
            Flow::BoardTyped { .. } => match app.proposed() {
                Some(board) => self.press_number(u32::from(board.get())),
                None => self.press([Key::Back]),
            },
            Flow::Entry(typing) if typing.is_resting() => Next::Play(typing.round, typing.board),
            // Somebody else has begun to type: start again.
            Flow::Entry(_) => self.press([Key::Clear]),
            Flow::RoundSummary { .. }
            | Flow::OutOfRange { .. }
            | Flow::CallDirector
            | Flow::Traveller { .. }
            | Flow::HandRecord { .. }
            | Flow::Par { .. }
            | Flow::Ranking { .. }
            | Flow::WrongTable => self.press([Key::Back]),
            Flow::SessionEnd => Next::Finished,
            Flow::LogOnRefused { .. } | Flow::OldResults | Flow::Replaced => Next::Stuck,
            // The base is being asked, or a director is at the pad.
            _ => Next::Wait,
        }
    }

    /// Types the result of the board that the pad asks for, and lets East accept it.
    pub fn enter(&mut self, result: &BoardResult, settings: &Settings) {
        self.queue = keys_of(result, settings).into();
        self.queue.extend([Key::Ok, Key::Accept]);
        if settings.acceptance == protocol::message::Acceptance::Pin {
            self.queue.extend(EW_PIN.into_iter().chain([Key::Ok]));
        }
    }

    /// The director takes a spare pad and says Replace; the table is typed as at every log-on.
    pub fn replace(&mut self, pin: Pin) {
        let digits = [pin.0 / 1000, pin.0 / 100 % 10, pin.0 / 10 % 10, pin.0 % 10];
        self.queue = VecDeque::from([Key::Director]);
        self.queue.extend(
            digits
                .into_iter()
                .flat_map(|digit| self::digits(digit.into())),
        );
        self.queue.push_back(Key::Four);
    }

    /// Presses these, whatever the screen shows: what a person does who does not look.
    pub fn press_blindly(&mut self, keys: impl IntoIterator<Item = Key>) {
        self.queue.extend(keys);
    }

    /// Forgets what was about to be pressed: the batteries fell out.
    pub fn interrupt(&mut self) {
        self.queue.clear();
    }

    fn press(&mut self, keys: impl IntoIterator<Item = Key>) -> Next {
        self.queue.extend(keys);
        self.queue.pop_front().map_or(Next::Stuck, Next::Press)
    }

    fn press_number(&mut self, number: u32) -> Next {
        self.press(digits(number).into_iter().chain([Key::Ok]))
    }
}

/// The keys that type a result, without OK.
pub fn keys_of(result: &BoardResult, settings: &Settings) -> Vec<Key> {
    match result {
        BoardResult::Played(played) => keys_of_played(*played, settings),
        BoardResult::PassedOut => vec![Key::Pass],
        BoardResult::NotPlayed | BoardResult::SitOut | BoardResult::Adjusted { .. } => {
            vec![Key::NotPlayed]
        }
    }
}

fn keys_of_played(played: Played, settings: &Settings) -> Vec<Key> {
    let contract = played.contract;
    let mut keys = digits(u32::from(contract.level.get()));
    keys.push(strain_key(contract.strain));
    match contract.doubling {
        Doubling::Undoubled => {}
        Doubling::Doubled => keys.push(Key::Double),
        Doubling::Redoubled => keys.push(Key::Redouble),
    }
    keys.extend(
        Key::ALL
            .into_iter()
            .find(|key| key.seat() == Some(contract.declarer)),
    );
    if settings.lead != LeadEntry::Off {
        match played.lead {
            Some(lead) => {
                keys.push(strain_key(Strain::from(lead.suit)));
                keys.extend(
                    Key::ALL
                        .into_iter()
                        .find(|key| key.rank() == Some(lead.rank)),
                );
            }
            None => keys.push(Key::Ok),
        }
    }
    let over = contract.over(played.tricks);
    match settings.result_style {
        ResultStyle::TotalTricks => keys.extend(digits(u32::from(played.tricks.get()))),
        ResultStyle::American if over >= 0 => {
            keys.extend(digits(u32::from(played.tricks.get() - 6)));
        }
        _ => keys.extend(relative(over)),
    }
    keys
}

fn relative(over: i8) -> Vec<Key> {
    let sign = match over {
        0 => return vec![Key::Equal],
        1.. => Key::Plus,
        _ => Key::Minus,
    };
    let mut keys = vec![sign];
    keys.extend(digits(u32::from(over.unsigned_abs())));
    keys
}

fn strain_key(strain: Strain) -> Key {
    match strain.trumps() {
        Some(Suit::Spades) => Key::Spades,
        Some(Suit::Hearts) => Key::Hearts,
        Some(Suit::Diamonds) => Key::Diamonds,
        Some(Suit::Clubs) => Key::Clubs,
        None => Key::NoTrump,
    }
}

/// The keys that type a number.
pub fn digits(number: u32) -> Vec<Key> {
    number
        .to_string()
        .bytes()
        .filter_map(|digit| {
            Key::ALL
                .into_iter()
                .find(|key| key.digit() == Some(digit - b'0'))
        })
        .collect()
}
