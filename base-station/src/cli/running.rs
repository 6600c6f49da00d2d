//! The base station that runs with a data folder, asked from the command line.

use std::path::Path;
use std::time::Duration;

use super::CliError;
use crate::daemon::{Made, SIDE_DOOR_FILE, SideDoor, TakenIn, ToTake, Wish};
use crate::exchange::Format;

/// A large evening is made into a file in less than a second.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running base station.
pub(super) struct Running {
    door: SideDoor,
    agent: ureq::Agent,
}

impl Running {
    /// The base station of this folder, if one runs. A sign that one left behind when it was
    /// killed leads nowhere.
    pub(super) fn find(data: &Path) -> Option<Self> {
        let sign = std::fs::read(data.join(SIDE_DOOR_FILE)).ok()?;
        let door: SideDoor = serde_json::from_slice(&sign).ok()?;
        let there = std::net::TcpStream::connect_timeout(&door.address, Duration::from_secs(2));
        there.ok()?;
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build()
            .into();
        Some(Self { door, agent })
    }

    pub(super) fn export(&self, format: Format, wish: &Wish) -> Result<Made, CliError> {
        let address = format!("http://{}/export/{}", self.door.address, format.name());
        let mut asked = self
            .agent
            .get(address)
            .header("authorization", format!("Bearer {}", self.door.secret))
            .query("club", &wish.club)
            .query("club_number", &wish.club_number);
        asked = asked
            .query("paper", wish.paper.size())
            .query("sheet", &wish.sheet);
        if let Some(session) = wish.session {
            asked = asked.query("session", session.to_string());
        }
        if let Some(language) = wish.language {
            asked = asked.query("language", language.code());
        }
        read(asked.call())
    }

    pub(super) fn import(&self, taken: &ToTake) -> Result<TakenIn, CliError> {
        let asked = self
            .agent
            .post(format!("http://{}/import", self.door.address))
            .header("authorization", format!("Bearer {}", self.door.secret));
        read(asked.send_json(taken))
    }
}

fn read<T: serde::de::DeserializeOwned>(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<T, CliError> {
    let broken = |fault: ureq::Error| {
        CliError::Fault(format!(
            "the base station that runs here did not answer: {fault}"
        ))
    };
    let mut answer = answer.map_err(broken)?;
    let status = answer.status();
    let body = answer
        .body_mut()
        .with_config()
        .limit(256 * 1024 * 1024)
        .read_to_string()
        .map_err(broken)?;
    if status.is_success() {
        return serde_json::from_str(&body).map_err(|fault| CliError::Fault(fault.to_string()));
    }
    Err(CliError::input(body))
}
