//! The decoders alone, for the pad's chip: a program that can be linked only if none of them can
//! panic.
//!
//! Its panic handler calls a function that exists nowhere. If the compiler can't prove every panic
//! unreachable, the handler stays, and the linker names the missing function. There is no allocator
//! in it either. Decryption is not part of it: the `ccm` crate unwraps once, where a message has
//! more than 65,535 blocks, and only we know that the longest frame has seven. `tests/firmware-toolchain decoder` builds it; on a PC it is an empty program.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[expect(
    unsafe_code,
    reason = "the linker's names: an entry, and a function that does not exist"
)]
mod image {
    use core::hint::black_box;
    use core::panic::PanicInfo;

    use protocol::frame::{Deframer, Header};
    use protocol::message::{Down, Up};
    use protocol::wire::Message;

    unsafe extern "C" {
        safe fn a_decoder_can_panic() -> !;
    }

    #[panic_handler]
    fn panic(_: &PanicInfo) -> ! {
        a_decoder_can_panic()
    }

    /// Where bytes would come from.
    static RECEIVED: [u8; 256] = [0; 256];

    /// The entry: every byte through every decoder.
    #[unsafe(no_mangle)]
    extern "C" fn _start() -> ! {
        let received = black_box(RECEIVED.as_slice());
        let mut deframer = Deframer::default();
        for &byte in received {
            if let Some(collected) = deframer.push(byte) {
                for body in collected.bodies() {
                    black_box(Header::decode(&body).is_some());
                }
            }
        }
        black_box(Up::decode(received));
        black_box(Down::decode(received));
        loop {
            core::hint::spin_loop();
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
