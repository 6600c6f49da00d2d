//! How often one address may ask, and how often it may try a password.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::web::Problem;

/// Tries of a password at once, and one more every ten seconds. Enough for shaky fingers, and
/// thousands of years for a machine.
const PASSWORD_TRIES: NonZeroU32 = NonZeroU32::new(6).expect("six is not zero");

/// Requests a second from one address. A page that loads needs about thirty; a room full of
/// phones behind one router gets by.
const REQUESTS_A_SECOND: NonZeroU32 = NonZeroU32::new(200).expect("200 is not zero");

/// Requests at once.
const REQUESTS_BURST: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

/// The limits, by address.
#[derive(Debug)]
pub struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    passwords: DefaultKeyedRateLimiter<IpAddr>,
}

impl Default for Limits {
    fn default() -> Self {
        let requests = Quota::per_second(REQUESTS_A_SECOND).allow_burst(REQUESTS_BURST);
        let passwords = Quota::per_minute(PASSWORD_TRIES).allow_burst(PASSWORD_TRIES);
        Self {
            requests: RateLimiter::keyed(requests),
            passwords: RateLimiter::keyed(passwords),
        }
    }
}

impl Limits {
    /// One more request.
    pub fn request(&self, from: IpAddr) -> Result<(), Problem> {
        self.requests
            .check_key(&from)
            .map_err(|_| Problem::too_many())
    }

    /// One more try of a password.
    pub fn password(&self, from: IpAddr) -> Result<(), Problem> {
        self.passwords
            .check_key(&from)
            .map_err(|_| Problem::too_many())
    }
}
