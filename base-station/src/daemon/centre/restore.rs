//! A new base station from the copy at a centre: on another laptop, or on this one with another disk.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use protocol::frame::ClubKey;
use telling::{Told, tell};

use super::client::{Client, address};
use super::copy::{Content, CopyKeys};
use super::outbox::{Identity, Outbox, key_to_join};
use super::{FOLDER, disk};
use crate::daemon::key::key_mark;
use crate::session::Moment;
use crate::store::{Restorable, prepare_restore, put_together};

/// Where the new base's place at the centre is prepared.
const PREPARED: &str = "centre-new";

/// Fetches the copy that a centre has of the club with this key, and lets it wait to be the journal
/// at the next start. The base that the club had there is listened to no more; this one is.
pub(crate) fn restore(
    typed: &str,
    key: &ClubKey,
    data: &Path,
    now: Moment,
) -> Result<Restorable, Told> {
    // Rooms of a congress may share a key: the one that is meant stands behind the address.
    let (typed, room) = typed.split_once('#').unwrap_or((typed, ""));
    let address = address(typed).ok_or_else(|| tell!(Centre::AddressWrong))?;
    let keys = CopyKeys::of(key);
    let client = Client::of(&address);
    let prepared = data.join(PREPARED);
    // Whoever loses the answer asks again with the same key and is the same base.
    let own = key_to_join(&prepared, &keys.reader_name()).map_err(|fault| disk(&fault))?;
    let own = SigningKey::from_bytes(&own);
    let restored = client.restore(&keys, &own, room)?;
    let mut pieces = Vec::new();
    let mut last: Option<Content> = None;
    while pieces.len() < usize::try_from(restored.copy.pieces).unwrap_or_default() {
        let from = i32::try_from(pieces.len() + 1).unwrap_or(i32::MAX);
        let given = client.copy_from(&restored.joined, from)?;
        for sealed in given.lines() {
            let content = keys.open(sealed);
            let content = content.ok_or_else(|| tell!(Centre::CopyUnreadable))?;
            pieces.push(content.piece.clone());
            last = Some(content);
        }
        if given.is_empty() {
            return Err(tell!(Centre::CopyUnreadable));
        }
    }
    let last = last.ok_or_else(|| tell!(Centre::NoCopy))?;
    let made = Moment(restored.copy.made);
    let copy = put_together(data, &pieces, key_mark(key), made);
    let copy = copy.map_err(|fault| fault.told())?;
    let found = prepare_restore(data, &copy, |_| Ok(()))?;
    let identity = Identity {
        address,
        key: URL_SAFE_NO_PAD.encode(own.to_bytes()),
        joined: restored.joined,
        session: last.session,
        names: last.names,
        copy: true,
        tables: false,
        categories: last.categories,
    };
    Outbox::begin(&prepared, identity).map_err(|fault| disk(&fault))?;
    let place = data.join(FOLDER);
    if place.exists() {
        let aside = data.join(format!("{FOLDER}-left-{}", now.0));
        std::fs::rename(&place, aside).map_err(|fault| disk(&fault))?;
    }
    std::fs::rename(&prepared, &place).map_err(|fault| disk(&fault))?;
    Ok(found)
}
