//! Leases on sealing jobs: after servers that stopped, and when a job is given up.

use reqwest::StatusCode;
use serde_json::Value;
use server::db::{Lease, Queue};
use server::id::{RequestId, TakeId};

use crate::support::{LIVE_WEBM, Server};
use crate::videos::sealing::append_to_node;

/// Duration of a lease in milliseconds.
const LEASE: i64 = 15_000;

/// A complete take on a server without background jobs.
struct UnsealedTake {
    server: Server,
    created: app::api::CreatedRequest,
    take: String,
}

impl UnsealedTake {
    async fn new() -> Self {
        let server = Server::sqlite().await;
        let creator = server.create_request().await;
        let take = creator.create_take().await;
        let created = creator.created.clone();
        let server = server.into_passive().await;
        let link = RequestId::parse(&created.id).expect("an id");
        let id = take.rsplit('/').next().expect("an id");
        append_to_node(&server.app, link.as_str(), id, LIVE_WEBM).await;
        Self {
            server,
            created,
            take,
        }
    }

    fn id(&self) -> TakeId {
        let id = self.take.rsplit('/').next().expect("an id");
        TakeId::parse(id).expect("an id")
    }

    /// Acquires the lease and does nothing.
    async fn lease(&self) -> Lease {
        let (db, clock) = (&self.server.app.db, &self.server.app.clock);
        let lease = db.lease_claim(Queue::Seal, &self.id(), LEASE, clock).await;
        lease.expect("rows").expect("no other lease")
    }

    /// The response to a submission after a restart with background jobs.
    async fn submit(self) -> (StatusCode, Value) {
        let server = self.server.restart().await;
        let creator = server.creator(&self.created);
        let answer = creator.submit(&self.take).await;
        (answer.status(), answer.json().await.expect("JSON"))
    }
}

/// The clock is manual, so no lease expires by itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_on_sqlite_ends_the_leases_of_the_previous_process() {
    let unsealed = UnsealedTake::new().await;
    unsealed.lease().await;
    let (status, json) = unsealed.submit().await;
    assert_eq!(status, StatusCode::OK, "{json}");
}

/// As when the take crashes the server.
#[tokio::test(flavor = "multi_thread")]
async fn a_sealing_job_is_given_up_after_five_lost_leases() {
    for (failures, want) in [(4, StatusCode::OK), (5, StatusCode::UNPROCESSABLE_ENTITY)] {
        let unsealed = UnsealedTake::new().await;
        for _ in 0..failures {
            unsealed.lease().await;
            unsealed.server.advance_clock(LEASE);
        }
        let (status, json) = unsealed.submit().await;
        assert_eq!(status, want, "{json}");
        if want != StatusCode::OK {
            assert_eq!(json["error"]["code"], "unreadable", "{json}");
        }
    }
}

/// As when each node in turn renews its lease too late.
#[tokio::test(flavor = "multi_thread")]
async fn leases_lost_by_living_workers_do_not_count_as_tries() {
    let unsealed = UnsealedTake::new().await;
    let mut late = unsealed.lease().await;
    for _ in 0..10 {
        unsealed.server.advance_clock(LEASE);
        let taken_over = unsealed.lease().await;
        assert_eq!(taken_over.tries, 2);
        let forgiven = unsealed.server.app.db.lease_uncount_try(&late).await;
        forgiven.expect("rows");
        late = taken_over;
    }
    let (status, json) = unsealed.submit().await;
    assert_eq!(status, StatusCode::OK, "{json}");
}
