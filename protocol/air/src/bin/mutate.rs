//! Throws mutated frames at the decoders: `mutate [frames] [seed]`.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse().ok());
    let frames = numbers.next().unwrap_or(1_000_000);
    let seed = numbers.next().unwrap_or(1);
    let outcome = air::mutate::throw(frames, seed);
    let mut out = io::stdout().lock();
    writeln!(out, "{outcome:?} (seed {seed})")?;
    if outcome.pads > 1 {
        return Err(io::Error::other("a mutated frame made the hub know a pad"));
    }
    Ok(())
}
