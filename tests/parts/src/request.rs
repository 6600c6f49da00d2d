//! A request over plain HTTP, so that no client hides what is on the wire.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Whatever a page does not answer within this time it does not answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Asks, and gives the connection on which the answer comes; it is closed after it.
pub fn open_request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> TcpStream {
    let mut page = TcpStream::connect(address).expect("the page is there");
    page.set_read_timeout(Some(PATIENCE)).expect("set");
    let mut head = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    write!(page, "{head}\r\n{body}").expect("asked");
    page
}

/// Asks, and gives the whole answer.
pub fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Vec<u8> {
    let mut answer = Vec::new();
    let mut page = open_request(address, method, path, headers, body);
    page.read_to_end(&mut answer).expect("the page answers");
    answer
}

/// The body of an answer that must be a good one.
pub fn body_of(answer: &[u8]) -> Vec<u8> {
    let head = String::from_utf8_lossy(answer);
    assert!(head.starts_with("HTTP/1.0 200"), "{head:.300}");
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n");
    answer[end.expect("a head") + 4..].to_vec()
}
