//! Makes the server older than its pages when those change, which cargo can't see: a macro embeds a folder. And builds
//! them if no `cargo xtask` has.
//!
//! `cargo install --path server` and `cargo build --release` know nothing of `cargo xtask build`, and cargo has no way to
//! refuse them before hundreds of crates are compiled. So they get what they need.

use std::env;
use std::io::stderr;
use std::process::{Command, exit};

/// Set by `cargo xtask`, which has built the pages before it calls cargo.
const BY_XTASK: &str = "BUILT_BY_XTASK";

/// What the pages are made of, from the root of the repository.
const SOURCES: [&str; 6] = [
    "app",
    "frontend",
    "style",
    "xtask/src/build",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() {
    println!("cargo::rerun-if-changed=../target/site");
    println!("cargo::rerun-if-env-changed={BY_XTASK}");
    // Not without `--release`, as by editors: such a server reads the pages when it runs.
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    if is_release && env::var_os(BY_XTASK).is_none() {
        for source in SOURCES {
            println!("cargo::rerun-if-changed=../{source}");
        }
        build_pages();
    }
}

/// Runs `cargo xtask pages`, whose target folders are its own: it doesn't wait for the cargo that waits for it.
fn build_pages() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["xtask", "pages"])
        // Where the alias is known.
        .current_dir("..")
        // The flags of the server's compiler aren't those of the browser's code.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CARGO_BUILD_TARGET")
        // Cargo reads commands in the standard output.
        .stdout(stderr())
        .status();
    if !built.is_ok_and(|it| it.success()) {
        eprintln!(
            "the pages can't be built: see above, or run `cargo xtask build`, which makes target/release/vidence"
        );
        exit(1);
    }
}
