//! What the image takes of the chip, against its budget; and its way into a pad that has another.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use embedded_storage_async::nor_flash::NorFlash;
use pad::service::Command;
use pad::slots::{Layout, Package, Slot, Slots};
use pad::update::{MAKERS, PIECE_LEN, Progress, Update};
use protocol::message::FirmwareVersion;
use protocol::words::Refusal;
use tests::emulator::Image;
use virtual_pad::{HostFlash, PAGE_LEN, block_on};

/// Little more than half of a slot, of which the chip has two beside the loader and the journal: what
/// comes by cable takes its time, and a slot must not be full before its last update.
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

const NOW: FirmwareVersion = pad::FIRMWARE;
const NEXT: FirmwareVersion = FirmwareVersion(0, 3, 0);
/// Pages of the chip's flash; the last eight are the journal of results.
const PAGES: usize = 512;
const JOURNAL_PAGES: usize = 8;

/// A new pad, with a journal of which every byte counts.
fn pad_with_results(image: &Image) -> HostFlash {
    let mut flash = HostFlash::of_pages(7, PAGES);
    block_on(flash.write(0, &image.factory())).expect("the programmer writes");
    let results: Vec<u8> = (0..=u8::MAX)
        .cycle()
        .take(JOURNAL_PAGES * PAGE_LEN)
        .collect();
    let at = u32::try_from((PAGES - JOURNAL_PAGES) * PAGE_LEN).expect("small");
    block_on(flash.write(at, &results)).expect("the pad writes");
    flash
}

fn results(flash: &HostFlash) -> &[u8] {
    &flash.bytes()[(PAGES - JOURNAL_PAGES) * PAGE_LEN..]
}

/// What runs after a start: the slot, and the version of the program there, which is whole.
fn start(slots: &mut Slots<HostFlash>) -> Option<(Slot, FirmwareVersion)> {
    let slot = block_on(slots.choose()).ok()?;
    let is_whole = block_on(slots.is_whole(slot)).ok()?;
    assert!(is_whole, "a dead pad: {slot:?} is in pieces");
    let manifest = block_on(slots.manifest(slot)).ok()?;
    Some((slot, manifest.expect("whole").version))
}

/// The cable brings a program; a power cut ends it.
fn send(
    slots: &mut Slots<HostFlash>,
    (running, version): (Slot, FirmwareVersion),
    file: &[u8],
) -> Result<Progress, Refusal> {
    let package = Package::read(file)?;
    let program = package.of(running.other());
    let mut update = Update::none(running, version, MAKERS);
    let mut say = |line: &str| match line.parse()? {
        Command::Update(step) => block_on(update.take(slots, &step)),
        _ => Err(Refusal("no line of an update")),
    };
    say("update begin")?;
    for (number, piece) in program.bytes.chunks(PIECE_LEN).enumerate() {
        let at = number * PIECE_LEN;
        say(&format!("update piece {at} {}", STANDARD.encode(piece)))?;
    }
    let manifest = STANDARD.encode(program.manifest.bytes());
    say(&format!("update end {manifest}"))
}

/// Brings a pad to a version, through whatever cut comes.
fn bring_to(flash: HostFlash, wanted: FirmwareVersion, file: &[u8]) -> HostFlash {
    let mut slots = Slots::new(flash, Layout::CHIP);
    for _ in 0..6 {
        let kept = start(&mut slots).is_some_and(|running| {
            if running.1 == wanted {
                // It has reached its base.
                return block_on(slots.confirm(running.0)).is_ok();
            }
            let _ = send(&mut slots, running, file);
            false
        });
        let mut flash = slots.into_flash();
        flash.restore_power();
        if kept {
            return flash;
        }
        slots = Slots::new(flash, Layout::CHIP);
    }
    panic!("the pad never gets there");
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that tests/run shows")]
fn the_next_program_and_the_way_back_are_cut_at_every_page_and_leave_no_dead_pad() {
    let image = Image::built();
    let mut flash = pad_with_results(&image);
    let before = results(&flash).to_vec();
    let mut cuts = 0;
    for wanted in [NEXT, NOW] {
        let file = image.update(wanted);
        let first = flash.steps();
        let whole = bring_to(flash.clone(), wanted, &file);
        let last = whole.steps();
        // Inside every erasure and the word behind it, and inside everything that is written at the
        // end: the manifest and the notes.
        let erasures = whole.erasure_steps().iter().filter(|step| **step >= first);
        let mut steps: Vec<u64> = erasures.flat_map(|step| [*step, step + 1]).collect();
        steps.extend(last - 18..last);
        steps.sort_unstable();
        steps.dedup();
        for step in steps {
            let mut cut = flash.clone();
            cut.tear_with(step);
            cut.cut_power_at(step);
            let cut = bring_to(cut, wanted, &file);
            assert!(results(&cut) == before, "step {step} touches the results");
            let version = start(&mut Slots::new(cut, Layout::CHIP)).map(|(_, version)| version);
            assert_eq!(version, Some(wanted), "step {step}");
            cuts += 1;
        }
        flash = whole;
    }
    println!("measured: update of the real images and back: {cuts} cuts, 0 dead pads, 0 lost");
    assert!(cuts > 4 * 100, "{cuts} cuts are not every page");
}
