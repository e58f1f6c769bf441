//! `cargo xtask test`: format, lints and all tests, or one part of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::Result;
use clap::ValueEnum;

use crate::build::{self, Profile};
use crate::shell::{cargo, program, root, run, say, step, which};
use crate::tools::postgres::Postgres;
use crate::tools::{self, MissingTools, browser, is_ci};
use crate::{abuse, dependencies, last_release};

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Format, lints, dependencies
    Lint,
    /// Unit tests
    Units,
    /// Tests of a running server, on each kind of storage
    Integration,
    /// Recordings by browsers and other programs, complete and cut off
    Recordings,
    /// Stills, by sandboxed decoders
    Stills,
    /// The API, by linters, property tests and generated clients
    Contract,
    /// MCP, by its official clients and its conformance suite
    Mcp,
    /// What AI agents show their models
    Agents,
    /// Kills, full and failing disks, cut connections, outages
    Faults,
    /// The corpora of the fuzz targets
    Corpora,
    /// Attacks on a server
    Attacks,
    /// Pages, in browsers
    Browser,
}

/// Runs everything, from the cheapest check to the most expensive.
pub fn run_all() -> Result<()> {
    step("Check the format", check_format)?;
    // Packages are installed while the compiler works.
    let (missing, binary) = thread::scope(|scope| {
        let setting_up = scope.spawn(set_up);
        let binary = build::build(Profile::Release);
        let missing = setting_up.join().expect("no panic");
        anyhow::Ok((missing?, binary?))
    })?;
    check_dependencies(&missing)?;
    lint()?;
    let environment = Environment::new(missing, &binary)?.with_last_release()?;
    step("Test units, integration, contract and faults", || {
        environment.run_native(&[], &[])
    })?;
    step("Replay the corpora", replay_corpora)?;
    if !environment.missing.has(tools::LINUX) {
        step("Attack the server", || abuse::test(&binary))?;
    }
    environment.run_browsers(&[])?;
    environment.print_result();
    Ok(())
}

/// Runs one part, or of its tests those with such names.
pub fn run_part(part: Part, names: &[String]) -> Result<()> {
    if part == Part::Lint {
        step("Check the format", check_format)?;
        if !root().join("target/site").is_dir() {
            step("Build the frontend", || build::build_site(Profile::Dev))?;
        }
        check_dependencies(&set_up()?)?;
        return lint();
    }
    if part == Part::Corpora {
        return step("Replay the corpora", replay_corpora);
    }
    let missing = set_up()?;
    if part == Part::Units {
        // They run no binary and no database. A frontend is embedded when they are compiled.
        if !root().join("target/site").is_dir() {
            step("Build the frontend", || build::build_site(Profile::Dev))?;
        }
        let environment = Environment::without_server(missing);
        environment.run_native(&["--lib", "--bins"], names)?;
        environment.print_result();
        return Ok(());
    }
    // A binary that is given is tested as it is.
    let binary = match std::env::var_os("VIDENCE_BINARY") {
        Some(binary) => PathBuf::from(binary),
        None if is_ci() => build::build(Profile::Release)?,
        None => build::build(Profile::Incremental)?,
    };
    let mut environment = Environment::new(missing, &binary)?;
    match part {
        Part::Attacks => step("Attack the server", || abuse::test(&binary))?,
        Part::Browser => environment.run_browsers(names)?,
        Part::Faults => {
            environment = environment.with_last_release()?;
            environment.run_native(&["--test", "faults"], names)?;
        }
        part => {
            let test = part.to_possible_value();
            let test = test.as_ref().map_or("", |it| it.get_name());
            environment.run_native(&["--test", test], names)?;
        }
    }
    environment.print_result();
    Ok(())
}

/// Installs all tools in CI, and elsewhere checks which ones are missing.
fn set_up() -> Result<MissingTools> {
    match is_ci() {
        true => step("Set up for testing", MissingTools::install_all),
        false => step("Check the tools for testing", MissingTools::check),
    }
}

fn check_dependencies(missing: &MissingTools) -> Result<()> {
    if missing.has(tools::DEPENDENCY_CHECKERS) {
        return Ok(());
    }
    step("Check the dependencies", dependencies::check)
}

fn check_format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

/// Runs Clippy with warnings as errors.
fn lint() -> Result<()> {
    // This compiles the tests, too.
    step("Lint the server", || {
        run(linted(&mut cargo())
            .args(["build", "--all-targets"])
            .args(PACKAGES.map(|it| ["--package", it]).as_flattened())
            .args(build::QUICK_BUILD))
    })?;
    step("Lint the frontend", || {
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
    step("Lint and test xtask", || {
        run(linted(&mut cargo())
            .args(["test", "--quiet", "--package", "xtask"])
            .args(["--target-dir", "target/xtask"]))
    })
}

/// The packages with native tests.
const PACKAGES: [&str; 6] = ["app", "media", "net", "server", "stills", "test-support"];

/// Compiles with Clippy as the compiler: unlike `cargo clippy` it generates code, so crates are compiled once.
pub fn linted(cargo: &mut Command) -> &mut Command {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings")
}

/// Runs the fuzz targets with their corpora, which also compiles them.
fn replay_corpora() -> Result<()> {
    run(cargo()
        .args(["test", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--target-dir", "target/fuzz", "--test", "corpus"]))
}

/// What the tests need to run.
struct Environment {
    binary: Option<PathBuf>,
    postgres: Option<Postgres>,
    last_release: Option<PathBuf>,
    missing: MissingTools,
}

impl Environment {
    fn new(missing: MissingTools, binary: &Path) -> Result<Self> {
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

    fn without_server(missing: MissingTools) -> Self {
        Self {
            binary: None,
            postgres: None,
            last_release: None,
            missing,
        }
    }

    /// Builds the last release, which some fault tests need.
    fn with_last_release(mut self) -> Result<Self> {
        self.last_release = step("Build the last release", last_release::build)?;
        if self.last_release.is_none() {
            self.missing.add(tools::LAST_RELEASE);
        }
        Ok(self)
    }

    /// Runs tests in these binaries (all if empty) with such names (all if empty).
    fn run_native(&self, binaries: &[&str], names: &[String]) -> Result<()> {
        let tests = |runner: &[&str], what: &[&str], arguments: &[&str]| {
            let mut tests = cargo();
            linted(&mut tests).args(runner).args(build::QUICK_BUILD);
            tests.args(PACKAGES.map(|it| ["--package", it]).as_flattened());
            tests.args(what).args(["--"]).args(names).args(arguments);
            run(self.set_env(tests.args(self.missing.skips())))
        };
        if which("cargo-nextest").is_some() {
            // nextest fails if no test matches, as with a mistyped name.
            return tests(&["nextest", "run"], binaries, &[]);
        }
        say("cargo-nextest is not installed: cargo test does the same, slower");
        // Fault tests would disturb each other.
        let alone = ["--test-threads", "1"];
        if !binaries.is_empty() {
            return tests(&["test"], binaries, &alone);
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

    /// Runs browser tests in the named engines (all if none is named), and of files with such names (all if none).
    fn run_browsers(&self, names: &[String]) -> Result<()> {
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

    /// Prints that all tests passed, and which ones were left out.
    fn print_result(&self) {
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
