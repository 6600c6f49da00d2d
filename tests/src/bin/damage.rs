//! Wounds data folders in every way and counts what becomes of them. See tests/README.md.

use std::io::Write;

use base_station::store::Guards;
use clap::Parser;
use tests::damage::{Outcome, Plan, run, whole_older_folder};

/// Wounds data folders in every way: damage must be found and healed.
#[derive(Parser)]
struct Arguments {
    /// The seed of the places.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A tenth of the places.
    #[arg(long)]
    short: bool,
}

/// Bytes of earlier years, flipped bits and cuts.
const SIZES: [(u64, usize, usize); 4] = [
    (0, 900, 120),
    (400_000, 800, 80),
    (4_000_000, 450, 60),
    (100_000_000, 36, 9),
];

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let mut out = std::io::stdout().lock();
    let share = if arguments.short { 10 } else { 1 };
    let (mut places, mut flips, mut bad) = (0, 0, 0);
    for (earlier_len, all_flips, cuts) in SIZES {
        let plan = Plan {
            earlier_len,
            flips: all_flips / share,
            index_flips: all_flips / share / 3,
            cuts: cuts / share,
            guards: Guards::default(),
            heals: true,
        };
        let tally = run(&plan, arguments.seed);
        write!(out, "{tally}")?;
        out.flush()?;
        places += tally.places();
        flips += plan.flips + plan.index_flips;
        bad += tally.bad.len();
    }
    let (older, all) = whole_older_folder();
    writeln!(
        out,
        "a whole older folder with no pad in reach: opens with {older} of {all} records; that can't be known"
    )?;
    writeln!(
        out,
        "{places} places, {flips} of them flipped bits: {bad} broken promises"
    )?;
    let worst = [Outcome::Silent, Outcome::ResultLost];
    if bad > 0 {
        writeln!(out, "broken: see {worst:?} above")?;
        std::process::exit(1);
    }
    Ok(())
}
