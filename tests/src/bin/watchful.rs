//! How well the watchful base watches: the share of seeded mistakes that it finds, and how often
//! it cries wolf.
//!
//! `cargo run --release -p tests --bin watchful -- --seeds 200` makes at least 200 mistakes of
//! every kind; `--clean 20000` sets how many clean results are played.

use std::collections::BTreeMap;
use std::process::ExitCode;

use tests::watchful::doubles::Doubles;
use tests::watchful::evening::clean;
use tests::watchful::mistakes::Mistake;
use tests::watchful::tally::Tally;
use tests::watchful::{large, rooms};

#[expect(clippy::print_stdout, reason = "it prints a table for people")]
fn main() -> ExitCode {
    let Some((each, clean)) = arguments() else {
        println!("usage: watchful [--seeds MISTAKES_OF_EACH_KIND] [--clean RESULTS]");
        return ExitCode::from(2);
    };
    let mut tally = Tally::default();
    tally.play_clean(1_000_000, clean);
    tally.play_spoiled(0, &Mistake::ALL, each, true);
    println!(
        "{:<26}{:>6}{:>8}{:>14}",
        "mistake", "made", "found", "named first"
    );
    for (mistake, share) in &tally.shares {
        println!(
            "{:<26}{:>6}{:>7}%{:>13}%",
            format!("{mistake:?}"),
            share.made,
            percent(share.found, share.made),
            percent(share.named_first, share.made)
        );
    }
    println!("\nfalse alarms on {} clean results:", tally.clean_results);
    for (kind, alarms) in &tally.alarms {
        println!("{kind:<26}{alarms:>6}");
    }
    let alarms = tally.false_alarms();
    println!(
        "{:<26}{alarms:>6}  one in {} results",
        "all",
        tally.clean_results / alarms.max(1)
    );
    println!(
        "\nbeside mistakes, on {} results at clean tables:",
        tally.results_beside
    );
    for (kind, alarms) in &tally.alarms_beside {
        println!("{kind:<26}{alarms:>6}");
    }
    forgotten_doubles(clean);
    without_confirmation(each.min(50));
    movement_doctor();
    large_room();
    ExitCode::SUCCESS
}

#[expect(clippy::print_stdout, reason = "it prints a table for people")]
fn forgotten_doubles(results: usize) {
    let doubles = Doubles::count(1_000_000, results);
    let learned = Doubles::count(2_000_000, results);
    let [failed_doubled, failed_plain] = doubles.failed;
    let [found, alarms] = doubles.rule;
    println!(
        "\nforgotten doubles, on {} clean results with {failed_doubled} contracts that failed \
         doubled and {failed_plain} undoubled:",
        doubles.results
    );
    println!(
        "the rule finds {} in 1000 with {alarms} false alarms; the best detector finds {}",
        found * 1000 / failed_doubled.max(1),
        doubles.best(&learned, alarms)
    );
    let mut real = Doubles::default();
    real.add(&clean(0));
    println!(
        "on the real evening, {} results: the rule finds {} of {} doubles with {} false alarms",
        real.results, real.rule[0], real.failed[0], real.rule[1]
    );
    println!(
        "to find half of them costs {} false alarms at least",
        doubles.alarms_for(&learned, 500)
    );
}

#[expect(clippy::print_stdout, reason = "it prints a table for people")]
fn without_confirmation(each: usize) {
    let mut tally = Tally::default();
    tally.play_spoiled(0, &Mistake::ALL, each, false);
    println!("\nwith pair confirmation off:");
    for (mistake, share) in &tally.shares {
        if share.found * 2 < share.made {
            println!(
                "{:<26}{:>6}%",
                format!("{mistake:?}"),
                percent(share.found, share.made)
            );
        }
    }
}

#[expect(clippy::print_stdout, reason = "it prints a table for people")]
fn movement_doctor() {
    let movements = rooms::movements();
    let mut shares: BTreeMap<_, [usize; 3]> = BTreeMap::new();
    let mut rounds = 0;
    let mut imagined = 0;
    for (movement, seed) in movements.iter().zip(0..) {
        for verdict in rooms::play_every_mistake(movement, seed) {
            let share = shares.entry(verdict.made).or_default();
            share[0] += 1;
            share[1] += usize::from(verdict.said == Some(verdict.made));
            share[2] += usize::from(verdict.said_at_half == Some(verdict.made));
        }
        rounds += movement.round_count() - 1;
        imagined += rooms::imagined(movement, seed);
    }
    println!(
        "\nthe movement doctor, {} movements of 8 to 14 tables:",
        movements.len()
    );
    println!(
        "{:<26}{:>6}{:>8}{:>18}",
        "mistake", "made", "right", "at half the room"
    );
    for (mistake, [made, right, at_half]) in shares {
        println!(
            "{:<26}{made:>6}{:>7}%{:>17}%",
            format!("{mistake:?}"),
            percent(right, made),
            percent(at_half, made)
        );
    }
    println!("imagined in {imagined} of {rounds} clean rounds");
}

#[expect(clippy::print_stdout, reason = "it prints a table for people")]
fn large_room() {
    let times = large::play();
    println!(
        "\n{} tables: a result takes {} us in the middle, {} us for the slowest in a hundred",
        large::TABLES,
        times.middle.as_micros(),
        times.slow.as_micros()
    );
}

fn percent(part: usize, whole: usize) -> usize {
    part * 100 / whole.max(1)
}

fn arguments() -> Option<(usize, usize)> {
    let (mut each, mut clean) = (200, 20_000);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--seeds" => each = number,
            "--clean" => clean = number,
            _ => return None,
        }
    }
    Some((each, clean))
}
