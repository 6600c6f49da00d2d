//! `byestand radio test`: frames from one modem to the other and back, and what became of them.

use std::io::Write;
use std::time::{Duration, Instant};

use protocol::link::Timing;
use serialport::SerialPort;

use super::measured::{Measured, Sent};
use super::{open, read_some};
use crate::cli::CliError;

/// Bytes of a frame: those of a result.
const FRAME: u8 = 26;

/// A frame that has not come by then is lost.
const LOST_AFTER: Duration = Duration::from_millis(600);

/// From one frame to the next: longer than any modem keeps what it has.
const REST: Duration = Duration::from_millis(120);

/// Measure delay, spread, loss and pauses between two modems on this machine's serial ports.
///
/// Set both to the same channel and baud rate first (`byestand radio set`). To measure range, put
/// one on a long USB cable, or on a second adapter that somebody carries through the room, and
/// watch the lines.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The serial port of one modem.
    one: String,
    /// And of the other.
    other: String,
    /// The baud rate of both.
    #[arg(long, default_value_t = 19_200)]
    baud: u32,
    /// How many frames go each way.
    #[arg(long, default_value_t = 200)]
    frames: u16,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let mut one = open(&arguments.one, arguments.baud)?;
    let mut other = open(&arguments.other, arguments.baud)?;
    let timing = Timing::at_baud(arguments.baud);
    let byte = Duration::from_micros(timing.bytes(1).as_micros());
    let mut there = Vec::new();
    let mut back = Vec::new();
    for number in 0..arguments.frames {
        there.push(send(one.as_mut(), other.as_mut(), number)?);
        back.push(send(other.as_mut(), one.as_mut(), number)?);
        if (number + 1) % 20 == 0 {
            let all = [last(&there, 20), last(&back, 20)].concat();
            let so_far = Measured::of(&all, byte);
            writeln!(
                out,
                "frames {} to {}: {}% lost, half within {} ms",
                number.saturating_sub(18),
                number + 1,
                so_far.loss(),
                so_far.last[1].as_millis()
            )?;
            out.flush()?;
        }
    }
    let there = Measured::of(&there, byte);
    let back = Measured::of(&back, byte);
    writeln!(out)?;
    tell(
        out,
        &format!("{} to {}", arguments.one, arguments.other),
        &there,
    )?;
    tell(
        out,
        &format!("{} to {}", arguments.other, arguments.one),
        &back,
    )?;
    for_the_simulation(out, arguments.baud, &[there, back])
}

fn last(sent: &[Sent], count: usize) -> &[Sent] {
    sent.get(sent.len().saturating_sub(count)..).unwrap_or(sent)
}

/// A frame that names itself and has no byte twice in a row, so that a missing one is noticed.
fn frame(number: u16) -> Vec<u8> {
    let [low, high] = number.to_le_bytes();
    let filler = (3..FRAME - 1).map(|at| at.wrapping_mul(7) ^ low | 1);
    let head = [0, low | 1, high | 1];
    head.into_iter().chain(filler).chain([0]).collect()
}

fn send(from: &mut dyn SerialPort, to: &mut dyn SerialPort, number: u16) -> Result<Sent, CliError> {
    // What is left of a frame that was given up.
    while !read_some(to)?.is_empty() {}
    let frame = frame(number);
    let started = Instant::now();
    from.write_all(&frame)?;
    let mut sent = Sent::default();
    let mut heard = Vec::new();
    while heard.len() < frame.len() && started.elapsed() < LOST_AFTER {
        let piece = read_some(to)?;
        if !piece.is_empty() {
            sent.pieces.push((piece.len(), started.elapsed()));
            heard.extend(piece);
        }
    }
    sent.whole = heard == frame;
    std::thread::sleep(REST);
    Ok(sent)
}

fn tell(out: &mut impl Write, way: &str, measured: &Measured) -> Result<(), CliError> {
    let millis = |times: [Duration; 4]| {
        let [least, half, most_of, most] = times.map(|time| time.as_millis());
        format!("least {least}, half {half}, 99 of 100 {most_of}, most {most} ms")
    };
    writeln!(
        out,
        "{way}: {} frames of {FRAME} bytes, {}% lost",
        measured.frames,
        measured.loss()
    )?;
    writeln!(out, "  to the first byte: {}", millis(measured.first))?;
    writeln!(out, "  to the last byte:  {}", millis(measured.last))?;
    writeln!(
        out,
        "  pauses inside a frame: {} frames, the longest {} ms",
        measured.paused,
        measured.pause.as_millis()
    )?;
    Ok(())
}

/// The line that plays a room with these modems.
fn for_the_simulation(
    out: &mut impl Write,
    baud: u32,
    ways: &[Measured; 2],
) -> Result<(), CliError> {
    if ways.iter().any(|way| way.lost == way.frames) {
        writeln!(
            out,
            "\nNothing came one way: check that both modems have the same channel and baud rate (byestand radio set)."
        )?;
        return Ok(());
    }
    // A packet of 16 bytes is collected, sent and handed out; the rest is the modem's own delay.
    let line = Timing::at_baud(baud).bytes(17);
    let air = u64::from(24 * 8 * 1_000_000u32) / u64::from(air::hc12_air_rate(baud));
    let own = Duration::from_micros(line.as_micros() + air);
    let least = ways
        .iter()
        .map(|way| way.first[0])
        .min()
        .unwrap_or_default();
    let most = ways
        .iter()
        .map(|way| way.first[2])
        .max()
        .unwrap_or_default();
    let loss = ways.iter().map(Measured::loss).max().unwrap_or_default();
    writeln!(
        out,
        "\nThe same in the simulation, for 30 tables (the adapters' waiting is in these figures, so it has 1 ms there):"
    )?;
    writeln!(
        out,
        "  cargo run --release -p air --bin capacity -- --radio 30 {baud} {loss} {} {} 1 3",
        least.saturating_sub(own).as_millis(),
        most.saturating_sub(own).as_millis()
    )?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests;
