//! Every fault knob of a night, in one place.

use air::Model;
use protocol::link::Timing;

use super::Broken;

/// Where a night's options came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A bit of everything, drawn from the seed.
    #[default]
    Faulty,
    /// Nothing goes wrong.
    Quiet,
    /// The night of the README.
    Dreadful,
    /// An event of matches as clubs play it.
    ClubEvent,
}

/// What the room plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evening {
    /// A Mitchell of pairs.
    #[default]
    Mitchell,
    /// A Swiss of pairs in three rounds, in IMPs against the datum; every round is drawn when the one
    /// before it is in.
    Swiss,
    /// Three rounds of a Swiss of teams, two tables a match; on every second night they share one set
    /// of boards.
    Teams,
    /// As many teams as tables, everybody against everybody.
    RoundRobin,
}

/// What may go wrong in a night. Numbers are "how often", permille are of every frame.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Where the other options came from.
    pub mode: Mode,
    /// Decides everything else.
    pub seed: u64,
    /// Which event of how many nights this is a night of: its seed, its nights, and the tables of the
    /// first.
    pub event: Option<(u64, u8, u16)>,
    /// What is played.
    pub evening: Evening,
    /// Tables.
    pub tables: u16,
    /// Boards of the whole session.
    pub boards: u8,
    /// The baud rate of the channel.
    pub baud: u32,
    /// Frames that a receiver does not hear.
    pub loss_permille: u32,
    /// Frames with a flipped bit.
    pub flip_permille: u32,
    /// Frames that are heard twice.
    pub repeat_permille: u32,
    /// Pairs of pads that do not hear each other.
    pub hidden_permille: u32,
    /// Pads that are out of reach for a while.
    pub dead_spots: u32,
    /// Pads whose program restarts.
    pub pad_restarts: u32,
    /// Pads whose battery falls out within a write to flash.
    pub battery_pulls: u32,
    /// Pads that are destroyed and replaced by a spare.
    pub pads_destroyed: u32,
    /// Replaced pads that wake up again.
    pub ghosts: u32,
    /// Spare pads that try to log on at a table that is in use.
    pub rivals: u32,
    /// The base station's process dies.
    pub base_crashes: u32,
    /// The base station's disk is full for a while.
    pub disk_full: u32,
    /// The base station's disk refuses single writes.
    pub disk_errors: u32,
    /// The laptop's clock jumps, back or forth.
    pub clock_jumps: u32,
    /// The receiver is unplugged for a while.
    pub receiver_unplugged: u32,
    /// The receiver breaks and another one is plugged in.
    pub receivers_replaced: u32,
    /// Somebody records frames and plays them again, garbled ones too.
    pub attacks: u32,
    /// Results that the director corrects.
    pub corrections: u32,
    /// Results that players correct at the table.
    pub second_thoughts: u32,
    /// The director stops the pads for a moment.
    pub gate_stops: u32,
    /// The last round is dropped.
    pub cut_short: bool,
    /// Pairs that go home before the end.
    pub withdrawals: u32,
    /// Rulings and changes of the movement that the director takes back.
    pub undone: u32,
    /// Somebody has stolen a pad, knows all that is in it, and is at work all night.
    pub thief: bool,
    /// The modems are those that one can buy: late, in packets, behind an adapter.
    pub hc12: bool,
    /// Pads whose modem forgets its channel for some minutes.
    pub forgetful_modems: u32,
    /// How often the room goes to another channel.
    pub channel_moves: u32,
    /// Tables that type a board which is not theirs, and wait for the director.
    pub strays: u32,
    /// Tables whose pad is a phone on the local network; spare pads are phones then, too, every
    /// second one. A dead spot is a network that is away.
    pub phones: u16,
    /// A deliberately broken base, to see that it is caught.
    pub broken: Broken,
}

impl Options {
    /// A night on which nothing goes wrong but the usual noise of the channel.
    pub const fn quiet(seed: u64) -> Self {
        Self {
            mode: Mode::Quiet,
            seed,
            event: None,
            evening: Evening::Mitchell,
            tables: 12,
            boards: 24,
            baud: 19_200,
            loss_permille: 0,
            flip_permille: 0,
            repeat_permille: 0,
            hidden_permille: 0,
            dead_spots: 0,
            pad_restarts: 0,
            battery_pulls: 0,
            pads_destroyed: 0,
            ghosts: 0,
            rivals: 0,
            base_crashes: 0,
            disk_full: 0,
            disk_errors: 0,
            clock_jumps: 0,
            receiver_unplugged: 0,
            receivers_replaced: 0,
            attacks: 0,
            corrections: 0,
            second_thoughts: 0,
            gate_stops: 0,
            cut_short: false,
            withdrawals: 0,
            undone: 0,
            thief: false,
            hc12: false,
            forgetful_modems: 0,
            channel_moves: 0,
            strays: 0,
            phones: 0,
            broken: Broken::Not,
        }
    }

