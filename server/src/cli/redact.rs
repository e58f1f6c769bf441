//! Redacting clap's errors about invalid values.
//!
//! A setting with `hide_env_values` may hold a secret, as in `vidence config`.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, CommandFactory, Error};

use super::Cli;
use super::config::REDACTED;

/// Replaces the invalid value in an error by stars if its setting may hold a secret.
pub(super) fn without_secrets(mut error: Error) -> Error {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(named)) => named.as_str(),
        _ => return error,
    };
    let mut cli = Cli::command();
    // Fills in the value names, which are part of the names of settings in errors.
    cli.build();
    let holds_secrets = secrets(&cli).iter().any(|it| it == named);
    if holds_secrets && error.get(ContextKind::InvalidValue).is_some() {
        let redacted = ContextValue::String(REDACTED.to_owned());
        error.insert(ContextKind::InvalidValue, redacted);
    }
    error
}

/// The settings that may hold a secret, as clap names them in errors: `--flag <VALUE>`.
fn secrets(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter(|it| is_secret(it));
    let of_commands = command.get_subcommands().flat_map(secrets);
    own.map(Arg::to_string).chain(of_commands).collect()
}

fn is_secret(setting: &Arg) -> bool {
    setting.is_hide_env_values_set()
}
