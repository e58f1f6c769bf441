//! What the binary does, by its first argument. Without one it serves.

mod qr;
mod reports;
mod serve;
mod signals;
mod takedown;
mod way_in;

use clap::{Parser, Subcommand};

use crate::config::Config;

/// Asks a human for video evidence.
///
/// With nothing given it runs: a database file and a folder of videos in ./data, on 127.0.0.1:3000.
#[derive(Debug, Parser)]
#[command(name = "vidence", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: Config,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server, which is what happens without a command
    Serve(Box<Config>),
    /// List what people say against requests; a server may be running beside this
    Reports(reports::ReportsArgs),
    /// Remove a request with all that was recorded for it; a server may be running beside this
    Takedown(takedown::TakedownArgs),
}

/// Does what the arguments ask for, to the end.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        None => serve::serve(cli.serve),
        Some(Command::Serve(config)) => serve::serve(*config),
        Some(Command::Reports(args)) => reports::reports(args),
        Some(Command::Takedown(args)) => takedown::takedown(args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_defaults_and_the_help_are_consistent() {
        Cli::command().debug_assert();
    }
}
