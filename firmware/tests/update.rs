//! A pad gets a new program and loses nothing: the power is cut inside every word written and every
//! page erased, with results on the pad that nobody has received yet.

mod room;

use std::sync::LazyLock;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use embedded_storage_async::nor_flash::NorFlash;
use pad::slots::{Layout, Manifest, Slot, SlotError, Slots};
use pad::{App, RecordKey, RecordSet, Store};
use protocol::message::{FirmwareVersion, WIRE_VERSION};
use protocol::time::Instant;
use protocol::words::{PadId, Refusal};
use room::Room;
use sha2::{Digest, Sha256};
use virtual_pad::{FIRMWARE, HostFlash, PAGE_LEN, block_on};

const PAGE: u32 = 2048;

/// The chip's layout with slots of two pages, so that every step of an update can be cut.
const SMALL: Layout = Layout {
    notes: 0,
    a: 2 * PAGE,
    b: 4 * PAGE,
    slot_len: 2 * PAGE,
};

const JOURNAL: u32 = 6 * PAGE;
const PAGES: usize = 14;

/// Bytes of a program.
const LEN: usize = 1_000;

/// A piece of a program as the cable brings it.
const PIECE: usize = 256;

const OLD: FirmwareVersion = FirmwareVersion(0, 1, 0);
const NEW: FirmwareVersion = FirmwareVersion(0, 2, 0);

fn makers() -> SigningKey {
    SigningKey::from_bytes(&[42; 32])
}

fn is_signed(signed: &[u8], signature: &[u8; 64]) -> bool {
    let key: VerifyingKey = makers().verifying_key();
    let signature = ed25519_dalek::Signature::from_bytes(signature);
    key.verify_strict(signed, &signature).is_ok()
}

/// A program for a slot: some bytes that differ from slot to slot and from version to version.
fn program(slot: Slot, version: FirmwareVersion) -> (Vec<u8>, Manifest) {
    let FirmwareVersion(_, minor, _) = version;
    let start = if slot == Slot::A { 0x10 } else { 0x80 };
    let bytes: Vec<u8> = (0..=u8::MAX)
        .cycle()
        .map(|at| at.wrapping_mul(31).wrapping_add(start ^ minor))
        .take(LEN)
        .collect();
    let mut manifest = Manifest {
        slot,
        len: 1_000,
        version,
        wire: WIRE_VERSION,
        hash: Sha256::digest(&bytes).into(),
        signature: [0; 64],
    };
    manifest.signature = makers().sign(&manifest.signed()).to_bytes();
    (bytes, manifest)
}

/// A pad with three results that nobody has received, on a program from the factory.
fn pad_from_the_factory() -> (HostFlash, u8) {
    let mut room = Room::new();
    room.log_on();
    room.press("OK");
    room.in_range = false;
    for _ in 0..3 {
        room.press("4 ♠ S ♦ K = OK ACCEPT");
    }
    let unsent = room.app.sheet().unsent();
    assert_eq!(unsent, 3);
    let mut store = Store::new(HostFlash::of_pages(7, PAGES), JOURNAL).expect("a page");
    let mut all = RecordSet::EMPTY;
    RecordKey::in_order().for_each(|key| all.insert(key));
    block_on(store.save(&room.app, all)).expect("written");
    let mut flash = store.into_flash();
    let (bytes, manifest) = program(Slot::A, OLD);
    let whole = padded(&bytes);
    block_on(flash.write(SMALL.a, &whole)).expect("the factory writes");
    let at = SMALL.a + SMALL.slot_len - PAGE;
    block_on(flash.write(at, &manifest.bytes())).expect("the factory writes");
    (flash, unsent)
}

fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut whole = bytes.to_vec();
    whole.resize(bytes.len().next_multiple_of(8), 0xff);
    whole
}

type Program = LazyLock<(Vec<u8>, Manifest)>;

/// The programs of both versions for both slots, by whether the other slot is the second.
static KNOWN: [[Program; 2]; 2] = [
    [
        LazyLock::new(|| program(Slot::A, OLD)),
        LazyLock::new(|| program(Slot::A, NEW)),
    ],
    [
        LazyLock::new(|| program(Slot::B, OLD)),
        LazyLock::new(|| program(Slot::B, NEW)),
    ],
];

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

/// The cable brings a program.
fn install(
    slots: &mut Slots<HostFlash>,
    running: Slot,
    version: FirmwareVersion,
) -> Result<(), Refusal> {
    let failed = |_| Refusal("flash");
    let (bytes, manifest) = &*KNOWN[usize::from(running == Slot::A)][usize::from(version == NEW)];
    block_on(slots.begin(running)).map_err(failed)?;
    for (number, piece) in padded(bytes).chunks(PIECE).enumerate() {
        let at = u32::try_from(number * PIECE).expect("small");
        block_on(slots.write(running, at, piece)).map_err(failed)?;
    }
    // What is not signed is tried below; here it would take an hour.
    let known = |_: &[u8], signature: &[u8; 64]| *signature == manifest.signature;
    block_on(slots.finish(running, manifest, known))
}

