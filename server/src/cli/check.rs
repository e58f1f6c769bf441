//! `vidence check`: comparing rows with objects.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use crate::config::StoreArgs;
use crate::service::check::{self, CheckReport, Finding};
use crate::storage::attach;

/// Compare the database with the stored objects; safe beside running servers
///
/// Exit status: 0 if everything that the database names is there, 1 if not, 2 if the check itself failed; what it found
/// before that is printed, too. Objects that no row names are counted and are no fault: a server removes them. A video whose
/// bytes have changed is no longer served until a deep check finds it intact; agents are told that it is damaged. A picture
/// whose bytes have changed is never served, checked or not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read every video and picture as well, and compare it with its digest; mark videos that have changed as damaged
    #[arg(long)]
    deep: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print ids of requests and objects in full; a request's id is all that its link needs
    #[arg(long)]
    show_ids: bool,

    #[command(flatten)]
    store: StoreArgs,
}

/// The printed result.
#[derive(Serialize)]
struct Output {
    clean: bool,
    /// Whether the check looked at everything.
    complete: bool,
    objects: u64,
    bytes: u64,
    /// Only with `--deep`.
    #[serde(skip_serializing_if = "Option::is_none")]
    videos_read: Option<u64>,
    orphans: u64,
    orphan_bytes: u64,
    missing: usize,
    wrong_length: usize,
    unreadable: usize,
    broken_manifests: usize,
    wrong_digest: usize,
    database: usize,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct Fault {
    fault: &'static str,
    #[serde(rename = "where")]
    place: String,
}

#[tokio::main]
pub(super) async fn check(args: &Args) -> anyhow::Result<ExitCode> {
    match print_report(args).await {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::from(1)),
        Err(error) => {
            // It fails where the standard error is closed or full.
            let _ = writeln!(io::stderr(), "Error: {error:?}");
            Ok(ExitCode::from(2))
        }
    }
}

/// Runs the check, and prints its result; returns whether it found no fault.
async fn print_report(args: &Args) -> anyhow::Result<bool> {
    let stores = attach::open(&args.store).await?;
    let report = check::check(&stores.db, &stores.blobs, &stores.clock, args.deep).await;
    let output = output(&report, args);
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&output)?)?,
        false => print(&mut out, &output)?,
    }
    match report.broken_off {
        None => Ok(output.clean),
        Some(error) => Err(error).context("the check broke off"),
    }
}

fn output(report: &CheckReport, args: &Args) -> Output {
    let name = |id: &str| match args.show_ids {
        true => id.to_owned(),
        false => id.chars().take(6).chain(['…']).collect(),
    };
    let faults: Vec<Fault> = report.faults.iter().map(|it| fault(it, name)).collect();
    let count = |fault: &str| faults.iter().filter(|it| it.fault == fault).count();
    Output {
        clean: faults.is_empty() && report.broken_off.is_none(),
        complete: report.broken_off.is_none(),
        objects: report.objects,
        bytes: report.bytes,
        videos_read: args.deep.then_some(report.read),
        orphans: report.orphans,
        orphan_bytes: report.orphan_bytes,
        missing: count(MISSING),
        wrong_length: count(WRONG_LENGTH),
        unreadable: count(UNREADABLE),
        broken_manifests: count(MANIFEST),
        wrong_digest: count(DIGEST),
        database: count(DATABASE),
        faults,
    }
}

const MISSING: &str = "missing";
const WRONG_LENGTH: &str = "wrong_length";
const UNREADABLE: &str = "unreadable";
const MANIFEST: &str = "broken_manifest";
const DIGEST: &str = "wrong_digest";
const DATABASE: &str = "database";

fn fault(finding: &Finding, name: impl Fn(&str) -> String) -> Fault {
    let (fault, place) = match finding {
        Finding::Missing(key) => (MISSING, name(key.as_str())),
        Finding::WrongLength(key) => (WRONG_LENGTH, name(key.as_str())),
        Finding::Unreadable(key) => (UNREADABLE, name(key.as_str())),
        Finding::UnreadableVideo(request) => (UNREADABLE, name(request.as_str())),
        Finding::Manifest(request) => (MANIFEST, name(request.as_str())),
        Finding::Digest(request) => (DIGEST, name(request.as_str())),
        Finding::Picture(key) => (DIGEST, name(key.as_str())),
        Finding::Database(message) => (DATABASE, message.clone()),
    };
    Fault { fault, place }
}

fn print(out: &mut impl Write, output: &Output) -> io::Result<()> {
    for fault in &output.faults {
        writeln!(out, "{}: {}", fault.fault, fault.place)?;
    }
    writeln!(out, "{} objects, {} bytes", output.objects, output.bytes)?;
    if let Some(read) = output.videos_read {
        writeln!(out, "{read} videos read, and as they were sealed")?;
    }
    if output.orphans > 0 {
        let Output {
            orphans,
            orphan_bytes,
            ..
        } = output;
        writeln!(
            out,
            "{orphans} orphans, {orphan_bytes} bytes: a server removes them"
        )?;
    }
    match output.faults.is_empty() {
        true if output.complete => writeln!(out, "clean"),
        true => writeln!(out, "no fault until the check broke off"),
        false => writeln!(
            out,
            "{} missing, {} of the wrong length, {} unreadable, {} broken manifests, {} with a wrong digest, {} faults of the \
             database",
            output.missing,
            output.wrong_length,
            output.unreadable,
            output.broken_manifests,
            output.wrong_digest,
            output.database
        ),
    }
}
