//! Takes of one creator don't hold up those of another.

use server::config::{LimitArgs, QuotaArgs};
use server::db::{Addition, Chunk, SealingState};
use server::id::{RequestId, TakeId};
use server::service::AppState;
use server::service::sealing::lease_next;

use crate::support::{Server, generous, journeys, unlimited};

journeys! {
    a_creator_with_one_take_is_not_behind_one_with_fifty
}

/// Begins takes for a client with this address; their request and their names.
async fn begin(server: &Server, address: &str, takes: usize) -> (RequestId, Vec<TakeId>) {
    let creator = server.create_from(address).await;
    let mut ids = Vec::new();
    for _ in 0..takes {
        let path = creator.begin().await;
        let id = path.rsplit('/').next().expect("an id");
        ids.push(TakeId::parse(id).expect("an id"));
    }
    (RequestId::parse(creator.id()).expect("an id"), ids)
}

/// Completes a take, as an upload of one byte would.
async fn complete(app: &AppState, request: &RequestId, take: &TakeId) {
    let claim = app.db.take_claim(request, take, Some(0), None, &app.clock);
    let claim = claim.await.expect("rows").expect("an open take");
    let chunk = Chunk {
        take_id: take.clone(),
        start: 0,
        length: 1,
        object: take.to_string(),
    };
    let addition = Addition {
        from: 0,
        chunks: vec![chunk],
        complete: true,
        since: None,
        length: None,
        container: None,
    };
    let committed = app.db.take_commit(&claim, addition, &app.clock).await;
    assert!(committed.expect("rows"));
    app.clock.advance(1);
}

async fn a_creator_with_one_take_is_not_behind_one_with_fifty(server: Server) {
    let limits = LimitArgs {
        max_takes: 50,
        ..generous()
    };
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited()
    };
    let mut server = server.limited(limits).await.rationed(quotas).await;
    let (many, takes_of_many) = begin(&server, "192.0.2.1", 50).await;
    let (one, takes_of_one) = begin(&server, "192.0.2.2", 1).await;
    // Nothing but this test seals from here on.
    server.end().await;
    let app = &server.app;
    for take in &takes_of_many {
        complete(app, &many, take).await;
    }
    let next = async || lease_next(app, SealingState::Due).await.expect("rows");
    assert_eq!(next().await.expect("work").request, many);
    complete(app, &one, &takes_of_one[0]).await;
    assert_eq!(next().await.expect("work").request, one);
    for _ in 1..takes_of_many.len() {
        assert_eq!(next().await.expect("work").request, many);
    }
    assert!(next().await.is_none());
}
