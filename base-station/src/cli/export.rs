//! `byestand export --format usebio --out PATH`: a session as a file for another program, also
//! while the base station runs.

use std::io::Write;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use protocol::words::SessionId;

use super::CliError;
use super::running::Running;
use crate::daemon::{Made, Wish, default_data_folder};
use crate::exchange::{self, Evening, Format};
use crate::reports::{Language, Paper};
use crate::session::{Session, State};
use crate::store::{self, Store};

/// Write a session as a file for another program.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What the other program reads
    #[arg(long, value_enum)]
    format: Format,
    /// The file to write; for `web` a folder, or a file that ends with .zip
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// The folder with the results [default: the usual folder for programs' data].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The session's number [default: the one that is chosen on the page].
    #[arg(long, value_name = "NUMBER")]
    session: Option<u32>,
    /// The club's name, for formats that have a place for it
    #[arg(long, value_name = "NAME", default_value = "")]
    club: String,
    /// The club's number in its federation
    #[arg(long, value_name = "NUMBER", default_value = "")]
    club_number: String,
    /// The language of pages and sheets, and of the spreadsheet that will open a CSV: `de` has
    /// semicolons and decimal commas
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language)]
    language: Language,
    /// The paper of a PDF or of web pages [default: a4]
    #[arg(long, value_enum)]
    paper: Option<Paper>,
    /// One sheet of a PDF, such as ranking, travellers, scorecards, records or cards [default: all
    /// results]
    #[arg(long, value_name = "NAME", default_value = "")]
    sheet: String,
}

fn language(text: &str) -> Result<Language, String> {
    Language::ALL
        .into_iter()
        .find(|language| language.code() == text)
        .ok_or_else(|| "expected en, de, fr or nl".to_owned())
}

/// The data folder that was named, or the usual one.
pub(super) fn data_folder(named: Option<&PathBuf>) -> Result<PathBuf, CliError> {
    named.cloned().or_else(default_data_folder).ok_or_else(|| {
        CliError::input("this account has no folder for programs' data: name one with --data")
    })
}

/// Opens the journal of a folder, which must be there already.
pub(super) fn open_journal(data: &Path) -> Result<Store, CliError> {
    if !data.join(store::FILE_NAME).exists() {
        let folder = data.display();
        return Err(CliError::input(format!(
            "{folder} has no Byestand journal: name the folder with the results with --data"
        )));
    }
    Store::open(data).map_err(CliError::input)
}

/// Makes the file, through the base station where one runs with this folder.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let format = arguments.format;
    if !arguments.sheet.is_empty() && format != Format::Pdf {
        return Err(CliError::input("--sheet goes with --format pdf"));
    }
    if arguments.paper.is_some() && !matches!(format, Format::Pdf | Format::Web) {
        return Err(CliError::input(
            "--paper goes with --format pdf or --format web",
        ));
    }
    let data = data_folder(arguments.data.as_ref())?;
    let wish = Wish {
        session: arguments.session,
        club: arguments.club.clone(),
        club_number: arguments.club_number.clone(),
        language: Some(arguments.language),
        paper: arguments.paper.unwrap_or_default(),
        sheet: arguments.sheet.clone(),
    };
    let made = match Running::find(&data) {
        Some(running) => running.export(arguments.format, &wish)?,
        None => from_journal(&data, arguments.format, &wish)?,
    };
    let file = base64::engine::general_purpose::STANDARD
        .decode(&made.file)
        .map_err(|fault| CliError::Fault(fault.to_string()))?;
    // What is lost is said before there is a file that somebody could take for the whole.
    tell(&made.losses)?;
    let name = arguments.out.display();
    let packed = arguments
        .out
        .extension()
        .is_some_and(|ending| ending == "zip");
    let written = if arguments.format == Format::Web && !packed {
        unpack(&file, &arguments.out)
    } else {
        write_whole(&arguments.out, &file)
    };
    written.map_err(|fault| CliError::input(format!("{name} can't be written: {fault}")))?;
    writeln!(out, "{name}: {} bytes", file.len())?;
    Ok(())
}

fn tell(losses: &[String]) -> Result<(), CliError> {
    let mut stderr = std::io::stderr().lock();
    for loss in losses {
        writeln!(stderr, "byestand: {loss}")?;
    }
    Ok(())
}

fn from_journal(data: &Path, format: Format, wish: &Wish) -> Result<Made, CliError> {
    let journal = open_journal(data)?;
    let state = State::replay(&journal).map_err(CliError::input)?;
    let session = match wish.session {
        None => state.session.clone().ok_or_else(|| {
            CliError::input("no session is chosen in this journal: name one with --session")
        })?,
        Some(number) => {
            let id = SessionId::try_from(number).map_err(CliError::input)?;
            if !state.club.sessions.contains_key(&id) {
                let numbers = state.club.sessions.keys().map(ToString::to_string);
                let numbers: Vec<String> = numbers.collect();
                return Err(CliError::input(format!(
                    "there is no session {id} in the calendar, which has {}",
                    numbers.join(", ")
                )));
            }
            Session::replay(id, &journal).map_err(CliError::input)?
        }
    };
    let file =
        exchange::export(format, &state, &session, &wish.about()).map_err(CliError::input)?;
    Ok(Made {
        losses: Evening::of(&state.club, &session)
            .losses(format)
            .iter()
            .map(ToString::to_string)
            .collect(),
        file: base64::engine::general_purpose::STANDARD.encode(file),
    })
}

/// Puts a file in its place as a whole: whoever looks sees the old one or the new one.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|fault| fault.error)?;
    Ok(())
}

/// Pages into a folder, which may be there already.
fn unpack(pages: &[u8], folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut pages = zip::ZipArchive::new(std::io::Cursor::new(pages))?;
    for at in 0..pages.len() {
        let mut page = pages.by_index(at)?;
        let mut content = Vec::new();
        std::io::Read::read_to_end(&mut page, &mut content)?;
        // Names are our own, and plain.
        let name = page.enclosed_name().unwrap_or_default();
        write_whole(&folder.join(name), &content)?;
    }
    Ok(())
}
