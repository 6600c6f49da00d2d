//! `byestand password` on a real terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use bench_parts::Program;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::daemon::{Daemon, PASSWORD};

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

/// What the program says as it refuses to start in this folder, with these words more.
fn refused(folder: &Path, more: &[&str]) -> String {
    let output = Command::new("timeout")
        .args(["20", env!("CARGO_BIN_EXE_byestand")])
        .args(["serve", "--radio", "none", "--data"])
        .arg(folder)
        .args(more)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // 124: it had to be ended, because it served.
    assert!(!output.status.success(), "{said}");
    assert_ne!(output.status.code(), Some(124), "it let phones in: {said}");
    said
}

#[test]
fn phones_are_let_in_only_where_there_is_a_password() {
    let folder = tempfile::tempdir().expect("a folder");
    for everywhere in ["0.0.0.0:0", "[::]:0"] {
        let said = refused(folder.path(), &["--listen", everywhere]);
        assert!(said.contains(everywhere), "{said}");
        assert!(
            said.contains("--tls"),
            "plain HTTP is no default there: {said}"
        );
        for open in ["--tls", "--plain-http"] {
            let said = refused(folder.path(), &["--listen", everywhere, open]);
            assert!(said.contains(everywhere), "{said}");
            assert!(said.contains("byestand password"), "{said}");
        }
    }
    let programs = ["--listen", "127.0.0.1:0", "--data-connector", "0.0.0.0:0"];
    let said = refused(folder.path(), &programs);
    assert!(said.contains("byestand password"), "{said}");
    // On the laptop itself it starts, and everywhere once there is a password.
    let mut laptop = Program::start(
        Command::new(env!("CARGO_BIN_EXE_byestand"))
            .args(["serve", "--radio", "none", "--listen", "127.0.0.1:0"])
            .arg("--data")
            .arg(folder.path()),
    );
    laptop.wait_for_page();
    drop(laptop);
    let everywhere = Daemon::start(&["--plain-http"]);
    assert!(everywhere.login().is_object());
}
