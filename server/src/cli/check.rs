//! `vidence check`.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::config::StoreArgs;
use crate::service::check::{self, Finding, Report};
use crate::storage::attach;

/// Compare the database with the videos, while servers may be running
///
/// Ends with 0 if everything that the database names is there, with 1 if not, and with 2 if it couldn't be
/// checked. Objects that nothing names are counted, and no fault: a server removes them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read every video, too, and compare it with its digest
    #[arg(long)]
    deep: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Name requests and objects in full. Who knows a request's name may use its link
    #[arg(long)]
    show_ids: bool,

    #[command(flatten)]
    store: StoreArgs,
}

/// What is printed.
#[derive(Serialize)]
struct Shown {
    clean: bool,
    objects: u64,
    bytes: u64,
    /// Only where they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    videos_read: Option<u64>,
    orphans: u64,
    orphan_bytes: u64,
    missing: usize,
    wrong_length: usize,
    broken_manifests: usize,
    wrong_digest: usize,
    database: usize,
    faults: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
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
            writeln!(io::stderr(), "Error: {error:?}")?;
            Ok(ExitCode::from(2))
        }
    }
}

/// Whether all is as it should be.
async fn print_report(args: &Args) -> anyhow::Result<bool> {
    let stores = attach::open(&args.store).await?;
    let report = check::check(&stores.db, &stores.blobs, &stores.clock, args.deep).await?;
    let shown = shown(&report, args);
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?,
        false => print(&mut out, &shown)?,
    }
    Ok(shown.clean)
}

fn shown(report: &Report, args: &Args) -> Shown {
    let name = |id: &str| match args.show_ids {
        true => id.to_owned(),
        false => id.chars().take(6).chain(['…']).collect(),
    };
    let found: Vec<Found> = report.faults.iter().map(|it| found(it, name)).collect();
    let count = |fault: &str| found.iter().filter(|it| it.fault == fault).count();
    Shown {
        clean: found.is_empty(),
        objects: report.objects,
        bytes: report.bytes,
        videos_read: args.deep.then_some(report.read),
        orphans: report.orphans,
        orphan_bytes: report.orphan_bytes,
        missing: count(MISSING),
        wrong_length: count(WRONG_LENGTH),
        broken_manifests: count(MANIFEST),
        wrong_digest: count(DIGEST),
        database: count(DATABASE),
        faults: found,
    }
}

const MISSING: &str = "missing";
const WRONG_LENGTH: &str = "wrong_length";
const MANIFEST: &str = "broken_manifest";
const DIGEST: &str = "wrong_digest";
const DATABASE: &str = "database";

fn found(fault: &Finding, name: impl Fn(&str) -> String) -> Found {
    let (fault, place) = match fault {
        Finding::Missing(key) => (MISSING, name(key.as_str())),
        Finding::WrongLength(key) => (WRONG_LENGTH, name(key.as_str())),
        Finding::Manifest(request) => (MANIFEST, name(request.as_str())),
        Finding::Digest(request) => (DIGEST, name(request.as_str())),
        Finding::Database(said) => (DATABASE, said.clone()),
    };
    Found { fault, place }
}

fn print(out: &mut impl Write, shown: &Shown) -> io::Result<()> {
    for found in &shown.faults {
        writeln!(out, "{}: {}", found.fault, found.place)?;
    }
    writeln!(out, "{} objects, {} bytes", shown.objects, shown.bytes)?;
    if let Some(read) = shown.videos_read {
        writeln!(out, "{read} videos read, and as they were sealed")?;
    }
    if shown.orphans > 0 {
        let Shown {
            orphans,
            orphan_bytes,
            ..
        } = shown;
        writeln!(
            out,
            "{orphans} orphans, {orphan_bytes} bytes: a server removes them"
        )?;
    }
    match shown.clean {
        true => writeln!(out, "clean"),
        false => writeln!(
            out,
            "{} missing, {} of the wrong length, {} broken manifests, {} with a wrong digest, {} faults of the \
             database",
            shown.missing,
            shown.wrong_length,
            shown.broken_manifests,
            shown.wrong_digest,
            shown.database
        ),
    }
}
