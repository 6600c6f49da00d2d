//! A pseudo-terminal that stands for the serial line to a receiver.

use std::os::fd::OwnedFd;

use rustix::fs::OFlags;
use rustix::pty::OpenptFlags;
use rustix::termios::OptionalActions;

/// Our end of the line; the daemon opens the other one by its name.
#[derive(Debug)]
pub struct Wire {
    near_end: OwnedFd,
    /// The name of the port that the daemon opens.
    pub far_end: String,
}

impl Default for Wire {
    fn default() -> Self {
        Self::new()
    }
}

impl Wire {
    /// A new line that passes bytes through as they are.
    pub fn new() -> Self {
        let near_end = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
        // A daemon that inherited this end would keep its own port alive.
        rustix::io::fcntl_setfd(&near_end, rustix::io::FdFlags::CLOEXEC).expect("set");
        rustix::pty::grantpt(&near_end).expect("granted");
        rustix::pty::unlockpt(&near_end).expect("unlocked");
        let name = rustix::pty::ptsname(&near_end, Vec::new()).expect("a name");
        let mut modes = rustix::termios::tcgetattr(&near_end).expect("modes");
        modes.make_raw();
        rustix::termios::tcsetattr(&near_end, OptionalActions::Now, &modes).expect("raw");
        let flags = rustix::fs::fcntl_getfl(&near_end).expect("flags");
        rustix::fs::fcntl_setfl(&near_end, flags | OFlags::NONBLOCK).expect("set");
        Self {
            near_end,
            far_end: name.into_string().expect("a plain name"),
        }
    }

    /// What has come since the last time. While nobody is at the other end, nothing.
    pub fn hear(&self) -> Vec<u8> {
        let mut buffer = [0; 1024];
        match rustix::io::read(&self.near_end, &mut buffer) {
            Ok(length) => buffer[..length].to_vec(),
            Err(_) => Vec::new(),
        }
    }

    /// Sends a frame. What does not fit is lost, as on the air.
    pub fn say(&self, frame: &[u8]) {
        let _ = rustix::io::write(&self.near_end, frame);
    }
}
