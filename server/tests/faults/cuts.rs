//! Connections that break in the middle of a body.

use std::time::Duration;

use futures_util::future::join_all;

use super::proxy::{Proxy, Weather};
use super::report::report;
use super::stage::Stage;
use test_support::callers::Callers;
use test_support::ledger::Ledger;
use test_support::scale::scale;
use test_support::uploader::Uploader;

/// People who record at the same time.
const UPLOADERS: u64 = 4;

#[tokio::test(flavor = "multi_thread")]
async fn uploads_complete_over_connections_that_break() {
    let mut stage = Stage::laptop().await;
    let proxy = Proxy::to(stage.nodes[0].address()).await;
    let page = Callers::at([format!("http://{}", proxy.address())]);
    let (ledger, agent) = (Ledger::default(), stage.callers());
    proxy.set(Weather {
        cut_after_bytes: Some(1..1_000_000),
        cut_after: Some(Duration::from_millis(5)..Duration::from_millis(800)),
        bytes_per_second: Some(4_000_000),
    });
    let people = (0..UPLOADERS).map(async |player| {
        let mut uploader = Uploader::new(player, &page, &agent, &ledger);
        while proxy.cuts() < scale().cuts {
            uploader.answer_one().await;
        }
    });
    join_all(people).await;
    stage.nodes[0].assert_alive();

    let audit = stage.audit(&ledger, 0).await;
    let counts = [("cuts", proxy.cuts())];
    report("cut connections", stage.name(), &counts, &ledger, &audit);
    audit.assert_sound(0);
}
