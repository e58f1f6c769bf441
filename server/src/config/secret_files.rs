//! Secrets in files, as containers mount them: `VIDENCE_DATABASE_URL_FILE` names a file with the value of
//! `VIDENCE_DATABASE_URL`.
//!
//! There is one for each setting with `hide_env_values`, and for the credentials of a bucket. A value becomes an argument
//! that the process gives to itself: the environment, which child processes inherit, never holds it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Arg, Command};

const SUFFIX: &str = "_FILE";

/// The credentials among the variables of AWS's own tools.
const AWS_SECRETS: [&str; 3] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
];

/// Why a secret can't be read from its file.
/// Never has the secret, nor the name of the file: someone may have put the secret in its place.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// Two values for one setting.
    #[error("{0} and {0}{SUFFIX} are both set: remove one of them")]
    Both(String),
    /// The file can't be read as text.
    #[error("the file of {variable}{SUFFIX} can't be read: {source}")]
    Read {
        /// The variable without its suffix.
        variable: String,
        /// The cause.
        source: io::Error,
    },
    /// The file is empty or has several lines.
    #[error("the file of {variable}{SUFFIX} must have one line")]
    Lines {
        /// The variable without its suffix.
        variable: String,
    },
}

/// The arguments of a command to which those are added whose values are in files.
///
/// `cli` is the command line before the environment is read. Commands that have no such settings get none.
pub fn with_secrets(
    cli: &Command,
    mut arguments: Vec<OsString>,
) -> Result<Vec<OsString>, SecretFileError> {
    let asks = |it: &OsString| {
        let it = it.to_str();
        it.is_some_and(|it| ["-h", "--help", "-V", "--version"].contains(&it))
    };
    if arguments.iter().any(asks) {
        return Ok(arguments);
    }
    let first = arguments.get(1).and_then(|it| it.to_str());
    let named = first.and_then(|it| cli.find_subcommand(it));
    let (command, at) = match (named, first) {
        (Some(command), _) => (command, 2),
        // `help`, or a mistake that clap explains.
        (None, Some(word)) if !word.starts_with('-') => return Ok(arguments),
        (None, _) => (cli, 1),
    };
    // A flag wins over its file, as it does over its variable.
    let secrets = command.get_arguments().filter_map(secret_setting);
    let secrets = secrets.filter(|(flag, _)| !is_given(flag, &arguments));
    let mut added = Vec::new();
    for (flag, variable) in secrets {
        if let Some(value) = read(variable)? {
            added.push(format!("--{flag}={value}").into());
        }
    }
    if command.get_arguments().any(|it| it.get_id() == "blob_url") {
        for variable in AWS_SECRETS {
            read(variable)?;
        }
    }
    let at = at.min(arguments.len());
    arguments.splice(at..at, added);
    Ok(arguments)
}

/// The environment with the credentials of a bucket that are in files. Those that can't be read, which
/// [`with_secrets`] reports, are missing.
pub(super) fn bucket_variables() -> impl Iterator<Item = (String, String)> {
    let files = AWS_SECRETS
        .into_iter()
        .filter_map(|it| Some((it.to_owned(), read(it).ok()??)));
    let set = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    set.chain(files)
}

/// Whether the value of this setting comes from a file.
pub fn is_from_file(setting: &Arg) -> bool {
    secret_setting(setting).is_some_and(|(flag, variable)| {
        let given: Vec<_> = env::args_os().collect();
        env::var_os(file_variable(variable)).is_some() && !is_given(flag, &given)
    })
}

/// Whether this flag is among the arguments.
fn is_given(flag: &str, arguments: &[OsString]) -> bool {
    arguments.iter().any(|it| {
        let it = it.to_string_lossy();
        let rest = it.strip_prefix("--").and_then(|it| it.strip_prefix(flag));
        rest.is_some_and(|it| it.is_empty() || it.starts_with('='))
    })
}

/// The variable that names the file of this setting, if it may hold a secret.
pub fn variable_of(setting: &Arg) -> Option<String> {
    secret_setting(setting).map(|(_, variable)| file_variable(variable))
}

fn file_variable(variable: &str) -> String {
    format!("{variable}{SUFFIX}")
}

fn secret_setting(setting: &Arg) -> Option<(&str, &str)> {
    let is_secret = setting.is_hide_env_values_set();
    let variable = setting.get_env().and_then(OsStr::to_str);
    setting.get_long().zip(variable).filter(|_| is_secret)
}

fn read(variable: &str) -> Result<Option<String>, SecretFileError> {
    let Some(file) = env::var_os(file_variable(variable)).map(PathBuf::from) else {
        return Ok(None);
    };
    if env::var_os(variable).is_some() {
        return Err(SecretFileError::Both(variable.to_owned()));
    }
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(source) => {
            let variable = variable.to_owned();
            return Err(SecretFileError::Read { variable, source });
        }
    };
    let mut lines = text.lines();
    match (lines.next().filter(|it| !it.is_empty()), lines.next()) {
        (Some(value), None) => Ok(Some(value.to_owned())),
        _ => Err(SecretFileError::Lines {
            variable: variable.to_owned(),
        }),
    }
}
