//! Commands that a person copies into a shell.

use std::env;
use std::path::{Path, PathBuf, absolute};

/// The variable with the certificates that a call trusts.
const CERTIFICATES: &str = "SSL_CERT_FILE";

/// A word for a POSIX shell (POSIX.1-2024, XCU section 2.2.2).
pub(in crate::cli) fn word(text: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-".contains(it);
    match text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// This program as it was called, with the certificates that it was told to trust, from any other folder.
pub(in crate::cli) fn this_program_trusting() -> String {
    let program = this_program();
    match env::var_os(CERTIFICATES) {
        Some(file) => format!("{CERTIFICATES}={} {program}", path_word(Path::new(&file))),
        None => program,
    }
}

/// This program as it was called, from any other folder.
pub(in crate::cli) fn this_program() -> String {
    let program = env::args_os()
        .next()
        .map_or_else(|| "vidence".into(), PathBuf::from);
    // A plain name was found by PATH.
    let is_path = program.components().count() > 1;
    match is_path {
        true => path_word(&program),
        false => word(&program.display().to_string()),
    }
}

fn path_word(path: &Path) -> String {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    word(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_the_shell() {
        for (path, want) in [
            ("/tmp/vidence-kX3b", "/tmp/vidence-kX3b"),
            ("/tmp/my folder", "'/tmp/my folder'"),
            ("/tmp/it's; rm x", r"'/tmp/it'\''s; rm x'"),
        ] {
            assert_eq!(word(path), want);
        }
    }
}
