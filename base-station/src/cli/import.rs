//! `byestand import FILE`: takes in a session of another program, also while the base station
//! runs.

use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use base64::Engine as _;

use super::CliError;
use super::export::{data_folder, open_journal};
use super::running::Running;
use crate::daemon::{Clock, SystemClock, TakenIn, ToTake};
use crate::exchange::import::{FILE_LEN_MAX, read, session_file};
use crate::session::{Journal as _, State, Who};
use crate::store::{Archive, import_session};

/// Take in a session of another program (USEBIO, BWS, or PBN with results) as a new session of the
/// calendar. Everything is scored again.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file
    file: PathBuf,
    /// The folder with the results [default: the usual folder for programs' data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Reads the file and puts what is in it into the journal.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let data = data_folder(arguments.data.as_ref())?;
    let name = arguments.file.display();
    let unreadable = |fault| CliError::input(format!("{name}: {fault}"));
    let file = std::fs::File::open(&arguments.file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(FILE_LEN_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let taken = if let Some(running) = Running::find(&data) {
        let file = base64::engine::general_purpose::STANDARD.encode(bytes);
        running.import(&ToTake { file })?
    } else {
        into_journal(&data, &bytes)
            .map_err(|refusal| CliError::input(format!("{name}: {refusal}")))?
    };
    let mut stderr = std::io::stderr().lock();
    for note in &taken.notes {
        writeln!(stderr, "byestand: {note}")?;
    }
    writeln!(
        out,
        "session {}: {} results from {}",
        taken.session, taken.results, taken.format
    )?;
    Ok(())
}

fn into_journal(data: &Path, bytes: &[u8]) -> Result<TakenIn, CliError> {
    let taken = read(bytes).map_err(CliError::input)?;
    let now = SystemClock.now();
    let archive = session_file(&taken, now).map_err(CliError::input)?;
    let mut journal = open_journal(data)?;
    let state = State::replay(&journal).map_err(CliError::input)?;
    let who = Who::Director("command line".to_owned());
    let archive = Archive::read(&mut archive.as_slice(), now).map_err(CliError::input)?;
    let (session, records) =
        import_session(journal.last(), &state, archive, &who, now).map_err(CliError::input)?;
    journal.append(&records).map_err(CliError::input)?;
    Ok(TakenIn {
        session: session.get(),
        format: taken.format.to_owned(),
        results: taken.results(),
        notes: taken.notes,
    })
}
