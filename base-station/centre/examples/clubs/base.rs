//! A base station without tables: it says what it is told to, and sends it as a real one does.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use centre::{
    BATCH_MAX, Batch, Head, Joined, Joining, Outcome, Record, SIGNATURE_HEADER, Said, sign,
};
use ed25519_dalek::SigningKey;

/// A base that has joined.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) key: SigningKey,
    pub(crate) joined: Joined,
    /// Where the chain stood after every record; the first is before any.
    pub(crate) heads: Vec<Head>,
    pub(crate) texts: Vec<String>,
    /// So many records are known to have been taken.
    pub(crate) sent: usize,
}

/// What asks centres.
pub(crate) fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(20)))
        .http_status_as_error(false)
        .build()
        .into()
}

/// Asks to join; the answer of the centre, or why there is none.
pub(crate) fn join(
    agent: &ureq::Agent,
    centre: &str,
    code: &str,
    key: SigningKey,
) -> Result<Base, String> {
    let joining = Joining {
        code: code.to_owned(),
        key: URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes()),
        signature: sign(&key, code),
    };
    let answer = agent.post(format!("{centre}api/join")).send_json(&joining);
    let mut answer = answer.map_err(|fault| fault.to_string())?;
    let text = answer.body_mut().read_to_string();
    let text = text.map_err(|fault| fault.to_string())?;
    if !answer.status().is_success() {
        return Err(text);
    }
    let joined: Joined = serde_json::from_str(&text).map_err(|_| text)?;
    Ok(Base {
        heads: vec![joined.head],
        key,
        joined,
        texts: Vec::new(),
        sent: 0,
    })
}

impl Base {
    /// Writes a record down.
    pub(crate) fn say(&mut self, said: Said) {
        let n = u64::try_from(self.texts.len()).expect("small") + 1;
        let record = Record { n, at: n, said };
        let text = serde_json::to_string(&record).expect("a record is written");
        let head = self.heads.last().expect("a beginning").with(&text);
        self.heads.push(head);
        self.texts.push(text);
    }

    /// The records between two places as a request.
    pub(crate) fn batch(&self, from: usize, to: usize) -> Batch {
        Batch {
            base: self.joined.base,
            from: self.heads[from],
            to: self.heads[to],
            texts: self.texts[from..to].to_vec(),
        }
    }

    /// Sends what was not sent yet, and goes on where the centre says. `None` where nobody answers.
    pub(crate) fn push(&mut self, agent: &ureq::Agent, centre: &str) -> Option<Outcome> {
        loop {
            let to = self.texts.len().min(self.sent + BATCH_MAX);
            let outcome = send(agent, centre, &self.key, &self.batch(self.sent, to))?;
            let Outcome::Taken(head) = outcome else {
                return Some(outcome);
            };
            self.sent = usize::try_from(head.seq).expect("small");
            if self.sent >= self.texts.len() {
                return Some(outcome);
            }
        }
    }
}

/// Sends a request with records, signed with this key.
pub(crate) fn send(
    agent: &ureq::Agent,
    centre: &str,
    key: &SigningKey,
    batch: &Batch,
) -> Option<Outcome> {
    let body = batch.body();
    let asked = agent.post(format!("{centre}api/records"));
    let asked = asked.header(SIGNATURE_HEADER, sign(key, &body));
    let mut answer = asked.send(&body).ok()?;
    answer.body_mut().read_json().ok()
}
