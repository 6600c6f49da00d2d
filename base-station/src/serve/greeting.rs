//! What is said in the window where the base station was started.

use std::io::Write;
use std::net::SocketAddr;

/// What the director must know of the way to the page before the address.
pub(super) fn tell_of_tls(
    address: SocketAddr,
    fingerprint: Option<&str>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    match fingerprint {
        Some(fingerprint) => writeln!(
            out,
            "The page is encrypted with the club's own certificate, which browsers do not know. \
             Its SHA-256 fingerprint is\n{fingerprint}"
        ),
        None if address.ip().is_loopback() => Ok(()),
        None => writeln!(
            out,
            "Other machines get in with the director's password, and whoever is in the same network \
             can read along: the page is plain HTTP. Start with --tls to encrypt it."
        ),
    }
}

/// How phones get here, for somebody who stands in front of this laptop with one.
pub(super) fn tell_of_phones(
    listening: SocketAddr,
    page: Option<&str>,
    tls: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    use qrcode::render::unicode::Dense1x2;
    if listening.ip().is_loopback() {
        return Ok(());
    }
    let Some(page) = page else {
        return writeln!(
            out,
            "Phones can't find this laptop: it is in no network. Join the club's Wi-Fi or open the \
             laptop's own hotspot, then start again."
        );
    };
    let address = format!("{page}/phone");
    writeln!(
        out,
        "Phones and tablets in the same Wi-Fi are pads, too, without a password. They open \
         {address} with the code of their table, which the director's page shows under Phones as \
         pads.{}",
        if tls {
            " Each one warns once that it does not know the club's certificate: Advanced, then go on."
        } else {
            ""
        }
    )?;
    match qrcode::QrCode::new(&address) {
        Ok(code) => writeln!(out, "{}", code.render::<Dense1x2>().build()),
        Err(_) => Ok(()),
    }
}
