//! Why a command could not answer, in one sentence, and the exit code that goes with it.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::serve::ServeError;

/// What went wrong with a command.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What the user wrote (arguments or a file) cannot be used. Exit code 2.
    #[error("{0}")]
    Input(String),
    /// The answer could not be written, or a file not read or made. Exit code 1.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Anything else that stopped a command. Exit code 1.
    #[error("{0}")]
    Fault(String),
}

impl From<ServeError> for CliError {
    fn from(fault: ServeError) -> Self {
        match fault {
            ServeError::OwnerGone => Self::Fault(fault.to_string()),
            // Everything else is found at the start, and another option or folder mends it.
            _ => Self::input(fault),
        }
    }
}

impl CliError {
    /// A sentence about bad input.
    pub fn input(sentence: impl Display) -> Self {
        Self::Input(sentence.to_string())
    }

    /// Bad input at a place in a file, both counted from 1.
    pub fn at(file: impl Display, line: u64, column: usize, sentence: impl Display) -> Self {
        Self::Input(format!("{file}: line {line}, column {column}: {sentence}"))
    }

    /// Bad input in an argument, with what was written there.
    pub fn argument(name: &str, written: impl Display, sentence: impl Display) -> Self {
        Self::Input(format!("{name} \"{written}\": {sentence}"))
    }

    /// Clap explains itself in paragraphs: the first one is the sentence.
    pub(super) fn from_clap(error: &clap::Error) -> Self {
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let sentence = first.strip_prefix("error: ").unwrap_or(first);
        let words: Vec<&str> = sentence.split_whitespace().collect();
        Self::Input(format!("{} (see --help)", words.join(" ")))
    }

    /// Tells the user, and says how the process should end.
    pub fn report(&self, stderr: &mut impl Write) -> ExitCode {
        if let Self::Io(fault) = self
            && fault.kind() == io::ErrorKind::BrokenPipe
        {
            // The reader (`head`, a pager) has seen enough: nobody is left to tell.
            return ExitCode::FAILURE;
        }
        // If standard error is gone too, the exit code is all that is left to say.
        let _ = writeln!(stderr, "byestand: {self}");
        match self {
            Self::Input(_) => ExitCode::from(2),
            Self::Io(_) | Self::Fault(_) => ExitCode::FAILURE,
        }
    }
}
