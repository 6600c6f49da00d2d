//! Asks a centre over HTTP. Whatever goes wrong on the way is silence.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::copy::CopyKeys;
use ::centre::{
    Batch, CopyHeading, CopyState, Field, Joined, Joining, Outcome, Restored, Restoring,
    SIGNATURE_HEADER, restoring, sign,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use serde::Deserialize;
use telling::{Told, tell};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A centre that takes longer does not answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// A piece may hold a file of deals, and nobody sends more at once.
const COPY_LEN_MAX: u64 = 64 * 1024 * 1024;

/// A way to a centre.
#[derive(Clone, Debug)]
pub(super) struct Client {
    agent: ureq::Agent,
    /// With a slash at its end.
    address: String,
}

/// What a centre says that refuses: a sentence, and which message of the catalogue it is.
#[derive(Deserialize)]
struct Problem {
    problem: String,
    #[serde(default)]
    message: String,
}

impl Problem {
    /// In words of every language, where it is one of those that we know.
    fn told(self) -> Told {
        match self.message.as_str() {
            "centre-code-unknown" => tell!(Centre::CodeUnknown),
            "centre-database-away" => tell!(Centre::DatabaseAway),
            "centre-event-final" => tell!(Centre::EventFinal),
            "centre-key-unfit" => tell!(Centre::KeyUnfit),
            "centre-no-copy" => tell!(Centre::NoCopy),
            _ => Told::as_written(self.problem),
        }
    }
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
        let asked = self.agent.post(format!("{}api/join", self.address));
        let answer = asked.send_json(&joining).map_err(|it| not_joined(&it))?;
        read(answer).map_err(|why| tell!(Centre::NotJoined { why }))
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

    /// Makes this base the club's, as whoever has the club's key may.
    pub(super) fn restore(
        &self,
        keys: &CopyKeys,
        own: &SigningKey,
        room: &str,
    ) -> Result<Restored, Told> {
        let key = URL_SAFE_NO_PAD.encode(own.verifying_key().as_bytes());
        let asking = Restoring {
            reader: keys.reader_name(),
            signature: sign(&keys.reader, &restoring(&key)),
            key,
            room: room.trim().to_owned(),
        };
        let asked = self.agent.post(format!("{}api/restore", self.address));
        let answer = asked.send_json(&asking);
        let answer = answer.map_err(|fault| not_restored(&fault))?;
        read(answer).map_err(|why| tell!(Centre::NotRestored { why }))
    }

    /// Pieces of the club's copy from this one on, a line each.
    pub(super) fn copy_from(&self, joined: &Joined, from: i32) -> Result<String, Told> {
        let asked = self.agent.get(format!("{}api/copy", self.address));
        let asked = asked.query("base", joined.base.to_string());
        let asked = asked.query("from", from.to_string());
        let asked = asked.header("authorization", format!("Bearer {}", joined.token));
        let mut answer = asked.call().map_err(|fault| not_restored(&fault))?;
        let status = answer.status();
        if !status.is_success() {
            return Err(not_restored(&status));
        }
        let body = answer.body_mut().with_config().limit(COPY_LEN_MAX);
        body.read_to_string().map_err(|fault| not_restored(&fault))
    }

    /// How far the club's copy is.
    pub(super) fn copy_state(&self, joined: &Joined) -> Result<Option<CopyState>, String> {
        let asked = self.agent.get(format!("{}api/copy/state", self.address));
        let asked = asked.query("base", joined.base.to_string());
        let asked = asked.header("authorization", format!("Bearer {}", joined.token));
        let mut answer = asked.call().map_err(|fault| fault.to_string())?;
        if !answer.status().is_success() {
            return Err(answer.status().to_string());
        }
        let state = answer.body_mut().read_json();
        state.map_err(|fault| fault.to_string())
    }

    /// Has a piece kept behind the others; the copy as it is then, and whether the piece is in it.
    pub(super) fn keep_copy(
        &self,
        key: &SigningKey,
        heading: &CopyHeading,
        sealed: &str,
    ) -> Result<(Option<CopyState>, bool), String> {
        let heading = serde_json::to_string(heading).unwrap_or_default();
        let body = format!("{heading}\n{sealed}");
        let asked = self.agent.post(format!("{}api/copy", self.address));
        let asked = asked.header(SIGNATURE_HEADER, sign(key, &body));
        let mut answer = asked.send(&body).map_err(|fault| fault.to_string())?;
        let kept = match answer.status().as_u16() {
            200 => true,
            409 => false,
            _ => return Err(answer.status().to_string()),
        };
        let state = answer.body_mut().read_json();
        Ok((state.map_err(|fault| fault.to_string())?, kept))
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

fn not_restored(why: &impl std::fmt::Display) -> Told {
    let why = Told::as_written(why.to_string());
    tell!(Centre::NotRestored { why })
}

fn not_joined(why: &impl std::fmt::Display) -> Told {
    let why = Told::as_written(why.to_string());
    tell!(Centre::NotJoined { why })
}

/// What the centre gives, or why it refuses.
fn read<T: serde::de::DeserializeOwned>(
    mut answer: axum::http::Response<ureq::Body>,
) -> Result<T, Told> {
    let status = answer.status();
    let written = |why: &dyn std::fmt::Display| Told::as_written(why.to_string());
    if status.is_success() {
        return answer.body_mut().read_json().map_err(|it| written(&it));
    }
    let problem = answer.body_mut().read_json::<Problem>();
    Err(problem.map_or_else(|_| written(&status), Problem::told))
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
