//! What a country allows on the air: data with its source, not code.

use std::ops::Deref;
use std::str::FromStr;
use std::sync::LazyLock;

use protocol::modem::{Power, RadioChannel};
use serde::Deserialize;

const COUNTRIES: &str = include_str!("../../assets/radio/countries.json");

/// Every country that we know of.
static LAWS: LazyLock<Vec<Rules>> =
    LazyLock::new(|| serde_json::from_str(COUNTRIES).unwrap_or_default());

/// The law of a country.
#[derive(Clone, Copy, Debug)]
pub struct Law(&'static Rules);

impl Deref for Law {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        self.0
    }
}

/// What one country, or several that have agreed, allow without a licence.
#[derive(Debug, Deserialize)]
pub struct Rules {
    /// How people call them.
    pub name: String,
    /// Two letters each.
    codes: Vec<String>,
    from_khz: u32,
    to_khz: u32,
    /// The most power.
    dbm: i8,
    /// Thousandths of an hour that a transmitter may be on the air; nothing is no limit.
    pub share_permille: Option<u16>,
    /// Where that stands.
    pub source: String,
}

/// How far a channel reaches to both sides of its middle.
const HALF_CHANNEL_KHZ: u32 = 150;

impl Rules {
    /// Whether a channel lies in the band.
    pub fn allows(&self, channel: RadioChannel) -> bool {
        let (low, high) = (
            channel.khz() - HALF_CHANNEL_KHZ,
            channel.khz() + HALF_CHANNEL_KHZ,
        );
        self.from_khz <= low && high <= self.to_khz
    }

    /// Its two letters; of several countries the first one's.
    pub fn code(&self) -> &str {
        self.codes.first().map_or("", String::as_str)
    }

    /// The channels that lie in the band.
    pub fn channels(&self) -> Vec<RadioChannel> {
        let all = (1..=100).filter_map(RadioChannel::new);
        all.filter(|channel| self.allows(*channel)).collect()
    }

    /// The strongest setting of a modem that stays within the limit.
    pub fn power(&self) -> Power {
        Power::within(self.dbm)
    }
}

impl FromStr for Law {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        let wanted = code.trim().to_uppercase();
        let found = LAWS.iter().find(|law| law.codes.contains(&wanted));
        found.map(Self).ok_or_else(|| {
            let codes = LAWS.iter().flat_map(|law| law.codes.iter().cloned());
            let codes: Vec<String> = codes.collect();
            format!(
                "nothing is known of that country's law: expected one of {}",
                codes.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_channels_four_are_legal_in_europe_and_none_in_the_united_states() {
        let germany: Law = "de".parse().expect("known");
        let channels: Vec<u8> = germany
            .channels()
            .into_iter()
            .map(RadioChannel::get)
            .collect();
        assert_eq!(channels, [1, 2, 3, 4]);
        assert_eq!(
            germany.power().dbm(),
            8,
            "10 mW are 10 dBm, and 11 would be more"
        );
        assert_eq!(germany.share_permille, Some(100));
        let states: Law = "US".parse().expect("known");
        assert_eq!(states.channels(), []);
    }

    #[test]
    fn a_country_that_nobody_looked_up_is_not_guessed() {
        let fault = "XX".parse::<Law>().expect_err("unknown");
        assert!(fault.contains("expected one of AT, BE"), "{fault}");
    }

    #[test]
    fn every_law_names_its_source_and_no_country_twice() {
        let all = &*LAWS;
        assert!(all.len() >= 3 && all.iter().all(|law| law.source.len() > 20));
        let mut codes: Vec<&String> = all.iter().flat_map(|law| &law.codes).collect();
        let number = codes.len();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), number);
    }
}
