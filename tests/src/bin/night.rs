//! Plays club nights in virtual time with everything that can fail, and counts what went wrong.
//!
//! `cargo run --release -p tests --bin night -- --seeds 1000` plays a thousand of them;
//! `--seed 7` plays one and tells its story; `--dreadful` takes the worst night of the README;
//! `--broken` shows in how many nights each deliberate mistake is caught.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use indicatif::ProgressBar;
use tests::night::{Broken, Night, Options, Totals, play};

/// Club nights with everything that can fail.
#[derive(Parser)]
struct Arguments {
    /// How many nights, with seeds from 1.
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// One night only, with its story.
    #[arg(long)]
    seed: Option<u64>,
    /// A fifth of all frames lost, ten dead pads, ten dead base stations.
    #[arg(long)]
    dreadful: bool,
    /// Nothing goes wrong.
    #[arg(long)]
    quiet: bool,
    /// Break the base station on purpose, in every way, and see in which night it is caught.
    #[arg(long)]
    broken: bool,
}

impl Arguments {
    fn options(&self, seed: u64) -> Options {
        if self.dreadful {
            Options::dreadful(seed)
        } else if self.quiet {
            Options::quiet(seed)
        } else {
            Options::faulty(seed)
        }
    }
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let mut out = std::io::stdout().lock();
    let violations = match arguments.seed {
        _ if arguments.broken => break_everything(&arguments, &mut out)?,
        Some(seed) => tell(&play(&arguments.options(seed)), &mut out)?,
        None => play_all(&arguments, &mut out)?,
    };
    if violations > 0 {
        std::process::exit(1);
    }
    Ok(())
}

fn tell(night: &Night, out: &mut impl std::io::Write) -> std::io::Result<usize> {
    for (at, what) in &night.story {
        let minutes = at.as_millis() / 60_000;
        writeln!(out, "{:02}:{:02}  {what}", 19 + minutes / 60, minutes % 60)?;
    }
    writeln!(out, "{}", night.fingerprint())?;
    let mut totals = Totals::default();
    totals.add(night);
    write!(out, "{totals}")?;
    Ok(night.violations.len())
}

/// All seeds, on every core.
fn play_all(arguments: &Arguments, out: &mut impl std::io::Write) -> std::io::Result<usize> {
    let bar = ProgressBar::new(arguments.seeds);
    let next = AtomicU64::new(1);
    let totals = Mutex::new(Totals::default());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > arguments.seeds {
                        break;
                    }
                    let night = play(&arguments.options(seed));
                    totals
                        .lock()
                        .expect("no night panics while it counts")
                        .add(&night);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut totals = totals
        .into_inner()
        .expect("no night panics while it counts");
    totals.violations.sort();
    write!(out, "{totals}")?;
    Ok(totals.violations.len())
}

/// Every broken variant until it is caught; one that never is counts as a violation.
fn break_everything(
    arguments: &Arguments,
    out: &mut impl std::io::Write,
) -> std::io::Result<usize> {
    let mut escaped = 0;
    for broken in Broken::ALL {
        let caught = (1..=arguments.seeds).find_map(|seed| {
            let night = play(&Options {
                broken,
                ..arguments.options(seed)
            });
            night
                .violations
                .into_iter()
                .next()
                .map(|wrong| (seed, wrong))
        });
        if let Some((seed, wrong)) = caught {
            writeln!(out, "{broken:?}: caught in night {seed}: {wrong}")?;
        } else {
            escaped += 1;
            writeln!(out, "{broken:?}: NOT caught in {} nights", arguments.seeds)?;
        }
    }
    Ok(escaped)
}
