use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use air::Random;
use rustix::pty::OpenptFlags;

use super::{Arguments, run};

/// A serial port, and the modem's side of it.
fn port() -> (OwnedFd, String) {
    let air = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
    rustix::pty::grantpt(&air).expect("granted");
    rustix::pty::unlockpt(&air).expect("unlocked");
    let mut modes = rustix::termios::tcgetattr(&air).expect("modes");
    modes.make_raw();
    rustix::termios::tcsetattr(&air, rustix::termios::OptionalActions::Now, &modes).expect("raw");
    let name = rustix::pty::ptsname(&air, Vec::new()).expect("a name");
    (air, name.to_str().expect("plain").to_owned())
}

/// Two modelled modems: packets of 16 bytes, each after a delay, every tenth frame lost.
fn modems(one: OwnedFd, other: OwnedFd, delay: (u64, u64), ended: Arc<AtomicBool>) {
    for end in [&one, &other] {
        let flags = rustix::fs::fcntl_getfl(end).expect("flags");
        rustix::fs::fcntl_setfl(end, flags | rustix::fs::OFlags::NONBLOCK).expect("set");
    }
    std::thread::spawn(move || {
        let mut random = Random::new(7);
        let mut frames = 0;
        let mut waiting: Vec<(Instant, bool, Vec<u8>)> = Vec::new();
        while !ended.load(Ordering::Relaxed) {
            for (to_other, from) in [(true, &one), (false, &other)] {
                let mut heard = [0; 64];
                let Ok(length @ 1..) = rustix::io::read(from, &mut heard) else {
                    continue;
                };
                frames += 1;
                if frames % 10 == 0 {
                    continue;
                }
                let mut at = Instant::now()
                    + Duration::from_millis(delay.0 + random.below(delay.1 - delay.0));
                for packet in heard[..length].chunks(16) {
                    waiting.push((at, to_other, packet.to_vec()));
                    at += Duration::from_millis(20);
                }
            }
            waiting.retain(|(at, to_other, packet)| {
                let due = *at <= Instant::now();
                if due {
                    let to = if *to_other { &other } else { &one };
                    rustix::io::write(to, packet).expect("written");
                }
                !due
            });
            std::thread::sleep(Duration::from_micros(300));
        }
    });
}

#[test]
fn two_modems_on_a_desk_are_measured() {
    let ((one, first), (other, second)) = (port(), port());
    let ended = Arc::new(AtomicBool::new(false));
    modems(one, other, (30, 60), Arc::clone(&ended));
    let arguments = Arguments {
        one: first.clone(),
        other: second.clone(),
        baud: 19_200,
        frames: 10,
    };
    let mut out = Vec::new();
    run(&arguments, &mut out).expect("measured");
    ended.store(true, Ordering::Relaxed);
    let said = String::from_utf8(out).expect("text");
    assert!(
        said.contains(&format!("{first} to {second}: 10 frames of 26 bytes")),
        "{said}"
    );
    assert!(
        said.contains("20% lost") || said.contains("10% lost"),
        "{said}"
    );
    let least: u64 = said
        .split("to the first byte: least ")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .and_then(|number| number.parse().ok())
        .expect("a figure");
    assert!((30..=75).contains(&least), "{said}");
    assert!(!said.contains("inside a frame: 0 frames"), "{said}");
    assert!(said.contains("capacity -- --radio 30 19200"), "{said}");
}

#[test]
fn a_port_that_is_not_there_is_named() {
    let arguments = Arguments {
        one: "/nowhere/modem".to_owned(),
        other: "/nowhere/other".to_owned(),
        baud: 19_200,
        frames: 1,
    };
    let fault = run(&arguments, &mut Vec::new()).expect_err("none");
    assert!(fault.to_string().contains("/nowhere/modem"), "{fault}");
}
