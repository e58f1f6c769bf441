//! The first start of a server in an empty folder: it works, or ends with an error, and the next one works.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::Value;

use super::SERVERS;
use super::cases::{Case, Fault, count_calls, counted_calls, kind};
use super::findings::assert_is_error;
use crate::environment::failing_disk::FailingDisk;
use crate::environment::settings::settings;
use test_support::clients::agent;
use test_support::clients::retrying_client::{RetryingClient, http_client};
use test_support::scale::{scale, seed};
use test_support::servers::node::{Node, Settings};

/// The file of the key that signs receipts.
const KEY: &str = "receipt-key.pem";

/// How many starts have ended with an error, by the fault and the kind of the call.
type Ends = BTreeMap<(Fault, String), usize>;

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_on_a_failing_disk_works_or_ends_and_the_next_one_works() {
    let calls = calls_of_a_start().await;
    let cases = Case::sample(&calls, scale().failing_first_start_calls);
    let count = cases.len();
    let (cases, ends) = (Mutex::new(cases), Mutex::default());
    join_all((0..SERVERS).map(|_| start_servers(&cases, &ends))).await;
    let ends: Ends = ends.into_inner().expect("not poisoned");
    println!("{ends:#?}");
    println!(
        "{} calls, {count} first starts, {} ended  (seed {})",
        calls.len(),
        ends.values().sum::<usize>(),
        seed()
    );
    assert!(!ends.is_empty(), "no call has failed");
}

fn on_disk(disk: &FailingDisk, data_dir: &Path) -> Settings {
    Settings {
        variables: disk.variables(data_dir),
        ..settings(data_dir)
    }
}

/// Kinds of the calls of a first start until the server answers.
async fn calls_of_a_start() -> Vec<String> {
    let (disk, folder) = (FailingDisk::new(), tempfile::tempdir().expect("a folder"));
    count_calls(&disk);
    let node = Node::start(on_disk(&disk, &folder.path().join("data"))).await;
    let calls = counted_calls(&disk);
    drop(node);
    calls
}

async fn start_servers(cases: &Mutex<VecDeque<Case>>, ends: &Mutex<Ends>) {
    let disk = FailingDisk::new();
    loop {
        let next = cases.lock().expect("not poisoned").pop_front();
        let Some(case) = next else { break };
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join("data");
        case.begin(&disk);
        let first = Node::try_start(on_disk(&disk, &data_dir)).await;
        let key = match first {
            Ok(node) => Some(keys(&node).await),
            Err((ended, printed)) => {
                assert_eq!(ended.code(), Some(1), "{case:?}: {printed}");
                assert!(disk.failed() > 0, "{case:?}: {printed}");
                assert_is_error(&printed);
                let call = kind(&disk.call(case.call));
                let mut ends = ends.lock().expect("not poisoned");
                *ends.entry((case.fault, call)).or_default() += 1;
                None
            }
        };
        disk.heal();
        let stored = fs::read(data_dir.join(KEY)).ok();
        let mut second = Node::start(on_disk(&disk, &data_dir)).await;
        let keys = keys(&second).await;
        assert!(key.is_none_or(|it| it == keys), "{case:?}: another key");
        // A key that has its name is whole, and stays.
        let kept = fs::read(data_dir.join(KEY)).expect("a key");
        assert!(stored.is_none_or(|it| it == kept), "{case:?}: another key");
        agent::create(&RetryingClient::new([second.url()])).await;
        second.assert_alive();
    }
}

/// The public keys of receipts, as a server tells them: exactly one.
async fn keys(node: &Node) -> Value {
    let url = format!("{}/.well-known/jwks.json", node.url());
    let answer = http_client().get(url).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    let keys: Value = answer.json().await.expect("JSON");
    assert_eq!(keys["keys"].as_array().map(Vec::len), Some(1), "{keys}");
    keys
}
