//! Counts permits: in all, per client address, and per network around it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::client_addr::LimitKey;

/// Permits that are held, in all and per key. Cheap to clone.
#[derive(Clone, Default)]
pub struct Shares(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    all: usize,
    by_key: HashMap<LimitKey, usize>,
}

/// A permit, counted until it is dropped.
pub struct SharePermit {
    keys: Vec<LimitKey>,
    shares: Shares,
}

impl Shares {
    /// Acquires a permit and counts it for each of these keys.
    /// Returns `None` if `most` permits are held in all, or if a key has reached the limit given beside it.
    pub fn acquire(
        &self,
        most: usize,
        keys: impl IntoIterator<Item = (LimitKey, usize)>,
    ) -> Option<SharePermit> {
        let mut counts = self.0.lock();
        let has_room = |(key, most): (LimitKey, usize)| {
            let held = counts.by_key.get(&key).copied().unwrap_or(0);
            (held < most).then_some(key)
        };
        let keys: Vec<_> = keys.into_iter().map(has_room).collect::<Option<_>>()?;
        if counts.all >= most {
            return None;
        }
        counts.all += 1;
        for key in &keys {
            *counts.by_key.entry(*key).or_insert(0) += 1;
        }
        Some(SharePermit {
            keys,
            shares: self.clone(),
        })
    }

    /// Number of permits that are held in all.
    pub fn held(&self) -> usize {
        self.0.lock().all
    }
}

impl Drop for SharePermit {
    fn drop(&mut self) {
        let mut counts = self.shares.0.lock();
        counts.all -= 1;
        for key in &self.keys {
            if let Entry::Occupied(mut held) = counts.by_key.entry(*key) {
                *held.get_mut() -= 1;
                if *held.get() == 0 {
                    held.remove();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::client_addr::ClientAddr;

    /// Keys of a client address with limit `most`, and of its networks with multiples of it.
    fn keys(address: &str, most: usize) -> impl Iterator<Item = (LimitKey, usize)> {
        let client = ClientAddr::new(address.parse().expect("an address"));
        let keys = client.keys();
        keys.map(move |(key, multiple)| (key, most * multiple as usize))
    }

    #[test]
    fn the_networks_of_one_site_share_a_multiple() {
        let shares = Shares::default();
        let of_site = |site: u16| {
            let peers = (0..9).map(|it| format!("2001:db8:0:{:x}::1", (site << 8) + it));
            let acquired = peers.filter_map(|it| shares.acquire(usize::MAX, keys(&it, 1)));
            acquired.collect::<Vec<_>>()
        };
        let held: Vec<_> = (1..=5).map(of_site).collect();
        let held: Vec<_> = held.iter().map(Vec::len).collect();
        assert_eq!(held, [4, 4, 4, 4, 0]);
    }

    #[test]
    fn a_refused_acquisition_is_counted_nowhere() {
        let shares = Shares::default();
        let one = shares.acquire(10, keys("2001:db8::1", 1));
        assert!(one.is_some());
        assert!(shares.acquire(10, keys("2001:db8::2", 1)).is_none());
        assert!(shares.acquire(1, keys("192.0.2.1", 1)).is_none());
        drop(one);
        assert_eq!(shares.held(), 0);
        assert!(shares.0.lock().by_key.is_empty());
    }

    proptest! {
        /// Limits hold for every sequence of acquiring and dropping, and no count remains.
        #[test]
        fn limits_hold_for_any_sequence(
            most in 0..20_usize,
            of_one in 0..4_usize,
            steps in prop::collection::vec((any::<bool>(), 0..6_u8), 0..100),
        ) {
            let shares = Shares::default();
            let mut held: Vec<(u8, SharePermit)> = Vec::new();
            for (is_new, client) in steps {
                if is_new {
                    let share = shares.acquire(most, keys(&format!("192.0.2.{client}"), of_one));
                    held.extend(share.map(|it| (client, it)));
                } else if !held.is_empty() {
                    held.swap_remove(usize::from(client) % held.len());
                }
                prop_assert_eq!(shares.held(), held.len());
                prop_assert!(held.len() <= most);
                let own = held.iter().filter(|(it, _)| *it == client).count();
                prop_assert!(own <= of_one);
            }
            held.clear();
            prop_assert!(shares.0.lock().by_key.is_empty());
        }
    }
}
