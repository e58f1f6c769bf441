//! Everything that must hold before a change is taken.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::Result;

use crate::postgres::Postgres;
use crate::shell::{cargo, program, root, run, say, step, which};
use crate::tools::{self, Missing};
use crate::{abuse, browser, build, setup, webkit};

/// From the cheapest check to the dearest.
pub fn test() -> Result<()> {
    step("Check the format", || {
        run(cargo().args(["fmt", "--all", "--check"]))
    })?;
    // Packages come while the compiler works.
    let (missing, binary) = thread::scope(|scope| {
        let setting_up = scope.spawn(|| step("Set up for testing", setup::for_testing));
        let binary = build::release();
        let missing = setting_up.join().expect("what can panic is caught");
        anyhow::Ok((missing?, binary?))
    })?;
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
    let postgres = match missing.has(tools::POSTGRES) {
        true => None,
        false => Some(step("Start a throw-away PostgreSQL", Postgres::start)?),
    };
    let stage = Stage {
        binary,
        postgres,
        missing,
    };
    step("Test units, journeys, contract and faults", || {
        stage.natively()
    })?;
    if !stage.missing.has(tools::LINUX) {
        step("Attack the server", || abuse::test(&stage.binary))?;
    }
    if !stage.missing.has(tools::NODE) {
        step("Test in a browser", || stage.in_browsers())?;
    }
    eprintln!("\nAll tests passed; {}.", stage.skipped());
    Ok(())
}

/// What is a warning while one works is an error here.
fn lint(what: &[&str], target: &str) -> Result<()> {
    run(cargo()
        .args(["clippy", "--all-targets", "--target-dir", target])
        .args(what)
        .args(["--", "-D", "warnings"]))
}

/// What the tests run on.
struct Stage {
    binary: PathBuf,
    postgres: Option<Postgres>,
    missing: Missing,
}

impl Stage {
    fn natively(&self) -> Result<()> {
        let tests = |runner: &[&str], what: &[&str], arguments: &[&str]| {
            let mut tests = cargo();
            tests.args(runner).args(["--target-dir", "target"]);
            tests.args(["--package", "app", "--package", "server"]);
            tests.args(what).arg("--").args(arguments);
            run(self.name_places(tests.args(self.missing.skips())))
        };
        if which("cargo-nextest").is_some() {
            return tests(&["nextest", "run"], &[], &[]);
        }
        say("cargo-nextest is not installed: cargo test does the same, slower");
        let together = ["contract", "journeys", "mcp", "recordings", "stills"];
        let together = together.map(|it| ["--test", it]).concat();
        tests(
            &["test"],
            &[&["--lib", "--bins"], &together[..]].concat(),
            &[],
        )?;
        // Which would only disturb each other.
        tests(&["test"], &["--test", "faults"], &["--test-threads", "1"])
    }

    fn in_browsers(&self) -> Result<()> {
        let mut tests = program("npx", &["playwright", "test"]);
        if self.missing.has(tools::CHROMIUM) {
            tests.args(["--project", "Firefox", "--project", "WebKit"]);
        }
        tests.current_dir(root().join("end2end"));
        run(self.name_places(&mut tests))
    }

    fn name_places<'a>(&self, tests: &'a mut Command) -> &'a mut Command {
        browser::name_all(tests).env("VIDENCE_BINARY", &self.binary);
        if let Some(postgres) = &self.postgres {
            tests.env("VIDENCE_TEST_POSTGRES", postgres.url());
            tests.env("VIDENCE_TEST_PSQL", postgres.psql());
        }
        tests
    }

    fn skipped(&self) -> String {
        let webkit = webkit::find().is_none().then_some("WebKitGTK");
        let missing: Vec<_> = self.missing.names().chain(webkit).collect();
        match missing.is_empty() {
            true => "none was skipped".to_owned(),
            false => format!("those that need {} were skipped", missing.join(", ")),
        }
    }
}
