//! The door itself: how many may stand in it, for how long, and who always gets through.
//!
//! Connections are bounded per address and in all, and the director's own laptop has a share that
//! nobody else can take. Whoever comes when a share is full takes the place of the connection that
//! has been idle for longest, so that a thousand idle ones keep nobody out. Heads must arrive in
//! time and within a length, and whoever does not take what is sent is cut off. Bodies are bounded
//! where they are read ([`crate::web::Body`]).

mod guests;
mod patient;

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::header;
use axum::response::Redirect;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

pub use guests::Bounds;
use guests::{Guests, Place};
use patient::Patient;

/// The longest head. Our own page sends less than one kilobyte.
const HEAD_LEN_MAX: usize = 16 * 1024;

/// Lines of a head.
const HEADERS_MAX: usize = 64;

/// The first byte of everything that speaks TLS.
const TLS_HANDSHAKE: u8 = 22;

/// How long TLS may take to agree.
const HANDSHAKE_TIME_MAX: Duration = Duration::from_secs(10);

/// The pause after the system could not give another connection.
const NO_MORE_FILES_PAUSE: Duration = Duration::from_millis(20);

/// Serves a site until `goodbye`, then lets requests end that have begun.
pub async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    bounds: Bounds,
    goodbye: impl Future<Output = ()>,
) {
    let guests = Arc::new(Guests::new(bounds));
    let (ending, ends) = watch::channel(());
    // Every connection holds a sender: when all are gone, all have ended.
    let (here, mut all_gone) = mpsc::channel::<()>(1);
    let mut goodbye = pin!(goodbye);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut goodbye => break,
        };
        let Ok((stream, from)) = accepted else {
            // The system has no more files to give; somebody idle gives one back.
            guests.cut_idle();
            tokio::time::sleep(NO_MORE_FILES_PAUSE).await;
            continue;
        };
        let Some((place, cut)) = guests.admit(from.ip()) else {
            continue;
        };
        let connection = Connection {
            from,
            router: router.clone(),
            place: Arc::new(place),
            bounds,
            ends: ends.clone(),
        };
        let (tls, here) = (tls.clone(), here.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = connection.welcome(stream, tls) => {}
                // Somebody else was given this place.
                _ = cut => {}
            }
            drop(here);
        });
    }
    drop(listener);
    drop(ending);
    drop(here);
    let _ = all_gone.recv().await;
}

struct Connection {
    from: SocketAddr,
    router: Router,
    place: Arc<Place>,
    bounds: Bounds,
    ends: watch::Receiver<()>,
}

impl Connection {
    async fn welcome(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        // Small answers must not wait for more to send.
        let _ = stream.set_nodelay(true);
        let Some(tls) = tls else {
            return self.serve(stream).await;
        };
        let mut first = [0];
        let handshake = async {
            stream.peek(&mut first).await?;
            if first == [TLS_HANDSHAKE] {
                tls.accept(stream).await.map(Ok)
            } else {
                Ok(Err(stream))
            }
        };
        match tokio::time::timeout(HANDSHAKE_TIME_MAX, handshake).await {
            Ok(Ok(Ok(stream))) => self.serve(stream).await,
            Ok(Ok(Err(stream))) => self.turned_to_https().serve(stream).await,
            // Too slow, or no TLS that we know.
            Ok(Err(_)) | Err(_) => {}
        }
    }

    /// For somebody who typed the address without `https`.
    fn turned_to_https(mut self) -> Self {
        self.router = Router::new().fallback(|request: Request| async move {
            let host = request.headers().get(header::HOST);
            let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
            Redirect::temporary(&format!("https://{host}{}", request.uri().path()))
        });
        self
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let Self {
            from,
            router,
            place,
            bounds,
            mut ends,
        } = self;
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let busy = Arc::new(Busy::new(&place));
            let mut request: Request =
                request.map(|body| Body::new(Arriving::new(body, Arc::clone(&busy))));
            request.extensions_mut().insert(ConnectInfo(from));
            let answer = router.clone().oneshot(request);
            async move {
                let answer = answer.await?;
                Ok::<_, Infallible>(answer.map(|body| Answering { body, _busy: busy }))
            }
        });
        let io = TokioIo::new(Patient::new(stream, bounds.stall_time));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(bounds.head_time)
            .max_buf_size(HEAD_LEN_MAX)
            .max_headers(HEADERS_MAX)
            .serve_connection(io, service)
            // A phone's line to the base begins as a request.
            .with_upgrades();
        let mut connection = pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => {}
            _ = ends.changed() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
}

/// A request that has arrived whole is being answered: its connection is not idle until this is
/// gone. One that is still arriving may take for ever, and keeps nobody else out.
struct Busy {
    place: Arc<Place>,
    begun: AtomicBool,
}

impl Busy {
    fn new(place: &Arc<Place>) -> Self {
        Self {
            place: Arc::clone(place),
            begun: AtomicBool::new(false),
        }
    }

    fn begin(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.place.begins();
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if *self.begun.get_mut() {
            self.place.rests();
        }
    }
}

/// A request's body on its way in.
struct Arriving {
    body: Incoming,
    busy: Arc<Busy>,
}

impl Arriving {
    fn new(body: Incoming, busy: Arc<Busy>) -> Self {
        if body.is_end_stream() {
            busy.begin();
        }
        Self { body, busy }
    }
}

impl Drop for Arriving {
    /// Read whole, or not wanted.
    fn drop(&mut self) {
        self.busy.begin();
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer on its way.
struct Answering {
    body: Body,
    _busy: Arc<Busy>,
}

impl HttpBody for Answering {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        HttpBody::size_hint(&self.body)
    }
}
