//! Sessions for other programs: what scoring programs, federations and web sites take.
//!
//! Every writer is a pure function of an [`Evening`], which is filled from the same functions as
//! the page and the printed sheets. What a format can't say is listed by [`Evening::losses`], so
//! that whoever exports hears of it before and not from a player afterwards.

mod bws;
mod contests;
pub mod coupling;
mod csv_files;
mod evening;
pub mod import;
mod losses;
mod nz_xml;
mod paper;
mod pbn;
pub mod people;
mod usebio;
mod web_folder;
mod xml;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use web_folder::pages as web_pages;

pub use contests::{ContestSheet, ContestantSheet, MatchBoard, MatchOfTwo};
pub use evening::{BoardSheet, Evening, LineSheet, PairSheet, PlayerSheet, SectionSheet};

use crate::reports::{Language, Paper, Sheet};
use crate::session::{Moment, Session, State};
use telling::{Told, tell};

/// What other programs read.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// USEBIO 1.2 as the EBU, `BridgeWebs` and Pianola read it.
    Usebio,
    /// USEBIO 1.2 as `MyABF` reads it.
    UsebioMyabf,
    /// PBN 2.1 with score tables and totals.
    Pbn,
    /// The XML of New Zealand Bridge.
    NzXml,
    /// A line for each result, for spreadsheets.
    Csv,
    /// A line for each pair, for spreadsheets.
    RankingCsv,
    /// The database between scoring programs and table terminals.
    Bws,
    /// A folder of plain pages for any web server.
    Web,
    /// Sheets to print or to mail.
    Pdf,
}

impl Format {
    /// All that are written.
    pub const ALL: [Self; 9] = [
        Self::Usebio,
        Self::UsebioMyabf,
        Self::Pbn,
        Self::NzXml,
        Self::Csv,
        Self::RankingCsv,
        Self::Bws,
        Self::Web,
        Self::Pdf,
    ];

    /// As it is called on the command line and in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usebio => "usebio",
            Self::UsebioMyabf => "usebio-myabf",
            Self::Pbn => "pbn",
            Self::NzXml => "nz-xml",
            Self::Csv => "csv",
            Self::RankingCsv => "ranking-csv",
            Self::Bws => "bws",
            Self::Web => "web",
            Self::Pdf => "pdf",
        }
    }

    /// The ending of a file's name.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Usebio | Self::UsebioMyabf | Self::NzXml => "xml",
            Self::Pbn => "pbn",
            Self::Csv | Self::RankingCsv => "csv",
            Self::Bws => "bws",
            Self::Web => "zip",
            Self::Pdf => "pdf",
        }
    }

    /// What it is for a browser.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Usebio | Self::UsebioMyabf | Self::NzXml => "application/xml",
            Self::Pbn => "text/plain; charset=utf-8",
            Self::Csv | Self::RankingCsv => "text/csv; charset=utf-8",
            Self::Bws => "application/x-msaccess",
            Self::Web => "application/zip",
            Self::Pdf => "application/pdf",
        }
    }
}

/// What only the club knows, and some formats ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The club's name.
    pub club: String,
    /// Its number in the federation.
    pub club_number: String,
    /// Of pages, and for numbers and separators of spreadsheets.
    pub language: Language,
    /// When it is written.
    pub made: Moment,
    /// For PDF and web pages.
    pub paper: Paper,
    /// For PDF: the name of one sheet; all results where it is empty.
    pub sheet: String,
}

impl About {
    /// What a sheet of that session is made from.
    fn sheet_of<'a>(&self, state: &'a State, session: &'a Session) -> Sheet<'a> {
        Sheet {
            paper: self.paper,
            printed: self.made,
            ..Sheet::on_paper(state, session, self.language)
        }
    }
}

/// A session as a file of this format.
pub fn export(
    format: Format,
    state: &State,
    session: &Session,
    about: &About,
) -> Result<Vec<u8>, ExportError> {
    // Some sheets are for before the first board.
    if format == Format::Pdf && !about.sheet.is_empty() {
        return paper::pdf(state, session, about);
    }
    let evening = Evening::of(&state.club, session);
    if evening
        .sections
        .iter()
        .all(|section| section.boards.is_empty())
    {
        return Err(ExportError::NoResults);
    }
    match format {
        Format::Usebio => usebio::write(&evening, about, usebio::Dialect::Ebu),
        Format::UsebioMyabf => usebio::write(&evening, about, usebio::Dialect::MyAbf),
        Format::Pbn => Ok(pbn::write(&evening).into_bytes()),
        Format::NzXml => nz_xml::write(&evening, about),
        Format::Csv => Ok(csv_files::results(&evening, about.language)?),
        Format::RankingCsv => Ok(csv_files::ranking(&evening, about.language)?),
        Format::Bws => bws::write(&state.club, session, &evening),
        Format::Web => web_folder::zip(&web_pages(state, session, about)),
        Format::Pdf => paper::pdf(state, session, about),
    }
}

/// A good name for the file.
pub fn file_name(format: Format, evening: &Evening) -> String {
    let words: String = evening
        .event
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    let kind = match format {
        Format::UsebioMyabf => "-myabf",
        Format::NzXml => "-nz",
        Format::RankingCsv => "-ranking",
        Format::Web => "-web",
        Format::Usebio | Format::Pbn | Format::Csv | Format::Bws | Format::Pdf => "",
    };
    let name = words.join("-").to_lowercase();
    format!("{}-{name}{kind}.{}", evening.date, format.ending())
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Nothing was played yet.
    #[error("{}", tell!(Exchange::ThereNoResultsSession))]
    NoResults,
    /// Not one of ours.
    #[error("{}", no_sheet(.0))]
    NoSheet(String),
    /// A mistake of ours.
    #[error("{}", not_made(.0))]
    Pdf(#[from] crate::reports::PdfError),
    /// A database that can't hold it.
    #[error("{}", not_made(.0))]
    Jet(#[from] jet::JetError),
    /// Memory, in the end.
    #[error("{}", not_made(.0))]
    Csv(#[from] csv::Error),
    /// The same.
    #[error("{}", not_made(.0))]
    Xml(#[from] std::io::Error),
}

impl ExportError {
    /// What people are told of it.
    pub fn told(&self) -> Told {
        match self {
            Self::NoResults => tell!(Exchange::ThereNoResultsSession),
            Self::NoSheet(given) => no_sheet(given),
            Self::Pdf(fault) => not_made(fault),
            Self::Jet(fault) => not_made(fault),
            Self::Csv(fault) => not_made(fault),
            Self::Xml(fault) => not_made(fault),
        }
    }
}

fn no_sheet(given: &str) -> Told {
    let names = paper::names();
    tell!(Exchange::NoSheet { given, names })
}

fn not_made(fault: &impl std::fmt::Display) -> Told {
    let fault = fault.to_string();
    tell!(Exchange::NotMade { fault })
}
