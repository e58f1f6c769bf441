//! A rate limiter with one count per key, in bounded memory.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Clock;
use crate::config::RateLimit;
use net::client_addr::LimitKey;

/// Maximum number of clients that are counted separately: some 10 MB.
pub(super) const MAX_CLIENTS: usize = 100_000;

/// Number of shared counts once there are more keys than that.
const SHARED_BUCKETS: u64 = 1024;

/// Number of calls between two checks of the number of keys.
const PRUNE_EVERY: usize = 1024;

/// Counts calls by key against a rate limit.
pub(super) struct KeyedLimiter {
    limiter: Option<Limiter>,
    max_keys: usize,
    over_capacity: AtomicBool,
    calls: AtomicUsize,
    hasher: RandomState,
}

type Limiter = RateLimiter<Key, DashMapStateStore<Key>, Ticking, NoOpMiddleware<Nanos>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    One(LimitKey),
    /// One of [`SHARED_BUCKETS`] shared counts.
    Many(u64),
}

/// Adapts [`Clock::monotonic`] to governor.
#[derive(Clone)]
struct Ticking(Clock);

impl governor::clock::Clock for Ticking {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.monotonic().into()
    }
}

impl KeyedLimiter {
    pub(super) fn new(RateLimit(rate): RateLimit, max_keys: usize, clock: Clock) -> Self {
        // This is `None` only for an interval of zero, which no rate has.
        let quota =
            rate.and_then(|it| Some(Quota::with_period(it.interval)?.allow_burst(it.burst)));
        Self {
            limiter: quota.map(|quota| RateLimiter::dashmap_with_clock(quota, Ticking(clock))),
            max_keys,
            over_capacity: AtomicBool::new(false),
            calls: AtomicUsize::new(0),
            hasher: RandomState::new(),
        }
    }

    /// Counts one call, or returns the time after which it would be counted.
    pub(super) fn count(&self, key: LimitKey) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        if self
            .calls
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(PRUNE_EVERY)
        {
            self.prune(limiter);
        }
        let checked = limiter.check_key(&self.key(key));
        checked.map_err(|early| early.wait_time_from(limiter.clock().now()))
    }

    fn key(&self, key: LimitKey) -> Key {
        match self.over_capacity.load(Ordering::Relaxed) {
            false => Key::One(key),
            true => Key::Many(self.hasher.hash_one(key) % SHARED_BUCKETS),
        }
    }

    /// Drops keys that have their full allowance again, and shares counts if too many are left.
    fn prune(&self, limiter: &Limiter) {
        if limiter.len() > self.max_keys {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        let over_capacity = limiter.len() > self.max_keys;
        self.over_capacity.store(over_capacity, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use net::client_addr::ClientAddr;

    fn limiter(rate: &str) -> (KeyedLimiter, Clock) {
        let clock = Clock::manual();
        (
            KeyedLimiter::new(rate.parse().expect("a rate"), MAX_CLIENTS, clock.clone()),
            clock,
        )
    }

    fn key(number: u32) -> LimitKey {
        LimitKey::ClientAddr(ClientAddr::new(Ipv4Addr::from_bits(number).into()))
    }

    #[test]
    fn a_burst_is_allowed_then_one_per_interval() {
        let (limiter, clock) = limiter("1/second:3");
        for _ in 0..3 {
            assert_eq!(limiter.count(key(1)), Ok(()));
        }
        let wait = limiter.count(key(1)).expect_err("too often");
        assert!(
            wait <= Duration::from_secs(1) && !wait.is_zero(),
            "{wait:?}"
        );
        assert_eq!(limiter.count(key(2)), Ok(()), "another client");
        clock.advance(1000);
        assert_eq!(limiter.count(key(1)), Ok(()));
        assert!(limiter.count(key(1)).is_err());
    }

    #[test]
    fn a_limiter_of_many_keys_is_bounded_in_memory() {
        let (mut limiter, clock) = limiter("1/second:1");
        limiter.max_keys = 2000;
        let counted = |limiter: &KeyedLimiter| limiter.limiter.as_ref().map_or(0, Limiter::len);
        for number in 0..20_000 {
            let _ = limiter.count(key(number));
        }
        let most = limiter.max_keys + PRUNE_EVERY + 1024;
        assert!(counted(&limiter) <= most, "{}", counted(&limiter));
        clock.advance(10_000);
        for _ in 0..PRUNE_EVERY {
            let _ = limiter.count(key(1));
        }
        assert!(counted(&limiter) <= 2, "{}", counted(&limiter));
        assert_eq!(limiter.count(key(2)), Ok(()));
    }

    #[test]
    fn clients_share_counts_only_beyond_the_maximum() {
        let (mut limiter, _) = limiter("1/hour:1");
        limiter.max_keys = 3;
        let shares = |limiter: &KeyedLimiter| {
            limiter.prune(limiter.limiter.as_ref().expect("a limit"));
            matches!(limiter.key(key(9)), Key::Many(_))
        };
        for (number, want) in [(1, false), (2, false), (3, false), (4, true)] {
            let _ = limiter.count(key(number));
            assert_eq!(shares(&limiter), want, "{number} clients");
        }
    }

    #[test]
    fn a_limiter_that_is_off_refuses_nothing() {
        let (limiter, _) = limiter("off");
        assert!((0..10_000).all(|_| limiter.count(key(1)).is_ok()));
    }
}
