//! What a phone says to get its keys, and what it makes of the answer.

use protocol::phone::{CodeSecret, Device, SealedGrant};
use serde::Serialize;

use crate::shell::hexadecimal;

/// The proof that this device has read the code, as hexadecimal digits.
pub fn proof(secret: &str, device: &str) -> Option<String> {
    let secret: CodeSecret = secret.parse().ok()?;
    let device: Device = digits(device)?;
    Some(hexadecimal(&secret.proof(&device)))
}

/// What a phone was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Joined {
    /// Who it is.
    pub pad: u32,
    /// Its keys, as hexadecimal digits.
    pub keys: String,
    /// Its network.
    pub network: u8,
}

/// Opens the base's answer; `None` if it is not for this device, or was changed on its way.
pub fn joined(secret: &str, device: &str, sealed: &str) -> Option<Joined> {
    let secret: CodeSecret = secret.parse().ok()?;
    let device: Device = digits(device)?;
    let sealed: SealedGrant = digits(sealed)?;
    let grant = secret.open(&device, &sealed)?;
    Some(Joined {
        pad: grant.pad.get(),
        keys: hexadecimal(&grant.keys.bytes()),
        network: grant.network.get(),
    })
}

/// So many bytes from hexadecimal digits.
pub(crate) fn digits<const N: usize>(text: &str) -> Option<[u8; N]> {
    bytes(text)?.try_into().ok()
}

/// Bytes from hexadecimal digits.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    protocol::words::from_hexadecimal(text).collect()
}
