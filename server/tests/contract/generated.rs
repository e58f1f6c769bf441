//! Clients that are made of the description by well-known generators, as it is served.
//!
//! Each is generated anew, and tells the whole story in `story.py` or `story.ts`.

use std::fs;
use std::os::unix::fs::symlink;

use tokio::process::Command;

use crate::TOOLS;
use test_support::shipped::{Shipped, film};
use test_support::tools::run;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_generated_in_python_tells_the_whole_story() {
    let shipped = Shipped::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut generate = TOOLS.python("openapi-python-client");
    generate
        .args(["generate", "--url", &shipped.document_url()])
        .arg("--config")
        .arg(TOOLS.file("client.yaml"))
        .args(["--meta", "none", "--output-path", "vidence"])
        // What it can't make it leaves out, and warns.
        .arg("--fail-on-warning");
    run(&mut generate, folder.path()).await;

    let mut story = TOOLS.python("python");
    story.arg(TOOLS.file("story.py"));
    story.arg(folder.path()).arg(shipped.url()).arg(film());
    run(&mut story, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_generated_in_typescript_tells_the_whole_story() {
    let shipped = Shipped::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let mut generate = TOOLS.node("openapi-typescript");
    generate.args([&shipped.document_url(), "--output", "schema.d.ts"]);
    run(&mut generate, folder.path()).await;

    for name in ["story.ts", "tsconfig.json", "package.json"] {
        fs::copy(TOOLS.file(name), file(name)).expect("a copy");
    }
    symlink(TOOLS.file("node_modules"), file("node_modules")).expect("a link");
    run(&mut TOOLS.node("tsc"), folder.path()).await;

    let mut story = Command::new("node");
    story.arg("story.js").arg(shipped.url()).arg(film());
    run(&mut story, folder.path()).await;
}
