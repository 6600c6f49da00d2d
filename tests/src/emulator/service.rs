//! The pad's service port: collects what the pad says there, and types to it.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use bench_parts::Wire;

/// One end of a service cable.
#[derive(Debug)]
pub(crate) struct Service {
    stream: UnixStream,
    heard: Arc<(Mutex<Vec<u8>>, Condvar)>,
}

impl Service {
    pub(crate) fn new(stream: UnixStream) -> Self {
        let heard = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let ear = Arc::clone(&heard);
        let mut listening = stream.try_clone().expect("a socket can be cloned");
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            // Ends with the emulator, which closes the socket.
            while let Ok(length @ 1..) = listening.read(&mut bytes) {
                let (text, news) = &*ear;
                text.lock()
                    .expect("nobody panics with the text in hand")
                    .extend_from_slice(&bytes[..length]);
                news.notify_all();
            }
        });
        Self { stream, heard }
    }

    /// Lets a computer at the other end of this wire hear and type, too, until the emulator ends.
    pub(crate) fn connect(&self, wire: Arc<Wire>) {
        let heard = Arc::clone(&self.heard);
        let mut stream = self.stream.try_clone().expect("a socket can be cloned");
        std::thread::spawn(move || {
            // Who plugs in hears what is said from then on.
            let mut told = heard.0.lock().expect("nobody panics with it").len();
            loop {
                let typed = wire.hear();
                if !typed.is_empty() && stream.write_all(&typed).is_err() {
                    return;
                }
                let text = heard.0.lock().expect("nobody panics with the text in hand");
                wire.say(&text[told..]);
                told = text.len();
                drop(text);
                // An emulator that has ended takes nothing.
                if Arc::strong_count(&heard) == 1 {
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the emulator listens");
    }

    /// All that was said since the battery was put in.
    pub(crate) fn text(&self) -> String {
        let heard = self
            .heard
            .0
            .lock()
            .expect("nobody panics with the text in hand");
        String::from_utf8_lossy(&heard).into_owned()
    }

    /// Waits until `found` sees what it looks for in the text, at most for `patience`.
    pub(crate) fn wait<T>(
        &self,
        patience: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + patience;
        let (text, news) = &*self.heard;
        let mut heard = text.lock().expect("nobody panics with the text in hand");
        loop {
            if let Some(result) = found(&String::from_utf8_lossy(&heard)) {
                return Some(result);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            heard = news
                .wait_timeout(heard, left)
                .expect("nobody panics with the text in hand")
                .0;
        }
    }
}
