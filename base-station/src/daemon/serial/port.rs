//! What a receiver is read and written through: a serial port of this machine, or one that stands
//! somewhere else in the network behind a box or a program that passes its bytes on (`ser2net` and
//! its like, raw TCP).

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use serialport::SerialPort;
use socket2::{SockRef, TcpKeepalive};

use super::READ_TIMEOUT;
use crate::daemon::modem::open_modem;
use crate::daemon::reading::read_when_there;

/// How the name of a receiver in the network begins.
const IN_THE_NETWORK: &str = "tcp://";

/// How long the other machine may take to answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A line that says nothing for so long is asked whether it is still there, as often as this, and
/// so many times. A cable that was pulled out between two switches tells nobody by itself.
const ASK_AFTER: Duration = Duration::from_secs(5);
const ASK_EVERY: Duration = Duration::from_secs(2);
const ASK_TIMES: u32 = 3;

/// Both directions of a receiver.
pub(super) trait Port: Read + Write + Send {
    /// A second handle, for the thread that writes.
    fn another(&self) -> io::Result<Box<dyn Port>>;

    /// The port with its lines, by which its modem is set; none in the network, where only bytes are
    /// passed on.
    fn lines(&mut self) -> Option<&mut dyn SerialPort>;
}

/// A serial port of this machine.
struct Here(Box<dyn SerialPort>);

impl Read for Here {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        read_when_there(self.0.as_mut(), bytes)
    }
}

impl Write for Here {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Port for Here {
    fn another(&self) -> io::Result<Box<dyn Port>> {
        Ok(Box::new(Self(self.0.try_clone()?)))
    }

    fn lines(&mut self) -> Option<&mut dyn SerialPort> {
        Some(self.0.as_mut())
    }
}

impl Port for TcpStream {
    fn another(&self) -> io::Result<Box<dyn Port>> {
        Ok(Box::new(self.try_clone()?))
    }

    fn lines(&mut self) -> Option<&mut dyn SerialPort> {
        None
    }
}

/// Host and port of a receiver in the network; `None` for one of this machine.
pub(super) fn in_the_network(name: &str) -> Option<&str> {
    name.strip_prefix(IN_THE_NETWORK)
}

/// Opens a serial port of this machine.
pub(super) fn serial(name: &str, baud: u32) -> Result<Box<dyn Port>, serialport::Error> {
    Ok(Box::new(Here(open_modem(name, baud, READ_TIMEOUT)?)))
}

/// Connects with a receiver in the network. Its baud rate is set where it stands.
pub(super) fn connect(address: &str) -> io::Result<Box<dyn Port>> {
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    for one in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&one, CONNECT_TIMEOUT) {
            Ok(stream) => return ready(stream),
            Err(fault) => last = fault,
        }
    }
    Err(last)
}

fn ready(stream: TcpStream) -> io::Result<Box<dyn Port>> {
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    // A frame that nobody takes is lost like one on the air; it must not hold the others up.
    stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(ASK_AFTER)
        .with_interval(ASK_EVERY)
        .with_retries(ASK_TIMES);
    SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    Ok(Box::new(stream))
}
