//! The commit that a release is built from, for `vidence_build_info`.

use std::process::Command;

use crate::shell::{program, root};

/// The variable that the server is compiled with.
/// Where it is set already, as in a container's build without a history, that value stays.
pub const VARIABLE: &str = "SOURCE_REVISION";

/// Mark of a build of files that no commit has.
const MODIFIED: &str = "-modified";

/// The full id of the commit, with [`MODIFIED`] if files have changed since.
/// `None`: neither the environment nor git knows it.
pub fn find() -> Option<String> {
    let given = std::env::var(VARIABLE).ok().filter(|it| !it.is_empty());
    given.or_else(|| {
        // A history of a folder around this one would be another project's.
        let is_ours = root().join(".git").exists();
        let commit = is_ours.then(|| output(&["rev-parse", "HEAD"]))??;
        let changes = output(&["status", "--porcelain", "--untracked-files=no"])?;
        Some(match changes.is_empty() {
            true => commit,
            false => commit + MODIFIED,
        })
    })
}

/// The output of a git command. `None`: it failed.
fn output(arguments: &[&str]) -> Option<String> {
    let mut git: Command = program("git", arguments);
    let output = git.current_dir(root()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_of_this_history_is_found() {
        let is_known = std::env::var_os(VARIABLE).is_some();
        if is_known || !root().join(".git").exists() {
            return;
        }
        let revision = find().expect("a commit");
        let commit = revision.strip_suffix(MODIFIED).unwrap_or(&revision);
        let is_hex = commit.bytes().all(|it| it.is_ascii_hexdigit());
        assert!(is_hex && commit.len() == 40, "{revision}");
    }
}
