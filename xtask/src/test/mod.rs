//! `cargo xtask test`: format, lints and tests, in CI all of them, or one part.

mod environment;

use std::process::Command;
use std::thread;

use anyhow::{Result, ensure};
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

impl Part {
    /// Its name on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |it| it.get_name().to_owned())
    }
}

/// What [`run_all`] leaves out unless it runs in CI: it takes three times as long as the rest.
const LONG_PARTS: [Part; 6] = [
    Part::Contract,
    Part::Mcp,
    Part::Agents,
    Part::Faults,
    Part::Corpora,
    Part::Attacks,
];

/// The browser tests of a run that isn't in CI: a person records and submits, and an agent watches.
const SHORT_BROWSER_TESTS: [&str; 3] = [
    "recording/journey.spec.ts",
    "console/console.spec.ts",
    "upload/file.spec.ts",
];

/// Runs everything in CI, and elsewhere what takes less than ten minutes, from the cheapest check to the most expensive.
pub fn run_all() -> Result<()> {
    step("Check the format", check_format)?;
    let profile = match is_ci() {
        true => Profile::Release,
        false => Profile::Incremental,
    };
    // Packages are installed while the compiler works.
    let (missing, binary) = thread::scope(|scope| {
        let setting_up = scope.spawn(set_up);
        let binary = build::build(profile);
        let missing = setting_up.join().expect("no panic");
        anyhow::Ok((missing?, binary?))
    })?;
    check_dependencies(&missing)?;
    lint()?;
    let environment = Environment::new(missing, &binary)?;
    if !is_ci() {
        return run_short(&environment);
    }
    let environment = environment.with_last_release()?;
    step("Test units, integration, contract and faults", || {
        environment.run_native(&[], &[])
    })?;
    step("Replay the corpora", replay_corpora)?;
    step("Attack the server", || abuse::test(&binary))?;
    environment.run_browsers(&[])?;
    environment.print_result()
}

/// Runs all parts but the [long ones](LONG_PARTS), and of those in browsers the [shortest](SHORT_BROWSER_TESTS).
fn run_short(environment: &Environment) -> Result<()> {
    let tests = ["integration", "recordings", "stills"].map(|it| ["--test", it]);
    let binaries = [&["--lib", "--bins"], tests.as_flattened()].concat();
    step("Test units, integration, recordings and stills", || {
        environment.run_native(&binaries, &[])
    })?;
    if !environment.missing.has(tools::CHROMIUM) {
        let tests = ["chromium"].into_iter().chain(SHORT_BROWSER_TESTS);
        environment.run_browsers(&tests.map(str::to_owned).collect::<Vec<_>>())?;
    }
    environment.print_result()?;
    let left_out = LONG_PARTS.map(Part::name).join(", ");
    eprintln!(
        "Left out, as they take long: {left_out}, and most of browser. `cargo xtask test PART` runs one of them; `CI=true cargo \
         xtask test` installs what they need, and runs all."
    );
    Ok(())
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
        Part::Browser => {
            ensure!(
                !environment.missing.has(tools::PLAYWRIGHT),
                "Playwright is missing: `cargo xtask setup --all` installs it"
            );
            environment.run_browsers(names)?;
        }
        Part::Faults => {
            environment = environment.with_last_release()?;
            environment.run_native(&["--test", "faults"], names)?;
        }
        part => environment.run_native(&["--test", &part.name()], names)?,
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
const PACKAGES: [&str; 8] = [
    "app",
    "http2-frames",
    "media",
    "net",
    "server",
    "stills",
    "store",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_runs_everywhere_or_is_named_as_left_out() {
        use Part as P;
        for part in Part::value_variants() {
            // Without a wildcard, so that a new part is decided on.
            let is_short = match part {
                P::Lint | P::Units | P::Integration | P::Recordings | P::Stills | P::Browser => {
                    true
                }
                P::Contract | P::Mcp | P::Agents | P::Faults | P::Corpora | P::Attacks => false,
            };
            assert_eq!(LONG_PARTS.contains(part), !is_short, "{}", part.name());
        }
    }
}
