//! A pad gets a new program and loses nothing: the power is cut inside every word written and every
//! page erased, with results on the pad that nobody has received yet.

mod room;

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer, SigningKey};
use embedded_storage_async::nor_flash::NorFlash;
use pad::FIRMWARE;
use pad::service::{COMMAND_LEN_MAX, Command};
use pad::slots::{Layout, Manifest, Slot, SlotError, Slots};
use pad::update::{PIECE_LEN, Progress, Update, tell_program};
use pad::{App, RecordKey, RecordSet, Store};
use protocol::message::{FirmwareVersion, WIRE_VERSION};
use protocol::time::Instant;
use protocol::words::{PadId, Refusal};
use room::Room;
use sha2::{Digest, Sha256};
use virtual_pad::{HostFlash, PAGE_LEN, block_on};

const PAGE: u32 = 2048;

/// A chip, and how long the programs for it are.
#[derive(Clone, Copy)]
struct Chip {
    layout: Layout,
    /// Where the journal begins; it goes to the end.
    journal: u32,
    pages: usize,
    program_len: u32,
}

/// The chip's layout with slots of two pages, so that every step of an update can be cut.
const SMALL: Chip = Chip {
    layout: Layout {
        notes: 0,
        a: 2 * PAGE,
        b: 4 * PAGE,
        slot_len: 2 * PAGE,
    },
    journal: 6 * PAGE,
    pages: 14,
    program_len: 1_000,
};

/// The chip itself, and programs as long as the image may be.
const REAL: Chip = Chip {
    layout: Layout::CHIP,
    journal: 504 * PAGE,
    pages: 512,
    program_len: 256 * 1024,
};

const OLD: FirmwareVersion = FirmwareVersion(0, 1, 0);
const NEW: FirmwareVersion = FirmwareVersion(0, 2, 0);

fn makers() -> SigningKey {
    SigningKey::from_bytes(&[42; 32])
}

fn public() -> [u8; 32] {
    makers().verifying_key().to_bytes()
}

/// A program for a slot: some bytes that differ from slot to slot and from version to version.
fn program(len: u32, slot: Slot, version: FirmwareVersion) -> (Vec<u8>, Manifest) {
    let FirmwareVersion(_, minor, _) = version;
    let start = if slot == Slot::A { 0x10 } else { 0x80 };
    let bytes: Vec<u8> = (0..=u8::MAX)
        .cycle()
        .map(|at| at.wrapping_mul(31).wrapping_add(start ^ minor))
        .take(len as usize)
        .collect();
    let mut manifest = Manifest {
        slot,
        len,
        version,
        wire: WIRE_VERSION,
        hash: Sha256::digest(&bytes).into(),
        signature: [0; 64],
    };
    manifest.signature = makers().sign(&manifest.signed()).to_bytes();
    (bytes, manifest)
}

/// A pad with three results that nobody has received, on a program from the factory.
fn pad_from_the_factory(chip: Chip) -> (HostFlash, u8) {
    let mut room = Room::new();
    room.log_on();
    room.press("OK");
    room.in_range = false;
    for _ in 0..3 {
        room.press("4 ♠ S ♦ K = OK ACCEPT");
    }
    let unsent = room.app.sheet().unsent();
    assert_eq!(unsent, 3);
    let blank = HostFlash::of_pages(7, chip.pages);
    let mut store = Store::new(blank, chip.journal).expect("a page");
    let mut all = RecordSet::EMPTY;
    RecordKey::in_order().for_each(|key| all.insert(key));
    block_on(store.save(&room.app, all)).expect("written");
    let mut flash = store.into_flash();
    let (bytes, manifest) = program(chip.program_len, Slot::A, OLD);
    let whole = padded(&bytes);
    block_on(flash.write(chip.layout.a, &whole)).expect("the factory writes");
    let at = chip.layout.manifest(Slot::A);
    block_on(flash.write(at, &manifest.bytes())).expect("the factory writes");
    (flash, unsent)
}

fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut whole = bytes.to_vec();
    whole.resize(bytes.len().next_multiple_of(8), 0xff);
    whole
}

/// What runs after a start; the program there is whole, and one of ours.
fn start(slots: &mut Slots<HostFlash>) -> Result<(Slot, FirmwareVersion), SlotError> {
    let slot = block_on(slots.choose())?;
    assert!(
        block_on(slots.is_whole(slot))?,
        "a dead pad: {slot:?} is in pieces"
    );
    let manifest = block_on(slots.manifest(slot))?.expect("whole");
    Ok((slot, manifest.version))
}

/// Types a line at the cable of the program that runs.
fn type_line(
    slots: &mut Slots<HostFlash>,
    update: &mut Update,
    line: &str,
) -> Result<Progress, Refusal> {
    assert!(line.len() <= COMMAND_LEN_MAX, "{} letters", line.len());
    let Ok(Command::Update(step)) = line.parse() else {
        panic!("{line} is no line of an update");
    };
    block_on(update.take(slots, &step))
}

/// The cable brings a program, line by line.
fn send(
    slots: &mut Slots<HostFlash>,
    update: &mut Update,
    bytes: &[u8],
    manifest: &Manifest,
) -> Result<Progress, Refusal> {
    type_line(slots, update, "update begin")?;
    for (number, piece) in padded(bytes).chunks(PIECE_LEN).enumerate() {
        let at = number * PIECE_LEN;
        let line = format!("update piece {at} {}", STANDARD.encode(piece));
        type_line(slots, update, &line)?;
    }
    let line = format!("update end {}", STANDARD.encode(manifest.bytes()));
    type_line(slots, update, &line)
}

fn install(
    slots: &mut Slots<HostFlash>,
    len: u32,
    (running, version): (Slot, FirmwareVersion),
    wanted: FirmwareVersion,
) -> Result<Progress, Refusal> {
    let (bytes, manifest) = program(len, running.other(), wanted);
    let mut update = Update::none(running, version, public());
    send(slots, &mut update, &bytes, &manifest)
}

/// Brings a pad to a version, through whatever cuts come; answers with its flash and how often it
/// was started.
fn update(chip: Chip, flash: HostFlash, wanted: FirmwareVersion) -> (HostFlash, u32) {
    let mut slots = Slots::new(flash, chip.layout);
    for starts in 1..20 {
        let done = start(&mut slots).is_ok_and(|(running, version)| {
            if version == wanted {
                // It has reached its base.
                block_on(slots.confirm(running)).is_ok()
            } else {
                let _ = install(&mut slots, chip.program_len, (running, version), wanted);
                false
            }
        });
        let mut flash = slots.into_flash();
        flash.restore_power();
        if done {
            return (flash, starts);
        }
        slots = Slots::new(flash, chip.layout);
    }
    panic!("the pad never gets there");
}

fn assert_nothing_is_lost(chip: Chip, flash: HostFlash, unsent: u8) -> HostFlash {
    let mut store = Store::new(flash, chip.journal).expect("a page");
    let mut app = App::new(PadId::MIN, FIRMWARE);
    block_on(store.load(&mut app, Instant::ZERO)).expect("readable");
    assert_eq!(app.sheet().unsent(), unsent);
    store.into_flash()
}

/// Which steps of an update are cut.
#[derive(Clone, Copy)]
struct Cuts {
    /// One word in so many.
    words: usize,
    /// One erasure in so many, and in how many ways.
    erasures: usize,
    ways: u64,
}

