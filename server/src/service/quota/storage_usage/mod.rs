//! Storage accounts: stored bytes in total, per creator and per network.
//!
//! An object counts for its bytes and for [`STORED_OBJECT_COST`].
//!
//! An account is the sum of three parts: what rows named at the last recount, what was committed since, and pending
//! objects, which are written or being written and which no row names yet. An object is in exactly one of the last two:
//! it is pending from before its first byte is written, and [`PendingObject::commit`] moves it.
//!
//! A creator's account is counted on demand. Those of the networks around creators are counted by each sweep, because a
//! network has too many creators to query each of them.
//!
//! Objects are committed while a recount runs. Whether its query saw them is unknown, so they are added to its result:
//! an account may be too high until the next recount, and is never too low. Commits on other nodes are missing until
//! the next recount.

mod recount;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::db::STORED_OBJECT_COST;
use crate::id::RequestId;
use net::client_addr::{ClientAddr, LimitKey, Network};

/// The storage accounts of this node. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct StorageUsage(Arc<Mutex<Accounts>>);

/// Owner of a storage account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Owner {
    /// Everything that is stored.
    Everyone,
    /// The requests of one creator.
    Creator(ClientAddr),
}

#[derive(Debug, Default)]
struct Accounts {
    total: Account,
    /// Accounts of creators that were used since the last sweep or have pending objects.
    by_creator: HashMap<ClientAddr, Account>,
    /// Accounts of networks. One that is missing stores nothing, or too little to be kept.
    by_network: HashMap<Network, Account>,
    /// Bytes of pending objects per request.
    ///
    /// They exclude the cost per object, which limits of requests ignore.
    pending_of_request: HashMap<RequestId, u64>,
}

#[derive(Debug, Default)]
struct Account {
    /// Bytes that rows name. `None`: not counted since the last sweep, or since the start.
    counted: Option<u64>,
    pending: u64,
    /// Sum of all commits. Its growth during a recount is added to the result of the recount.
    committed: u64,
    recounts: usize,
}

impl Account {
    /// An account for which the rows are known to name nothing.
    fn empty() -> Self {
        Self {
            counted: Some(0),
            ..Self::default()
        }
    }

    fn is_idle(&self) -> bool {
        self.pending == 0 && self.recounts == 0
    }

    fn stored(&self) -> Option<u64> {
        Some(self.counted?.saturating_add(self.pending))
    }

    fn commit(&mut self, cost: u64) {
        self.pending -= cost;
        self.committed += cost;
        if let Some(counted) = &mut self.counted {
            *counted = counted.saturating_add(cost);
        }
    }
}

impl Accounts {
    fn of(&self, key: LimitKey) -> Option<&Account> {
        match key {
            LimitKey::ClientAddr(creator) => self.by_creator.get(&creator),
            LimitKey::Network(network) => self.by_network.get(&network),
        }
    }

    fn of_mut(&mut self, key: LimitKey) -> Option<&mut Account> {
        match key {
            LimitKey::ClientAddr(creator) => self.by_creator.get_mut(&creator),
            LimitKey::Network(network) => {
                let account = self.by_network.entry(network);
                Some(account.or_insert_with(Account::empty))
            }
        }
    }
}

/// Maximum balances of the accounts.
#[derive(Clone, Debug)]
pub(in crate::service) struct StorageBounds {
    /// Maximum of everything stored.
    pub(in crate::service) total: u64,
    /// Maximum for the creator, and for each network around it. Empty: no creator is charged.
    pub(in crate::service) creator: Vec<(LimitKey, u64)>,
}

/// Why an object can't be reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum ReserveError {
    /// The total would exceed its bound.
    Total,
    /// The creator's account, or that of a network around it, would exceed its bound.
    Creator,
    /// The creator's account must be counted first.
    Uncounted,
}

