//! `vidence restore`.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::backup;
use crate::config::StoreArgs;

/// Put a backup back, to a data folder that is empty or doesn't exist
///
/// Looks at all of the backup first, and changes nothing if anything is missing.
///
/// What has expired meanwhile stays expired. What was deleted after the backup, and whose time isn't over, is
/// back: the backup doesn't know of it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `vidence backup` made
    dir: PathBuf,

    #[command(flatten)]
    store: StoreArgs,
}

#[tokio::main]
pub(super) async fn restore(args: &Args) -> anyhow::Result<()> {
    let put_back = backup::restore(&args.store, &args.dir).await?;
    writeln!(
        io::stdout(),
        "{} requests, {} objects and {} bytes are back in {}, as they were at {}.\n\
         What has expired since then is not served. What was deleted since then, and whose time isn't over, is \
         back: delete it again.",
        put_back.requests,
        put_back.objects,
        put_back.bytes,
        args.store.data_dir.display(),
        put_back.made_at,
    )?;
    Ok(())
}
