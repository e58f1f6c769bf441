//! `cargo xtask test`: format, lints and all tests, or one part of them.

mod environment;

use std::process::Command;
use std::thread;

use anyhow::Result;
use clap::ValueEnum;

use crate::build::{self, Profile};
use crate::shell::{cargo, run, step};
use crate::tools::{self, MissingTools, is_ci};
use crate::{abuse, dependencies};
use environment::Environment;

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
    environment.print_result()
}

/// Runs one part, or of its tests those with such names.
pub fn run_part(part: Part, names: &[String]) -> Result<()> {
    if part == Part::Lint {
        step("Check the format", check_format)?;
        step("Build the frontend", || {
            build::build_site(Profile::Incremental)
        })?;
        check_dependencies(&set_up()?)?;
        return lint();
    }
    if part == Part::Corpora {
        return step("Replay the corpora", replay_corpora);
    }
    let missing = set_up()?;
    if part == Part::Units {
        // They run no binary and no database. A frontend is embedded when they are compiled.
        step("Build the frontend", || {
            build::build_site(Profile::Incremental)
        })?;
        let environment = Environment::without_server(missing);
        environment.run_native(&["--lib", "--bins"], names)?;
        return environment.print_result();
    }
    // A binary that is given is tested as it is.
    let binary = match std::env::var_os("VIDENCE_BINARY") {
        // Tests run in other folders.
        Some(binary) => std::path::absolute(binary)?,
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
    environment.print_result()
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
const PACKAGES: [&str; 7] = [
    "app",
    "http2-frames",
    "media",
    "net",
    "server",
    "stills",
    "test-support",
];

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
