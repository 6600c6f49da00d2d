//! The club's own certificate: made at first use, kept in the data folder, known by its fingerprint.
//!
//! No authority vouches for a laptop in a club's Wi-Fi, so the certificate signs itself, and whoever
//! wants to be sure compares the fingerprint with the one on the director's screen.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair, SanType};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};
use tokio_rustls::TlsAcceptor;

/// The certificate's file in the data folder.
pub const CERTIFICATE_FILE: &str = "tls-certificate.pem";

/// The private key's.
pub const KEY_FILE: &str = "tls-key.pem";

/// Stands above the certificate, before its fingerprint: so that one that a disk has changed is not
/// shown to phones as if it were the club's.
const NOTED: &str = "SHA-256 fingerprint ";

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read or made.
    #[error("{path} can't be read or made ({what}): check the data folder")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        what: String,
    },
    /// It can't be used.
    #[error(
        "the club's certificate {path} can't be used ({what}): move it and {KEY_FILE} away, and a new one is made at the next start"
    )]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        what: String,
    },
}

/// The club's certificate, ready to be used.
#[derive(Clone)]
pub struct ClubCertificate {
    /// Talks to browsers.
    pub acceptor: TlsAcceptor,
    /// SHA-256, as browsers show it: pairs of digits with colons between them.
    pub fingerprint: String,
}

impl std::fmt::Debug for ClubCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ClubCertificate {}", self.fingerprint)
    }
}

/// Reads the certificate in the data folder, or makes it. `address` is the laptop's in the local
/// network.
pub fn club_certificate(
    folder: &Path,
    address: Option<IpAddr>,
) -> Result<ClubCertificate, TlsError> {
    let (certificate_file, key_file) = (folder.join(CERTIFICATE_FILE), folder.join(KEY_FILE));
    if !certificate_file.exists() && !key_file.exists() {
        make(&certificate_file, &key_file, address)?;
    }
    let unusable = |path: &Path, what: &dyn std::fmt::Display| TlsError::Unusable {
        path: path.to_owned(),
        what: what.to_string(),
    };
    let certificate = CertificateDer::from_pem_file(&certificate_file)
        .map_err(|fault| unusable(&certificate_file, &fault))?;
    let key =
        PrivateKeyDer::from_pem_file(&key_file).map_err(|fault| unusable(&key_file, &fault))?;
    let fingerprint = fingerprint(&certificate);
    let text = fs::read_to_string(&certificate_file).unwrap_or_default();
    let noted = text.lines().find_map(|line| line.strip_prefix(NOTED));
    if noted.is_some_and(|noted| noted != fingerprint) {
        return Err(unusable(&certificate_file, &"it is not what was written"));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|config| {
            config
                .with_no_client_auth()
                .with_single_cert(vec![certificate], key)
        })
        .map_err(|fault| unusable(&certificate_file, &fault))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(ClubCertificate {
        acceptor: TlsAcceptor::from(Arc::new(config)),
        fingerprint,
    })
}

/// SHA-256 of the certificate, as browsers show it.
pub fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let digest = Sha256::digest(certificate);
    let pairs: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(":")
}

fn make(certificate: &Path, key: &Path, address: Option<IpAddr>) -> Result<(), TlsError> {
    let unusable = |what: rcgen::Error| TlsError::Unusable {
        path: certificate.to_owned(),
        what: what.to_string(),
    };
    let names = vec!["localhost".to_owned(), "byestand.local".to_owned()];
    let mut params = CertificateParams::new(names).map_err(unusable)?;
    let here = [
        IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST),
    ];
    let addresses = here.into_iter().chain(address).map(SanType::IpAddress);
    params.subject_alt_names.extend(addresses);
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, "Byestand of this club");
    params.distinguished_name = name;
    // It is known by its fingerprint, which must not change while the club goes on: no end in sight.
    params.not_before = rcgen::date_time_ymd(2026, 1, 1);
    params.not_after = rcgen::date_time_ymd(2066, 1, 1);
    let pair = KeyPair::generate().map_err(unusable)?;
    let made = params.self_signed(&pair).map_err(unusable)?;
    let noted = format!("{NOTED}{}\n{}", fingerprint(made.der()), made.pem());
    for (path, text) in [(key, pair.serialize_pem()), (certificate, noted)] {
        write_new(path, &text).map_err(|fault| TlsError::File {
            path: path.to_owned(),
            what: fault.to_string(),
        })?;
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_made_at_first_use_and_keeps_its_fingerprint() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = club_certificate(folder.path(), None).expect("made");
        let again = club_certificate(folder.path(), None).expect("read");
        assert_eq!(made.fingerprint, again.fingerprint);
        assert_eq!(made.fingerprint.len(), 32 * 3 - 1, "{}", made.fingerprint);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for file in [CERTIFICATE_FILE, KEY_FILE] {
                let found = fs::metadata(folder.path().join(file)).expect("there");
                assert_eq!(found.permissions().mode() & 0o777, 0o600, "{file}");
            }
        }
        fs::write(folder.path().join(CERTIFICATE_FILE), "nonsense").expect("written");
        let refused = club_certificate(folder.path(), None).expect_err("no certificate");
        assert!(refused.to_string().contains("move it"), "{refused}");
    }
}
