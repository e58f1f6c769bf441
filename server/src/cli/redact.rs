//! What clap says of a setting that makes no sense, without the setting where that is a secret.
//!
//! A setting whose value `--help` hides (`hide_env_values`) may be one, as in `vidence config`.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, CommandFactory, Error};

use super::Cli;
use super::config::HIDDEN;

/// The same refusal, with stars for a value that nobody but the operator should read.
pub(super) fn without_secrets(mut error: Error) -> Error {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(named)) => named.as_str(),
        _ => return error,
    };
    let mut cli = Cli::command();
    // Only then does clap know what values settings have, and can name them.
    cli.build();
    let holds_secrets = secrets(&cli).iter().any(|it| it == named);
    if holds_secrets && error.get(ContextKind::InvalidValue).is_some() {
        let hidden = ContextValue::String(HIDDEN.to_owned());
        error.insert(ContextKind::InvalidValue, hidden);
    }
    error
}

/// Names of settings, as clap writes them into what it says: `--flag <VALUE>`.
fn secrets(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter(|it| is_secret(it));
    let of_commands = command.get_subcommands().flat_map(secrets);
    own.map(Arg::to_string).chain(of_commands).collect()
}

fn is_secret(setting: &Arg) -> bool {
    setting.is_hide_env_values_set()
}
