//! Keeps an evening of this version for later ones: `--evening` plays it and writes journal, backup
//! and session file (once, for ever); `--answers` writes what is shown of them.

use std::process::ExitCode;

use tests::kept;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "how it is used")]
async fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--evening") => {
            let folder = tempfile::tempdir().expect("a folder");
            let [journal, head, backup, session] = kept::story::play(folder.path());
            kept::keep(kept::JOURNAL, &journal);
            kept::keep(kept::HEAD, &head);
            kept::keep(kept::BACKUP, &backup);
            kept::keep(kept::SESSION, &session);
        }
        Some("--answers") => {
            let mut answers = kept::shown_of_journal().await;
            answers.extend(kept::shown_of_file());
            kept::keep(kept::ANSWERS, kept::written(&answers).as_bytes());
        }
        _ => {
            eprintln!("usage: kept --evening | --answers");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
