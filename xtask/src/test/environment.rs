//! What native and browser tests need to run: binaries, databases and the names of tests that are left out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Result, ensure};
use rustix::fs::statvfs;

use super::{PACKAGES, linted};
use crate::shell::{cargo, program, root, run, say, step, which};
use crate::tools::packages::{cargo_program, path_with_cargo_programs};
use crate::tools::postgres::Postgres;
use crate::tools::{self, MissingTools, browser, is_ci};
use crate::{build, last_release};

/// Bytes that must be free before a part of the tests.
/// Servers under test refuse uploads below 512 MiB, which looks like a hundred different faults.
const FREE_BYTES: u64 = 4 << 30;

/// Tests at a time, even on a machine with fewer cores: most wait for a server to start, a timeout or a lease.
const MIN_THREADS: usize = 4;

/// What the tests need to run.
pub struct Environment {
    binary: Option<PathBuf>,
    postgres: Option<Postgres>,
    last_release: Option<PathBuf>,
    pub missing: MissingTools,
}

impl Environment {
    pub fn new(missing: MissingTools, binary: &Path) -> Result<Self> {
        let postgres = match missing.has(tools::POSTGRES) {
            true => None,
            false => Some(step("Start a throw-away PostgreSQL", Postgres::start)?),
        };
        Ok(Self {
            binary: Some(binary.to_owned()),
            postgres,
            last_release: None,
            missing,
        })
    }

    pub fn without_server(missing: MissingTools) -> Self {
        Self {
            binary: None,
            postgres: None,
            last_release: None,
            missing,
        }
    }

    /// Builds the last release, which some fault tests need.
    pub fn with_last_release(mut self) -> Result<Self> {
        self.last_release = step("Build the last release", last_release::build)?;
        if self.last_release.is_none() {
            self.missing.add(tools::LAST_RELEASE);
        }
        Ok(self)
    }

    /// Runs tests in these binaries (all if empty) with such names (all if empty).
    pub fn run_native(&self, binaries: &[&str], names: &[String]) -> Result<()> {
        check_disks()?;
        let tests = |runner: &[&str], what: &[&str], arguments: &[&str]| {
            let mut tests = cargo();
            linted(&mut tests).args(runner).args(build::QUICK_BUILD);
            tests.env("PATH", path_with_cargo_programs()?);
            tests.args(PACKAGES.map(|it| ["--package", it]).as_flattened());
            tests.args(what).args(["--"]).args(names).args(arguments);
            run(self.set_env(tests.args(self.missing.skips())))
        };
        if !self.missing.has(tools::NEXTEST) {
            // nextest fails if no test matches, as with a mistyped name.
            let threads = available_parallelism()?.get().max(MIN_THREADS).to_string();
            let runner = ["nextest", "run", "--test-threads", &threads];
            return tests(&runner, binaries, &[]);
        }
        say(
            "cargo-nextest is not installed: cargo test does the same, but ends no test that hangs",
        );
        // Fault tests would disturb each other.
        let alone = ["--test-threads", "1"];
        let arguments = match binaries.contains(&"faults") {
            true => &alone[..],
            false => &[],
        };
        tests(&["test"], binaries, arguments)
    }

    /// Runs browser tests in the named engines (all if none is named), and of files with such names (all if none).
    pub fn run_browsers(&self, names: &[String]) -> Result<()> {
        const CHROMIUM: &[&str] = &["camera allowed", "camera denied", "no camera", "TLS"];
        if self.missing.has(tools::PLAYWRIGHT) {
            return Ok(());
        }
        check_disks()?;
        let (mut projects, mut files) = (Vec::new(), Vec::new());
        for name in names {
            match name.as_str() {
                "chromium" => projects.extend(CHROMIUM),
                "firefox" => projects.push("Firefox"),
                "webkit" => projects.push("WebKit"),
                file => files.push(file),
            }
        }
        if projects.is_empty() && self.missing.has(tools::CHROMIUM) {
            projects.extend(["Firefox", "WebKit"]);
        }
        // `--project` with a list would take the files, too.
        let mut tests = program("npx", &["playwright", "test"]);
        tests.args(files);
        for project in projects {
            tests.arg(format!("--project={project}"));
        }
        let folder = root().join("end2end");
        tests.current_dir(&folder);
        // Playwright doesn't check types.
        step("Check the types of the browser tests", || {
            run(program("npx", &["tsc"]).current_dir(&folder))
        })?;
        step("Test in browsers", || run(self.set_env(&mut tests)))
    }

    /// Tells tests where to find binaries and databases.
    fn set_env<'a>(&self, tests: &'a mut Command) -> &'a mut Command {
        browser::set_env(tests);
        if let Some(tesseract) = which("tesseract") {
            tests.env("VIDENCE_TESSERACT", tesseract);
        }
        tests.env("VIDENCE_GARAGE", cargo_program("garage"));
        if let Some(binary) = &self.binary {
            tests.env("VIDENCE_BINARY", binary);
        }
        if let Some(last_release) = &self.last_release {
            tests.env("VIDENCE_LAST_RELEASE", last_release);
        }
        if let Some(postgres) = &self.postgres {
            tests.env("VIDENCE_TEST_POSTGRES", postgres.url());
            tests.env("VIDENCE_TEST_PSQL", postgres.psql());
        }
        tests
    }

    /// Prints that all tests passed, and which ones were left out. In CI none may be.
    pub fn print_result(&self) -> Result<()> {
        if is_ci() {
            self.missing.ensure_none()?;
        }
        eprintln!("\nAll tests that were run passed.");
        // Without this one they take longer.
        let missing = self.missing.names().filter(|it| *it != tools::NEXTEST.name);
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            eprintln!(
                "Left out, as this machine lacks what they need: those of {}. `cargo xtask setup --all` installs what can be \
                 had.",
                missing.join(", ")
            );
        }
        Ok(())
    }
}

/// Checks that the disks of `target/` and of temporary files have room for what tests store.
fn check_disks() -> Result<()> {
    for folder in [&root().join("target"), &std::env::temp_dir()] {
        let disk = statvfs(folder)?;
        let free = disk.f_bavail * disk.f_frsize;
        ensure!(
            free >= FREE_BYTES,
            "only {:.1} GiB are free on the disk of {}, and the tests need {}. `rm -r target/release/incremental` frees \
             what most of it is filled with.",
            free as f64 / f64::from(1 << 30),
            folder.display(),
            FREE_BYTES >> 30,
        );
    }
    Ok(())
}
