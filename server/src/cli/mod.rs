//! The command line. Without a command the binary serves.

mod ask;
mod check;
mod config;
mod exit;
mod manual;
mod migrate;
mod moderation;
mod openapi;
mod ready;
mod redact;
mod serve;
mod terminal;
mod top;
mod verify;

use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::bootstrap::allocator;
use crate::config::Config;
use moderation::{reports, takedown};

/// Asks a human for video evidence
///
/// Without arguments, serves on 127.0.0.1:3000 with a database file and a folder of videos in ./data.
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
    /// Run the server; the default command
    Serve(Box<Config>),
    /// List abuse reports, or close some; safe beside running servers
    Reports(reports::ReportsArgs),
    /// Remove a request with all its recordings; safe beside running servers
    Takedown(takedown::TakedownArgs),
    Ask(Box<ask::Args>),
    Check(check::Args),
    Migrate(migrate::Args),
    Config(Box<config::Args>),
    Ready(ready::Args),
    Top(top::Args),
    Openapi(openapi::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
    Verify(verify::Args),
}

/// Parses the arguments and the environment.
/// Prints the error and exits the process if they are invalid.
pub fn parse() -> Cli {
    // Without the environment first: an invalid variable of the server must not prevent other commands.
    let commands = Cli::command().mut_args(|setting| setting.env(Resettable::Reset));
    let arguments = config::arguments();
    let matches = commands.try_get_matches_from(&arguments).ok();
    let cli = match matches.filter(|it| it.subcommand_name().is_some()) {
        Some(matches) => Cli::from_arg_matches(&matches),
        None => Cli::try_parse_from(&arguments),
    };
    cli.unwrap_or_else(|error| exit::refuse(&redact::without_secrets(error)))
}

/// Runs the command; returns its exit status, and prints its error.
pub fn run(cli: Cli) -> ExitCode {
    allocator::limit_arenas();
    execute(cli).unwrap_or_else(|error| exit::report(&error))
}

fn execute(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => serve::serve(cli.serve)?,
        Some(Command::Serve(config)) => serve::serve(*config)?,
        Some(Command::Ask(args)) => return ask::ask(*args),
        Some(Command::Check(args)) => return check::check(&args),
        Some(Command::Migrate(args)) => migrate::migrate(&args)?,
        Some(Command::Config(args)) => config::config(&args)?,
        Some(Command::Ready(args)) => ready::ready(&args)?,
        Some(Command::Top(args)) => top::top(&args)?,
        Some(Command::Openapi(args)) => openapi::openapi(&args)?,
        Some(Command::Completions(args)) => manual::completions(&args)?,
        Some(Command::Man(args)) => manual::man(&args)?,
        Some(Command::Verify(args)) => return verify::run(&args),
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
