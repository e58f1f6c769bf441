//! `vidence config`: printing the settings that are in effect, and checking them.
//!
//! The list of settings is clap's, so that none is missing.
//!
//! A setting with `hide_env_values` may hold a secret, and is redacted.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Context;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory};

use super::Cli;
use super::exit::Misconfigured;
use super::serve::listen::{ListenSettings, certificate_warnings};
use crate::blobs::BucketAccess;
use crate::config::{BlobUrl, Config, secret_files};
use crate::db::{DatabaseUrl, Db};
use crate::receipts;
use crate::storage::layout::blob_url;
use stills::Decoders;

const NOT_SET: &str = "(not set)";
pub(super) const REDACTED: &str = "***";

/// Variables that hold a bucket's location, and no secret.
const PUBLIC: [&str; 5] = [
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_REGION",
];

/// Print every setting with its value and source: flag, file, environment or default
///
/// Exit status: 2 if a setting can't work.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Check the settings and the files that they name instead, and print what is wrong or doubtful; opens no store
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    config: Config,
}

/// The arguments of this process, with those of secrets in files.
/// Prints the error and exits the process if one can't be read.
pub(super) fn arguments() -> Vec<OsString> {
    let mut cli = Cli::command();
    let arguments = secret_files::with_secrets(&cli, std::env::args_os().collect());
    arguments.unwrap_or_else(|error| cli.error(ErrorKind::InvalidValue, error).exit())
}

pub(super) fn config(args: &Args) -> anyhow::Result<()> {
    match args.check {
        true => check(&args.config),
        false => print(),
    }
}

/// Does what a start does before it opens a store.
fn check(config: &Config) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for warning in config.warnings(&Cli::command()) {
        writeln!(out, "warning: {warning}")?;
    }
    let tls = ListenSettings::check(config)?;
    for warning in certificate_warnings(config, tls.as_ref()) {
        writeln!(out, "warning: {warning}, so clients will refuse it")?;
    }
    if let Some(file) = &config.receipt_key {
        let (_, warning) = receipts::read(file).map_err(Misconfigured::new)?;
        if let Some(warning) = warning {
            writeln!(out, "warning: {warning}")?;
        }
    }
    if let Some(url) = &config.store.database_url {
        Db::check_postgres(url).map_err(Misconfigured::new)?;
    }
    if let BlobUrl::Bucket(_) = blob_url(&config.store) {
        let access = config.store.bucket_access.check();
        access.map_err(Misconfigured::new)?;
    }
    Decoders::find(config.ffmpeg.as_deref())
        .context("the decoder of stills can't be found")
        .map_err(Misconfigured::new)?;
    writeln!(out, "The settings can be used.")?;
    Ok(())
}

fn print() -> anyhow::Result<()> {
    // Parsed again, because the parsed settings don't say where their values come from.
    let cli = Cli::command();
    let matches = cli.clone().get_matches_from(arguments());
    let (name, matches) = matches.subcommand().context("no command")?;
    let command = cli.find_subcommand(name).context("no such command")?;
    let mut settings = settings(command, matches);
    let variables = std::env::vars_os();
    let variables = variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    settings.extend(bucket_access(variables));
    let width = settings.iter().map(|it| it.name.len()).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    for Setting { name, value, from } in settings {
        writeln!(out, "{name:width$}  {value}  ({from})")?;
    }
    Ok(())
}

/// A printed setting.
#[derive(Debug, PartialEq, Eq)]
struct Setting {
    name: String,
    value: String,
    from: &'static str,
}

fn settings(command: &Command, matches: &ArgMatches) -> Vec<Setting> {
    let arguments = command.get_arguments().filter(|it| {
        // Without `--help` and `--check`.
        it.get_env().is_some() && matches.try_contains_id(it.get_id().as_str()).is_ok()
    });
    arguments.map(|arg| setting(arg, matches)).collect()
}

fn setting(arg: &Arg, matches: &ArgMatches) -> Setting {
    let id = arg.get_id().as_str();
    let raw = matches.get_raw(id).into_iter().flatten();
    let values: Vec<String> = match matches.try_get_one::<DatabaseUrl>(id) {
        // Its parser has redacted it.
        Ok(Some(url)) => vec![url.to_string()],
        _ => raw
            .map(|value| match value.to_string_lossy() {
                secret if arg.is_hide_env_values_set() && !is_plain(id, &secret) => {
                    redacted(&secret)
                }
                value => value.into_owned(),
            })
            .collect(),
    };
    Setting {
        name: format!("--{}", arg.get_long().unwrap_or(id)),
        value: match values.is_empty() {
            true => NOT_SET.to_owned(),
            false => values.join(","),
        },
        from: match matches.value_source(id) {
            _ if secret_files::is_from_file(arg) => "file",
            Some(ValueSource::CommandLine) => "flag",
            Some(ValueSource::EnvVariable) => "environment",
            _ => "default",
        },
    }
}

