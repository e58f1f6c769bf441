//! `vidence migrate`: applying migrations without a server.

use std::io::{self, Write};

use crate::config::StoreArgs;
use crate::storage::attach;

/// Bring the database schema up to date
///
/// A server does so by itself when it starts. Servers of the previous release may run meanwhile.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only list the pending migrations
    #[arg(long, alias = "dry-run")]
    pending: bool,

    #[command(flatten)]
    store: StoreArgs,
}

#[tokio::main]
pub(super) async fn migrate(args: &Args) -> anyhow::Result<()> {
    let before = match args.pending {
        true => attach::migrations(&args.store).await?,
        false => attach::migrate(&args.store).await?,
    };
    let mut out = io::stdout().lock();
    let from = before.newest.as_deref().unwrap_or("nothing");
    let Some(to) = before.pending.last() else {
        writeln!(out, "up to date at {from}")?;
        return Ok(());
    };
    let done = match args.pending {
        true => "pending",
        false => "done",
    };
    if args.pending
        && let Some(file) = attach::missing_database(&args.store)
    {
        writeln!(out, "there is no {} yet", file.display())?;
    }
    writeln!(out, "from {from} to {to}")?;
    for migration in &before.pending {
        writeln!(out, "{done}: {migration}")?;
    }
    Ok(())
}
