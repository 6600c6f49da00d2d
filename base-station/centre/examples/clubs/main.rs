//! A thousand clubs play one field over two centres with a real `PostgreSQL`, while everything goes
//! wrong that can: then it is compared, line by line and place by place.
//!
//! ```text
//! cargo run --release -p centre --example clubs                    # 1,000 clubs, with faults
//! cargo run --release -p centre --example clubs -- --clubs 100     # fewer
//! cargo run --release -p centre --example clubs -- --clubs 20 --seconds 10 --broken
//! ```

#![expect(clippy::print_stdout, reason = "a report")]

mod base;
mod centres;
mod check;
mod evening;
mod naive;
mod play;

use std::io::Write as _;
use std::time::{Duration, Instant};

use bench_parts::{Organiser, Postgres};
use clap::Parser;

use centres::{Centres, ranking_of};
use check::{Broken, Found};
use evening::Evening;
use play::Size;

const PASSWORD: &str = "the seven of diamonds";

/// What is played, and what goes wrong.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    #[arg(long, default_value_t = 1000)]
    clubs: usize,
    #[arg(long, default_value_t = 12)]
    tables: u16,
    #[arg(long, default_value_t = 27)]
    boards: u8,
    /// How long the evening takes.
    #[arg(long, default_value_t = 240)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nothing goes wrong.
    #[arg(long)]
    calm: bool,
    /// Breaks every promise on purpose once the evening is over, and looks who notices.
    #[arg(long)]
    broken: bool,
    /// A centre instead: with this database, at this port.
    #[arg(long, num_args = 2, value_names = ["DATABASE", "PORT"], hide = true)]
    centre: Option<Vec<String>>,
}

fn main() {
    let arguments = Arguments::parse();
    if let Some([database, port]) = arguments.centre.as_deref() {
        let port: u16 = port.parse().expect("a port");
        let here = ([127, 0, 0, 1], port).into();
        centre::serve(database, here, &mut std::io::stdout()).expect("it serves");
        return;
    }
    let size = Size {
        clubs: arguments.clubs,
        tables: arguments.tables,
        boards: arguments.boards,
    };
    let postgres = Postgres::start();
    centre::set_password(&postgres.address(), PASSWORD).expect("the password is set");
    let plain = plain_insert(&postgres, size);
    let mut centres = Centres::start(postgres);
    let begun = Instant::now();
    let organiser = Organiser::sign_in(&centres.addresses()[0], PASSWORD).expect("signed in");
    let event = organiser.event("Simultaneous pairs");
    let clubs: Vec<String> = (1..=size.clubs)
        .map(|club| format!("Club {club}; Region {}", club % 8))
        .collect();
    let codes = organiser.clubs(event, &clubs.join("\n"));
    let mut evening = Evening::join(&centres, &codes, size, arguments.seed);
    println!(
        "{} clubs of {} tables and {} boards: {} results; all joined after {:.1} s",
        size.clubs,
        size.tables,
        size.boards,
        size.results(),
        begun.elapsed().as_secs_f64()
    );
    let faults = !arguments.calm;
    let played = evening.play(&mut centres, &organiser, event, arguments.seconds, faults);
    println!("{played}");
    let settled = Instant::now();
    let found = check::all(&mut centres, &evening, event);
    println!(
        "everything was compared {:.1} s later",
        settled.elapsed().as_secs_f64()
    );
    println!("{found}");
    let ranking = ranking_of(&centres.addresses());
    println!("the last ranking took {ranking:.1} ms at the slower centre");
    println!(
        "PostgreSQL alone, plain inserts of 100 rows: {plain:.0} rows a second; memory of the centres at most {:.0} MB, connections to PostgreSQL at most {}",
        played.memory_mb, played.connections,
    );
    let mut failed = !found.is_right();
    if arguments.broken {
        for broken in Broken::ALL {
            let noticed = broken.is_noticed(&mut centres, &evening, event);
            failed |= !noticed;
            println!(
                "{broken:?}: {}",
                if noticed { "noticed" } else { "NOT NOTICED" }
            );
        }
    }
    let _ = std::io::stdout().flush();
    assert!(!failed, "a promise was broken; seed {}", arguments.seed);
}

/// How many rows a second the database takes that are as long as a record, a hundred at once, each
/// commit waited for.
fn plain_insert(postgres: &Postgres, size: Size) -> f64 {
    let rows = size.results().min(50_000);
    postgres.ask(
        "CREATE TABLE plain (base int, seq bigint, text text, link bytea, PRIMARY KEY (base, seq))",
    );
    let address = postgres.address();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let took = runtime.block_on(async move {
        let config: tokio_postgres::Config = address.parse().expect("an address");
        let (client, connection) = config.connect(tokio_postgres::NoTls).await.expect("there");
        tokio::spawn(connection);
        let (text, link) = ("x".repeat(110), vec![7_u8; 32]);
        let begun = Instant::now();
        for first in (0..rows).step_by(100) {
            let last = (first + 100).min(rows);
            let seqs: Vec<i64> = (first..last)
                .map(|it| i64::try_from(it).expect("small"))
                .collect();
            client
                .execute(
                    "INSERT INTO plain SELECT 1, seq, $2, $3 FROM unnest($1::int8[]) AS seq",
                    &[&seqs, &text, &link],
                )
                .await
                .expect("rows");
        }
        begun.elapsed()
    });
    postgres.ask("DROP TABLE plain");
    let rows = u32::try_from(rows).expect("small");
    f64::from(rows) / took.max(Duration::from_millis(1)).as_secs_f64()
}

impl Found {
    fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }
}
