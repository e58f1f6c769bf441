//! `vidence completions` and `vidence man`: what a package has beside the binary.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write the manual into a folder, a page for each command
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// An existing folder: vidence.1, vidence-serve.1 and so on
    folder: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    // By way of a buffer: the generator panics when it can't write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "vidence", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let written = clap_mangen::generate_to(Cli::command(), &args.folder);
    written.with_context(|| format!("can't write into the folder {}", args.folder.display()))
}
