//! Who knows of whom, as ARCHITECTURE.md says: a `service` knows no HTTP and no SQL, `http` neither database nor
//! objects, `media` no I/O.

use std::fs;
use std::path::{Path, PathBuf};

/// The sources below a folder, without comments.
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

/// None of these stands there as a word of its own.
fn assert_knows_none_of(folder: &str, names: &[&str]) {
    for (path, code) in sources(folder) {
        let joins = |it: char| it.is_alphanumeric() || it == '_';
        for name in names {
            let named = code.match_indices(name).find(|(at, _)| {
                let (before, after) = (&code[..*at], &code[at + name.len()..]);
                !before.ends_with(joins) && !after.starts_with(joins)
            });
            assert!(named.is_none(), "{} names {name}", path.display());
        }
    }
}

#[test]
fn a_service_knows_no_http_and_no_sql() {
    let names = ["axum", "hyper", "crate::http", "diesel", "diesel_async"];
    assert_knows_none_of("server/src/service", &names);
}

#[test]
fn http_touches_neither_database_nor_objects() {
    let names = ["crate::db", "app.db", "crate::blobs", "app.blobs", "diesel"];
    assert_knows_none_of("server/src/http", &names);
}

#[test]
fn media_does_no_io() {
    let names = ["std::fs", "std::io", "std::net", "std::process", "tokio"];
    assert_knows_none_of("crates/media/src", &names);
}
