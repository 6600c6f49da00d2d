//! Prints how many tables one channel carries. With four numbers (tables, baud, loss in percent,
//! seeds) prints that line alone, pooled over so many seeds.

use std::io::{self, Write};

use air::capacity::{Figures, Scenario, measure};

fn main() -> io::Result<()> {
    let numbers: Vec<u32> = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse().ok())
        .collect();
    let mut out = io::stdout().lock();
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
    )?;
    if let [tables, baud, loss, seeds] = numbers[..] {
        return line(&mut out, tables, baud, loss, seeds);
    }
    for tables in [32, 64, 128, 256] {
        for baud in [9_600, 19_200, 57_600] {
            for loss in [0, 5, 20] {
                line(&mut out, tables, baud, loss, 3)?;
            }
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, tables: u32, baud: u32, loss: u32, seeds: u32) -> io::Result<()> {
    let runs: Vec<Figures> = (1..=seeds.max(1))
        .map(|seed| {
            measure(Scenario {
                tables: usize::try_from(tables).unwrap_or_default(),
                baud,
                loss_permille: loss * 10,
                hidden_permille: 300,
                seed: seed.into(),
            })
        })
        .collect();
    let figures = Figures::pooled(&runs);
    #[expect(clippy::cast_precision_loss, reason = "seconds, not centuries")]
    let seconds = |span: protocol::time::Span| span.as_millis() as f64 / 1e3;
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
