//! The page through TLS, as a browser that compares the fingerprint sees it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base_station::daemon::fingerprint;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error,
    SignatureScheme, StreamOwned,
};
use serde_json::json;

use crate::daemon::{Daemon, PASSWORD, ask};

/// Believes one certificate only: the one whose fingerprint stood on the director's screen.
#[derive(Debug)]
struct Compared {
    expected: String,
    seen: Mutex<Option<String>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Compared {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _others: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _stapled: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let seen = fingerprint(certificate);
        *self.seen.lock().expect("whole") = Some(seen.clone());
        if seen == self.expected {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::UnknownIssuer.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

type Encrypted = StreamOwned<ClientConnection, TcpStream>;

fn connect(address: SocketAddr, expected: &str) -> Encrypted {
    let provider = Arc::new(ring::default_provider());
    let verifier = Compared {
        expected: expected.to_owned(),
        seen: Mutex::default(),
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    let name = ServerName::from(address.ip());
    let connection = ClientConnection::new(Arc::new(config), name).expect("a client");
    let stream = TcpStream::connect(address).expect("the page is there");
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).expect("set");
    StreamOwned::new(connection, stream)
}

fn request(page: &mut Encrypted, method: &str, path: &str, headers: &str, body: &str) {
    let length = body.len();
    let asked = write!(
        page,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    asked.expect("asked");
}

fn whole(mut page: Encrypted) -> String {
    let mut answer = Vec::new();
    // A server that closes without a last word of TLS has still said everything.
    let _ = page.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_page_is_reached_through_tls_with_the_fingerprint_that_the_director_reads() {
    let daemon = Daemon::start(&["--tls"]);
    let fingerprint = daemon
        .first_words()
        .lines()
        .find(|line| line.len() == 95 && line.split(':').count() == 32)
        .expect("a fingerprint is printed")
        .to_owned();
    assert!(
        daemon.first_words().contains("Byestand is ready: https://"),
        "{}",
        daemon.first_words()
    );

    // Signing in, with a cookie that no plain page gets.
    let given = json!({"name": "Anna", "password": PASSWORD}).to_string();
    let mut page = connect(daemon.address, &fingerprint);
    request(&mut page, "POST", "/api/login", "", &given);
    let answer = whole(page);
    assert!(answer.contains("200 OK"), "{answer}");
    let cookie = answer
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie");
    assert!(cookie.contains("; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().expect("its value");
    let signed_in = format!("Cookie: {cookie}\r\n");

    // The fingerprint stands where the director looks, and the players' code leads to https.
    let mut page = connect(daemon.address, &fingerprint);
    request(&mut page, "GET", "/api/access", &signed_in, "");
    let answer = whole(page);
    assert!(answer.contains(&fingerprint), "{answer}");
    assert!(answer.contains("https://"), "{answer}");

    // Live events, too.
    let mut page = connect(daemon.address, &fingerprint);
    request(&mut page, "GET", "/api/events", &signed_in, "");
    let mut said = String::new();
    let mut piece = [0; 4096];
    while !said.contains("event: view") {
        let length = page.read(&mut piece).expect("events come");
        assert!(length > 0, "ended: {said}");
        said.push_str(&String::from_utf8_lossy(
            piece.get(..length).unwrap_or_default(),
        ));
    }

    // Somebody in between is found out, and who forgot the s is led to the right place.
    let mut page = connect(daemon.address, "00:11");
    let refused = write!(page, "GET / HTTP/1.1\r\n\r\n").and_then(|()| page.flush());
    assert!(refused.is_err(), "another certificate was believed");
    let plain = ask(daemon.address, "GET", "/results", "");
    assert!(plain.contains("307"), "{plain}");
    assert!(
        plain.contains(&format!("https://{}/results", daemon.address)),
        "{plain}"
    );
}

#[test]
fn plain_http_for_other_machines_says_that_it_is_plain() {
    let daemon = Daemon::start(&["--plain-http"]);
    assert!(
        daemon.first_words().contains("plain HTTP"),
        "{}",
        daemon.first_words()
    );
    assert_eq!(daemon.login()["signed_in"], false);
}
