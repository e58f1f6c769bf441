//! `vidence backup`.

use std::io::{self, Write};
use std::path::PathBuf;

use super::signals::interruption;
use crate::backup;
use crate::config::StoreArgs;

/// Copy database and videos to a folder, while the server runs
///
/// For a database file and a folder of videos; PostgreSQL and buckets have ways of their own. The copy is what a
/// restore needs: rows as of one moment, and every byte that they name. What is deleted or taken down while it is
/// taken isn't in it. Interrupted, it leaves nothing.
///
/// A backup holds people's videos, readable for its owner alone, and keeps them beyond the time after which they
/// were to be gone: nothing of them is served after a restore, but whoever has the backup has them. Delete
/// backups after 48 hours, when all that they hold is over. And note the ids of your takedowns: a backup from
/// before one brings its request back.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// An empty folder, or one that doesn't exist
    dir: PathBuf,

    #[command(flatten)]
    store: StoreArgs,
}

#[tokio::main]
pub(super) async fn backup(args: &Args) -> anyhow::Result<()> {
    let taken = backup::take(&args.store, &args.dir, &interruption()?).await?;
    writeln!(
        io::stdout(),
        "{} requests, {} objects and {} bytes as of {} are in {}.\n\
         It holds people's videos beyond their time: delete it after 48 hours, when all of them are over.",
        taken.requests,
        taken.objects,
        taken.bytes,
        taken.made_at,
        args.dir.display()
    )?;
    Ok(())
}
