//! What is told about nights: one by one, and all together.

use std::collections::BTreeMap;
use std::fmt;

use protocol::time::{Instant, Span};

use super::Options;

/// How a night went.
#[derive(Clone, Debug)]
pub struct Night {
    /// Its options.
    pub options: Options,
    /// What was wrong, in sentences. Empty is as it should be.
    pub violations: Vec<String>,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u32>,
    /// What happened, for people.
    pub story: Vec<(Instant, String)>,
    /// Entries that East accepted.
    pub agreed: usize,
    /// Entries that pads showed as received.
    pub scores: usize,
    /// Boards that died with a pad and were asked for.
    pub gaps: u32,
    /// Records in the journal.
    pub records: usize,
    /// Frames on the air.
    pub frames: u64,
    /// Frames destroyed by others.
    pub collisions: u64,
    /// Every frame with its moment and every record, condensed into a number.
    pub print: u64,
    /// From the end of all faults until everybody agreed.
    pub settled_after: Span,
}

impl Night {
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            violations: Vec::new(),
            faults: BTreeMap::new(),
            story: Vec::new(),
            agreed: 0,
            scores: 0,
            gaps: 0,
            records: 0,
            frames: 0,
            collisions: 0,
            print: 0xCBF2_9CE4_8422_2325,
            settled_after: Span::ZERO,
        }
    }

    pub(super) fn count(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }

    pub(super) fn tell(&mut self, now: Instant, what: &str) {
        self.story.push((now, what.to_owned()));
    }

    /// Takes something into the print (FNV-1a).
    pub(super) fn imprint(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.print = (self.print ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Two nights of the same seed have the same print.
    pub fn fingerprint(&self) -> String {
        format!(
            "{} agreed, {} received, {} records, {} frames, {} collisions, print {:016X}",
            self.agreed, self.scores, self.records, self.frames, self.collisions, self.print
        )
    }
}

/// All nights together.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// How many.
    pub nights: u32,
    /// Entries that East accepted.
    pub agreed: usize,
    /// Entries shown as received.
    pub scores: usize,
    /// Boards that died with a pad.
    pub gaps: u32,
    /// Frames on the air.
    pub frames: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u32>,
    /// Seed and sentence.
    pub violations: Vec<(u64, String)>,
    /// The longest time until everybody agreed again.
    pub slowest: Span,
}

impl Totals {
    /// Adds a night.
    pub fn add(&mut self, night: &Night) {
        self.nights += 1;
        self.agreed += night.agreed;
        self.scores += night.scores;
        self.gaps += night.gaps;
        self.frames += night.frames;
        for (kind, times) in &night.faults {
            *self.faults.entry(kind).or_default() += times;
        }
        let seed = night.options.seed;
        self.violations
            .extend(night.violations.iter().map(|wrong| (seed, wrong.clone())));
        self.slowest = self.slowest.max(night.settled_after);
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nights               {:>10}", self.nights)?;
        writeln!(f, "results agreed       {:>10}", self.agreed)?;
        writeln!(f, "shown as received    {:>10}", self.scores)?;
        writeln!(
            f,
            "asked of the table   {:>10}   (their pad died with them)",
            self.gaps
        )?;
        writeln!(f, "frames on the air    {:>10}", self.frames)?;
        for (kind, times) in &self.faults {
            writeln!(f, "{kind:<20} {times:>10}")?;
        }
        writeln!(
            f,
            "slowest recovery     {:>8} s",
            self.slowest.as_millis() / 1000
        )?;
        writeln!(f, "violations           {:>10}", self.violations.len())?;
        for (seed, wrong) in self.violations.iter().take(20) {
            writeln!(f, "  seed {seed}: {wrong}")?;
            writeln!(
                f,
                "    cargo run --release -p tests --bin night -- --seed {seed}"
            )?;
        }
        Ok(())
    }
}
