//! How often one address may ask, and how often it may try a password.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::web::Problem;

/// Tries of a password at once, and one more every ten seconds. Enough for shaky fingers, and
/// thousands of years for a machine.
const PASSWORD_TRIES: NonZeroU32 = NonZeroU32::new(6).expect("six is not zero");

/// Requests a second from one address. A page that loads needs about thirty; a room full of
/// phones behind one router gets by.
const REQUESTS_A_SECOND: NonZeroU32 = NonZeroU32::new(200).expect("200 is not zero");

/// Requests at once.
const REQUESTS_BURST: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

type Keyed<C> = RateLimiter<IpAddr, DefaultKeyedStateStore<IpAddr>, C>;

/// The limits, by address.
#[derive(Debug)]
pub struct Limits<C: Clock = DefaultClock> {
    requests: Keyed<C>,
    passwords: Keyed<C>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::with_clock(DefaultClock::default())
    }
}

impl<C: Clock + Clone> Limits<C> {
    /// With a clock of the test's own.
    pub fn with_clock(clock: C) -> Self {
        let requests = Quota::per_second(REQUESTS_A_SECOND).allow_burst(REQUESTS_BURST);
        let passwords = Quota::per_minute(PASSWORD_TRIES).allow_burst(PASSWORD_TRIES);
        Self {
            requests: RateLimiter::new(
                requests,
                DefaultKeyedStateStore::default(),
                clock.clone(),
            ),
            passwords: RateLimiter::new(passwords, DefaultKeyedStateStore::default(), clock),
        }
    }

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
