//! What the image takes of the chip, against its budget.

use tests::emulator::Image;

/// A quarter of the chip's flash: room for a second image beside it, for updates over the air, and
/// for the journal at the end.
const FLASH_BYTES_MAX: u64 = 256 * 1024;
/// Two thirds of the chip's first RAM bank; the rest is the stack's.
const STATIC_RAM_BYTES_MAX: u64 = 64 * 1024;

#[test]
#[expect(clippy::print_stdout, reason = "the figures that tests/run shows")]
fn the_image_fits_its_budget_of_flash_and_ram() {
    let size = Image::built().size();
    println!(
        "measured: image: text {} B, data {} B, bss {} B; flash {} of {FLASH_BYTES_MAX} B, static RAM {} of {STATIC_RAM_BYTES_MAX} B",
        size.text,
        size.data,
        size.bss,
        size.flash(),
        size.static_ram(),
    );
    assert!(size.text > 0, "an empty image proves nothing");
    assert!(size.flash() <= FLASH_BYTES_MAX, "{size:?}");
    assert!(size.static_ram() <= STATIC_RAM_BYTES_MAX, "{size:?}");
}
