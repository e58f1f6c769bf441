//! Everything that must hold before a change is taken.

use std::path::Path;

use anyhow::{Context, Result};

use crate::postgres::Postgres;
use crate::shell::{cargo, program, root, run, say, step, which};
use crate::{abuse, browser, build, setup};

/// From the cheapest check to the dearest.
pub fn test() -> Result<()> {
    step("Check the format", || {
        run(cargo().args(["fmt", "--all", "--check"]))
    })?;
    step("Set up for testing", setup::for_testing)?;
    let binary = build::release()?;
    let server = ["--package", "app", "--package", "server"];
    let browser = [
        "--package",
        "frontend",
        "--target",
        "wasm32-unknown-unknown",
    ];
    step("Lint the server", || lint(&server, "target"))?;
    step("Lint the browser's half", || lint(&browser, "target/web"))?;
    step("Lint this tool", || {
        lint(&["--package", "xtask"], "target/xtask")
    })?;
    let postgres = step("Start a throw-away PostgreSQL", Postgres::start)?;
    step("Test units, journeys, contract and faults", || {
        natively(&postgres, &binary)
    })?;
    step("Attack the server", || abuse::test(&binary))?;
    step("Test in a browser", || in_a_browser(&postgres, &binary))?;
    eprintln!("\nAll tests passed; none was skipped.");
    Ok(())
}

/// What is a warning while one works is an error here.
fn lint(what: &[&str], target: &str) -> Result<()> {
    run(cargo()
        .args(["clippy", "--all-targets", "--target-dir", target])
        .args(what)
        .args(["--", "-D", "warnings"]))
}

fn natively(postgres: &Postgres, binary: &Path) -> Result<()> {
    let chromium = browser::chromium().context("there is no Chromium")?;
    let tests = |runner: &[&str], what: &[&str]| {
        let mut tests = cargo();
        tests.args(runner).args(["--target-dir", "target"]);
        tests.args(["--package", "app", "--package", "server"]);
        tests.args(what);
        run(tests
            .env("VIDENCE_BINARY", binary)
            .env("VIDENCE_CHROMIUM", &chromium)
            .env("VIDENCE_TEST_POSTGRES", postgres.url()))
    };
    if which("cargo-nextest").is_some() {
        return tests(&["nextest", "run"], &[]);
    }
    say("cargo-nextest is not installed: cargo test does the same, slower");
    let together = ["contract", "journeys", "mcp", "stills"].map(|it| ["--test", it]);
    tests(
        &["test"],
        &[&["--lib", "--bins"], &together.concat()[..]].concat(),
    )?;
    // Which would only disturb each other.
    tests(
        &["test"],
        &["--test", "faults", "--", "--test-threads", "1"],
    )
}

fn in_a_browser(postgres: &Postgres, binary: &Path) -> Result<()> {
    let chromium = browser::chromium().context("there is no Chromium")?;
    let firefox = browser::firefox().context("there is no Firefox")?;
    run(program("npx", &["playwright", "test"])
        .env("VIDENCE_BINARY", binary)
        .env("VIDENCE_CHROMIUM", chromium)
        .env("VIDENCE_FIREFOX", firefox)
        .env("VIDENCE_TEST_POSTGRES", postgres.url())
        .env("VIDENCE_TEST_PSQL", postgres.psql())
        .current_dir(root().join("end2end")))
}
