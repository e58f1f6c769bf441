//! Receive windows of HTTP/2 connections: how much of request bodies they may buffer before a handler reads it.
//!
//! A window bounds how fast an upload is, so much for each round trip, and what a client can make the server hold.
//! Large windows for every connection that may be open would be gigabytes. So connections have large ones while a
//! budget lasts, and beyond it the least that HTTP/2 knows. All of them together buffer no more than the budget,
//! and 64 KiB for each connection.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::caller::{Caller, Proxies};

/// What a large connection may buffer, in bytes: of one body, and of all together.
const LARGE_STREAM: u32 = 512 << 10;
const LARGE_CONNECTION: u32 = 1 << 20;

/// What every connection may buffer: RFC 9113, section 6.9.2 lets its own window only grow.
const LEAST: u32 = 65_535;

/// The part of the budget that one address may have: so it takes sixteen to leave nothing for others.
const SHARE: usize = 16;

/// What large windows may buffer, all together. Cheap to clone.
#[derive(Clone)]
pub(super) struct WindowBudget {
    most: usize,
    proxies: Proxies,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by_address: HashMap<Caller, usize>,
}

/// The windows of one connection. Held for as long as it lives.
pub(super) struct Windows {
    /// Of each stream, in bytes.
    pub(super) stream: u32,
    /// Of the connection.
    pub(super) connection: u32,
    _reservation: Option<Reservation>,
}

struct Reservation {
    budget: WindowBudget,
    caller: Caller,
}

impl WindowBudget {
    /// So many bytes. Addresses of proxies, behind which all clients may be, have no share.
    pub(super) fn new(bytes: u64, proxies: Proxies) -> Self {
        let most = bytes / u64::from(LARGE_CONNECTION);
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            proxies,
            taken: Arc::default(),
        }
    }

    /// The windows of a connection from there.
    pub(super) fn open(&self, peer: IpAddr) -> Windows {
        match self.reserve(peer) {
            Some(reservation) => Windows {
                stream: LARGE_STREAM,
                connection: LARGE_CONNECTION,
                _reservation: Some(reservation),
            },
            None => Windows {
                stream: LEAST,
                connection: LEAST,
                _reservation: None,
            },
        }
    }

    fn reserve(&self, peer: IpAddr) -> Option<Reservation> {
        let share = match self.proxies.trusts(peer) {
            true => self.most,
            false => self.most.div_ceil(SHARE),
        };
        let caller = Caller::new(peer);
        let mut taken = self.lock();
        let own = taken.by_address.get(&caller).copied().unwrap_or(0);
        if taken.all >= self.most || own >= share {
            return None;
        }
        taken.all += 1;
        *taken.by_address.entry(caller).or_insert(0) += 1;
        Some(Reservation {
            budget: self.clone(),
            caller,
        })
    }

    /// Counts are as good after a panic as before.
    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut taken = self.budget.lock();
        taken.all -= 1;
        if let Entry::Occupied(mut own) = taken.by_address.entry(self.caller) {
            *own.get_mut() -= 1;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UNIT: u64 = LARGE_CONNECTION as u64;

    fn address(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    fn no_proxies() -> Proxies {
        Proxies {
            trusted: Vec::new(),
            hops: 1,
        }
    }

    fn is_large(windows: &Windows) -> bool {
        windows.connection == LARGE_CONNECTION
    }

    #[test]
    fn one_address_has_its_share_and_gets_it_back() {
        let budget = WindowBudget::new(32 * UNIT, no_proxies());
        let mut held: Vec<_> = (0..3).map(|_| budget.open(address(1))).collect();
        let large: Vec<_> = held.iter().map(is_large).collect();
        assert_eq!(large, [true, true, false]);
        assert!(is_large(&budget.open(address(2))));
        held.clear();
        assert!(is_large(&budget.open(address(1))));
        assert!(budget.lock().by_address.is_empty());
    }

    #[test]
    fn a_proxy_may_have_the_whole_budget_and_no_more() {
        let trusted = vec!["192.0.2.0/24".parse().expect("a network")];
        let budget = WindowBudget::new(3 * UNIT, Proxies { trusted, hops: 1 });
        let held: Vec<_> = (0..4).map(|_| budget.open(address(1))).collect();
        let large: Vec<_> = held.iter().map(is_large).collect();
        assert_eq!(large, [true, true, true, false]);
    }

    proptest! {
        /// Whatever connections open and close, large windows never exceed the budget.
        #[test]
        fn large_windows_stay_within_the_budget(
            megabytes in 0..40_u64,
            steps in prop::collection::vec((any::<bool>(), 0..20_u8), 0..200),
        ) {
            let budget = WindowBudget::new(megabytes * UNIT, no_proxies());
            let mut held: Vec<Windows> = Vec::new();
            for (comes, who) in steps {
                if comes {
                    held.push(budget.open(address(who)));
                } else if !held.is_empty() {
                    held.swap_remove(usize::from(who) % held.len());
                }
                let large = held.iter().filter(|it| is_large(it)).count();
                prop_assert!(large as u64 <= megabytes);
                prop_assert_eq!(large, budget.lock().all);
                prop_assert!(held.iter().all(|it| it.stream <= it.connection));
            }
        }
    }
}
