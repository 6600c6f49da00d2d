//! How often one address may ask, and how often it may try a password.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::web::Problem;

/// Tries of a password at once, and one more every ten seconds. Enough for shaky fingers, and
/// thousands of years for a machine.
const PASSWORD_TRIES: NonZeroU32 = NonZeroU32::new(6).expect("six is not zero");

/// Requests a second from one address. A page that loads needs about thirty; a room full of
/// phones behind one router gets by.
const REQUESTS_A_SECOND: NonZeroU32 = NonZeroU32::new(200).expect("200 is not zero");

/// Requests at once.
const REQUESTS_BURST: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

/// Addresses that are remembered. When there are so many, whoever has not come for a minute is
/// forgotten; where more than these come within that minute, the rest of them share one allowance.
const ADDRESSES_MAX: usize = 4_096;

/// The limits, by address.
#[derive(Debug)]
pub struct Limits {
    requests: Limit,
    passwords: Limit,
}

impl Default for Limits {
    fn default() -> Self {
        let requests = Quota::per_second(REQUESTS_A_SECOND).allow_burst(REQUESTS_BURST);
        let passwords = Quota::per_minute(PASSWORD_TRIES).allow_burst(PASSWORD_TRIES);
        Self {
            requests: Limit::new(requests),
            passwords: Limit::new(passwords),
        }
    }
}

impl Limits {
    /// One more request.
    pub fn request(&self, from: IpAddr) -> Result<(), Problem> {
        self.requests.one_more(from)
    }

    /// One more try of a password.
    pub fn password(&self, from: IpAddr) -> Result<(), Problem> {
        self.passwords.one_more(from)
    }

    /// How many addresses are remembered.
    pub fn remembered(&self) -> usize {
        self.requests.by_address.len() + self.passwords.by_address.len()
    }
}

/// One limit, with a bounded memory.
#[derive(Debug)]
struct Limit {
    by_address: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>,
    rest: DefaultDirectRateLimiter,
    /// Going through all addresses takes a moment: once a second is enough.
    forgetting: DefaultDirectRateLimiter,
}

impl Limit {
    fn new(quota: Quota) -> Self {
        Self {
            by_address: RateLimiter::hashmap(quota),
            rest: RateLimiter::direct(quota),
            forgetting: RateLimiter::direct(Quota::per_second(NonZeroU32::MIN)),
        }
    }

    fn one_more(&self, from: IpAddr) -> Result<(), Problem> {
        let from = from.to_canonical();
        if self.by_address.len() >= ADDRESSES_MAX && self.forgetting.check().is_ok() {
            self.by_address.retain_recent();
            self.by_address.shrink_to_fit();
        }
        // The laptop is never one of the rest.
        let taken = if self.by_address.len() < ADDRESSES_MAX || from.is_loopback() {
            self.by_address.check_key(&from).is_ok()
        } else {
            self.rest.check().is_ok()
        };
        if taken {
            Ok(())
        } else {
            Err(Problem::too_many())
        }
    }
}
