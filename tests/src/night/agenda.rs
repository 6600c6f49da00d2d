//! What goes wrong when, drawn from the options before the night begins.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use air::Station;
use fastrand::Rng;
use protocol::time::{Instant, Span};

use super::Options;
use super::base::CrashPoint;

/// Something that happens to the room. Tables are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mishap {
    OutOfReach(usize),
    InReach(Station),
    PadRestarts(usize),
    /// Within the write to flash that comes after so many others.
    BatteryFallsOut(usize, u32),
    PadIsStartedAgain(usize),
    PadIsDestroyed(usize),
    GhostWakes,
    Rival(usize),
    BaseDies(u8),
    BaseIsStartedAgain,
    DiskFull,
    DiskHasRoom,
    DiskRefuses,
    ClockJumps(i64),
    ModemForgets(usize),
    ModemIsSet(Station),
    ChannelMoves,
    ReceiverUnplugged,
    ReceiverBack,
    ReceiverBreaks,
    OtherReceiver,
    Attack,
    DirectorCorrects,
    SecondThoughts(usize),
    GateStops,
    GateStarts,
    CutShort,
    PairGoesHome,
    DirectorUndoes,
    StrayBoard(usize),
    DirectorDecides,
    /// The director looks whether a round can be drawn.
    DirectorDraws,
    /// The base looks round for silent pads.
    LookRound,
}

impl Mishap {
    /// In a word, for the report.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::OutOfReach(_) => "dead spot",
            Self::PadRestarts(_) => "pad restarted",
            Self::BatteryFallsOut(..) => "battery pulled",
            Self::PadIsDestroyed(_) => "pad destroyed",
            Self::GhostWakes => "replaced pad woke",
            Self::Rival(_) => "rival pad",
            Self::BaseDies(_) => "base crashed",
            Self::DiskFull => "disk full",
            Self::DiskRefuses => "disk error",
            Self::ClockJumps(_) => "clock jumped",
            Self::ModemForgets(_) => "modem forgot its channel",
            Self::ChannelMoves => "room changed channel",
            Self::ReceiverUnplugged => "receiver unplugged",
            Self::ReceiverBreaks => "receiver replaced",
            Self::Attack => "attack",
            Self::DirectorCorrects => "director corrected",
            Self::SecondThoughts(_) => "players corrected",
            Self::GateStops => "pads stopped",
            Self::CutShort => "round dropped",
            Self::PairGoesHome => "pair went home",
            Self::DirectorUndoes => "change taken back",
            Self::StrayBoard(_) => "board out of range",
            Self::InReach(_)
            | Self::ModemIsSet(_)
            | Self::PadIsStartedAgain(_)
            | Self::BaseIsStartedAgain
            | Self::DiskHasRoom
            | Self::ReceiverBack
            | Self::OtherReceiver
            | Self::GateStarts
            | Self::DirectorDecides
            | Self::DirectorDraws
            | Self::LookRound => "",
        }
    }

    pub(super) const fn crash_point(which: u8) -> CrashPoint {
        match which % 3 {
            0 => CrashPoint::BeforeWriting,
            1 => CrashPoint::BeforeAnswering,
            _ => CrashPoint::AfterAnswering,
        }
    }
}

/// Nothing fails before the first pads log on.
const EARLIEST: Span = Span::from_secs(20);

/// How long a table puts up with a pad that does not send.
const SILENT: Span = Span::from_secs(15 * 60);

/// Mishaps in the order of their moments.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<(Instant, Mishap)>>,
}

impl Agenda {
    /// Draws a night's mishaps between the first log-on and the last board.
    pub(super) fn draw(options: &Options, length: Span, rng: &mut Rng) -> Self {
        let mut agenda = Self::default();
        let tables = usize::from(options.tables);
        let mut scatter = |times: u32, make: &mut dyn FnMut(&mut Rng) -> Mishap| {
            for _ in 0..times {
                let at = Instant::from_micros(rng.u64(EARLIEST.as_micros()..length.as_micros()));
                let mishap = make(rng);
                agenda.add(at, mishap);
            }
        };
        scatter(options.dead_spots, &mut |rng| {
            Mishap::OutOfReach(rng.usize(..tables))
        });
        scatter(options.pad_restarts, &mut |rng| {
            Mishap::PadRestarts(rng.usize(..tables))
        });
        scatter(options.battery_pulls, &mut |rng| {
            Mishap::BatteryFallsOut(rng.usize(..tables), rng.u32(..60))
        });
        let mut seem_dead = Vec::new();
        scatter(options.pads_destroyed, &mut |rng| {
            let table = rng.usize(..tables);
            seem_dead.extend(rng.bool().then_some(table));
            Mishap::PadIsDestroyed(table)
        });
        scatter(options.ghosts, &mut |_| Mishap::GhostWakes);
        scatter(options.rivals, &mut |rng| {
            Mishap::Rival(rng.usize(..tables))
        });
        scatter(options.base_crashes, &mut |rng| {
            Mishap::BaseDies(rng.u8(..))
        });
        scatter(options.disk_full, &mut |_| Mishap::DiskFull);
        scatter(options.disk_errors, &mut |_| Mishap::DiskRefuses);
        scatter(options.clock_jumps, &mut |rng| {
            Mishap::ClockJumps(rng.i64(-7_200_000..7_200_000))
        });
        scatter(options.receiver_unplugged, &mut |_| {
            Mishap::ReceiverUnplugged
        });
        scatter(options.receivers_replaced, &mut |_| Mishap::ReceiverBreaks);
        scatter(options.attacks, &mut |_| Mishap::Attack);
        scatter(options.corrections, &mut |_| Mishap::DirectorCorrects);
        scatter(options.second_thoughts, &mut |rng| {
            Mishap::SecondThoughts(rng.usize(..tables))
        });
        scatter(options.gate_stops, &mut |_| Mishap::GateStops);
        scatter(options.withdrawals, &mut |_| Mishap::PairGoesHome);
        scatter(options.undone, &mut |_| Mishap::DirectorUndoes);
        scatter(options.strays, &mut |rng| {
            Mishap::StrayBoard(rng.usize(..tables))
        });
        scatter(options.forgetful_modems, &mut |rng| {
            Mishap::ModemForgets(rng.usize(..tables))
        });
        scatter(options.channel_moves, &mut |_| Mishap::ChannelMoves);
        // Many a pad that is replaced only seemed dead: nothing it agreed for a while could be sent.
        seem_dead.sort_unstable();
        seem_dead.dedup();
        for table in seem_dead {
            agenda.lose_reach_before_death(table);
        }
        if options.cut_short {
            agenda.add(
                Instant::from_micros(length.as_micros() / 3),
                Mishap::CutShort,
            );
        }
        agenda
    }

    fn lose_reach_before_death(&mut self, table: usize) {
        let dies = |Reverse((_, mishap)): &&Reverse<(Instant, Mishap)>| {
            *mishap == Mishap::PadIsDestroyed(table)
        };
        let first = self.heap.iter().filter(dies).map(|Reverse((at, _))| *at);
        if let Some(at) = first.min().filter(|at| *at > Instant::ZERO + SILENT) {
            self.add(at - SILENT, Mishap::OutOfReach(table));
        }
    }

    pub(super) fn add(&mut self, at: Instant, mishap: Mishap) {
        self.heap.push(Reverse((at, mishap)));
    }

    pub(super) fn next_at(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((at, _))| *at)
    }

    pub(super) fn pop_due(&mut self, now: Instant) -> Option<Mishap> {
        self.next_at().filter(|at| *at <= now)?;
        self.heap.pop().map(|Reverse((_, mishap))| mishap)
    }
}
