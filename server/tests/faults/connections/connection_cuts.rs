//! Connections that are cut within a request body.

use std::time::Duration;

use futures_util::future::join_all;

use crate::environment::Environment;
use crate::environment::proxy::{NetworkFaults, Proxy};
use crate::report::report;
use test_support::clients::ledger::Ledger;
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::scale::scale;

/// Concurrent uploaders.
const UPLOADERS: u64 = 4;

#[tokio::test(flavor = "multi_thread")]
async fn uploads_complete_over_connections_that_are_cut() {
    let mut environment = Environment::sqlite().await;
    let proxy = Proxy::to(environment.nodes[0].address()).await;
    let page = RetryingClient::new([format!("http://{}", proxy.address())]);
    let (ledger, agent) = (Ledger::default(), environment.client());
    proxy.set(NetworkFaults {
        cut_after_bytes: Some(1..1_000_000),
        cut_after: Some(Duration::from_millis(5)..Duration::from_millis(800)),
        bytes_per_second: Some(4_000_000),
    });
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number, &page, &agent, &ledger);
        while proxy.cuts() < scale().connection_cuts {
            uploader.complete_request().await;
        }
    });
    join_all(uploaders).await;
    environment.nodes[0].assert_alive();

    let audit = environment.audit(&ledger, 0).await;
    let counts = [("cuts", proxy.cuts())];
    report(
        "cut connections",
        environment.name(),
        &counts,
        &ledger,
        &audit,
    );
    audit.assert_sound(0);
}
