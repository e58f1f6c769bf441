//! HTTP/2 receive windows: how many bytes of request bodies a connection buffers before they are read.
//!
//! A window bounds the speed of an upload, as so many bytes per round trip, and the memory that a client can make the
//! server hold. Large windows for every connection that may be open would be gigabytes. So connections have large
//! windows while a budget lasts, and HTTP/2's minimum beyond it. All of them together buffer at most the budget plus 64
//! KiB for each connection. By hand, because hyper's windows are fixed (1 MiB, so 16 GiB for 16,384 connections) or
//! adapt to the round trip time of each connection by itself.

use std::net::IpAddr;

use crate::client_addr::{ClientAddr, TrustedProxies};
use crate::shares::{SharePermit, Shares};

/// Large receive windows in bytes: of one stream, and of the connection.
const LARGE_STREAM: u32 = 512 << 10;
const LARGE_CONNECTION: u32 = 1 << 20;

/// Minimum window in bytes: RFC 9113, section 6.9.2 only lets the connection's window grow.
const MIN_WINDOW: u32 = 65_535;

/// Divisor of the budget for one address: sixteen addresses are needed to use it up.
const SHARE: usize = 16;

/// Budget of all large windows together. Cheap to clone.
#[derive(Clone)]
pub(crate) struct WindowBudget {
    most: usize,
    proxies: TrustedProxies,
    shares: Shares,
}

/// Receive windows of one connection, held for as long as it lives.
pub(crate) struct Windows {
    /// Window of each stream, in bytes.
    pub(crate) stream: u32,
    /// Window of the connection, in bytes.
    pub(crate) connection: u32,
    _share: Option<SharePermit>,
}

impl WindowBudget {
    /// A budget of so many bytes.
    /// The addresses of proxies, which may carry all clients, have no limit of their own.
    pub(crate) fn new(bytes: u64, proxies: TrustedProxies) -> Self {
        let most = bytes / u64::from(LARGE_CONNECTION);
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            proxies,
            shares: Shares::default(),
        }
    }

    /// Chooses the windows of a connection from this address.
    pub(crate) fn open(&self, peer: IpAddr) -> Windows {
        let share = self.share(peer);
        let (stream, connection) = match share {
            Some(_) => (LARGE_STREAM, LARGE_CONNECTION),
            None => (MIN_WINDOW, MIN_WINDOW),
        };
        Windows {
            stream,
            connection,
            _share: share,
        }
    }

    fn share(&self, peer: IpAddr) -> Option<SharePermit> {
        if self.proxies.trusts(peer) {
            return self.shares.acquire(self.most, []);
        }
        let of_one = self.most.div_ceil(SHARE);
        let keys = ClientAddr::new(peer).keys();
        let bounds = keys.map(|(key, multiple)| (key, of_one * multiple as usize));
        self.shares.acquire(self.most, bounds)
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

    fn no_proxies() -> TrustedProxies {
        TrustedProxies {
            trusted: Vec::new(),
            hops: 1,
        }
    }

    fn is_large(windows: &Windows) -> bool {
        windows.connection == LARGE_CONNECTION
    }

    #[test]
    fn an_address_is_limited_to_its_share_until_it_releases_some() {
        let budget = WindowBudget::new(32 * UNIT, no_proxies());
        let mut held: Vec<_> = (0..3).map(|_| budget.open(address(1))).collect();
        let large: Vec<_> = held.iter().map(is_large).collect();
        assert_eq!(large, [true, true, false]);
        assert!(is_large(&budget.open(address(2))));
        held.clear();
        assert!(is_large(&budget.open(address(1))));
    }

    #[test]
    fn the_networks_of_one_site_have_a_multiple_of_that_share() {
        let budget = WindowBudget::new(16 * UNIT, no_proxies());
        let open = |network| budget.open(format!("2001:db8:0:{network}::1").parse().expect("it"));
        let held: Vec<_> = (0..5).map(open).collect();
        let large: Vec<_> = held.iter().map(is_large).collect();
        assert_eq!(large, [true, true, true, true, false]);
    }

    #[test]
    fn a_trusted_proxy_is_limited_only_by_the_budget() {
        let trusted = vec!["192.0.2.0/24".parse().expect("a network")];
        let budget = WindowBudget::new(3 * UNIT, TrustedProxies { trusted, hops: 1 });
        let held: Vec<_> = (0..4).map(|_| budget.open(address(1))).collect();
        let large: Vec<_> = held.iter().map(is_large).collect();
        assert_eq!(large, [true, true, true, false]);
    }

    proptest! {
        /// Large windows never exceed the budget, whatever connections open and close.
        #[test]
        fn large_windows_stay_within_the_budget(
            megabytes in 0..40_u64,
            steps in prop::collection::vec((any::<bool>(), 0..20_u8), 0..200),
        ) {
            let budget = WindowBudget::new(megabytes * UNIT, no_proxies());
            let mut held: Vec<Windows> = Vec::new();
            for (is_new, client) in steps {
                if is_new {
                    held.push(budget.open(address(client)));
                } else if !held.is_empty() {
                    held.swap_remove(usize::from(client) % held.len());
                }
                let large = held.iter().filter(|it| is_large(it)).count();
                prop_assert!(large as u64 <= megabytes);
                prop_assert_eq!(large, budget.shares.held());
                prop_assert!(held.iter().all(|it| it.stream <= it.connection));
            }
        }
    }
}
