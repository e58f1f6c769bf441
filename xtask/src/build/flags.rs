//! Flags of the compiler for what ships.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::shell::root;

/// Flags that keep the builder's folders out of what is compiled, as `CARGO_ENCODED_RUSTFLAGS` takes them.
pub fn without_paths() -> Result<String> {
    let folders = folders()?.into_iter().zip(["/cargo", "/vidence"]);
    let flags = folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

/// The builder's folders of sources: of the registry, and of this project.
pub fn folders() -> Result<[PathBuf; 2]> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let home = home.context("no CARGO_HOME")?;
    Ok([home, root().to_owned()])
}