impl StorageUsage {
    /// Bytes of everything stored. `None`: not counted since the start.
    pub(in crate::service) fn stored(&self) -> Option<u64> {
        self.0.lock().total.stored()
    }

    /// Bytes stored by a creator, or by all creators of a network.
    ///
    /// `None`: not counted since the last sweep, which only happens to creators.
    pub(in crate::service) fn stored_by(&self, key: LimitKey) -> Option<u64> {
        match (self.0.lock().of(key), key) {
            (None, LimitKey::Network(_)) => Some(0),
            (account, _) => account?.stored(),
        }
    }

    /// Bytes of a request's takes that no row names yet.
    pub(in crate::service) fn pending_of(&self, request: &RequestId) -> u64 {
        let accounts = self.0.lock();
        let pending = accounts.pending_of_request.get(request);
        pending.copied().unwrap_or_default()
    }

    /// Reserves space for an object that is about to be written, if the accounts stay within `bounds`.
    ///
    /// `request` is the request if the object is a chunk of one of its takes, so that its other takes see it.
    pub(in crate::service) fn reserve(
        &self,
        request: Option<&RequestId>,
        bytes: u64,
        bounds: &StorageBounds,
    ) -> Result<PendingObject, ReserveError> {
        let cost = bytes.saturating_add(u64::from(STORED_OBJECT_COST));
        let mut accounts = self.0.lock();
        let fits = |stored: u64, bound: u64| stored.saturating_add(cost) <= bound;
        let total = &accounts.total;
        if !fits(total.stored().unwrap_or(total.pending), bounds.total) {
            return Err(ReserveError::Total);
        }
        for (key, bound) in &bounds.creator {
            let account = accounts.of_mut(*key).and_then(|it| it.stored());
            if !fits(account.ok_or(ReserveError::Uncounted)?, *bound) {
                return Err(ReserveError::Creator);
            }
        }
        let keys: Vec<_> = bounds.creator.iter().map(|it| it.0).collect();
        accounts.total.pending += cost;
        for key in &keys {
            if let Some(account) = accounts.of_mut(*key) {
                account.pending += cost;
            }
        }
        if let Some(request) = request {
            let pending = &mut accounts.pending_of_request;
            *pending.entry(request.clone()).or_default() += bytes;
        }
        Ok(PendingObject {
            usage: self.clone(),
            keys,
            request: request.cloned(),
            bytes,
            cost,
            committed: false,
        })
    }

    /// Marks the accounts of creators for a recount at their next use.
    pub(in crate::service) fn clear_creators(&self) {
        let mut accounts = self.0.lock();
        accounts.by_creator.retain(|_, account| {
            account.counted = None;
            !account.is_idle()
        });
        accounts.by_creator.shrink_to_fit();
    }
}

/// An object that is written or being written, and that no row names yet.
///
/// It is counted until it is dropped, which must not happen before the object is removed.
#[derive(Debug)]
pub(in crate::service) struct PendingObject {
    usage: StorageUsage,
    keys: Vec<LimitKey>,
    request: Option<RequestId>,
    bytes: u64,
    cost: u64,
    committed: bool,
}

impl PendingObject {
    /// Length of the object in bytes.
    pub(in crate::service) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts the object as stored until the next recount, because a row names it now or may do so.
    pub(in crate::service) fn commit(mut self) {
        self.committed = true;
    }
}

impl Drop for PendingObject {
    fn drop(&mut self) {
        let mut accounts = self.usage.0.lock();
        let settle = |account: &mut Account| match self.committed {
            true => account.commit(self.cost),
            false => account.pending -= self.cost,
        };
        settle(&mut accounts.total);
        for key in &self.keys {
            accounts.of_mut(*key).map(settle);
        }
        let Some(request) = self.request.take() else {
            return;
        };
        if let Entry::Occupied(mut pending) = accounts.pending_of_request.entry(request) {
            *pending.get_mut() -= self.bytes;
            if *pending.get() == 0 {
                pending.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests;
