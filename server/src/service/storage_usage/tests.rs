use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::*;

const CREATORS: u8 = 2;

fn creator(number: u8) -> Caller {
    Caller::new(Ipv4Addr::new(192, 0, 2, number).into())
}

const COST: u64 = STORED_OBJECT_COST as u64;

const UNBOUNDED: StorageBounds = StorageBounds {
    total: u64::MAX,
    creator: u64::MAX,
};

/// One step of a writer, of a recount or of the sweeper.
#[derive(Clone, Copy, Debug)]
enum Step {
    Write { creator: u8, bytes: u64 },
    CommitRow { writer: usize },
    NoteCommit { writer: usize },
    Fail { writer: usize },
    BeginRecount { of: Option<u8> },
    Query { recount: usize },
    FinishRecount { recount: usize },
    CancelRecount { recount: usize },
    ForgetCreators,
    DeleteRows { creator: u8, bytes: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let creator = || 0..CREATORS;
    let index = || 0..8_usize;
    prop_oneof![
        4 => (creator(), 1..100_u64).prop_map(|(creator, bytes)| Step::Write { creator, bytes }),
        4 => index().prop_map(|writer| Step::CommitRow { writer }),
        4 => index().prop_map(|writer| Step::NoteCommit { writer }),
        2 => index().prop_map(|writer| Step::Fail { writer }),
        3 => prop::option::of(creator()).prop_map(|of| Step::BeginRecount { of }),
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
    of: Option<u8>,
    recount: Recount,
    found: Option<u64>,
}

impl Model {
    fn named(&self, of: Option<u8>) -> u64 {
        match of {
            Some(creator) => self.named[usize::from(creator)],
            None => self.named.iter().sum(),
        }
    }

    /// What lies in the store: what rows name, and what writers have written for which no row is there.
    fn stored(&self, of: Option<u8>) -> u64 {
        let pending = self.writers.iter().filter(|it| !it.row_is_there);
        let pending = pending.filter(|it| of.is_none_or(|of| of == it.creator));
        self.named(of) + pending.map(|it| it.object.cost).sum::<u64>()
    }

    fn counted(&self, of: Option<u8>) -> Option<u64> {
        match of {
            Some(number) => self.usage.stored_by(creator(number)),
            None => Some(self.usage.stored()),
        }
    }

    fn recount(&self, of: Option<u8>) -> Recount {
        self.usage.recount(match of {
            Some(number) => Owner::Creator(creator(number)),
            None => Owner::Everyone,
        })
    }

    fn write(&mut self, number: u8, bytes: u64) {
        let request = self.request.get_or_insert_with(RequestId::random);
        let whom = StoredFor {
            creator: Some(creator(number)),
            request: Some(request),
        };
        let reserved = match self.usage.reserve(whom, bytes, UNBOUNDED) {
            Err(ReserveError::Uncounted) => {
                let named = self.named[usize::from(number)];
                self.usage
                    .recount(Owner::Creator(creator(number)))
                    .finish(named);
                self.usage.reserve(whom, bytes, UNBOUNDED)
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
                let of = self.recounts.get(recount).map(|it| it.of);
                let named = of.map(|of| self.named(of));
                if let Some(recount) = self.recounts.get_mut(recount) {
                    recount.found = recount.found.or(named);
                }
            }
            Step::FinishRecount { recount } => {
                if let Some(found) = self.recounts.get(recount).and_then(|it| it.found) {
                    self.recounts.remove(recount).recount.finish(found);
                }
            }
            Step::CancelRecount { recount } => {
                if recount < self.recounts.len() {
                    self.recounts.remove(recount);
                }
            }
            Step::ForgetCreators => self.usage.forget_creators(),
            Step::DeleteRows { creator, bytes } => {
                let named = &mut self.named[usize::from(creator)];
                *named = named.saturating_sub(bytes);
            }
        }
    }
}

fn all_accounts() -> impl Iterator<Item = Option<u8>> {
    (0..CREATORS).map(Some).chain([None])
}

proptest! {
    #[test]
    fn no_account_ever_misses_a_byte(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = Model::default();
        for step in steps {
            model.take(step);
            for of in all_accounts() {
                if let Some(counted) = model.counted(of) {
                    prop_assert!(counted >= model.stored(of), "{step:?}: {of:?} has {counted}");
                }
            }
            let written: u64 = model.writers.iter().map(|it| it.object.bytes()).sum();
            let pending = model.request.as_ref().map_or(0, |it| model.usage.pending_of(it));
            prop_assert_eq!(pending, written);
        }
        // What may have been counted twice is right again after a recount beside which nothing is committed.
        while !model.writers.is_empty() {
            model.take(Step::NoteCommit { writer: 0 });
            model.take(Step::Fail { writer: 0 });
        }
        model.recounts.clear();
        for of in all_accounts() {
            model.recount(of).finish(model.named(of));
            prop_assert_eq!(model.counted(of), Some(model.named(of)));
        }
        model.usage.forget_creators();
        prop_assert!(model.usage.lock().by_creator.is_empty());
        prop_assert!(model.usage.lock().pending_of_request.is_empty());
    }

    #[test]
    fn without_a_recount_every_byte_counts_once(steps in prop::collection::vec(step(), 0..80)) {
        let mut model = Model::default();
        for number in 0..CREATORS {
            model.usage.recount(Owner::Creator(creator(number))).finish(0);
        }
        for step in steps {
            if matches!(
                step,
                Step::Write { .. } | Step::CommitRow { .. } | Step::NoteCommit { .. } | Step::Fail { .. }
            ) {
                model.take(step);
            }
            for of in all_accounts() {
                prop_assert_eq!(model.counted(of), Some(model.stored(of)));
            }
        }
    }
}

#[test]
fn an_object_is_refused_where_an_account_would_exceed_its_bound() {
    let usage = StorageUsage::default();
    let one = StoredFor {
        creator: Some(creator(1)),
        request: None,
    };
    let bounds = StorageBounds {
        total: 2 * COST + 100,
        creator: COST + 60,
    };
    let refused = |bytes| usage.reserve(one, bytes, bounds).map(drop);
    assert_eq!(refused(1), Err(ReserveError::Uncounted));
    usage.recount(Owner::Creator(creator(1))).finish(0);
    let object = usage.reserve(one, 60, bounds).expect("room");
    assert_eq!(refused(0), Err(ReserveError::Creator));
    drop(object);
    assert_eq!(refused(61), Err(ReserveError::Creator));
    assert_eq!(refused(60), Ok(()));
    let object = usage.reserve(one, 50, bounds).expect("room");
    let nobody = StoredFor {
        creator: None,
        request: None,
    };
    let other = usage.reserve(nobody, 50, bounds).expect("room");
    assert_eq!(refused(1), Err(ReserveError::Total));
    other.commit();
    assert_eq!(refused(1), Err(ReserveError::Total));
    usage.recount(Owner::Everyone).finish(0);
    drop(object);
    assert_eq!(refused(60), Ok(()));
}
