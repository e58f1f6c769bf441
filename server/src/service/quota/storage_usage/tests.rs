//! A model of all accounts that steps through writes, commits and recounts in any order, and what it must never see.
//!
//! More than 300 lines, because both properties share the model.

use std::net::Ipv6Addr;

use proptest::prelude::*;

use crate::service::quota::storage_usage::recount::{MAX_NETWORKS, NetworkRecount, Recount};
use crate::service::quota::storage_usage::*;

const CREATORS: u8 = 2;

fn creator(number: u8) -> ClientAddr {
    // All creators are in one network of 56 bits.
    let address = Ipv6Addr::new(0x2001, 0xdb8, 0, u16::from(number), 0, 0, 0, 1);
    ClientAddr::new(address.into())
}

const COST: u64 = STORED_OBJECT_COST as u64;

fn unbounded(number: u8) -> StorageBounds {
    StorageBounds {
        total: u64::MAX,
        creator: keys(number).map(|key| (key, u64::MAX)).collect(),
    }
}

fn keys(number: u8) -> impl Iterator<Item = LimitKey> {
    let networks = creator(number).networks();
    let networks = networks.map(|(network, _)| LimitKey::Network(network));
    [LimitKey::ClientAddr(creator(number))]
        .into_iter()
        .chain(networks)
}

/// An account, or the accounts that one recount covers.
#[derive(Clone, Copy, Debug)]
enum Of {
    Everyone,
    Creator(u8),
    /// The networks of all creators.
    Networks,
}

impl Of {
    fn counts(self, creator: u8) -> bool {
        match self {
            Self::Everyone | Self::Networks => true,
            Self::Creator(one) => one == creator,
        }
    }
}

/// One step of a writer, of a recount or of the sweeper.
#[derive(Clone, Copy, Debug)]
enum Step {
    Write { creator: u8, bytes: u64 },
    CommitRow { writer: usize },
    NoteCommit { writer: usize },
    Fail { writer: usize },
    BeginRecount { of: Of },
    Query { recount: usize },
    FinishRecount { recount: usize },
    CancelRecount { recount: usize },
    ForgetCreators,
    DeleteRows { creator: u8, bytes: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let creator = || 0..CREATORS;
    let of = || {
        prop_oneof![
            Just(Of::Everyone),
            creator().prop_map(Of::Creator),
            Just(Of::Networks)
        ]
    };
    let index = || 0..8_usize;
    prop_oneof![
        4 => (creator(), 1..100_u64).prop_map(|(creator, bytes)| Step::Write { creator, bytes }),
        4 => index().prop_map(|writer| Step::CommitRow { writer }),
        4 => index().prop_map(|writer| Step::NoteCommit { writer }),
        2 => index().prop_map(|writer| Step::Fail { writer }),
        3 => of().prop_map(|of| Step::BeginRecount { of }),
        3 => index().prop_map(|recount| Step::Query { recount }),
        3 => index().prop_map(|recount| Step::FinishRecount { recount }),
        1 => index().prop_map(|recount| Step::CancelRecount { recount }),
        1 => Just(Step::ForgetCreators),
        1 => (creator(), 1..9999_u64).prop_map(|(creator, bytes)| Step::DeleteRows { creator, bytes }),
    ]
}

/// The database, the writers and the recounts around the accounts.
#[derive(Default)]
struct Model {
    usage: StorageUsage,
    /// What rows name, by creator.
    named: [u64; CREATORS as usize],
    writers: Vec<ModelWriter>,
    recounts: Vec<ModelRecount>,
    request: Option<RequestId>,
}

struct ModelWriter {
    creator: u8,
    object: PendingObject,
    row_is_there: bool,
}

struct ModelRecount {
    of: Of,
    recount: AnyRecount,
    found: Option<[u64; CREATORS as usize]>,
}

enum AnyRecount {
    One(Recount),
    Networks(NetworkRecount),
}

impl AnyRecount {
    fn finish(self, of: Of, found: [u64; CREATORS as usize]) {
        let found = (0..CREATORS).zip(found).filter(|it| of.counts(it.0));
        match self {
            Self::One(recount) => {
                recount.finish(found.map(|it| it.1).sum());
            }
            Self::Networks(recount) => {
                recount.finish(found.map(|(number, bytes)| (creator(number), bytes)));
            }
        }
    }
}

impl Model {
    fn named(&self, of: Of) -> u64 {
        let named = (0..CREATORS).zip(self.named);
        named.filter(|it| of.counts(it.0)).map(|it| it.1).sum()
    }

    /// Bytes in the store: those that rows name, and those of writers whose row is missing.
    fn stored(&self, of: Of) -> u64 {
        let pending = self.writers.iter().filter(|it| !it.row_is_there);
        let pending = pending.filter(|it| of.counts(it.creator));
        self.named(of) + pending.map(|it| it.object.cost).sum::<u64>()
    }

