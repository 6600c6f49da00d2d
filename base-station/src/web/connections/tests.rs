//! Slow senders and slow readers, with less patience than in real life.

use std::time::{Duration, Instant};

use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

const PATIENCE: Duration = Duration::from_millis(300);

/// More than the system keeps for somebody who does not read.
const LONG: usize = 64 << 20;

/// A door with a small site behind it; it stays open for as long as the test runs.
async fn door() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/long", get(|| async { vec![b'x'; LONG] }));
    let bounds = Bounds {
        head_time: PATIENCE,
        stall_time: PATIENCE,
        ..Bounds::default()
    };
    let never = std::future::pending();
    tokio::spawn(serve(listener, None, router, bounds, never));
    address
}

/// Sends this and listens until the other side hangs up; everything heard, and how long it took.
async fn until_the_end(address: SocketAddr, said: &[u8]) -> (String, Duration) {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(said).await.expect("said");
    let begin = Instant::now();
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard).await;
    (
        String::from_utf8_lossy(&heard).into_owned(),
        begin.elapsed(),
    )
}

#[tokio::test]
async fn idle_connections_and_slow_heads_are_cut_off() {
    let address = door().await;
    let slow = [
        &b""[..],
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ];
    for said in slow {
        let (heard, time) = until_the_end(address, said).await;
        let answered = said.ends_with(b"\r\n\r\n");
        assert_eq!(heard.contains("hello"), answered, "{heard}");
        assert!(time < PATIENCE * 20, "{time:?}");
        assert!(time >= PATIENCE / 2, "{time:?}");
    }
}

#[tokio::test]
async fn bodies_that_never_end_keep_nobody_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let read = |body: Bytes| async move { format!("{} bytes", body.len()) };
    let router = Router::new().route("/", get(|| async { "hello" }).post(read));
    let bounds = Bounds {
        laptop: 4,
        ..Bounds::default()
    };
    let never = std::future::pending();
    tokio::spawn(serve(listener, None, router, bounds, never));
    let mut held = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let said = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\nxyz";
        stream.write_all(said).await.expect("said");
        held.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let asked = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nxyz";
    let (heard, _) = until_the_end(address, asked).await;
    assert!(heard.ends_with("3 bytes"), "{heard}");
    drop(held);
}

#[tokio::test]
async fn an_endless_head_is_refused() {
    let address = door().await;
    let endless = format!("GET / HTTP/1.1\r\nX-Long: {}", "x".repeat(HEAD_LEN_MAX));
    let (heard, _) = until_the_end(address, endless.as_bytes()).await;
    assert!(heard.starts_with("HTTP/1.1 431"), "{heard}");
    let many = "X-A: b\r\n".repeat(HEADERS_MAX + 1);
    let many = format!("GET / HTTP/1.1\r\n{many}\r\n");
    let (heard, _) = until_the_end(address, many.as_bytes()).await;
    assert!(heard.starts_with("HTTP/1.1 431"), "{heard}");
}

#[tokio::test]
async fn whoever_does_not_take_an_answer_is_cut_off() {
    let address = door().await;
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream
        .write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .expect("asked");
    tokio::time::sleep(PATIENCE * 4).await;
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard).await;
    assert!(heard.len() < LONG, "all of it came");
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up_with_a_sentence() {
    let endless = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
    let request = Request::post("/")
        .header("content-type", "application/json")
        .body(Body::from_stream(endless))
        .expect("a request");
    let reading = crate::web::extract::read_body::<serde_json::Value, ()>(request, &(), PATIENCE);
    let refused = reading.await.expect_err("given up");
    assert_eq!(refused.status().as_u16(), 408);
    assert!(
        refused.sentence().to_string().contains("too long"),
        "{refused:?}"
    );
}