/// There and back, with these cuts; answers with how many words and erasures were cut.
fn cut_there_and_back(chip: Chip, cuts: Cuts) -> (usize, usize) {
    let (mut flash, unsent) = pad_from_the_factory(chip);
    let (mut words, mut erasures) = (0, 0);
    for wanted in [NEW, OLD] {
        let first = flash.steps();
        let (whole, starts) = update(chip, flash.clone(), wanted);
        assert_eq!(starts, 2, "without a cut: the old one, then the new one");
        let steps = first..whole.steps();
        let (erased, written): (Vec<u64>, Vec<u64>) =
            steps.partition(|step| whole.erasure_steps().binary_search(step).is_ok());
        let erased: Vec<u64> = erased.into_iter().step_by(cuts.erasures).collect();
        let written: Vec<u64> = written.into_iter().step_by(cuts.words).collect();
        (words, erasures) = (words + written.len(), erasures + erased.len());
        let written = written.into_iter().map(|step| (step, 1));
        for (step, ways) in written.chain(erased.into_iter().map(|step| (step, cuts.ways))) {
            for tear in 0..ways {
                let mut cut = flash.clone();
                cut.tear_with(step << 8 | tear);
                cut.cut_power_at(step);
                let (cut, _) = update(chip, cut, wanted);
                let cut = assert_nothing_is_lost(chip, cut, unsent);
                let (_, version) = start(&mut Slots::new(cut, chip.layout)).expect("power");
                assert_eq!(version, wanted, "step {step}");
            }
        }
        flash = whole;
    }
    (words, erasures)
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn an_update_and_the_way_back_cut_at_every_step_leave_no_dead_pad_and_lose_nothing() {
    let every = Cuts {
        words: 1,
        erasures: 1,
        ways: 10,
    };
    let (words, erasures) = cut_there_and_back(SMALL, every);
    println!(
        "update and back cut inside each of {words} words and {erasures} erasures: 0 dead pads, 0 lost"
    );
    assert!(
        words > 250 && erasures >= 4,
        "{words} words, {erasures} erasures"
    );
}

/// The chip as it is: 128 pages of program and one of its manifest, each erased and then written word by
/// word. With `BYESTAND_CUTS=full` every page is cut, otherwise one in twenty.
#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn an_update_of_a_whole_image_cut_in_every_page_leaves_no_dead_pad_and_loses_nothing() {
    let full = std::env::var("BYESTAND_CUTS").is_ok_and(|wish| wish == "full");
    let stride = if full { 1 } else { 20 };
    // A prime below the 256 words of a page: one in each, and somewhere else in each.
    let cuts = Cuts {
        words: 251 * stride,
        erasures: stride,
        ways: if full { 4 } else { 1 },
    };
    let (words, erasures) = cut_there_and_back(REAL, cuts);
    println!(
        "an image of {} KiB and the way back cut inside {words} words and {erasures} erasures: 0 dead pads, 0 lost",
        REAL.program_len / 1024
    );
    assert!(
        words.min(erasures) >= 2 * 129 / stride,
        "{words} words, {erasures} erasures"
    );
}

#[test]
fn a_program_that_never_reaches_its_base_is_tried_once() {
    let (flash, unsent) = pad_from_the_factory(SMALL);
    let mut slots = Slots::new(flash, SMALL.layout);
    let running = start(&mut slots).expect("power");
    let taken = install(&mut slots, SMALL.program_len, running, NEW).expect("taken");
    assert_eq!(taken, Progress::Ready);
    assert_eq!(start(&mut slots).expect("power"), (Slot::B, NEW));
    let standing = block_on(slots.standing()).expect("power");
    let mut told = String::new();
    tell_program(Slot::B, standing, &mut told).expect("written");
    assert_eq!(told, "program B on trial\n");
    let Refusal(why) =
        install(&mut slots, SMALL.program_len, (Slot::B, NEW), OLD).expect_err("on trial itself");
    assert!(why.contains("on trial"), "{why}");
    // It hangs, and the watchdog bites.
    for _ in 0..3 {
        assert_eq!(start(&mut slots).expect("power"), (Slot::A, OLD));
    }
    assert_nothing_is_lost(SMALL, slots.into_flash(), unsent);
}