    /// Balances of the accounts. Those of all networks are the same, as each network has all creators.
    fn counted(&self, of: Of) -> Vec<u64> {
        match of {
            Of::Everyone => self.usage.stored().into_iter().collect(),
            Of::Creator(number) => {
                let key = LimitKey::ClientAddr(creator(number));
                self.usage.stored_by(key).into_iter().collect()
            }
            Of::Networks => keys(0)
                .skip(1)
                .filter_map(|it| self.usage.stored_by(it))
                .collect(),
        }
    }

    fn recount(&self, of: Of) -> AnyRecount {
        match of {
            Of::Everyone => AnyRecount::One(self.usage.recount(Owner::Everyone)),
            Of::Creator(number) => {
                AnyRecount::One(self.usage.recount(Owner::Creator(creator(number))))
            }
            Of::Networks => AnyRecount::Networks(self.usage.recount_networks()),
        }
    }

    fn write(&mut self, number: u8, bytes: u64) {
        let request = &*self.request.get_or_insert_with(RequestId::random);
        let bounds = unbounded(number);
        let reserved = match self.usage.reserve(Some(request), bytes, &bounds) {
            Err(ReserveError::Uncounted) => {
                let recount = self.usage.recount(Owner::Creator(creator(number)));
                recount.finish(self.named[usize::from(number)]);
                self.usage.reserve(Some(request), bytes, &bounds)
            }
            reserved => reserved,
        };
        self.writers.push(ModelWriter {
            creator: number,
            object: reserved.expect("no bound"),
            row_is_there: false,
        });
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Write { creator, bytes } => self.write(creator, bytes),
            Step::CommitRow { writer } => {
                if let Some(writer) = self.writers.get_mut(writer)
                    && !writer.row_is_there
                {
                    writer.row_is_there = true;
                    self.named[usize::from(writer.creator)] += writer.object.cost;
                }
            }
            Step::NoteCommit { writer } => {
                if self.writers.get(writer).is_some_and(|it| it.row_is_there) {
                    self.writers.remove(writer).object.commit();
                }
            }
            Step::Fail { writer } => {
                if self.writers.get(writer).is_some_and(|it| !it.row_is_there) {
                    self.writers.remove(writer);
                }
            }
            Step::BeginRecount { of } => {
                let recount = self.recount(of);
                self.recounts.push(ModelRecount {
                    of,
                    recount,
                    found: None,
                });
            }
            Step::Query { recount } => {
                if let Some(recount) = self.recounts.get_mut(recount) {
                    recount.found = recount.found.or(Some(self.named));
                }
            }
            Step::FinishRecount { recount } => {
                if let Some(found) = self.recounts.get(recount).and_then(|it| it.found) {
                    let ModelRecount { of, recount, .. } = self.recounts.remove(recount);
                    recount.finish(of, found);
                }
            }
            Step::CancelRecount { recount } => {
                if recount < self.recounts.len() {
                    self.recounts.remove(recount);
                }
            }
            Step::ForgetCreators => self.usage.clear_creators(),
            Step::DeleteRows { creator, bytes } => {
                let named = &mut self.named[usize::from(creator)];
                *named = named.saturating_sub(bytes);
            }
        }
    }
}

fn all_accounts() -> impl Iterator<Item = Of> {
    let creators = (0..CREATORS).map(Of::Creator);
    creators.chain([Of::Everyone, Of::Networks])
}

proptest! {
    #[test]
    fn storage_usage_never_counts_less_than_is_stored(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = Model::default();
        for step in steps {
            model.take(step);
            for of in all_accounts() {
                for counted in model.counted(of) {
                    prop_assert!(counted >= model.stored(of), "{step:?}: {of:?} has {counted}");
                }
            }
            let written: u64 = model.writers.iter().map(|it| it.object.bytes()).sum();
            let pending = model.request.as_ref().map_or(0, |it| model.usage.pending_of(it));
            prop_assert_eq!(pending, written);
        }
        // Objects that were counted twice are corrected by a recount during which nothing is committed.
        while !model.writers.is_empty() {
            model.take(Step::NoteCommit { writer: 0 });
            model.take(Step::Fail { writer: 0 });
        }
        model.recounts.clear();
        for of in all_accounts() {
            model.recount(of).finish(of, model.named);
            prop_assert!(!model.counted(of).is_empty());
            for counted in model.counted(of) {
                prop_assert_eq!(counted, model.named(of), "{:?}", of);
            }
        }
        model.recount(Of::Networks).finish(Of::Networks, [0; CREATORS as usize]);
        prop_assert!(model.usage.0.lock().by_network.is_empty());
        model.usage.clear_creators();
        prop_assert!(model.usage.0.lock().by_creator.is_empty());
        prop_assert!(model.usage.0.lock().pending_of_request.is_empty());
    }

    #[test]
    fn without_a_recount_every_byte_counts_once(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = Model::default();
        for of in all_accounts() {
            model.recount(of).finish(of, [0; CREATORS as usize]);
        }
        for step in steps {
            if matches!(
                step,
                Step::Write { .. } | Step::CommitRow { .. } | Step::NoteCommit { .. } | Step::Fail { .. }
            ) {
                model.take(step);
            }
            for of in all_accounts() {
                for counted in model.counted(of) {
                    prop_assert_eq!(counted, model.stored(of), "{:?}", of);
                }
            }
        }
    }
}

