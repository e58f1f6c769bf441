//! Recounts of the storage accounts from the database, concurrent with commits.

use std::collections::HashMap;

use crate::service::quota::storage_usage::{Account, Accounts, Owner, StorageUsage};
use net::client_addr::{ClientAddr, LimitKey, Network};

/// Maximum number of networks that keep an account after a sweep, the largest ones: some 5 MB.
pub(in crate::service) const MAX_NETWORKS: usize = 50_000;

impl Accounts {
    fn account(&mut self, owner: Owner) -> Option<&mut Account> {
        match owner {
            Owner::Everyone => Some(&mut self.total),
            Owner::Creator(creator) => self.by_creator.get_mut(&creator),
        }
    }
}

impl StorageUsage {
    /// Begins a recount of an account. Call it before the query.
    pub(in crate::service) fn recount(&self, owner: Owner) -> Recount {
        let mut accounts = self.0.lock();
        let account = match owner {
            Owner::Everyone => &mut accounts.total,
            Owner::Creator(creator) => accounts.by_creator.entry(creator).or_default(),
        };
        account.recounts += 1;
        Recount {
            usage: self.clone(),
            owner,
            committed_before: account.committed,
        }
    }

    /// Begins a recount of all networks. Call it before the query.
    pub(in crate::service) fn recount_networks(&self) -> NetworkRecount {
        let mut accounts = self.0.lock();
        let networks = accounts.by_network.iter_mut();
        let committed_before = networks.map(|(network, account)| {
            account.recounts += 1;
            (*network, account.committed)
        });
        NetworkRecount {
            committed_before: committed_before.collect(),
            usage: self.clone(),
        }
    }
}

/// A recount in progress. Dropped without a result, it changes nothing.
#[derive(Debug)]
pub(in crate::service) struct Recount {
    usage: StorageUsage,
    owner: Owner,
    committed_before: u64,
}

impl Recount {
    /// Finishes the recount with the result of the query in bytes, and returns the balance.
    pub(in crate::service) fn finish(self, named: u64) -> u64 {
        let mut accounts = self.usage.0.lock();
        let Some(account) = accounts.account(self.owner) else {
            return named;
        };
        let meanwhile = account.committed - self.committed_before;
        let counted = named.saturating_add(meanwhile);
        account.counted = Some(counted);
        counted.saturating_add(account.pending)
    }
}

impl Drop for Recount {
    fn drop(&mut self) {
        let mut accounts = self.usage.0.lock();
        let Some(account) = accounts.account(self.owner) else {
            return;
        };
        account.recounts -= 1;
        // An account without a count, a pending object or a recount holds no information.
        let is_empty = account.is_idle() && account.counted.is_none();
        if let (true, Owner::Creator(creator)) = (is_empty, self.owner) {
            accounts.by_creator.remove(&creator);
        }
    }
}

/// A recount of all networks in progress. Dropped without a result, it changes nothing.
#[derive(Debug)]
pub(in crate::service) struct NetworkRecount {
    usage: StorageUsage,
    /// Commits of each network that had an account when the recount began.
    committed_before: HashMap<Network, u64>,
}

impl NetworkRecount {
    /// Finishes the recount with the result of the query: bytes per creator.
    pub(in crate::service) fn finish(self, named: impl IntoIterator<Item = (ClientAddr, u64)>) {
        let mut found: HashMap<Network, u64> = HashMap::new();
        for (creator, bytes) in named {
            for (network, _) in creator.networks() {
                let sum = found.entry(network).or_default();
                *sum = sum.saturating_add(bytes);
            }
        }
        if found.len() > MAX_NETWORKS {
            let mut sums: Vec<u64> = found.values().copied().collect();
            let (_, least, _) = sums.select_nth_unstable(found.len() - MAX_NETWORKS);
            let least = *least;
            found.retain(|_, sum| *sum > least);
        }
        let mut accounts = self.usage.0.lock();
        for network in found.keys() {
            accounts.of_mut(LimitKey::Network(*network));
        }
        for (network, account) in &mut accounts.by_network {
            let before = self.committed_before.get(network).copied();
            let meanwhile = account.committed - before.unwrap_or_default();
            let named = found.get(network).copied().unwrap_or_default();
            account.counted = Some(named.saturating_add(meanwhile));
        }
    }
}

impl Drop for NetworkRecount {
    fn drop(&mut self) {
        let mut accounts = self.usage.0.lock();
        accounts.by_network.retain(|network, account| {
            account.recounts -= usize::from(self.committed_before.contains_key(network));
            !account.is_idle() || account.counted != Some(0)
        });
        accounts.by_network.shrink_to_fit();
    }
}