#[test]
fn what_is_not_signed_or_not_whole_or_for_the_other_slot_is_never_tried() {
    let (flash, _) = pad_from_the_factory(SMALL);
    let mut slots = Slots::new(flash, SMALL.layout);
    let (bytes, right) = program(SMALL.program_len, Slot::B, NEW);
    let mut forged = right;
    forged.signature[3] ^= 1;
    let mut other_hash = right;
    other_hash.hash[0] ^= 1;
    other_hash.signature = makers().sign(&other_hash.signed()).to_bytes();
    let (_, other_slot) = program(SMALL.program_len, Slot::A, NEW);
    let mut other_wire = right;
    other_wire.wire = 0;
    other_wire.signature = makers().sign(&other_wire.signed()).to_bytes();
    let (_, same) = program(SMALL.program_len, Slot::B, OLD);
    for (manifest, why) in [
        (forged, "not signed"),
        (other_hash, "did not arrive"),
        (other_slot, "the other slot"),
        (other_wire, "no base understands"),
        (same, "that version already"),
    ] {
        let mut update = Update::none(Slot::A, OLD, public());
        let Refusal(said) = send(&mut slots, &mut update, &bytes, &manifest).expect_err("refused");
        assert!(said.contains(why), "{said}");
        assert_eq!(start(&mut slots).expect("power"), (Slot::A, OLD));
    }
    // Pads of other makers refuse what ours have signed.
    let others = SigningKey::from_bytes(&[43; 32]).verifying_key().to_bytes();
    let mut update = Update::none(Slot::A, OLD, others);
    let refused = send(&mut slots, &mut update, &bytes, &right);
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(start(&mut slots).expect("power"), (Slot::A, OLD));
}

#[test]
fn a_line_that_is_lost_or_said_twice_does_no_harm() {
    let (flash, _) = pad_from_the_factory(SMALL);
    let mut slots = Slots::new(flash, SMALL.layout);
    let mut update = Update::none(Slot::A, OLD, public());
    let (bytes, manifest) = program(SMALL.program_len, Slot::B, NEW);
    let early = type_line(&mut slots, &mut update, "update piece 0 AAAAAAAAAAA=");
    assert!(early.is_err(), "{early:?}");
    type_line(&mut slots, &mut update, "update begin").expect("room");
    let whole = padded(&bytes);
    let pieces: Vec<_> = whole.chunks(PIECE_LEN).enumerate().collect();
    for (number, piece) in &pieces {
        let at = number * PIECE_LEN;
        let mut line = String::new();
        write!(line, "update piece {at} {}", STANDARD.encode(piece)).expect("written");
        let next = u32::try_from(at + piece.len()).expect("small");
        // What comes too early, what is right, and the same once more.
        let early = format!("update piece {} {}", at + 4096, STANDARD.encode(piece));
        let wanted = u32::try_from(at).expect("small");
        for (line, answer) in [(&early, wanted), (&line, next), (&line, next)] {
            let answer = Progress::Wants(answer);
            assert_eq!(type_line(&mut slots, &mut update, line), Ok(answer));
        }
    }
    let line = format!("update end {}", STANDARD.encode(manifest.bytes()));
    let ended = type_line(&mut slots, &mut update, &line);
    assert_eq!(ended, Ok(Progress::Ready));
    assert_eq!(start(&mut slots).expect("power"), (Slot::B, NEW));
}

#[test]
fn what_is_no_line_of_an_update_is_refused() {
    for line in [
        "update",
        "update now",
        "update piece",
        "update piece x AAAAAAAAAAA=",
        "update piece 0 AAAA",
        "update piece 0 ????????????",
        "update end AAAA",
    ] {
        assert!(line.parse::<Command>().is_err(), "{line}");
    }
}

#[test]
fn the_notes_last_for_hundreds_of_updates() {
    let (mut flash, unsent) = pad_from_the_factory(SMALL);
    for round in 0..200 {
        let wanted = if round % 2 == 0 { NEW } else { OLD };
        flash = update(SMALL, flash, wanted).0;
    }
    let flash = assert_nothing_is_lost(SMALL, flash, unsent);
    let worst = flash.erasures().iter().max().copied().unwrap_or_default();
    assert!(worst <= 101, "{worst} erasures of one page in 200 updates");
    assert_eq!(PAGE_LEN, 2048);
}
