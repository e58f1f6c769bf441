//! The dependency directions of ARCHITECTURE.md: `service` without HTTP and SQL, `http` without database and objects,
//! `media` without I/O.

use std::fs;
use std::path::{Path, PathBuf};

/// Source files below a folder, without comments.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    fn add(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                add(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                let lines = text.lines().map(str::trim_start);
                let code: Vec<_> = lines.filter(|it| !it.starts_with("//")).collect();
                found.push((path, code.join("\n")));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    add(&root.join(folder), &mut found);
    assert!(found.len() > 5, "{folder} has moved");
    found
}

/// Asserts that no source file contains one of these names as a whole word.
fn assert_mentions_none_of(folder: &str, names: &[&str]) {
    for (path, code) in sources(folder) {
        let is_word_char = |it: char| it.is_alphanumeric() || it == '_';
        for name in names {
            let named = code.match_indices(name).find(|(at, _)| {
                let (before, after) = (&code[..*at], &code[at + name.len()..]);
                !before.ends_with(is_word_char) && !after.starts_with(is_word_char)
            });
            assert!(named.is_none(), "{} names {name}", path.display());
        }
    }
}

#[test]
fn the_service_layer_uses_no_http_and_no_sql() {
    let names = ["axum", "hyper", "crate::http", "diesel", "diesel_async"];
    assert_mentions_none_of("server/src/service", &names);
}

#[test]
fn http_and_mcp_use_neither_database_nor_object_store() {
    let names = ["crate::db", "app.db", "crate::blobs", "app.blobs", "diesel"];
    assert_mentions_none_of("server/src/http", &names);
    assert_mentions_none_of("server/src/mcp", &names);
}

#[test]
fn media_does_no_io() {
    let names = ["std::fs", "std::io", "std::net", "std::process", "tokio"];
    assert_mentions_none_of("crates/media/src", &names);
}
