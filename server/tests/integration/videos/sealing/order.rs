//! Which sealing job a node leases.

use server::clock::Clock;
use server::config::{LimitArgs, QuotaArgs};
use server::db::{Addition, Chunk, Queue};
use server::id::{RequestId, TakeId};
use server::service::AppState;
use server::service::sealing::lease_next;

use crate::support::{Backend, HOUR, Server, generous_limits, on_each_storage, unlimited_quotas};
use test_support::on_postgres_s3;

on_each_storage! {
    sealing_is_fair_between_creators
}

on_postgres_s3! {
    a_node_that_was_paused_takes_no_lease_that_holds
}

/// Creates takes as a client with this address. Returns the ids of request and takes.
async fn create_takes(server: &Server, address: &str, takes: usize) -> (RequestId, Vec<TakeId>) {
    let creator = server.create_request_from(address).await;
    let mut ids = Vec::new();
    for _ in 0..takes {
        let path = creator.create_take().await;
        let id = path.rsplit('/').next().expect("an id");
        ids.push(TakeId::parse(id).expect("an id"));
    }
    (RequestId::parse(creator.id()).expect("an id"), ids)
}

/// Completes a take of one byte in the database.
async fn complete(app: &AppState, request: &RequestId, take: &TakeId) {
    let claim = app.db.take_claim(request, take, Some(0), None, &app.clock);
    let claim = claim.await.expect("rows").expect("an open take");
    let chunk = Chunk {
        take_id: take.clone(),
        start: 0,
        length: 1,
        object: take.to_string(),
        committed_at: None,
        checksums: None,
    };
    let addition = Addition {
        from: 0,
        chunks: vec![chunk],
        complete: true,
        since: None,
        length: None,
        container: None,
        first_byte_at: None,
    };
    let committed = app.db.take_commit(&claim, addition, &app.clock).await;
    assert!(committed.expect("rows"));
    app.clock.advance(1);
}

async fn sealing_is_fair_between_creators(server: Server) {
    let limits = LimitArgs {
        max_takes: 50,
        ..generous_limits()
    };
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let mut server = server.with_limits(limits).await.with_quotas(quotas).await;
    let (prolific, prolific_takes) = create_takes(&server, "192.0.2.1", 50).await;
    let (other, other_takes) = create_takes(&server, "192.0.2.2", 1).await;
    // Stops background sealing.
    server.shutdown().await;
    let app = &server.app;
    for take in &prolific_takes {
        complete(app, &prolific, take).await;
    }
    let next = async || lease_next(app, Queue::Seal).await.expect("rows");
    assert_eq!(next().await.expect("work").request, prolific);
    complete(app, &other, &other_takes[0]).await;
    assert_eq!(next().await.expect("work").request, other);
    for _ in 1..prolific_takes.len() {
        assert_eq!(next().await.expect("work").request, prolific);
    }
    assert!(next().await.is_none());
}

/// By its own clock the lease ends so late that it would be void.
async fn a_node_that_was_paused_takes_no_lease_that_holds() {
    let backend = Backend::postgres_s3().await;
    let start = || Server::on_existing_stores(backend.clone(), Vec::new(), Clock::System);
    let (mut node, mut paused) = (start().await, start().await);
    let (request, takes) = create_takes(&node, "192.0.2.1", 1).await;
    // Stops background sealing.
    node.shutdown().await;
    paused.shutdown().await;
    complete(&node.app, &request, &takes[0]).await;
    let leased = lease_next(&node.app, Queue::Seal).await.expect("rows");
    assert_eq!(leased.expect("work").request, request);
    paused.app.clock.anchor(node.app.clock.now() - HOUR);
    let taken = lease_next(&paused.app, Queue::Seal).await.expect("rows");
    assert!(taken.is_none());
}