fn bucket_access(variables: impl Iterator<Item = (String, String)>) -> Vec<Setting> {
    let known = variables.filter(|(name, _)| BucketAccess::reads(name));
    let mut settings: Vec<Setting> = known
        .map(|(name, value)| Setting {
            // A URL may contain a password nevertheless.
            value: match PUBLIC.contains(&name.as_str()) && !value.contains(['@', '?']) {
                true => value,
                false => redacted(&value),
            },
            name,
            from: "environment",
        })
        .collect();
    settings.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    settings
}

/// Whether the value of this setting is a URL that can't contain a secret.
/// The path of a webhook is one.
fn is_plain(id: &str, value: &str) -> bool {
    id != "report_webhook" && value.contains("://") && !value.contains(['@', '?'])
}

/// Redacts a value.
/// Of a URL its scheme and the part between the only `@` and the parameters remain; of everything else, and of a URL
/// whose password has no certain end, nothing.
fn redacted(secret: &str) -> String {
    let (url, _) = secret.split_once('?').unwrap_or((secret, ""));
    let location = url.split_once('@').filter(|_| {
        let marks = secret.bytes().filter(|byte| *byte == b'@');
        marks.count() == 1
    });
    match (url.split_once("://"), location) {
        (Some((scheme, _)), Some((_, location))) => format!("{scheme}://{REDACTED}@{location}"),
        _ => REDACTED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_of(arguments: &[&str]) -> Vec<Setting> {
        let cli = Cli::command();
        let matches = cli.clone().get_matches_from(arguments);
        let (name, matches) = matches.subcommand().expect("a command");
        settings(cli.find_subcommand(name).expect("itself"), matches)
    }

    fn find<'s>(settings: &'s [Setting], name: &str) -> &'s Setting {
        let setting = settings.iter().find(|it| it.name == name);
        setting.unwrap_or_else(|| panic!("{name} isn't there"))
    }

    #[test]
    fn every_setting_is_shown_and_says_where_it_comes_from() {
        let settings = settings_of(&["vidence", "config", "--max-takes", "3"]);
        let command = Cli::command();
        let config = command.find_subcommand("config").expect("a command");
        let longs = config.get_arguments().filter_map(Arg::get_long);
        for long in longs.filter(|it| !["help", "check"].contains(it)) {
            find(&settings, &format!("--{long}"));
        }
        let takes = find(&settings, "--max-takes");
        assert_eq!((takes.value.as_str(), takes.from), ("3", "flag"));
        let listen = find(&settings, "--listen");
        assert_eq!(listen.value, "127.0.0.1:3000");
        let contact = find(&settings, "--contact");
        assert_eq!((contact.value.as_str(), contact.from), (NOT_SET, "default"));
    }

    #[test]
    fn no_secret_is_shown() {
        for (secret, shown) in [
            ("http://u:hunter2@h:5/n", "http://***@h:5/n"),
            ("http://u:hunter2@h/n?key=value", "http://***@h/n"),
            ("http://u:hun@ter2@h/n", "***"),
            ("http://u:hun?ter2@h/n", "***"),
            ("http://h/n?user=u&password=hunter2", "***"),
            ("http://u@h/n?password=hun@ter2", "***"),
            ("hunter2", "***"),
        ] {
            assert_eq!(redacted(secret), shown, "{secret}");
        }
        let url = "postgres://u:hunter2@h/n?application_name=a&sslmode=verify-full";
        let settings = settings_of(&["vidence", "config", "--database-url", url]);
        let shown = &find(&settings, "--database-url").value;
        assert_eq!(shown, "postgres://***@h/n?sslmode=verify-full");
        let blobs = ["--blob-url", "s3://evidence/a"];
        let settings = settings_of(&["vidence", "config", blobs[0], blobs[1]]);
        assert_eq!(find(&settings, blobs[0]).value, blobs[1]);
        let webhook = [
            "--report-webhook",
            "https://chat.example.org/services/hunter2",
        ];
        let settings = settings_of(&["vidence", "config", webhook[0], webhook[1]]);
        assert_eq!(find(&settings, webhook[0]).value, REDACTED);
    }
}
