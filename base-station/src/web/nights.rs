//! What sessions brought, read once each: competitions look at many of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::{self, StreamExt, TryStreamExt};
use protocol::words::SessionId;

use super::{Problem, Web};
use crate::daemon::HandleError;
use crate::session::{NightPlayed, Seq, Session, State};

/// Sessions that are read and worked out at the same time. Pads wait for one at most.
const AT_A_TIME: usize = 4;

/// What is known of sessions, and until which record it holds.
#[derive(Debug, Default)]
pub(super) struct NightsKept {
    of: Mutex<HashMap<SessionId, Kept>>,
}

#[derive(Clone, Debug)]
struct Kept {
    until: Until,
    night: Arc<NightPlayed>,
}

/// How far a session had been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// It was being worked with, and this was its last record.
    Live(Seq),
    /// It was not, and the journal was there. It holds until the session is chosen again.
    Journal(Seq),
}

impl Web {
    /// What these sessions brought, as the state knows them.
    pub(crate) async fn nights(
        &self,
        state: &State,
        sessions: &[SessionId],
    ) -> Result<Vec<Arc<NightPlayed>>, Problem> {
        stream::iter(sessions.to_vec())
            .map(|session| self.night(state, session))
            .buffered(AT_A_TIME)
            .try_collect()
            .await
    }

    async fn night(&self, state: &State, session: SessionId) -> Result<Arc<NightPlayed>, Problem> {
        let live = state.session.as_ref().filter(|it| it.id == session);
        let until = live.map_or(Until::Journal(state.seq), |it| {
            Until::Live(it.records.last().map_or(Seq(0), |last| last.seq))
        });
        let touched = state.club.sessions.get(&session).map(|it| it.touched);
        if let Some(kept) = self.nights_kept().get(session) {
            let holds = match (kept.until, until) {
                (Until::Live(known), Until::Live(last)) => known == last,
                (Until::Journal(read), Until::Journal(_)) => touched.is_some_and(|it| it <= read),
                _ => false,
            };
            if holds {
                return Ok(kept.night);
            }
        }
        let night = if let Some(live) = live.cloned() {
            tokio::task::spawn_blocking(move || NightPlayed::of(&live)).await
        } else {
            let records = self.desk().session().records(session).await;
            let records = records.map_err(|fault| match fault {
                HandleError::File(why) => Problem::refused(why),
                other => Problem::fault(other),
            })?;
            tokio::task::spawn_blocking(move || {
                let records = records.into_iter().map(Arc::new);
                NightPlayed::of(&Session::folded(session, records))
            })
            .await
        };
        let night = Arc::new(night.map_err(Problem::fault)?);
        let kept = Kept {
            until,
            night: Arc::clone(&night),
        };
        self.nights_kept().put(session, kept);
        Ok(night)
    }
}

impl NightsKept {
    fn get(&self, session: SessionId) -> Option<Kept> {
        let of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.get(&session).cloned()
    }

    fn put(&self, session: SessionId, kept: Kept) {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.insert(session, kept);
    }
}
