//! What is settled before the base station starts: a journal that is whole, and the club's key.
//! Where it is not, the director is asked.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use protocol::frame::ClubKey;

use super::question::{Answer, Deed, Question, ask};
use super::{Options, ServeError, WhenAsking};
use crate::daemon::key::{
    KEY_NAME, KeyError, Played, club_key, has_copy, has_key, keep_copy, key_mark, mark_of_copy,
    read_key, use_copy,
};
use crate::daemon::{Clock, SystemClock, centre};
use crate::session::{JournalError, State};
use crate::store::{FILE_NAME, Store, StoreError, finish_restore, rescue, was_here};
use telling::{Told, tell};

/// A journal that can be gone on with.
pub(super) struct Settled {
    pub(super) store: Store,
    /// What stands in it.
    pub(super) state: State,
}

/// Opens the journal. A damaged one is rescued when the director says so, here or on the command
/// line, and not before.
pub(super) async fn settle_journal(
    options: &Options,
    when_asking: &WhenAsking,
    out: &mut impl Write,
) -> Result<Settled, ServeError> {
    if let Some(from) = &options.restore_from {
        restore_from(from, options, out).await?;
    }
    if let Some(aside) = finish_restore(&options.data, SystemClock.now())? {
        writeln!(
            out,
            "A copy of the journal was brought back; the one before it is kept in {}.",
            aside.display()
        )?;
    }
    ask_about_lost_journal(options, when_asking, out).await?;
    loop {
        let (what, sentence) = match open(options) {
            Err(fault) if options.rescue && is_damage(&fault) => {
                let rescued = rescue(&options.data, SystemClock.now())?;
                writeln!(out, "{rescued}")?;
                return open(options);
            }
            Err(ServeError::Store(fault @ StoreError::Damaged { .. })) => match &fault {
                StoreError::Damaged { what, .. } => (what.clone(), fault.to_string()),
                _ => continue,
            },
            Err(ServeError::Journal(fault)) => {
                (fault.told(), ServeError::Journal(fault).to_string())
            }
            opened => return opened,
        };
        let question = Question {
            title: "ask_journal",
            what,
            sentence,
            folder: options.data.clone(),
            answers: vec![Answer::Rescue, Answer::LookAgain],
        };
        let data = options.data.clone();
        let deed: Deed = Arc::new(move |answer| {
            if answer != Answer::Rescue {
                return Ok(Vec::new());
            }
            let rescued = rescue(&data, SystemClock.now()).map_err(|fault| fault.told())?;
            tracing::warn!(%rescued, "a damaged journal was rescued");
            Ok(rescued.told())
        });
        ask(question, options.listen, deed, when_asking, out).await?;
    }
}

/// Brings the club back from the copy at a centre, into a folder that has no journal yet. The club's
/// key has to be there: only it opens the copy.
async fn restore_from(
    from: &str,
    options: &Options,
    out: &mut impl Write,
) -> Result<(), ServeError> {
    let folder = options.data.display().to_string();
    if was_here(&options.data) {
        return Err(ServeError::Restore(tell!(Centre::RestoreHasJournal {
            folder
        })));
    }
    let file = key_file(options);
    let key = read_key(&file).map_err(|_| {
        let file = file.display().to_string();
        ServeError::Restore(tell!(Centre::RestoreNeedsKey { file }))
    })?;
    let (from, data) = (from.to_owned(), options.data.clone());
    let restoring = move || centre::restore(&from, &key, &data, SystemClock.now());
    let restored = tokio::task::spawn_blocking(restoring).await;
    let restored = restored.map_err(std::io::Error::other)?;
    let found = restored.map_err(ServeError::Restore)?;
    let n = found.records;
    writeln!(out, "{}", tell!(Centre::BroughtBack { n }).whole())?;
    Ok(())
}

/// A club's key without any journal: the journal was lost before it had a copy, or the key was
/// brought here on purpose. An empty evening is begun only when the director says so.
async fn ask_about_lost_journal(
    options: &Options,
    when_asking: &WhenAsking,
    out: &mut impl Write,
) -> Result<(), ServeError> {
    let is_lost = || {
        let has_key = options.club_key_file.is_none() && has_key(&options.data, &key_file(options));
        has_key && !was_here(&options.data)
    };
    while is_lost() && !options.new_journal {
        let folder = options.data.display();
        let question = Question {
            title: "ask_no_journal",
            what: tell!(Journal::FolderClubsKeyNo {
                folder: folder.to_string()
            }),
            sentence: format!(
                "the folder {folder} has the club's key and no journal: put {FILE_NAME} back, or \
                 start once with --new-journal to begin an empty one"
            ),
            folder: options.data.clone(),
            answers: vec![Answer::LookAgain, Answer::NewJournal],
        };
        let deed: Deed = Arc::new(|_| Ok(Vec::new()));
        if ask(question, options.listen, deed, when_asking, out).await? == Answer::NewJournal {
            break;
        }
    }
    Ok(())
}

