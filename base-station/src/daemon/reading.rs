//! Reading a serial port that another thread writes to.

use std::io;
use std::time::{Duration, Instant};

use serialport::SerialPort;

/// How often it is looked whether there is anything to read.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Reads what is there, or waits for it as long as the port's timeout says.
///
/// Windows holds back every write to a port while a read of it waits, and an answer that goes out 200 ms
/// late finds no pad that listens. So nothing waits in a read there: it is looked again and again.
pub(super) fn read_when_there(port: &mut dyn SerialPort, bytes: &mut [u8]) -> io::Result<usize> {
    if cfg!(windows) {
        wait_for_bytes(port)?;
    }
    port.read(bytes)
}

fn wait_for_bytes(port: &dyn SerialPort) -> io::Result<()> {
    let until = Instant::now() + port.timeout();
    while port.bytes_to_read()? == 0 {
        if Instant::now() >= until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn bytes_are_waited_for_without_a_read_that_waits() {
        let (mut far, mut port) = serialport::TTYPort::pair().expect("a line");
        port.set_timeout(Duration::from_millis(50)).expect("set");
        let nothing = wait_for_bytes(&port).expect_err("nothing comes");
        assert_eq!(nothing.kind(), io::ErrorKind::TimedOut);
        port.set_timeout(Duration::from_secs(20)).expect("set");
        let saying = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            far.write_all(b"frame").expect("written");
            far
        });
        wait_for_bytes(&port).expect("they come");
        let far = saying.join().expect("said");
        let mut said = [0; 5];
        port.read_exact(&mut said).expect("read");
        assert_eq!(&said, b"frame");
        drop(far);
        assert!(wait_for_bytes(&port).is_err(), "pulled out");
    }
}
