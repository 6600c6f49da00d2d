//! What is told about nights: one by one, and all together.

use std::collections::BTreeMap;
use std::fmt;

use protocol::time::{Instant, Span};

use base_station::session::{Event, Record, Seq};
use base_station::view::ChangeView;

use super::Options;
use super::base::EVENING;
use super::checkers::Violation;
use super::witness::Wait;

/// Nights that a report names one by one, and how much it says about each of them.
const NIGHTS_SHOWN: usize = 20;
const VIOLATIONS_SHOWN: usize = 2;

/// How a night went.
#[derive(Clone, Debug)]
pub struct Night {
    /// Its options.
    pub options: Options,
    /// What was wrong. Empty is as it should be.
    pub violations: Vec<Violation>,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u32>,
    /// What happened in the room, after which record of the journal.
    pub story: Vec<(Seq, Instant, String)>,
    /// What the director's page tells of the night, without the results.
    pub log: Vec<ChangeView>,
    /// Entries that East accepted.
    pub agreed: usize,
    /// Entries that pads showed as received.
    pub scores: usize,
    /// Boards that died with a pad and were asked for.
    pub gaps: u32,
    /// Results that the movement wants, and those that are in at the end.
    pub boards: (usize, usize),
    /// Results that came when the next round of matches was drawn already.
    pub late_results: usize,
    /// Results that the director changed when the next round was drawn already.
    pub late_corrections: usize,
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
    /// The longest that an agreed result waited until its pad knew that the base has it.
    pub longest_wait: Span,
    /// The same, counted from the end of whatever stood in its way.
    pub longest_unhindered_wait: Wait,
}

impl Night {
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            violations: Vec::new(),
            faults: BTreeMap::new(),
            story: Vec::new(),
            log: Vec::new(),
            agreed: 0,
            scores: 0,
            gaps: 0,
            boards: (0, 0),
            late_results: 0,
            late_corrections: 0,
            records: 0,
            frames: 0,
            collisions: 0,
            print: 0xCBF2_9CE4_8422_2325,
            settled_after: Span::ZERO,
            longest_wait: Span::ZERO,
            longest_unhindered_wait: Wait::default(),
        }
    }

    pub(super) fn count(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }

    pub(super) fn tell(&mut self, now: Instant, after: Seq, what: &str) {
        self.story.push((after, now, what.to_owned()));
    }

    /// The night in the order in which it happened: what went wrong in the room (with a dash) and
    /// what the director's page says about it.
    pub fn told(&self) -> Vec<String> {
        let minutes = |minutes: u64| format!("{:02}:{:02}", 19 + minutes / 60, minutes % 60);
        let room = self.story.iter().map(|(after, at, what)| {
            let time = minutes(at.as_millis() / 60_000);
            (*after, 1, format!("{time}  - {what}"))
        });
        let page = self.log.iter().map(|change| {
            let time = minutes(change.at_ms.0.saturating_sub(EVENING.0) / 60_000);
            let why = match change.why.to_string().as_str() {
                "" => String::new(),
                why => format!(" ({why})"),
            };
            let (who, text) = (&change.who, &change.text);
            (change.seq, 0, format!("{time}  {who}: {text}{why}"))
        });
        let mut lines: Vec<_> = room.chain(page).collect();
        lines.sort_by_key(|(seq, room, _)| (*seq, *room));
        lines.into_iter().map(|(_, _, line)| line).collect()
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

/// What the director's page tells, without what goes as it should: results and player numbers.
pub(super) fn log(records: &[Record]) -> Vec<ChangeView> {
    let is_usual = |event: &Event| match event {
        Event::Entered { entry, .. } => !entry.correction,
        Event::PlayersSeated { .. } => true,
        _ => false,
    };
    let told = records.iter().filter(|record| !is_usual(&record.event));
    told.map(|record| ChangeView::of(&base_station::session::Club::default(), None, record))
        .collect()
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
    /// Seed, sentence, and the command that plays the night again.
    pub violations: Vec<(u64, String, String)>,
    /// The longest time until everybody agreed again.
    pub slowest: Span,
    /// The longest that an agreed result waited until its pad knew that the base has it.
    pub longest_wait: Span,
    /// The same, counted from the end of whatever stood in its way, and in which night that was.
    pub longest_unhindered_wait: (Wait, u64),
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
        let wrong = night.violations.iter();
        self.violations
            .extend(wrong.map(|wrong| (seed, wrong.to_string(), night.options.replay())));
        self.slowest = self.slowest.max(night.settled_after);
        self.longest_wait = self.longest_wait.max(night.longest_wait);
        if night.longest_unhindered_wait > self.longest_unhindered_wait.0 {
            self.longest_unhindered_wait = (night.longest_unhindered_wait.clone(), seed);
        }
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
            "longest wait         {:>8} s   (of an agreed result for the base to have it)",
            self.longest_wait.as_millis() / 1000
        )?;
        let (wait, seed) = &self.longest_unhindered_wait;
        writeln!(
            f,
            "  with a way through {:>8} s   (the base up, the pad on and in reach: night {seed}, {})",
            wait.span.as_millis() / 1000,
            wait.of
        )?;
        writeln!(
            f,
            "slowest recovery     {:>8} s   (from the last fault until everybody agrees)",
            self.slowest.as_millis() / 1000
        )?;
        writeln!(f, "violations           {:>10}", self.violations.len())?;
        let nights = self.violations.chunk_by(|one, other| one.0 == other.0);
        for night in nights.take(NIGHTS_SHOWN) {
            for (seed, wrong, _) in night.iter().take(VIOLATIONS_SHOWN) {
                writeln!(f, "  seed {seed}: {wrong}")?;
            }
            if night.len() > VIOLATIONS_SHOWN {
                writeln!(f, "    and {} more", night.len() - VIOLATIONS_SHOWN)?;
            }
            let replay = night.first().map(|(_, _, replay)| replay.as_str());
            writeln!(f, "    {}", replay.unwrap_or_default())?;
        }
        Ok(())
    }
}
