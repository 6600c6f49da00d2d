//! A double word that a power cut left half-written.
//!
//! The flash keeps check bits beside every double word. Where they do not fit it still gives what is
//! there, but calls with the one interrupt that nothing can mask; unanswered, the pad would hang at
//! every start. The journal has checksums of its own for such words, so reading simply goes on.
#![expect(
    unsafe_code,
    reason = "the runtime wants the handler of this interrupt to be marked so"
)]
use cortex_m_rt::exception;
use embassy_stm32::pac::FLASH;

#[exception]
unsafe fn NonMaskableInt() {
    // Written as one, the flag is cleared. Nothing is logged: a log entry may be half-written too.
    FLASH.eccr().modify(|w| w.set_eccd(true));
}
