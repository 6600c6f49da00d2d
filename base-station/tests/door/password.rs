//! `byestand password` on a real terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::daemon::PASSWORD;

#[test]
fn the_password_is_not_echoed_when_it_is_typed() {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).expect("granted");
    unlockpt(&keyboard).expect("unlocked");
    let name = ptsname(&keyboard, Vec::new()).expect("its name");
    let name = name.into_string().expect("text");
    let screen = || {
        let opened = File::options().read(true).write(true).open(&name);
        Stdio::from(opened.expect("the terminal"))
    };
    let folder = tempfile::tempdir().expect("a folder");
    // The terminal must be the program's own, as it is for somebody who sits at it.
    let mut child = Command::new("setsid")
        .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_byestand")])
        .args(["password", "--data"])
        .arg(folder.path())
        .stdin(screen())
        .stdout(screen())
        .stderr(screen())
        .spawn()
        .expect("it starts");
    let mut reading = File::from(keyboard.as_fd().try_clone_to_owned().expect("a copy"));
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = [0; 512];
        while let Ok(length @ 1..) = reading.read(&mut piece) {
            let text = String::from_utf8_lossy(piece.get(..length).unwrap_or_default());
            if tell.send(text.into_owned()).is_err() {
                return;
            }
        }
    });
    let mut shown = String::new();
    let mut wait_for = |words: &str| {
        while !shown.contains(words) {
            let more = told.recv_timeout(Duration::from_secs(20));
            shown.push_str(&more.unwrap_or_else(|_| panic!("only: {shown}")));
        }
        shown.clone()
    };
    wait_for("password: ");
    // A person needs a moment, and the terminal to be told not to show what comes.
    std::thread::sleep(Duration::from_millis(500));
    let mut keyboard = File::from(keyboard);
    writeln!(keyboard, "{PASSWORD}").expect("typed");
    let shown = wait_for("The password is set");
    assert!(!shown.contains(PASSWORD), "{shown}");
    assert!(child.wait().expect("it ends").success());
}
