//! When the log of the journal is folded: while nobody waits.

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;
use crate::session::{Command, Who};
use crate::store::FILE_NAME;

/// How soon a quiet moment is used.
const USED_WITHIN: Duration = Duration::from_secs(20);

/// More than share one commit.
const MANY: usize = BATCH_MAX + 50;

fn desk() -> (
    TempDir,
    Desk<SystemClock>,
    SessionHandle,
    mpsc::Receiver<Job>,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a journal");
    let keeper = Keeper::open(store, SystemClock.now()).expect("it is empty");
    let (desk, handle, _, waiting) = Desk::new(keeper, SystemClock);
    (folder, desk, handle, waiting)
}

fn ask(handle: &SessionHandle, job: Job) {
    handle.jobs.try_send(job).expect("there is room");
}

/// A command, and where its outcome comes.
fn named(number: usize) -> (Job, oneshot::Receiver<Result<Seq, Refused>>) {
    let (reply, outcome) = oneshot::channel();
    let name = format!("club {number}");
    let job = Job::Command {
        command: Box::new(Command::NameClub { name }),
        who: Who::Base,
        reply,
    };
    (job, outcome)
}

/// Bytes of the journal's own file, without its log.
fn folded(folder: &Path) -> u64 {
    let file = std::fs::metadata(folder.join(FILE_NAME));
    file.expect("a file").len()
}

#[test]
fn the_log_is_folded_when_nobody_waits() {
    let (folder, desk, handle, waiting) = desk();
    let empty = folded(folder.path());
    let thread = std::thread::spawn(move || desk.work(waiting));
    for number in 0..20 {
        let (job, outcome) = named(number);
        ask(&handle, job);
        let outcome = outcome.blocking_recv().expect("the owner answers");
        outcome.expect("it is done");
    }
    assert_eq!(folded(folder.path()), empty, "it is in the log alone");
    ask(&handle, Job::LookRound);
    let began = Instant::now();
    while folded(folder.path()) == empty {
        assert!(began.elapsed() < USED_WITHIN, "a quiet moment is not used");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(handle);
    thread.join().expect("it has ended");
}

#[test]
fn it_is_not_folded_while_somebody_waits_and_at_the_next_look_all_the_same() {
    for looks_again in [false, true] {
        let (folder, desk, handle, waiting) = desk();
        let empty = folded(folder.path());
        // Behind the look there is always somebody until the last handle is gone.
        ask(&handle, Job::LookRound);
        for number in 0..MANY {
            ask(&handle, named(number).0);
        }
        if looks_again {
            ask(&handle, Job::LookRound);
        }
        drop(handle);
        let store = desk.work(waiting);
        assert_eq!(store.last().0, MANY as u64);
        assert_eq!(folded(folder.path()) > empty, looks_again);
    }
}