/// Opens it, and reads what the evening needs of it: what can't be read is damage as well.
fn open(options: &Options) -> Result<Settled, ServeError> {
    let store = Store::open(&options.data)?;
    let state = State::replay(&store).map_err(|fault| match fault {
        // No damage: nothing is to be saved, and nothing is touched.
        JournalError::TooNew(_) => StoreError::TooNew(options.data.join(FILE_NAME)).into(),
        other => ServeError::from(other),
    })?;
    Ok(Settled { store, state })
}

const fn is_damage(fault: &ServeError) -> bool {
    matches!(
        fault,
        ServeError::Store(StoreError::Damaged { .. }) | ServeError::Journal(_)
    )
}

/// The club's key. One that is gone, spoiled or another than before is asked about.
pub(super) async fn settle_key(
    options: &Options,
    settled: &mut Settled,
    when_asking: &WhenAsking,
    out: &mut impl Write,
) -> Result<ClubKey, ServeError> {
    let path = key_file(options);
    let mut anew = options.new_club_key;
    let (key, store) = (&path, &mut settled.store);
    loop {
        let fault = match key_of_club(&options.data, key, store, &settled.state, anew) {
            Err(ServeError::Key(fault)) if fault.is_question() => fault,
            settled => return settled,
        };
        let played = played(&options.data, store, &settled.state)?;
        let copy = has_copy(&options.data, played).then_some(Answer::KeyCopy);
        let answers = copy.into_iter().chain([Answer::LookAgain, Answer::NewKey]);
        let question = Question {
            title: "ask_key",
            what: what_of(&fault),
            sentence: fault.to_string(),
            folder: options.data.clone(),
            answers: answers.collect(),
        };
        let (data, place) = (options.data.clone(), path.clone());
        let deed: Deed = Arc::new(move |answer| match answer {
            Answer::KeyCopy => use_copy(&data, &place)
                .map(|()| vec![tell!(Journal::ClubsKeyBackIts)])
                .map_err(|fault| Told::as_written(fault.to_string())),
            Answer::NewKey => Ok(vec![tell!(Journal::EveryPadMustGiven)]),
            Answer::LookAgain | Answer::Rescue | Answer::NewJournal => Ok(Vec::new()),
        });
        anew = ask(question, options.listen, deed, when_asking, out).await? == Answer::NewKey;
    }
}

/// What is known of the key that the club has played with.
fn played(data: &Path, store: &Store, state: &State) -> Result<Played, StoreError> {
    // Where the journal does not know any more, the copy of the key does.
    let mark = store.key_mark()?.or_else(|| mark_of_copy(data));
    Ok(Played {
        // A pad was at a table of this club: then it knows its key.
        before: mark.is_some() || !state.club.epochs.is_empty(),
        mark,
    })
}

/// The key that the club goes on with, unless there is a question about it: the journal notes what
/// it looks like, and a copy is kept.
pub fn key_of_club(
    data: &Path,
    path: &Path,
    store: &mut Store,
    state: &State,
    anew: bool,
) -> Result<ClubKey, ServeError> {
    let played = played(data, store, state)?;
    let key = club_key(path, played, anew, rand::random)?;
    let mark = key_mark(&key);
    if store.key_mark()? != Some(mark) {
        store.set_key_mark(mark)?;
    }
    if let Err(fault) = keep_copy(data, &key) {
        tracing::warn!(%fault, "no copy of the club's key could be kept");
    }
    Ok(key)
}

pub(super) fn key_file(options: &Options) -> PathBuf {
    let named = options.club_key_file.clone();
    named.unwrap_or_else(|| options.data.join(KEY_NAME))
}

