//! `byestand password`: sets the director's password on the laptop itself, also when it was
//! forgotten.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use super::CliError;
use crate::daemon::{Clock, SystemClock, keep_private};
use crate::serve::default_data_folder;
use crate::session::{Command, Keeper, Outcome, Request, Who};
use crate::store::Store;
use crate::web::auth::hash_password;

/// Set or reset the director's password of the page.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder for results and the club's key [default: the usual folder for programs' data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Reads one line from the keyboard, without showing it, and writes its hash into the journal.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let data = arguments.data.clone().or_else(default_data_folder);
    let data = data.ok_or_else(|| {
        CliError::input("this account has no folder for programs' data: name one with --data")
    })?;
    keep_private(&data)?;
    write!(out, "New director's password: ")?;
    out.flush()?;
    let line = read_secretly()?;
    let hash = hash_password(line.trim_end_matches(['\r', '\n']))
        .map_err(|problem| CliError::input(problem.sentence()))?;
    let store = Store::open(&data).map_err(CliError::input)?;
    let now = SystemClock.now();
    let mut keeper = Keeper::open(store, now).map_err(CliError::input)?;
    let request = Request::Command {
        command: Box::new(Command::SetPassword { hash }),
        who: Who::Base,
    };
    let outcomes = keeper.deal_with(request, now).outcomes;
    if let Some(Outcome::Refused(refused)) = outcomes.into_iter().next() {
        return Err(CliError::input(refused));
    }
    writeln!(out, "\nThe password is set.")?;
    Ok(())
}

/// One line, which nobody who looks at the screen can read. From a pipe it is read as it is.
pub(super) fn read_secretly() -> std::io::Result<String> {
    if std::io::stdin().is_terminal() {
        return rpassword::read_password();
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}
