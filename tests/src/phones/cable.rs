//! A network cable between a phone and the daemon that can be pulled out: a plain relay of bytes at
//! an address of its own. A browser takes each address for another site, with a storage of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::SinkExt;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;

/// A cable. It is pulled out when it is dropped.
#[derive(Debug)]
pub struct Cable {
    /// Where the phone finds the daemon.
    pub address: SocketAddr,
    plugged: Arc<watch::Sender<bool>>,
    goes_to: Arc<watch::Sender<SocketAddr>>,
    relay: tokio::task::JoinHandle<()>,
}

impl Cable {
    /// A cable to the daemon, with its other end at 127.0.0.`number`.
    pub async fn new(number: u8, daemon: SocketAddr) -> Self {
        let here = Ipv4Addr::new(127, 0, 0, number);
        let listener = TcpListener::bind((here, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let plugged = Arc::new(watch::Sender::new(true));
        let goes_to = Arc::new(watch::Sender::new(daemon));
        let relay = tokio::spawn(accept(listener, Arc::clone(&goes_to), Arc::clone(&plugged)));
        Self {
            address,
            plugged,
            goes_to,
            relay,
        }
    }

    /// Nothing goes through any more, and nobody is told.
    pub fn pull(&self) {
        self.plugged.send_replace(false);
    }

    /// The network is back.
    pub fn plug(&self) {
        self.plugged.send_replace(true);
    }

    /// The daemon has another port since its restart.
    pub fn lead_to(&self, daemon: SocketAddr) {
        self.goes_to.send_replace(daemon);
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.relay.abort();
    }
}

async fn accept(
    listener: TcpListener,
    goes_to: Arc<watch::Sender<SocketAddr>>,
    plugged: Arc<watch::Sender<bool>>,
) {
    while let Ok((near, _)) = listener.accept().await {
        let (daemon, plugged) = (*goes_to.borrow(), plugged.subscribe());
        tokio::spawn(relay(near, daemon, plugged));
    }
}

async fn relay(near: TcpStream, daemon: SocketAddr, plugged: watch::Receiver<bool>) {
    let mut up = plugged.clone();
    // While the cable is out a connection is neither refused nor taken.
    if up.wait_for(|plugged| *plugged).await.is_err() {
        return;
    }
    let Ok(far) = TcpStream::connect(daemon).await else {
        return;
    };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let (near, far) = (near.into_split(), far.into_split());
    tokio::select! {
        () = carry(near.0, far.1, plugged.clone()) => {}
        () = carry(far.0, near.1, plugged) => {}
    }
}

/// What is said while the cable is out is lost with the connection: it never arrives later.
async fn carry(
    from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    mut plugged: watch::Receiver<bool>,
) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        if from.readable().await.is_err() {
            return;
        }
        let length = match from.try_read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(fault) if fault.kind() == std::io::ErrorKind::WouldBlock => continue,
            Err(_) => return,
        };
        if !*plugged.borrow() {
            let _ = plugged.wait_for(|plugged| *plugged).await;
            return;
        }
        let said = buffer.get(..length).unwrap_or_default();
        if to.write_all(said).await.is_err() {
            return;
        }
    }
}

/// Sends bytes to the base on a line of their own; says nothing else.
pub async fn inject(daemon: SocketAddr, frames: &[Vec<u8>]) {
    let address = format!("ws://{daemon}/phone/line");
    let (mut socket, _) = tokio_tungstenite::connect_async(address)
        .await
        .expect("a line");
    for frame in frames {
        let sent = socket.send(Message::Binary(frame.clone().into())).await;
        sent.expect("sent");
    }
    // What was sent is heard before the line ends.
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(socket.close(None).await);
}
