//! Everything that must hold before a change is taken, and each part of it by its name.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::Result;
use clap::ValueEnum;

use crate::postgres::Postgres;
use crate::shell::{cargo, program, root, run, say, step, which};
use crate::tools::{self, Missing, is_ci};
use crate::{abuse, browser, build, dependencies, last_release, site};

/// What can be run alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Format, lints, dependencies
    Lint,
    /// Unit tests
    Units,
    /// Through a server on a port, on each kind of storage
    Integration,
    /// Recordings by browsers and other programs, whole and cut
    Recordings,
    /// Pictures, by confined decoders
    Stills,
    /// The interface as other people's readers and generated clients see it
    Contract,
    /// MCP as its own clients and its conformance suite see it
    Mcp,
    /// What agents' programs show a model
    Agents,
    /// Kills, full and failing disks, cut connections, outages
    Faults,
    /// What fuzzers have kept, taken once more; and their targets compiled
    Corpora,
    /// What a stranger can do, tried
    Attacks,
    /// What a person sees
    Browser,
}

/// From the cheapest check to the dearest.
pub fn all() -> Result<()> {
    step("Check the format", check_format)?;
    // Packages come while the compiler works.
    let (missing, binary) = thread::scope(|scope| {
        let setting_up = scope.spawn(set_up);
        let binary = build::release();
        let missing = setting_up.join().expect("what can panic is caught");
        anyhow::Ok((missing?, binary?))
    })?;
    check_dependencies(&missing)?;
    lint()?;
    let stage = Stage::new(missing, binary)?.with_the_last_release()?;
    step("Test units, integration, contract and faults", || {
        stage.natively(&[], &[])
    })?;
    step("Replay the fuzzers' corpora", replay_corpora)?;
    if !stage.missing.has(tools::LINUX) {
        step("Attack the server", || abuse::test(&stage.binary))?;
    }
    stage.in_browsers(&[])?;
    stage.passed();
    Ok(())
}

/// One part, and of its tests those with such names.
pub fn one(part: Part, names: &[String]) -> Result<()> {
    if part == Part::Lint {
        step("Check the format", check_format)?;
        if !root().join("target/site").is_dir() {
            step("Build the browser's half", site::build)?;
        }
        check_dependencies(&set_up()?)?;
        return lint();
    }
    if part == Part::Corpora {
        return step("Replay the fuzzers' corpora", replay_corpora);
    }
    let missing = set_up()?;
    // One that is named is as it should be tested.
    let binary = match std::env::var_os("VIDENCE_BINARY") {
        Some(binary) => PathBuf::from(binary),
        None => build::release()?,
    };
    let mut stage = Stage::new(missing, binary)?;
    match part {
        Part::Attacks => step("Attack the server", || abuse::test(&stage.binary))?,
        Part::Browser => stage.in_browsers(names)?,
        Part::Units => stage.natively(&["--lib", "--bins"], names)?,
        Part::Faults => {
            stage = stage.with_the_last_release()?;
            stage.natively(&["--test", "faults"], names)?;
        }
        part => {
            let test = part.to_possible_value();
            let test = test.as_ref().map_or("", |it| it.get_name());
            stage.natively(&["--test", test], names)?;
        }
    }
    stage.passed();
    Ok(())
}

/// In CI everything is installed, and nothing is left out.
fn set_up() -> Result<Missing> {
    match is_ci() {
        true => step("Set up for testing", Missing::after_installing),
        false => step("Look what there is for testing", Missing::here),
    }
}

fn check_dependencies(missing: &Missing) -> Result<()> {
    if missing.has(tools::READERS) {
        return Ok(());
    }
    step("Check the dependencies", dependencies::check)
}

fn check_format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

/// What is a warning while one works is an error here.
fn lint() -> Result<()> {
    // Compiles the tests at once.
    step("Lint the server", || {
        run(linted(&mut cargo())
            .args(["build", "--all-targets"])
            .args(PACKAGES.map(|it| ["--package", it]).as_flattened())
            .args(TEST_BUILD))
    })?;
    step("Lint the browser's half", || {
        run(cargo()
            .args(["clippy", "--all-targets", "--package", "console"])
            .args([
                "--package",
                "recorder",
                "--target",
                "wasm32-unknown-unknown",
                "--release",
            ])
            .args(["--target-dir", "target", "--", "-D", "warnings"]))
    })?;
    step("Lint and test this tool", || {
        run(linted(&mut cargo())
            .args(["test", "--quiet", "--package", "xtask"])
            .args(["--target-dir", "target/xtask"]))
    })
}