    /// What the modems of the night do.
    pub fn model(&self, timing: Timing) -> Model {
        if self.hc12 {
            Model::hc12(timing)
        } else {
            Model::exact(timing)
        }
    }

    /// A night with a bit of everything, how much of each drawn from the seed.
    pub fn faulty(seed: u64) -> Self {
        let mut draw = fastrand::Rng::with_seed(seed ^ 0x0B7E_57A2);
        Self {
            mode: Mode::Faulty,
            baud: *draw.choice(&[9_600, 19_200, 57_600]).unwrap_or(&19_200),
            loss_permille: draw.u32(..=200),
            flip_permille: draw.u32(..=30),
            repeat_permille: draw.u32(..=50),
            hidden_permille: draw.u32(..=400),
            dead_spots: draw.u32(..=3),
            pad_restarts: draw.u32(..=4),
            battery_pulls: draw.u32(..=6),
            pads_destroyed: draw.u32(..=2),
            ghosts: draw.u32(..=2),
            rivals: draw.u32(..=1),
            base_crashes: draw.u32(..=4),
            disk_full: draw.u32(..=1),
            disk_errors: draw.u32(..=3),
            clock_jumps: draw.u32(..=1),
            receiver_unplugged: draw.u32(..=2),
            receivers_replaced: draw.u32(..=1),
            attacks: draw.u32(..=20),
            corrections: draw.u32(..=4),
            second_thoughts: draw.u32(..=4),
            gate_stops: draw.u32(..=1),
            cut_short: draw.u8(..8) == 0,
            withdrawals: u32::from(draw.u8(..4) == 0),
            undone: draw.u32(..=2),
            thief: draw.u8(..3) == 0,
            strays: draw.u32(1..=4),
            hc12: draw.bool(),
            forgetful_modems: draw.u32(..=2),
            channel_moves: u32::from(draw.u8(..3) == 0),
            ..Self::quiet(seed)
        }
    }

    /// The night of the README: a fifth of the frames lost, ten pads die, ten times the
    /// base, and the receiver has to be replaced.
    pub const fn dreadful(seed: u64) -> Self {
        Self {
            mode: Mode::Dreadful,
            loss_permille: 200,
            hidden_permille: 300,
            pads_destroyed: 10,
            ghosts: 5,
            battery_pulls: 10,
            base_crashes: 10,
            receivers_replaced: 1,
            corrections: 3,
            ..Self::quiet(seed)
        }
    }

    /// A night of matches with a bit of everything.
    pub fn matches(seed: u64, evening: Evening) -> Self {
        Self {
            evening,
            ..Self::faulty(seed)
        }
    }

    /// An event of a club that is played over several nights, or in one: nothing is broken, but the
    /// air loses frames, results come late, the director corrects some, and somebody goes home.
    pub const fn club_event(seed: u64, evening: Evening) -> Self {
        Self {
            mode: Mode::ClubEvent,
            evening,
            loss_permille: 100,
            flip_permille: 10,
            repeat_permille: 30,
            hidden_permille: 200,
            dead_spots: 6,
            pad_restarts: 1,
            corrections: 6,
            second_thoughts: 2,
            withdrawals: 1,
            ..Self::quiet(seed)
        }
    }

    /// The one command that plays this night again, with the others of its event.
    pub fn replay(&self) -> String {
        let mode = match self.mode {
            Mode::Faulty => "",
            Mode::Quiet => "--quiet ",
            Mode::Dreadful => "--dreadful ",
            Mode::ClubEvent => "--club-event ",
        };
        let thief = match (self.mode, self.thief) {
            (Mode::Faulty, _) | (_, false) => "",
            (_, true) => "--thief ",
        };
        let hc12 = match (self.mode, self.hc12) {
            (Mode::Faulty, _) | (_, false) => "",
            (_, true) => "--hc12 ",
        };
        let mistake = match self.broken {
            Broken::Not => String::new(),
            broken => format!("--mistake {broken:?} "),
        };
        let (seed, nights, tables) = match self.event {
            Some((seed, nights, tables)) => (seed, format!("--nights {nights} "), tables),
            None => (self.seed, String::new(), self.tables),
        };
        let room = match (tables, self.boards) {
            (12, 24) => String::new(),
            (tables, boards) => format!("--tables {tables} --boards {boards} "),
        };
        let phones = match self.phones {
            0 => String::new(),
            phones => format!("--phones {phones} "),
        };
        let evening = match self.evening {
            Evening::Mitchell => "",
            Evening::Swiss => "--evening swiss ",
            Evening::Teams => "--evening teams ",
            Evening::RoundRobin => "--evening round-robin ",
        };
        format!(
            "cargo run --release -p tests --bin night -- {mode}{evening}{nights}{thief}{hc12}{mistake}{room}{phones}--seed {seed}"
        )
    }
}
