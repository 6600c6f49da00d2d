//! Wounds data folders in every way and counts what becomes of them. See tests/README.md.

use std::io::Write;

use base_station::store::Guards;
use clap::Parser;
use tests::damage::{Plan, Tally, run, run_first_layout, whole_older_folder};

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

/// Tables, bytes of earlier years, flipped bits, cuts and pages from elsewhere.
const SIZES: [(u16, u64, usize, usize, usize); 5] = [
    (1, 0, 500, 60, 20),
    (12, 0, 1_000, 120, 40),
    (12, 400_000, 700, 84, 40),
    (12, 4_000_000, 300, 60, 40),
    (12, 100_000_000, 60, 12, 10),
];

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let mut out = std::io::stdout().lock();
    let share = if arguments.short { 10 } else { 1 };
    let (mut places, mut flips, mut bad) = (0, 0, 0);
    let mut take = |tally: &Tally| {
        places += tally.places();
        flips += tally.flips_of_records;
        bad += tally.bad.len();
    };
    for (tables, earlier_len, all_flips, cuts, pages) in SIZES {
        let plan = Plan {
            earlier_len,
            tables,
            flips: all_flips / share,
            small_flips: all_flips / share / 5,
            index_flips: all_flips / share / 4,
            lagging: all_flips / share / 8,
            cuts: cuts / share,
            strange_pages: if share > 1 { 4 } else { pages },
            rest: true,
            guards: Guards::default(),
            heals: true,
        };
        let tally = run(&plan, arguments.seed);
        write!(out, "{tally}")?;
        out.flush()?;
        take(&tally);
    }
    let tally = run_first_layout(300 / share, 60 / share, arguments.seed);
    write!(out, "from before the chain: {tally}")?;
    take(&tally);
    let (older, all) = whole_older_folder();
    writeln!(
        out,
        "a whole older folder with no pad in reach: opens with {older} of {all} records; that can't be known"
    )?;
    writeln!(
        out,
        "{places} places, {flips} of them flipped bits of journals, logs and copies: {bad} broken promises"
    )?;
    if bad > 0 {
        std::process::exit(1);
    }
    Ok(())
}
