//! The tools that the tests need besides Rust, and which of them are missing on this machine.

pub mod browser;
mod catalog;
pub mod debian_root;
pub mod packages;
pub mod postgres;
mod webkit;

use anyhow::{Result, ensure};

use crate::shell::say;

pub use catalog::*;

/// A program, or packages of Node and Python.
pub struct Tool {
    /// Its name in messages.
    pub name: &'static str,
    is_installed: fn() -> bool,
    install: fn() -> Result<()>,
    /// Parts of the names of the native tests that need it.
    tests: &'static [&'static str],
}

/// The tools that are missing on this machine.
pub struct MissingTools(Vec<&'static Tool>);

impl MissingTools {
    /// Checks which tools are missing, and installs only Playwright, which is small.
    pub fn check() -> Result<Self> {
        if (NODE.is_installed)() {
            PLAYWRIGHT.install()?;
        }
        let missing = ALL.into_iter().filter(|tool| !(tool.is_installed)());
        Ok(Self(missing.collect()))
    }

    /// Installs all tools. In CI a failure is an error, elsewhere that tool is missing.
    pub fn install_all() -> Result<Self> {
        let mut missing = Vec::new();
        for tool in ALL {
            match tool.install() {
                Ok(()) => {}
                Err(error) if !is_ci() => {
                    say(format!("{error:#}. The tests that need it are skipped."));
                    missing.push(tool);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self(missing))
    }

    /// Fails if there are any.
    pub fn ensure_none(&self) -> Result<()> {
        let names: Vec<_> = self.names().collect();
        ensure!(names.is_empty(), "missing: {}", names.join(", "));
        Ok(())
    }

    /// Adds a tool, whose tests are then left out.
    pub fn add(&mut self, tool: &'static Tool) {
        self.0.push(tool);
    }

    pub fn has(&self, tool: &Tool) -> bool {
        self.names().any(|name| name == tool.name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|it| it.name)
    }

    /// The arguments for the test runner, behind `--`, that leave out the tests that need these tools.
    pub fn skips(&self) -> impl Iterator<Item = &'static str> {
        let tests = self.0.iter().flat_map(|it| it.tests);
        tests.flat_map(|name| ["--skip", name])
    }
}

/// Whether this is a run in CI, where all tests must run.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

impl Tool {
    /// Installs it unless it is installed already.
    pub fn install(&self) -> Result<()> {
        let name = self.name;
        if (self.is_installed)() {
            say(format!("{name}: installed"));
            return Ok(());
        }
        (self.install)().map_err(|error| error.context(format!("{name} is missing")))?;
        ensure!(
            (self.is_installed)(),
            "{name} was installed, but can't be found"
        );
        Ok(())
    }
}
