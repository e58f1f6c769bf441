//! The one door: everything that is done to this repository is a command here.

mod abuse;
mod bench;
mod browser;
mod build;
mod dependencies;
mod faults;
mod fuzz;
mod glue;
mod last_release;
mod postgres;
mod serve;
mod setup;
mod shell;
mod site;
mod test;
mod tools;
mod watch;
mod webkit;
mod weights;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Builds, runs and tests Vidence",
    version
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what building needs, and say what the tests lack on this machine
    Setup {
        /// Install all of that, too: browsers, PostgreSQL, nginx, Node and Python packages, agents' programs; gigabytes
        #[arg(long)]
        all: bool,
    },
    /// Build target/release/vidence, one file with everything in it
    Build,
    /// Build and run
    Serve {
        /// Flags for the server
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Build (faster code to build, slower to run) and run; again on every change
    Watch {
        /// Flags for the server
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Check format and lints, then run all tests that this machine can run, or one part; in CI nothing is left out
    Test {
        /// One part alone
        part: Option<test::Part>,
        /// For the part's runner: parts of tests' names; in browsers chromium, firefox, webkit, or parts of files' names
        names: Vec<String>,
    },
    /// Break what the server stands on, a thousand times, and count what is lost
    Faults {
        /// Break the server instead: each mistake must be noticed
        #[arg(long)]
        bite: bool,
    },
    /// Feed the parsers what nobody would write
    Fuzz {
        /// For how long, each of them
        #[arg(long, default_value_t = 10)]
        minutes: u32,
    },
    /// Attack a server on this machine in every known way, and print what it cost
    Abuse(abuse::Flags),
    /// Measure: beside what others use, for long, in a crowd, in a cluster
    #[command(subcommand)]
    Bench(bench::Bench),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n\x1b[1;31m✗ {error:#}\x1b[0m");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    std::env::set_current_dir(shell::root())?;
    match Cli::parse().command {
        Command::Setup { all } => setup::everything(all),
        Command::Build => build::release().map(drop),
        Command::Serve { flags } => serve::serve(&flags),
        Command::Watch { flags } => watch::watch(&flags),
        Command::Test { part: None, .. } => test::all(),
        Command::Test {
            part: Some(part),
            names,
        } => test::one(part, &names),
        Command::Faults { bite: false } => faults::long(),
        Command::Faults { bite: true } => faults::bite(),
        Command::Fuzz { minutes } => fuzz::fuzz(minutes),
        Command::Abuse(flags) => abuse::run(&flags),
        Command::Bench(what) => bench::bench(&what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What others run of this tool without a look at it: the image's build, and what checks a change.
    #[test]
    fn every_command_that_is_written_down_is_one_of_ours() {
        for file in ["server/deploy/Dockerfile", ".ci/run"] {
            let text = std::fs::read_to_string(shell::root().join(file)).expect("a file");
            let mut count = 0;
            for command in text.split("cargo xtask ").skip(1) {
                let words = command.split_whitespace().take_while(|it| *it != "&&");
                Cli::try_parse_from(std::iter::once("cargo xtask").chain(words))
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
                count += 1;
            }
            assert!(count > 0, "{file}");
        }
    }
}
