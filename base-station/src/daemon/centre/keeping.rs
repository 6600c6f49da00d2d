//! Keeps the sealed copy at the centre up to date.

use std::time::{Duration, Instant};

use ::centre::CopyHeading;
use ed25519_dalek::SigningKey;
use telling::{Told, tell};

use super::client::Client;
use super::copy::{Content, CopyKeys};
use super::{Work, blocking, not_done, spoiled};
use crate::daemon::{Clock as _, SystemClock};
use crate::session::Seq;

/// How often the copy at the centre is brought up to date. What came since is still in the pads.
const COPY_EVERY: Duration = Duration::from_secs(5);

impl Work {
    /// Brings the sealed copy at the centre up to date, if there is to be one. That it can't be done
    /// is told where nothing worse is.
    pub(super) async fn look_after_copy(&mut self) {
        let wanted = self.outbox.as_ref().is_some_and(|it| it.identity.copy);
        let rests = self
            .copy_looked
            .is_some_and(|looked| looked.elapsed() < COPY_EVERY);
        if !wanted || rests || self.silent > 0 {
            return;
        }
        self.copy_looked = Some(Instant::now());
        match self.copy_on().await {
            Ok(()) => self.state.copied = Some(SystemClock.now()),
            Err(why) => {
                self.copied = None;
                let told = || tell!(Centre::NotCopied { why });
                self.state.problem.get_or_insert_with(told);
            }
        }
    }

    async fn copy_on(&mut self) -> Result<(), Told> {
        let Some(outbox) = self.outbox.as_ref() else {
            return Ok(());
        };
        let identity = outbox.identity.clone();
        let own = identity.key().ok_or_else(|| spoiled(&self.folder))?;
        let own = SigningKey::from_bytes(&own);
        let keys = CopyKeys::of(&self.keyring.current());
        let mut from = if let Some(seq) = self.copied {
            seq
        } else {
            let client = Client::of(&identity.address);
            let joined = identity.joined.clone();
            let state = blocking(move || client.copy_state(&joined)).await;
            let state = state.map_err(Told::as_written)?;
            self.known_place(&keys, state.as_ref()).await?
        };
        // A copy that is not ours is begun anew, once.
        let mut anew = false;
        loop {
            let piece = self.piece(from).await?;
            if piece.is_empty() {
                self.copied = Some(from);
                return Ok(());
            }
            let (to, link) = (piece.to, piece.link.clone().unwrap_or_default());
            let heading = CopyHeading {
                base: identity.joined.base,
                reader: keys.reader_name(),
                after: from.0,
                before: piece.before.as_ref().map(|link| keys.mark(link)),
                to: to.0,
                mark: keys.mark(&link),
            };
            let content = Content {
                session: identity.session,
                names: identity.names,
                categories: identity.categories.clone(),
                piece,
            };
            let sealed = keys.seal(&content);
            let sealed = sealed.ok_or_else(|| tell!(Centre::CopyUnreadable))?;
            let client = Client::of(&identity.address);
            let own = own.clone();
            let kept = blocking(move || client.keep_copy(&own, &heading, &sealed)).await;
            let (state, kept) = kept.map_err(Told::as_written)?;
            if kept {
                from = to;
            } else if anew {
                return Err(tell!(Centre::CopyUnreadable));
            } else {
                from = self.known_place(&keys, state.as_ref()).await?;
                anew = true;
            }
        }
    }

    /// The place up to which the centre's copy is what our journal says; the beginning where it is
    /// another one.
    async fn known_place(
        &self,
        keys: &CopyKeys,
        state: Option<&::centre::CopyState>,
    ) -> Result<Seq, Told> {
        let Some(state) = state.filter(|state| state.reader == keys.reader_name()) else {
            return Ok(Seq(0));
        };
        let there = self.piece(Seq(state.to)).await?;
        let is_ours = there
            .before
            .is_some_and(|link| keys.mark(&link) == state.mark);
        Ok(Seq(if is_ours { state.to } else { 0 }))
    }

    async fn piece(&self, after: Seq) -> Result<crate::store::Piece, Told> {
        let piece = self.session.piece(after).await;
        piece.map_err(not_done)
    }
}
