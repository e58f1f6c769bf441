//! The project's commands: `cargo xtask` builds, runs, tests and measures Vidence.

mod abuse;
mod bench;
mod build;
mod dependencies;
mod dist;
mod faults;
mod fuzz;
mod last_release;
mod serve;
mod server;
mod setup;
mod shell;
mod test;
mod tools;
mod watch;

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
    /// Install what the build needs, and list what the tests lack on this machine
    Setup {
        /// Install what the tests need, too: browsers, PostgreSQL, nginx, Node and Python packages, AI agents; gigabytes
        #[arg(long)]
        all: bool,
    },
    /// Build target/release/vidence, a single file with everything in it
    Build,
    /// Build the pages alone, into target/site: for cargo install and cargo build, which call it
    Pages,
    /// Pack a release into target/packages: archive, Debian package, list of dependencies, checksums
    Dist {
        /// That of the machines which it is for; another than this one's needs QEMU, which writes the manual with it
        #[arg(long)]
        architecture: Option<dist::Architecture>,
        /// Install and run it in a clean Debian, and run the files of the image; needs root and the network
        #[arg(long, conflicts_with = "architecture")]
        try_out: bool,
    },
    /// Write the licences of all that is in the binary into target/THIRD-PARTY-LICENSES
    Licenses,
    /// Build and run
    Serve {
        /// Flags for the server
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Make a debug build and run it; again on every change
    Watch {
        /// Flags for the server
        #[arg(last = true)]
        flags: Vec<String>,
    },
    /// Check format and lints, then run tests for up to ten minutes, or one part of them; in CI all tests
    Test {
        /// Only this part
        part: Option<test::Part>,
        /// Only tests whose names contain one of these; in browsers chromium, firefox, webkit, or parts of file names
        names: Vec<String>,
    },
    /// Run the fault tests with many rounds: kills, power cuts, full and failing disks, cut connections, outages
    Faults {
        /// Only tests whose names contain one of these
        #[arg(conflicts_with_all = ["mutants", "bite"])]
        names: Vec<String>,
        /// Check that the fault tests fail on mutants of the server instead
        #[arg(long)]
        mutants: bool,
        /// Check that power cuts lose data of servers that leave out a sync instead
        #[arg(long, conflicts_with = "mutants")]
        bite: bool,
    },
    /// Fuzz the parsers
    Fuzz {
        /// Minutes for each parser
        #[arg(long, default_value_t = 10)]
        minutes: u32,
    },
    /// Attack a server on this machine in all known ways, and print what that costs it
    Abuse(abuse::Flags),
    /// Measure: beside other software, for long, with many connections, in a cluster
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
        Command::Setup { all } => setup::set_up(all),
        Command::Build => build::build(build::Profile::Release).map(drop),
        Command::Pages => build::build_pages(),
        Command::Dist {
            architecture,
            try_out,
        } => dist::dist(architecture, try_out),
        Command::Licenses => dist::write_licenses(),
        Command::Serve { flags } => serve::serve(&flags),
        Command::Watch { flags } => watch::watch(&flags),
        Command::Test { part: None, .. } => test::run_all(),
        Command::Test {
            part: Some(part),
            names,
        } => test::run_part(part, &names),
        Command::Faults { mutants: true, .. } => faults::check_mutants(),
        Command::Faults { bite: true, .. } => faults::check_syncs(),
        Command::Faults { names, .. } => faults::run_long(&names),
        Command::Fuzz { minutes } => fuzz::fuzz(minutes),
        Command::Abuse(flags) => abuse::run(&flags),
        Command::Bench(bench) => bench::run(&bench),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the commands in the container image's build and in CI.
    #[test]
    fn every_command_in_a_script_exists() {
        let root = shell::root();
        let workflows = std::fs::read_dir(root.join(".github/workflows")).expect("a folder");
        let workflows = workflows.map(|it| it.expect("an entry").path());
        let others = ["server/deploy/images/Dockerfile", ".ci/run"].map(|it| root.join(it));
        for file in workflows.chain(others) {
            let text = std::fs::read_to_string(&file).expect("a file");
            let file = file.display();
            let mut count = 0;
            for command in text.split("cargo xtask ").skip(1) {
                let line = command.lines().next().unwrap_or_default();
                let words = line.split_whitespace().take_while(|it| *it != "&&");
                Cli::try_parse_from(std::iter::once("cargo xtask").chain(words))
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
                count += 1;
            }
            assert!(count > 0, "{file}");
        }
    }
}
