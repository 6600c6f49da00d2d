//! A receiver in the network: somebody who passes a serial line on over TCP, byte by byte.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// Passes a serial line on to whoever connects, one at a time, until the test ends.
#[derive(Debug)]
pub struct Relay {
    /// What the daemon's `--radio` is told.
    pub name: String,
}

impl Relay {
    /// For the port of this name.
    ///
    /// # Panics
    ///
    /// If the port can't be opened or no address of this machine is free.
    pub fn of(port: &str) -> Self {
        let line = OpenOptions::new().read(true).write(true).open(port);
        let line = line.expect("the line is there");
        let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
        let address = listener.local_addr().expect("bound");
        let there: Arc<Mutex<Option<TcpStream>>> = Arc::default();
        let out = Arc::clone(&there);
        let from_line = line.try_clone().expect("a second handle");
        std::thread::spawn(move || pass_on(from_line, &out));
        std::thread::spawn(move || take_in(&listener, line, &there));
        Self {
            name: format!("tcp://{address}"),
        }
    }
}

fn take_in(listener: &TcpListener, mut line: File, there: &Mutex<Option<TcpStream>>) {
    for stream in listener.incoming().flatten() {
        let mut heard = stream.try_clone().expect("a second handle");
        *there.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
        let _ = std::io::copy(&mut heard, &mut line);
        *there.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What comes while nobody is connected is lost, as on the air.
fn pass_on(mut line: File, there: &Mutex<Option<TcpStream>>) {
    let mut buffer = [0; 512];
    while let Ok(length @ 1..) = line.read(&mut buffer) {
        let mut there = there.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stream) = there.as_mut() {
            let _ = stream.write_all(&buffer[..length]);
        }
    }
}
