//! Plays club nights in virtual time with everything that can fail, and counts what went wrong.
//!
//! `cargo run --release -p tests --bin night -- --seeds 1000` plays a thousand of them;
//! `--seed 7` plays one and tells its story; `--dreadful` takes the worst night of the README;
//! `--broken` shows in how many nights each deliberate mistake is caught.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use clap::Parser;
use indicatif::ProgressBar;
use tests::night::{Broken, Evening, Night, Options, Promise, Totals, play, play_event};

/// Club nights with everything that can fail.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word on the command line"
)]
#[derive(Parser)]
struct Arguments {
    /// How many nights, with seeds from 1.
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// One night only, with its story.
    #[arg(long)]
    seed: Option<u64>,
    /// Tables in the room.
    #[arg(long, default_value_t = 12)]
    tables: u16,
    /// Boards of the session.
    #[arg(long, default_value_t = 24)]
    boards: u8,
    /// A fifth of all frames lost, ten dead pads, ten dead base stations.
    #[arg(long)]
    dreadful: bool,
    /// Nothing goes wrong.
    #[arg(long)]
    quiet: bool,
    /// Nothing breaks, but frames are lost, results come late, some are corrected, and somebody goes
    /// home: how events of matches are played.
    #[arg(long)]
    club_event: bool,
    /// What is played: `mitchell`; matches: `swiss` (pairs), `teams`, `round-robin`.
    #[arg(long, value_parser = evening, default_value = "mitchell")]
    evening: Evening,
    /// Nights of one event of matches, one after the other in the same journal.
    #[arg(long, default_value_t = 1)]
    nights: u8,
    /// Somebody with a stolen pad is at work, in every night.
    #[arg(long)]
    thief: bool,
    /// So many tables have a phone on the local network as their pad.
    #[arg(long, default_value_t = 0)]
    phones: u16,
    /// The modems are modelled HC-12 behind a slow adapter, in every night.
    #[arg(long)]
    hc12: bool,
    /// Break the base station on purpose, in every way, and see in which night it is caught.
    #[arg(long)]
    broken: bool,
    /// Play with this deliberate mistake in the base station, as `--broken` names it.
    #[arg(long, value_parser = mistake)]
    mistake: Option<Broken>,
}

fn evening(name: &str) -> Result<Evening, String> {
    match name {
        "mitchell" => Ok(Evening::Mitchell),
        "swiss" => Ok(Evening::Swiss),
        "teams" => Ok(Evening::Teams),
        "round-robin" => Ok(Evening::RoundRobin),
        _ => Err("expected mitchell, swiss, teams or round-robin".to_owned()),
    }
}

fn mistake(name: &str) -> Result<Broken, String> {
    let found = Broken::ALL
        .into_iter()
        .find(|broken| format!("{broken:?}") == name);
    found.ok_or_else(|| format!("no mistake is called so; there are {:?}", Broken::ALL))
}

impl Arguments {
    fn options(&self, seed: u64) -> Options {
        let options = if self.dreadful {
            Options::dreadful(seed)
        } else if self.club_event {
            Options::club_event(seed, self.evening)
        } else if self.quiet {
            Options::quiet(seed)
        } else {
            Options::faulty(seed)
        };
        Options {
            tables: self.tables,
            boards: self.boards,
            evening: self.evening,
            broken: self.mistake.unwrap_or_default(),
            thief: self.thief || options.thief,
            phones: self.phones,
            hc12: self.hc12 || options.hc12,
            ..options
        }
    }

    /// The nights of an event; mostly one.
    fn event(&self, seed: u64) -> Vec<Night> {
        let options = self.options(seed);
        match self.nights {
            0 | 1 => vec![play(&options)],
            nights => play_event(&options, nights),
        }
    }
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let mut out = std::io::stdout().lock();
    let violations = match arguments.seed {
        _ if arguments.broken => break_everything(&arguments, &mut out)?,
        Some(seed) => {
            let mut wrong = 0;
            for night in arguments.event(seed) {
                wrong += tell(&night, &mut out)?;
            }
            wrong
        }
        None => play_all(&arguments, &mut out)?,
    };
    if violations > 0 {
        std::process::exit(1);
    }
    Ok(())
}

fn tell(night: &Night, out: &mut impl std::io::Write) -> std::io::Result<usize> {
    for line in night.told() {
        writeln!(out, "{line}")?;
    }
    let (expected, there) = night.boards;
    writeln!(out, "{there} of {expected} boards have a result.")?;
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
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > arguments.seeds {
                        break;
                    }
                    let nights = arguments.event(seed);
                    let mut totals = totals.lock().expect("no night panics while it counts");
                    for night in &nights {
                        totals.add(night);
                    }
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
    let faults: u32 = totals.faults.values().sum();
    writeln!(
        out,
        "measured: {} nights of {} tables, {} results agreed, {faults} faults, {} violations, longest wait of a result {} s ({} s with a way through), slowest recovery {} s",
        totals.nights,
        arguments.tables,
        totals.agreed,
        totals.violations.len(),
        totals.longest_wait.as_millis() / 1000,
        totals.longest_unhindered_wait.0.span.as_millis() / 1000,
        totals.slowest.as_millis() / 1000
    )?;
    Ok(totals.violations.len())
}

/// Every broken variant until it is caught; one that never is counts as a violation.
fn break_everything(
    arguments: &Arguments,
    out: &mut impl std::io::Write,
) -> std::io::Result<usize> {
    let variants = arguments
        .mistake
        .map_or(Broken::ALL.to_vec(), |one| vec![one]);
    let bar = ProgressBar::new(variants.len() as u64);
    let next = AtomicUsize::new(0);
    let caught = Mutex::new(vec![None; variants.len()]);
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while let Some(broken) = variants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = catch(arguments, *broken);
                    let at = variants.iter().position(|other| other == broken);
                    let mut caught = caught.lock().expect("no night panics while it counts");
                    caught[at.unwrap_or_default()] = found;
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let caught = caught
        .into_inner()
        .expect("no night panics while it counts");
    for (broken, caught) in variants.iter().zip(&caught) {
        match caught {
            Some((options, wrong)) => {
                writeln!(out, "{broken:?}: caught in night {}: {wrong}", options.seed)?;
                writeln!(out, "    {}", options.replay())?;
            }
            None => writeln!(out, "{broken:?}: NOT caught in {} nights", arguments.seeds)?,
        }
    }
    let escaped = caught.iter().filter(|caught| caught.is_none()).count();
    let latest = caught.iter().flatten().map(|(options, _)| options.seed);
    writeln!(
        out,
        "measured: {} of {} broken base stations caught, the last one in night {}",
        caught.len() - escaped,
        caught.len(),
        latest.max().unwrap_or_default()
    )?;
    Ok(escaped)
}

/// The first night in which the mistake shows.
fn catch(arguments: &Arguments, broken: Broken) -> Option<(Options, String)> {
    (1..=arguments.seeds).find_map(|seed| {
        let asked = arguments.options(seed);
        let options = Options {
            broken,
            evening: match broken.evening() {
                Evening::Mitchell => asked.evening,
                needed => needed,
            },
            ..asked
        };
        let wrong = play(&options).violations;
        // The right checker must have noticed, not just any.
        let breaks = broken.breaks();
        let named = |promise: &Promise| wrong.iter().any(|it| it.promise == *promise);
        if !breaks.iter().all(named) {
            return None;
        }
        let first = wrong.iter().find(|it| breaks.contains(&it.promise))?;
        Some((options, first.to_string()))
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