fn what_of(fault: &KeyError) -> Told {
    let file = |path: &Path| path.display().to_string();
    match fault {
        KeyError::Lost(path) => tell!(Journal::FileWithClubsKey { file: file(path) }),
        KeyError::Changed(path) => tell!(Journal::FileHoldsAnotherKey { file: file(path) }),
        KeyError::NoKey(path) => tell!(Journal::FileDoesNotHold { file: file(path) }),
        KeyError::Unreadable { .. } => Told::as_written(fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::session::Journal as _;
    use crate::store::{COPIES_FOLDER, HEAD_NAME};

    fn options(data: &Path) -> Options {
        Options {
            data: data.to_owned(),
            radios: Vec::new(),
            baud: 19_200,
            network: protocol::frame::NetworkId::new(0),
            listen_is_named: true,
            listen: ([127, 0, 0, 1], 0).into(),
            club_key_file: None,
            rescue: false,
            tls: false,
            new_club_key: false,
            new_journal: false,
            bws: None,
            restore_from: None,
            data_connector: None,
            cables: crate::daemon::Cables::Named(Vec::new()),
            modems: Vec::new(),
            set_pin: None,
            law: None,
        }
    }

    /// What is asked before the start; nothing, if it starts.
    async fn asked(options: &Options) -> Option<String> {
        let mut out = Vec::new();
        let nobody: WhenAsking = Box::new(|_| {});
        let start = async {
            let mut settled = settle_journal(options, &nobody, &mut out).await?;
            settle_key(options, &mut settled, &nobody, &mut out).await
        };
        let waited = std::time::Duration::from_secs(2);
        let started = tokio::time::timeout(waited, start).await;
        if let Ok(started) = started {
            started.expect("it starts");
            return None;
        }
        let said = String::from_utf8(out).expect("text");
        let question = said.split_once("Byestand asks before it starts: ");
        Some(question.expect("a question").1.to_owned())
    }

    #[tokio::test]
    async fn after_a_rescue_another_key_is_still_a_question_and_the_copy_of_the_right_one_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path();
        assert_eq!(asked(&options(data)).await, None, "a new club");
        let copy = data.join(COPIES_FOLDER).join(KEY_NAME);
        let right = fs::read(&copy).expect("a copy is kept");
        fs::write(data.join(KEY_NAME), "07".repeat(32)).expect("another key");
        // The journal is damaged as well; it has no record yet, and is saved with its mark.
        fs::write(data.join(HEAD_NAME), "nonsense").expect("damaged");
        let rescue = Options {
            rescue: true,
            ..options(data)
        };
        let question = asked(&rescue).await.expect("a question");
        assert!(question.contains("holds another key"), "{question}");
        // Even a journal that knows nothing of the key does not make the copy worthless.
        fs::remove_file(data.join(FILE_NAME)).expect("gone");
        fs::remove_file(data.join(HEAD_NAME)).expect("gone");
        let anew = Options {
            new_journal: true,
            ..options(data)
        };
        let question = asked(&anew).await.expect("a question");
        assert!(question.contains("holds another key"), "{question}");
        assert_eq!(fs::read(&copy).expect("it stays"), right);
    }

    #[tokio::test]
    async fn a_renewal_of_the_key_that_was_cut_off_is_no_question() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path();
        assert_eq!(asked(&options(data)).await, None, "a new club");
        // Both files are written, and the journal does not know yet.
        fs::copy(data.join(KEY_NAME), data.join("club.key.old")).expect("the old one first");
        fs::write(data.join(KEY_NAME), "07".repeat(32)).expect("then the new one");
        assert_eq!(asked(&options(data)).await, None);
        fs::write(data.join(KEY_NAME), "08".repeat(32)).expect("another one");
        let question = asked(&options(data)).await.expect("a question");
        assert!(question.contains("holds another key"), "{question}");
    }

    #[tokio::test]
    async fn a_key_without_a_journal_is_a_question_and_not_an_empty_evening() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path();
        assert_eq!(asked(&options(data)).await, None, "a new club");
        for name in [FILE_NAME, HEAD_NAME] {
            fs::remove_file(data.join(name)).expect("gone");
        }
        let question = asked(&options(data)).await.expect("a question");
        assert!(
            question.contains("has the club's key and no journal"),
            "{question}"
        );
        assert!(!data.join(FILE_NAME).exists(), "none was begun");
        let anew = Options {
            new_journal: true,
            ..options(data)
        };
        assert_eq!(asked(&anew).await, None);
        assert_eq!(Store::open(data).expect("opens").last().0, 0);
        assert_eq!(asked(&options(data)).await, None, "asked once");
    }
}
