//! What the binary does, by its first argument. Without one it serves.

mod check;
mod config;
mod listen;
mod migrate;
mod openapi;
mod qr;
mod redact;
mod reports;
mod serve;
mod signals;
mod takedown;

use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::allocator;
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
    Check(check::Args),
    Migrate(migrate::Args),
    /// Show every setting as it would be in force, and where it comes from: flag, environment or default
    Config(Box<Config>),
    Openapi(openapi::Args),
}

/// What the arguments and the environment say. Ends the process, with the reason, where that makes no sense.
pub fn parse() -> Cli {
    // What the environment says to a server alone keeps no other command from running.
    let commands = Cli::command().mut_args(|setting| setting.env(Resettable::Reset));
    let matches = commands.try_get_matches().ok();
    let cli = match matches.filter(|it| it.subcommand_name().is_some()) {
        Some(matches) => Cli::from_arg_matches(&matches),
        None => Cli::try_parse(),
    };
    cli.unwrap_or_else(|error| redact::without_secrets(error).exit())
}

/// Does what the arguments ask for, to the end.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    allocator::limit_arenas();
    match cli.command {
        None => serve::serve(cli.serve)?,
        Some(Command::Serve(config)) => serve::serve(*config)?,
        Some(Command::Check(args)) => return check::check(&args),
        Some(Command::Migrate(args)) => migrate::migrate(&args)?,
        Some(Command::Config(_)) => config::config()?,
        Some(Command::Openapi(args)) => openapi::openapi(&args)?,
        Some(Command::Reports(args)) => reports::reports(args)?,
        Some(Command::Takedown(args)) => takedown::takedown(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_and_the_help_are_consistent() {
        Cli::command().debug_assert();
    }
}