#[test]
fn an_object_is_refused_where_an_account_would_exceed_its_bound() {
    let usage = StorageUsage::default();
    let bounds = |number: u8| StorageBounds {
        total: 5 * COST,
        creator: keys(number).zip([COST + 60, 2 * COST, 9 * COST]).collect(),
    };
    let counted = |number: u8| usage.recount(Owner::Creator(creator(number))).finish(0);
    let reserve = |number: u8, bytes| usage.reserve(None, bytes, &bounds(number));
    let refused = |number: u8, bytes| reserve(number, bytes).map(drop);
    assert_eq!(refused(1, 1), Err(ReserveError::Uncounted));
    counted(1);
    let object = reserve(1, 60).expect("room");
    assert_eq!(refused(1, 0), Err(ReserveError::Creator));
    drop(object);
    assert_eq!(refused(1, 61), Err(ReserveError::Creator));
    reserve(1, 40).expect("room").commit();
    // Another creator of the same network can use the rest of the network's quota.
    counted(2);
    assert_eq!(refused(2, 1), Err(ReserveError::Creator));
    usage.recount_networks().finish([(creator(1), COST)]);
    assert_eq!(refused(2, 1), Err(ReserveError::Creator));
    assert_eq!(refused(2, 0), Ok(()));
    usage.recount(Owner::Everyone).finish(4 * COST + 1);
    assert_eq!(refused(2, 0), Err(ReserveError::Total));
}

/// Recounts this many sites with a network of 48 and one of 56 bits each, and returns how many networks have an account.
fn networks_kept(sites: u64, bytes: impl Fn(u64) -> u64) -> usize {
    let usage = StorageUsage::default();
    let creators = (0..sites).map(|number| {
        let address = 0x2001_0db8_u128 << 96 | u128::from(number) << 80;
        let creator = ClientAddr::new(Ipv6Addr::from_bits(address).into());
        (creator, bytes(number))
    });
    usage.recount_networks().finish(creators);
    usage.0.lock().by_network.len()
}

#[test]
fn the_largest_networks_keep_their_accounts() {
    const SITES: u64 = MAX_NETWORKS as u64;
    let kept = networks_kept(SITES, |number| 1 + number);
    assert!((MAX_NETWORKS - 2..=MAX_NETWORKS).contains(&kept), "{kept}");
    assert_eq!(networks_kept(SITES / 2, |number| 1 + number), MAX_NETWORKS);
    // Where all hold as much, none is among the largest, and there is no room for all.
    assert!(networks_kept(SITES, |_| 1) <= MAX_NETWORKS);
}

#[test]
fn a_recount_returns_what_is_stored_and_pending() {
    let usage = StorageUsage::default();
    let recount = || usage.recount(Owner::Creator(creator(1)));
    assert_eq!(recount().finish(70), 70);
    let object = usage.reserve(None, 5, &unbounded(1)).expect("no bound");
    assert_eq!(recount().finish(70), 70 + 5 + COST);
    drop(object);
    assert_eq!(recount().finish(70), 70);
}

#[test]
fn a_recount_that_is_given_up_leaves_no_account() {
    let usage = StorageUsage::default();
    drop(usage.recount(Owner::Creator(creator(1))));
    assert!(usage.0.lock().by_creator.is_empty());
}

#[test]
fn an_object_that_is_committed_during_a_recount_counts() {
    let usage = StorageUsage::default();
    let (everyone, one) = (
        usage.recount(Owner::Everyone),
        usage.recount(Owner::Creator(creator(1))),
    );
    // Makes the creator's account known, so that the object is in it.
    usage.recount(Owner::Creator(creator(1))).finish(0);
    let object = usage.reserve(None, 5, &unbounded(1)).expect("no bound");
    let networks = usage.recount_networks();
    object.commit();
    assert_eq!((everyone.finish(0), one.finish(0)), (5 + COST, 5 + COST));
    networks.finish([]);
    for key in keys(1) {
        assert_eq!(usage.stored_by(key), Some(5 + COST), "{key:?}");
    }
}
