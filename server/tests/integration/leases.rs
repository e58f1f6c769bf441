//! Whose work on a take it is, after servers that died, and when it is given up.

use reqwest::StatusCode;
use serde_json::Value;
use server::db::{Lease, SealingState};
use server::id::{RequestId, TakeId};

use crate::seals::append_by;
use crate::support::{Creator, LIVE_WEBM, Server};

/// Of the server that begins on it, in milliseconds.
const LEASE: i64 = 15_000;

/// A complete take, of which no server that does anything by itself has heard.
struct Waiting {
    server: Server,
    created: app::api::CreatedRequest,
    take: String,
}

impl Waiting {
    async fn new() -> Self {
        let server = Server::on_a_laptop().await;
        let creator = server.create().await;
        let take = creator.begin().await;
        let created = creator.created.clone();
        let server = server.silenced().await;
        let link = RequestId::parse(&created.id).expect("an id");
        let id = take.rsplit('/').next().expect("an id");
        append_by(&server.app, link.as_str(), id, LIVE_WEBM).await;
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

    /// Begins on it, and does nothing.
    async fn lease(&self) -> Lease {
        let (db, clock) = (&self.server.app.db, &self.server.app.clock);
        let due = SealingState::Due;
        let lease = db.sealing_claim(&self.id(), due, LEASE, clock).await;
        lease.expect("rows").expect("nobody else has it")
    }

    /// What a submission is told by a server that is started now.
    async fn submitted(self) -> (StatusCode, Value) {
        let server = self.server.restart().await;
        let creator = Creator {
            server: &server,
            created: self.created,
        };
        let answer = creator.submit(&self.take).await;
        (answer.status(), answer.json().await.expect("JSON"))
    }
}

/// The clock stands still, so no lease runs out.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_its_own_database_ends_the_leases_of_the_one_before() {
    let waiting = Waiting::new().await;
    waiting.lease().await;
    let (status, said) = waiting.submitted().await;
    assert_eq!(status, StatusCode::OK, "{said}");
}

/// As when it takes the server with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_take_that_five_servers_died_of_is_given_up_and_said_to_be_unreadable() {
    for (deaths, want) in [(4, StatusCode::OK), (5, StatusCode::UNPROCESSABLE_ENTITY)] {
        let waiting = Waiting::new().await;
        for _ in 0..deaths {
            waiting.lease().await;
            waiting.server.later(LEASE);
        }
        let (status, said) = waiting.submitted().await;
        assert_eq!(status, want, "{said}");
        if want != StatusCode::OK {
            assert_eq!(said["error"]["code"], "unreadable", "{said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_away_is_no_reason_to_give_up() {
    let waiting = Waiting::new().await;
    for _ in 0..20 {
        let lease = waiting.lease().await;
        let (db, clock) = (&waiting.server.app.db, &waiting.server.app.clock);
        let put_off = db.sealing_release(&lease, 0, false, clock).await;
        put_off.expect("rows");
    }
    let (status, said) = waiting.submitted().await;
    assert_eq!(status, StatusCode::OK, "{said}");
}
