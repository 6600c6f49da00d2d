//! Asks a centre over HTTP. Whatever goes wrong on the way is silence.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use ::centre::{Batch, Field, Joined, Joining, Outcome, SIGNATURE_HEADER, sign};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use serde::Deserialize;
use telling::{Told, tell};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A centre that takes longer does not answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// A way to a centre.
#[derive(Clone, Debug)]
pub(super) struct Client {
    agent: ureq::Agent,
    /// With a slash at its end.
    address: String,
}

/// What a centre says that refuses.
#[derive(Deserialize)]
struct Problem {
    problem: String,
}

impl Client {
    pub(super) fn of(address: &str) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        // The machine's own list of whom it trusts: a club may have a centre in its own network.
        let tls = TlsConfig::builder()
            .root_certs(trusted())
            .unversioned_rustls_crypto_provider(provider);
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .tls_config(tls.build())
            .build()
            .into();
        Self {
            agent,
            address: address.to_owned(),
        }
    }

    /// Joins with a code and a new key; answers with who this base is, or why not.
    pub(super) fn join(&self, code: &str, key: &SigningKey) -> Result<Joined, Told> {
        let joining = Joining {
            code: code.to_owned(),
            key: URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes()),
            signature: sign(key, code),
        };
        let silent = |why: &dyn std::fmt::Display| {
            tell!(Centre::NotJoined {
                why: why.to_string()
            })
        };
        let asked = self.agent.post(format!("{}api/join", self.address));
        let mut answer = asked.send_json(&joining).map_err(|it| silent(&it))?;
        if answer.status().is_success() {
            return answer.body_mut().read_json().map_err(|it| silent(&it));
        }
        let status = answer.status();
        let problem = answer.body_mut().read_json::<Problem>();
        Err(problem.map_or_else(|_| silent(&status), |it| silent(&it.problem)))
    }

    /// Sends records; why there was no answer where there was none.
    pub(super) fn send(&self, key: &SigningKey, batch: &Batch) -> Result<Outcome, String> {
        let body = batch.body();
        let asked = self.agent.post(format!("{}api/records", self.address));
        let asked = asked.header(SIGNATURE_HEADER, sign(key, &body));
        let answer = asked.send(&body);
        let mut answer = answer.map_err(|fault| fault.to_string())?;
        let status = answer.status();
        let outcome = answer.body_mut().read_json();
        outcome.map_err(|_| status.to_string())
    }

    /// How the club's pairs stand, if that is not what is known already.
    pub(super) fn field(&self, joined: &Joined, known: &str) -> Result<Option<Field>, String> {
        let asked = self.agent.get(format!("{}api/field", self.address));
        let answer = asked
            .query("base", joined.base.to_string())
            .query("after", known)
            .header("authorization", format!("Bearer {}", joined.token))
            .call();
        let mut answer = answer.map_err(|fault| fault.to_string())?;
        match answer.status().as_u16() {
            200 => {
                let field = answer.body_mut().read_json();
                field.map(Some).map_err(|fault| fault.to_string())
            }
            204 => Ok(None),
            _ => Err(answer.status().to_string()),
        }
    }
}

/// Whom the machine trusts; read once.
fn trusted() -> RootCerts {
    static ALL: LazyLock<Arc<Vec<Certificate<'static>>>> = LazyLock::new(|| {
        let known = rustls_native_certs::load_native_certs().certs;
        let known = known.iter().map(|it| Certificate::from_der(it).to_owned());
        Arc::new(known.collect())
    });
    RootCerts::Specific(Arc::clone(&ALL))
}

/// An address as a director types it, with a slash at its end; `None` where it is none.
pub(super) fn address(typed: &str) -> Option<String> {
    let typed = typed.trim().trim_end_matches('/');
    let uri: axum::http::Uri = typed.parse().ok()?;
    let fits = matches!(uri.scheme_str()?, "http" | "https") && uri.host().is_some();
    let plain = uri.path() == "/" && uri.query().is_none() && !typed.contains('@');
    (fits && plain).then(|| format!("{typed}/"))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_is_one_of_the_web_and_of_nothing_below_it() {
        for (typed, read) in [
            ("https://centre.example", Some("https://centre.example/")),
            (" http://127.0.0.1:7400/ ", Some("http://127.0.0.1:7400/")),
            ("centre.example", None),
            ("ftp://centre.example", None),
            ("https://me:secret@centre.example", None),
            ("https://centre.example/event/1", None),
            ("", None),
        ] {
            assert_eq!(address(typed).as_deref(), read, "{typed}");
        }
    }
}
