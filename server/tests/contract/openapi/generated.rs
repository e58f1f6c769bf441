//! Clients generated from the served OpenAPI document by popular generators.
//!
//! Each is generated anew, and runs the whole lifecycle in `lifecycle.py` or `lifecycle.ts`.

use std::fs;
use std::os::unix::fs::symlink;

use tokio::process::Command;

use crate::TOOLS;
use test_support::servers::release_server::{ReleaseServer, recording_path};
use test_support::tools::run;

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_python_client_runs_the_request_lifecycle() {
    let server = ReleaseServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut generate = TOOLS.python("openapi-python-client");
    generate
        .args(["generate", "--url", &server.openapi_url()])
        .arg("--config")
        .arg(TOOLS.file("openapi/client.yaml"))
        .args(["--meta", "none", "--output-path", "vidence"])
        // It skips what it can't generate, with a warning.
        .arg("--fail-on-warning");
    run(&mut generate, folder.path()).await;

    let mut lifecycle = TOOLS.python("python");
    lifecycle.arg(TOOLS.file("openapi/lifecycle.py"));
    lifecycle
        .arg(folder.path())
        .arg(server.url())
        .arg(recording_path());
    run(&mut lifecycle, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_typescript_client_runs_the_request_lifecycle() {
    let server = ReleaseServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let mut generate = TOOLS.node("openapi-typescript");
    generate.args([&server.openapi_url(), "--output", "schema.d.ts"]);
    run(&mut generate, folder.path()).await;

    for name in ["lifecycle.ts", "tsconfig.json"] {
        fs::copy(TOOLS.file("openapi").join(name), file(name)).expect("a copy");
    }
    fs::copy(TOOLS.file("package.json"), file("package.json")).expect("a copy");
    symlink(TOOLS.file("node_modules"), file("node_modules")).expect("a link");
    run(&mut TOOLS.node("tsc"), folder.path()).await;

    let mut lifecycle = Command::new("node");
    lifecycle
        .arg("lifecycle.js")
        .arg(server.url())
        .arg(recording_path());
    run(&mut lifecycle, folder.path()).await;
}
