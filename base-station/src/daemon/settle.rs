//! What is settled before the base station starts: a journal that is whole, and the club's key.
//! Where it is not, the director is asked.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use protocol::frame::ClubKey;

use super::key::{KEY_NAME, KeyError, Played, club_key, has_copy, keep_copy, key_mark, use_copy};
use super::question::{Answer, Deed, Question, ask};
use super::serve::{Options, ServeError, WhenAsking};
use super::{Clock, SystemClock};
use crate::session::State;
use crate::store::{Store, StoreError, rescue};

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
                (fault.to_string(), ServeError::Journal(fault).to_string())
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
            let rescued = rescue(&data, SystemClock.now()).map_err(|fault| fault.to_string())?;
            tracing::warn!(%rescued, "a damaged journal was rescued");
            Ok(rescued.to_string().lines().map(str::to_owned).collect())
        });
        ask(question, options.listen, deed, when_asking, out).await?;
    }
}

/// Opens it, and reads what the evening needs of it: what can't be read is damage as well.
fn open(options: &Options) -> Result<Settled, ServeError> {
    let store = Store::open(&options.data)?;
    let state = State::replay(&store)?;
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
    let store = &mut settled.store;
    let mark = store.key_mark()?;
    // A pad was at a table of this club: then it knows its key.
    let has_met_pads = !settled.state.club.epochs.is_empty();
    let played = Played {
        before: mark.is_some() || has_met_pads,
        mark,
    };
    let mut anew = options.new_club_key;
    let key = loop {
        let fault = match club_key(&path, played, anew, rand::random) {
            Ok(key) => break key,
            Err(fault) if fault.is_question() => fault,
            Err(fault) => return Err(fault.into()),
        };
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
                .map(|()| vec!["The club's key is back in its place.".to_owned()])
                .map_err(|fault| fault.to_string()),
            Answer::NewKey => Ok(vec![
                "Every pad must be given the new key by cable now.".to_owned(),
            ]),
            Answer::LookAgain | Answer::Rescue => Ok(Vec::new()),
        });
        anew = ask(question, options.listen, deed, when_asking, out).await? == Answer::NewKey;
    };
    let mark = key_mark(&key);
    if played.mark != Some(mark) {
        store.set_key_mark(mark)?;
    }
    if let Err(fault) = keep_copy(&options.data, &key) {
        tracing::warn!(%fault, "no copy of the club's key could be kept");
    }
    Ok(key)
}

fn key_file(options: &Options) -> PathBuf {
    let named = options.club_key_file.clone();
    named.unwrap_or_else(|| options.data.join(KEY_NAME))
}

fn what_of(fault: &KeyError) -> String {
    match fault {
        KeyError::Lost(path) => format!("The file {} with the club's key is gone.", path.display()),
        KeyError::Changed(path) => format!(
            "The file {} holds another key than this club has played with.",
            path.display()
        ),
        KeyError::NoKey(path) => {
            format!("The file {} does not hold a key any more.", path.display())
        }
        KeyError::Unreadable { .. } => fault.to_string(),
    }
}
