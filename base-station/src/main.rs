//! `byestand`: the base station on the director's laptop. Wires the command line to the library.

use std::io::{self, Write};
use std::process::ExitCode;

use base_station::cli;

fn main() -> ExitCode {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let outcome = cli::parse(std::env::args_os()).and_then(|invocation| match invocation {
        cli::Invocation::Help(text) => Ok(out.write_all(text.as_bytes())?),
        cli::Invocation::Run(arguments) => cli::run(arguments, &mut out),
    });
    match outcome.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(&mut io::stderr()),
    }
}
