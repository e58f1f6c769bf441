//! `vidence restore`.

use std::io::{self, Write};
use std::path::PathBuf;

use super::signals::interruption;
use crate::backup;
use crate::config::StoreArgs;

/// Put a backup back, to a data folder that is empty or doesn't exist
///
/// Looks first whether the rows are those that were written and every object is there at its full length, and
/// changes nothing if not. Whether the bytes are still the same `vidence check --deep` says afterwards.
///
/// What has expired meanwhile stays expired. What was deleted or taken down after the backup, and whose time isn't
/// over, is back: the backup doesn't know of it. Do it again, before a server runs on it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What `vidence backup` made
    dir: PathBuf,

    #[command(flatten)]
    store: StoreArgs,
}

#[tokio::main]
pub(super) async fn restore(args: &Args) -> anyhow::Result<()> {
    let put_back = backup::restore(&args.store, &args.dir, &interruption()?).await?;
    writeln!(
        io::stdout(),
        "{} requests, {} objects and {} bytes are back in {}, as they were at {}.\n\
         What has expired since then is not served. What was deleted or taken down since then, and whose time isn't \
         over, is back: take it down again, with `vidence takedown`.\n\
         Every object is there at its full length; `vidence check --deep` says whether its bytes are the same.",
        put_back.requests,
        put_back.objects,
        put_back.bytes,
        args.store.data_dir.display(),
        put_back.made_at,
    )?;
    Ok(())
}
