use std::net::Ipv4Addr;

use tempfile::TempDir;

use super::*;
use crate::clock::Clock;
use crate::db::{Addition, Queue, Request, RequestState, SweepPlace, Take, TakeInsertion};
use crate::id::{AccessToken, RequestId};
use net::client_addr::ClientAddr;

const LEASE: Millis = 15_000;
const LIFETIME: Millis = 60 * 60 * 1000;

struct Table {
    db: Db,
    clock: Clock,
    _folder: TempDir,
}

impl Table {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let db = Db::open_sqlite(&folder.path().join("vidence.db")).await;
        Self {
            db: db.expect("a database"),
            clock: Clock::manual(),
            _folder: folder,
        }
    }

    /// A complete take of a request by this creator, whose job is due.
    async fn complete_take(&self, creator: Option<ClientAddr>) -> TakeId {
        let (db, clock, now) = (&self.db, &self.clock, self.clock.now());
        let (request_id, id) = (RequestId::random(), TakeId::random());
        let request = Request {
            id: request_id.clone(),
            token_hash: AccessToken::random().hash(),
            prompt: Some(b"Show the dent.".to_vec()),
            state: RequestState::AwaitingSubmission,
            created_at: now,
            expires_at: now + LIFETIME,
            video_id: None,
            take_id: None,
            purged: false,
            creator,
            taken_down_at: None,
            submitted_at: None,
            ticks: None,
        };
        let created = db.request_insert(request, Vec::new(), clock).await;
        created.expect("a row");
        let take = Take {
            creator,
            ..Take::begun(id.clone(), request_id.clone(), now)
        };
        let inserted = db.take_insert(take, 1, None, clock).await.expect("a row");
        assert_eq!(inserted, TakeInsertion::Done { ended: None });
        let claim = db.take_claim(&request_id, &id, Some(0), None, clock).await;
        let claim = claim.expect("rows").expect("an open take");
        let nothing = Addition {
            from: 0,
            chunks: Vec::new(),
            complete: true,
            since: None,
            length: None,
            container: None,
            first_byte_at: None,
        };
        let committed = db.take_commit(&claim, nothing, clock).await;
        assert!(committed.expect("rows"));
        id
    }

    async fn claim(&self, take: &TakeId) -> Option<Lease> {
        let (db, clock) = (&self.db, &self.clock);
        let claimed = db.lease_claim(Queue::Seal, take, LEASE, clock);
        claimed.await.expect("rows")
    }

    async fn renew(&self, lease: &Lease) -> bool {
        let renewed = self.db.lease_renew(lease, LEASE, &self.clock);
        renewed.await.expect("rows")
    }
}

fn creator(number: u8) -> ClientAddr {
    ClientAddr::new(Ipv4Addr::new(192, 0, 2, number).into())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_lasts_as_long_as_it_is_renewed_and_is_lost_to_the_next_one() {
    let table = Table::new().await;
    let take = table.complete_take(None).await;
    let first = table.claim(&take).await.expect("a lease");
    table.clock.advance(LEASE - 1);
    assert!(table.claim(&take).await.is_none());
    assert!(table.renew(&first).await);
    table.clock.advance(LEASE - 1);
    assert!(table.claim(&take).await.is_none());
    table.clock.advance(1);
    let second = table.claim(&take).await.expect("a lease");
    assert!(!table.renew(&first).await, "it is lost");
    assert!(table.renew(&second).await);
    let unknown = Lease {
        take_id: TakeId::random(),
        ..second
    };
    assert!(!table.renew(&unknown).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_job_is_due_after_its_delay_and_its_tries_count() {
    let table = Table::new().await;
    let take = table.complete_take(None).await;
    let (db, clock) = (&table.db, &table.clock);
    for (counts, tries) in [(true, 1), (true, 2), (false, 3), (true, 3)] {
        let lease = table.claim(&take).await.expect("a lease");
        assert_eq!(lease.tries, tries);
        let released = db.lease_release(&lease, 2 * LEASE, counts, clock);
        released.await.expect("rows");
        clock.advance(2 * LEASE - 1);
        assert!(table.claim(&take).await.is_none(), "its delay isn't over");
        clock.advance(1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_ends_the_leases_of_the_previous_process() {
    let table = Table::new().await;
    let take = table.complete_take(None).await;
    table.claim(&take).await.expect("a lease");
    assert!(table.claim(&take).await.is_none());
    table.db.leases_release_all().await.expect("rows");
    assert!(table.claim(&take).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creator_is_served_its_own_takes_and_those_without_one_are_served_too() {
    let table = Table::new().await;
    let (some, other) = (Some(creator(1)), Some(creator(2)));
    let (known, unknown) = (
        table.complete_take(some).await,
        table.complete_take(None).await,
    );
    let next = async |creator| {
        let now = table.clock.now();
        let next = table.db.queue_next_of(creator, Queue::Seal, now).await;
        next.expect("rows").map(|(_, take)| take)
    };
    assert_eq!(next(some).await, Some(known));
    assert_eq!(next(None).await, Some(unknown));
    assert_eq!(next(other).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backlog_is_counted_with_its_oldest_job_while_leased_too() {
    let table = Table::new().await;
    let backlog = async || {
        let queues = table.db.backlogs().await.expect("rows");
        let values = queues.iter().map(|it| (it.queue, it.count, it.since));
        values.collect::<Vec<_>>()
    };
    assert!(backlog().await.is_empty());
    let begun = table.clock.now();
    let take = table.complete_take(None).await;
    table.clock.advance(1000);
    table.complete_take(Some(creator(1))).await;
    let want = [(Queue::Seal, 2, Some(begun))];
    assert_eq!(backlog().await, want);
    table.claim(&take).await.expect("a lease");
    assert_eq!(backlog().await, want);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_overdue_from_its_expiry_until_its_bytes_are_removed() {
    let table = Table::new().await;
    let overdue = async |now| table.db.requests_overdue_since(now).await.expect("rows");
    let expiry = table.clock.now() + LIFETIME;
    table.complete_take(None).await;
    table.clock.advance(1000);
    table.complete_take(None).await;
    assert_eq!(overdue(expiry - 1).await, None);
    assert_eq!(overdue(expiry).await, Some(expiry));
    assert_eq!(overdue(expiry + 5000).await, Some(expiry), "the first one");
    table.clock.advance(LIFETIME);
    for (_, id) in table
        .db
        .requests_due(table.clock.now(), &SweepPlace::default(), 10)
        .await
        .expect("rows")
    {
        table
            .db
            .request_expire(id.clone(), &table.clock)
            .await
            .expect("a row");
        table.db.request_purged(id).await.expect("a row");
    }
    assert_eq!(overdue(expiry + 5000).await, None);
}
