//! Prints how many tables one channel carries.
//!
//! - no argument: the table of the protocol page, on modems that are exactly as the link reckons;
//! - `TABLES BAUD LOSS SEEDS`: that line alone;
//! - `TABLES BAUD LOSS SEEDS CHANNELS`: the same with the tables spread over channels;
//! - `--radio [SEEDS [FIRST]]`: modems that one can buy, with so many seeds from the first on;
//! - `--radio TABLES BAUD LOSS FROM TO ADAPTER SEEDS [FIRST]`: one line of that, delays and
//!   adapter in ms.

use std::io::{self, Write};

use air::capacity::{Figures, Scenario, measure};
use air::{Model, Range};
use protocol::link::Timing;
use protocol::time::Span;

fn main() -> io::Result<()> {
    let radio = std::env::args().any(|it| it == "--radio");
    let numbers: Vec<u32> = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse().ok())
        .collect();
    let mut out = io::stdout().lock();
    match (radio, &numbers[..]) {
        (false, &[tables, baud, loss, seeds]) => {
            head(&mut out)?;
            line(&mut out, (tables, baud, loss, 1), seeds)
        }
        (false, &[tables, baud, loss, seeds, channels]) => {
            head(&mut out)?;
            line(&mut out, (tables, baud, loss, channels), seeds)
        }
        (false, _) => on_exact_modems(&mut out),
        (true, &[tables, baud, loss, from, to, adapter, seeds, ref first @ ..]) => {
            radio_head(&mut out)?;
            let delay = (millis(from), millis(to));
            let conditions = (tables, baud, loss, delay, millis(adapter));
            let first = first.first().copied().unwrap_or(1);
            radio_line(&mut out, conditions, (first, seeds))
        }
        (true, numbers) => {
            let number = |at: usize| numbers.get(at).copied().unwrap_or(1);
            on_real_modems(&mut out, (number(1), number(0)))
        }
    }
}

fn millis(number: u32) -> Span {
    Span::from_millis(number.into())
}

fn on_exact_modems(out: &mut impl Write) -> io::Result<()> {
    head(out)?;
    for tables in [32, 64, 128, 256] {
        for baud in [9_600, 19_200, 57_600] {
            for loss in [0, 5, 20] {
                line(out, (tables, baud, loss, 1), 3)?;
            }
        }
    }
    Ok(())
}

fn head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "One result a table within the same 60 s, check-ins running, 30% of pads hidden from \
         each other,\n15 ms turn-around, 100 ms wake-up, 8 bytes of preamble, 10 bits a byte; \
         16 mA hearing, 100 mA sending, 8 boards an hour. Three seeds pooled (times over all \
         results, the worst restart, means of the rest).\n"
    )?;
    writeln!(
        out,
        "tables   baud  loss   p50 s   p99 s   max s  lost  twice  on-air  of limit  \
         mAs/result  mAs/hour  modem max s  restart s"
    )
}

/// Tables, baud rate, loss in percent, channels.
type Room = (u32, u32, u32, u32);

fn line(out: &mut impl Write, room: Room, seeds: u32) -> io::Result<()> {
    let (tables, baud, loss, _) = room;
    let figures = pooled(room, None, (1, seeds));
    let Figures {
        lost,
        twice,
        utilisation,
        of_limit,
        mas_a_result,
        mas_an_hour,
        ..
    } = figures;
    writeln!(
        out,
        "{tables:6} {baud:6} {loss:4}% {:7.2} {:7.2} {:7.2} {lost:5} {twice:6} {:6.0}% {:8.0}% \
         {mas_a_result:11.1} {mas_an_hour:9.0} {:12.2} {:>10}",
        seconds(figures.percentile(50)),
        seconds(figures.percentile(99)),
        seconds(figures.percentile(100)),
        utilisation * 100.0,
        of_limit * 100.0,
        seconds(figures.modem_on_max),
        figures
            .after_restart
            .map_or("over 120".to_owned(), |span| format!(
                "{:.1}",
                seconds(span)
            )),
    )
}

fn on_real_modems(out: &mut impl Write, seeds: Seeds) -> io::Result<()> {
    radio_head(out)?;
    for baud in [9_600, 19_200, 57_600] {
        for (from, to) in [(15, 15), (4, 20), (4, 80)] {
            for adapter in [1, 16] {
                for loss in [0, 5, 20] {
                    for tables in [12, 30, 64, 128, 256] {
                        let delay = (millis(from), millis(to));
                        let conditions = (tables, baud, loss, delay, millis(adapter));
                        radio_line(out, conditions, seeds)?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn radio_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "As above, on modelled HC-12 modems (packets of 16 bytes with pauses, the manual's air \
         rates, 0.5% of\nwhat the laptop does late by up to 40 ms, crystals of 20 millionths, the \
         stronger of two frames by 6 dB survives).\n*of limit*: exchanges made as a share of what \
         one after the other would be with the mean delay.\n"
    )?;
    writeln!(
        out,
        "tables   baud  delay ms  adapter  loss |   p50 s   p99 s  late  twice  of limit  \
         mAs/result  mAs/hour"
    )
}

type Conditions = (u32, u32, u32, Range, Span);

/// The first, and how many.
type Seeds = (u32, u32);

fn radio_line(out: &mut impl Write, conditions: Conditions, seeds: Seeds) -> io::Result<()> {
    let (tables, baud, loss, delay, adapter) = conditions;
    let timing = Timing::at_baud(baud);
    let model = Some(Model {
        delay,
        adapter,
        ..Model::hc12(timing)
    });
    let figures = pooled((tables, baud, loss, 1), model, seeds);
    let delay = format!("{}-{}", delay.0.as_millis(), delay.1.as_millis());
    writeln!(
        out,
        "{tables:6} {baud:6} {delay:>9} {:8} {loss:4}% | {:7.2} {:7.2} {:5} {:6} {:8.0}% {:11.1} \
         {:9.0}",
        adapter.as_millis(),
        seconds(figures.percentile(50)),
        seconds(figures.percentile(99)),
        figures.lost,
        figures.twice,
        figures.of_limit * 100.0,
        figures.mas_a_result,
        figures.mas_an_hour,
    )
}

fn pooled(
    (tables, baud, loss, channels): Room,
    model: Option<Model>,
    (first, seeds): Seeds,
) -> Figures {
    let runs: Vec<Figures> = (first..first + seeds.max(1))
        .map(|seed| {
            measure(Scenario {
                tables: usize::try_from(tables).unwrap_or_default(),
                baud,
                loss_permille: loss * 10,
                hidden_permille: 300,
                model,
                channels: u8::try_from(channels).unwrap_or(1),
                seed: seed.into(),
            })
        })
        .collect();
    Figures::pooled(&runs)
}

#[expect(clippy::cast_precision_loss, reason = "seconds, not centuries")]
fn seconds(span: Span) -> f64 {
    span.as_millis() as f64 / 1e3
}