/// What is tested natively.
const PACKAGES: [&str; 6] = ["app", "media", "net", "server", "stills", "test-support"];

/// How the tests are built, and everything else that runs them.
pub const TEST_BUILD: [&str; 3] = ["--config", ".cargo/tests.toml", "--release"];

/// Has Clippy compile our crates: as `cargo clippy` does, but with code for what it has read.
pub fn linted(cargo: &mut Command) -> &mut Command {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings")
}

/// Their targets are built with it.
fn replay_corpora() -> Result<()> {
    run(cargo()
        .args(["test", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--target-dir", "target/fuzz", "--test", "corpus"]))
}

/// What the tests run on.
struct Stage {
    binary: PathBuf,
    postgres: Option<Postgres>,
    last_release: Option<PathBuf>,
    missing: Missing,
}

impl Stage {
    fn new(missing: Missing, binary: PathBuf) -> Result<Self> {
        let postgres = match missing.has(tools::POSTGRES) {
            true => None,
            false => Some(step("Start a throw-away PostgreSQL", Postgres::start)?),
        };
        Ok(Self {
            binary,
            postgres,
            last_release: None,
            missing,
        })
    }

    /// For those of the faults that need it.
    fn with_the_last_release(mut self) -> Result<Self> {
        self.last_release = step("Build the last release", last_release::build)?;
        if self.last_release.is_none() {
            self.missing.add(tools::LAST_RELEASE);
        }
        Ok(self)
    }

    /// Of these test binaries, or else of all, the tests with such names, or else all.
    fn natively(&self, which_binaries: &[&str], names: &[String]) -> Result<()> {
        let tests = |runner: &[&str], what: &[&str], arguments: &[&str]| {
            let mut tests = cargo();
            linted(&mut tests).args(runner).args(TEST_BUILD);
            tests.args(PACKAGES.map(|it| ["--package", it]).as_flattened());
            tests.args(what).args(["--"]).args(names).args(arguments);
            run(self.name_places(tests.args(self.missing.skips())))
        };
        if which("cargo-nextest").is_some() {
            // A part of no test is a name that was mistyped.
            return tests(&["nextest", "run"], which_binaries, &[]);
        }
        say("cargo-nextest is not installed: cargo test does the same, slower");
        // The faults, alone: they would only disturb each other.
        let alone = ["--test-threads", "1"];
        if !which_binaries.is_empty() {
            return tests(&["test"], which_binaries, &alone);
        }
        let together = [
            "agents",
            "contract",
            "integration",
            "mcp",
            "recordings",
            "stills",
        ];
        let together = together.map(|it| ["--test", it]).concat();
        tests(
            &["test"],
            &[&["--lib", "--bins"], &together[..]].concat(),
            &[],
        )?;
        tests(&["test"], &["--test", "faults"], &alone)
    }

    /// In these engines, or else in all; of files with such names, or else all.
    fn in_browsers(&self, names: &[String]) -> Result<()> {
        const CHROMIUM: &[&str] = &["camera allowed", "camera denied", "no camera", "TLS"];
        if self.missing.has(tools::PLAYWRIGHT) {
            return Ok(());
        }
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
        // A list of projects takes all that follows.
        let mut tests = program("npx", &["playwright", "test"]);
        tests.args(files);
        for project in projects {
            tests.arg(format!("--project={project}"));
        }
        let folder = root().join("end2end");
        tests.current_dir(&folder);
        // Playwright leaves types unread.
        step("Check the types of the browser tests", || {
            run(program("npx", &["tsc"]).current_dir(&folder))
        })?;
        step("Test in browsers", || run(self.name_places(&mut tests)))
    }

    fn name_places<'a>(&self, tests: &'a mut Command) -> &'a mut Command {
        browser::name_all(tests).env("VIDENCE_BINARY", &self.binary);
        if let Some(last_release) = &self.last_release {
            tests.env("VIDENCE_LAST_RELEASE", last_release);
        }
        if let Some(postgres) = &self.postgres {
            tests.env("VIDENCE_TEST_POSTGRES", postgres.url());
            tests.env("VIDENCE_TEST_PSQL", postgres.psql());
        }
        tests
    }

    /// Says so, and what was left out.
    fn passed(&self) {
        let missing: Vec<_> = self.missing.names().collect();
        match missing.is_empty() {
            true => eprintln!("\nAll tests passed; none was left out."),
            false => eprintln!(
                "\nAll tests passed but those that need what this machine lacks: {}.\n\
                 `cargo xtask setup --all` installs what can be had.",
                missing.join(", ")
            ),
        }
    }
}