/// Brings a pad to a version, through whatever cuts come; answers with its flash and how often it
/// was started.
fn update(flash: HostFlash, wanted: FirmwareVersion) -> (HostFlash, u32) {
    let mut slots = Slots::new(flash, SMALL);
    for starts in 1..20 {
        let done = start(&mut slots).is_ok_and(|(running, version)| {
            if version == wanted {
                // It has reached its base.
                block_on(slots.confirm(running)).is_ok()
            } else {
                let _ = install(&mut slots, running, wanted);
                false
            }
        });
        let mut flash = slots.into_flash();
        flash.restore_power();
        if done {
            return (flash, starts);
        }
        slots = Slots::new(flash, SMALL);
    }
    panic!("the pad never gets there");
}

fn assert_nothing_is_lost(flash: HostFlash, unsent: u8) -> HostFlash {
    let mut store = Store::new(flash, JOURNAL).expect("a page");
    let mut app = App::new(PadId::MIN, FIRMWARE);
    block_on(store.load(&mut app, Instant::ZERO)).expect("readable");
    assert_eq!(app.sheet().unsent(), unsent);
    store.into_flash()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures that README.md names")]
fn an_update_and_the_way_back_cut_at_every_step_leave_no_dead_pad_and_lose_nothing() {
    let (factory, unsent) = pad_from_the_factory();
    let (mut words, mut erasures) = (0, 0);
    let mut flash = factory;
    for wanted in [NEW, OLD] {
        let first = flash.steps();
        let (whole, starts) = update(flash.clone(), wanted);
        assert_eq!(starts, 2, "without a cut: the old one, then the new one");
        for step in first..whole.steps() {
            let erasure = whole.erasure_steps().contains(&step);
            *(if erasure { &mut erasures } else { &mut words }) += 1;
            for tear in 0..if erasure { 10 } else { 1 } {
                let mut cut = flash.clone();
                cut.tear_with(step << 8 | tear);
                cut.cut_power_at(step);
                let (cut, _) = update(cut, wanted);
                let cut = assert_nothing_is_lost(cut, unsent);
                let (_, version) = start(&mut Slots::new(cut, SMALL)).expect("power");
                assert_eq!(version, wanted, "step {step}");
            }
        }
        flash = whole;
    }
    println!(
        "update and back cut inside each of {words} words and {erasures} erasures: 0 dead pads, 0 lost"
    );
    assert!(
        words > 250 && erasures >= 4,
        "{words} words, {erasures} erasures"
    );
}

#[test]
fn a_program_that_never_reaches_its_base_is_tried_once() {
    let (flash, unsent) = pad_from_the_factory();
    let mut slots = Slots::new(flash, SMALL);
    let (running, _) = start(&mut slots).expect("power");
    install(&mut slots, running, NEW).expect("taken");
    assert_eq!(start(&mut slots).expect("power"), (Slot::B, NEW));
    // It hangs, and the watchdog bites.
    for _ in 0..3 {
        assert_eq!(start(&mut slots).expect("power"), (Slot::A, OLD));
    }
    assert_nothing_is_lost(slots.into_flash(), unsent);
}

#[test]
fn what_is_not_signed_or_not_whole_or_for_the_other_slot_is_never_tried() {
    let (flash, _) = pad_from_the_factory();
    let mut slots = Slots::new(flash, SMALL);
    let (bytes, right) = program(Slot::B, NEW);
    let mut forged = right;
    forged.signature[3] ^= 1;
    let mut other_hash = right;
    other_hash.hash[0] ^= 1;
    other_hash.signature = makers().sign(&other_hash.signed()).to_bytes();
    let (_, other_slot) = program(Slot::A, NEW);
    let mut other_wire = right;
    other_wire.wire = 0;
    other_wire.signature = makers().sign(&other_wire.signed()).to_bytes();
    for (manifest, why) in [
        (forged, "not signed"),
        (other_hash, "did not arrive"),
        (other_slot, "the other slot"),
        (other_wire, "another language"),
    ] {
        block_on(slots.begin(Slot::A)).expect("room");
        for (number, piece) in padded(&bytes).chunks(PIECE).enumerate() {
            let at = u32::try_from(number * PIECE).expect("small");
            block_on(slots.write(Slot::A, at, piece)).expect("written");
        }
        let Refusal(said) =
            block_on(slots.finish(Slot::A, &manifest, is_signed)).expect_err("refused");
        assert!(said.contains(why), "{said}");
        assert_eq!(start(&mut slots).expect("power"), (Slot::A, OLD));
    }
}

#[test]
fn the_notes_last_for_hundreds_of_updates() {
    let (mut flash, unsent) = pad_from_the_factory();
    for round in 0..200 {
        let wanted = if round % 2 == 0 { NEW } else { OLD };
        flash = update(flash, wanted).0;
    }
    let flash = assert_nothing_is_lost(flash, unsent);
    let worst = flash.erasures().iter().max().copied().unwrap_or_default();
    assert!(worst <= 101, "{worst} erasures of one page in 200 updates");
    assert_eq!(PAGE_LEN, 2048);
}
