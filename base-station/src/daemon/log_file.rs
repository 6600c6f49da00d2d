//! The log in the data folder: what a helper on the telephone asks for.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::store::private;

/// The log's name in the data folder.
pub const LOG_NAME: &str = "byestand.log";

/// A log that is longer is put aside at the next start; the one before it goes.
const LOG_LEN_MAX: u64 = 1_000_000;

/// The last lines that a helper is shown.
const LINES_SHOWN: usize = 200;

/// Begins to log: to standard error what the terminal wants to see, to the data folder more. A log
/// that can't be written, on the same full disk perhaps, must not end the evening.
pub fn begin_log(data: &Path, to_terminal: EnvFilter, colours: bool) {
    use tracing_subscriber::Layer;
    let terminal = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(colours)
        .log_internal_errors(false)
        .with_filter(to_terminal);
    let file = open(data).ok().map(|file| {
        tracing_subscriber::fmt::layer()
            .with_writer(std::sync::Arc::new(file))
            .with_ansi(false)
            .log_internal_errors(false)
            .with_filter(EnvFilter::new("info"))
    });
    let _ = tracing_subscriber::registry()
        .with(terminal)
        .with(file)
        .try_init();
}

fn open(data: &Path) -> io::Result<File> {
    std::fs::create_dir_all(data)?;
    let path = data.join(LOG_NAME);
    if std::fs::metadata(&path).is_ok_and(|log| log.len() > LOG_LEN_MAX) {
        let _ = std::fs::rename(&path, older(data));
    }
    private().append(true).create(true).open(path)
}

fn older(data: &Path) -> PathBuf {
    data.join(format!("{LOG_NAME}.1"))
}

/// The last lines of the log.
pub fn last_lines(data: &Path) -> Vec<String> {
    let text = std::fs::read(data.join(LOG_NAME)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(LINES_SHOWN);
    lines
        .iter()
        .skip(from)
        .map(|line| (*line).to_owned())
        .collect()
}
