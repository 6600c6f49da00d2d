//! Who this chip is.
use embassy_stm32::uid::uid;
use protocol::frame::AssociationNumber;
use protocol::words::PadId;

/// The pad's identity: the chip's 96-bit number, folded to 32 bits.
pub(crate) fn pad() -> PadId {
    // FNV-1a: neighbours on a wafer differ in few bits and must not fold to the same number.
    let folded = uid().into_iter().fold(0x811C_9DC5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    PadId::new(folded).unwrap_or(PadId::MIN)
}

/// Differs from chip to chip, and from start to start because the link reserves numbers.
pub(crate) fn seed(reserved: AssociationNumber) -> u64 {
    u64::from(pad().get()) << 32 | u64::from(reserved.0)
}
