//! Runs programs and prints progress.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where what takes minutes to install lies, for all checkouts of this user: `vidence` in the folder for caches, by the XDG
/// Base Directory Specification.
pub fn installed() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.filter(|it| it.is_absolute());
    let cache = cache.or_else(|| Some(env::home_dir()?.join(".cache")));
    cache.map_or_else(|| root().join("target"), |it| it.join("vidence"))
}

/// Runs a step, and prints its name and how long it took.
pub fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("\n\x1b[1m▸ {what}\x1b[0m");
    let start = Instant::now();
    let done = work().with_context(|| format!("failed: {what}"))?;
    eprintln!("  done in {:.1} s", start.elapsed().as_secs_f32());
    Ok(done)
}

/// Prints something about the current step.
pub fn say(text: impl AsRef<str>) {
    eprintln!("  {}", text.as_ref());
}

/// Tells `server/build.rs` that the pages are built already.
const BY_XTASK: &str = "BUILT_BY_XTASK";

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env(BY_XTASK, "1");
    // Cargo tells this program about its own package, and build scripts would run again for it: ring's, and then all
    // that is made with ring.
    for (name, _) in env::vars_os() {
        let about_package = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if about_package
            .iter()
            .any(|it| name.to_string_lossy().starts_with(it))
        {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// A command with its arguments.
pub fn program(name: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(name.as_ref());
    command.args(arguments);
    command
}

/// Runs a command to its end with its output shown. An exit code other than 0 is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command
        .status()
        .with_context(|| format!("can't start: {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Runs a command to its end and returns its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("can't start: {shown}"))?;
    if !output.status.success() {
        bail!("{shown}: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Finds a program on the `PATH`.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|file| file.is_file())
}

/// Whether this process runs as root, which may install packages.
pub fn is_root() -> bool {
    output(&mut program("id", &["-u"])).is_ok_and(|id| id.trim() == "0")
}

/// Sends a signal, such as `TERM`, by the shell: not every system has a `kill` program.
pub fn signal(child: &Child, name: &str) -> Result<()> {
    let (script, id) = (format!("kill -{name} \"$0\""), child.id().to_string());
    run(&mut program("sh", &["-c", &script, &id]))
}

fn show(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
