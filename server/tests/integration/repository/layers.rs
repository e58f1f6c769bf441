//! The dependency directions of ARCHITECTURE.md: which folders of the server use which, `service` without HTTP and SQL,
//! `http` without database and objects, `media` without I/O.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::modules::Modules;

/// The roots of the crates that `LAYERS` is about.
const SOURCES: [&str; 2] = ["server/src", "crates/store/src"];

/// The folders of the server and of the store from the top down, each with those that it uses.
const LAYERS: &str = "
    cli: bootstrap http service storage config db blobs receipts telemetry clock id release
    bootstrap: mcp service storage config db blobs outbound receipts clock
    http: mcp service config receipts telemetry clock id release
    mcp: service config telemetry id
    service: config db blobs outbound receipts telemetry clock id
    storage: config db blobs telemetry clock disk id
    config: db blobs outbound telemetry id
    db: telemetry clock disk id
    blobs: telemetry clock disk id
    outbound: telemetry
    receipts: disk
    telemetry:
    clock:
    disk:
    id:
    release:
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

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
    let mut found = Vec::new();
    add(&root().join(folder), &mut found);
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
fn each_folder_of_the_server_uses_those_below_it_that_are_listed() {
    // The server names the folders of `store` as if they were its own.
    let modules = Modules::read(&SOURCES.map(|it| root().join(it)));
    let layers = LAYERS.lines().filter_map(|it| it.trim().split_once(':'));
    let layers: Vec<_> = layers.collect();
    let mut unseen = BTreeSet::new();
    for (at, (folder, below)) in layers.iter().enumerate() {
        for other in below.split_whitespace() {
            let is_below = layers[at..].iter().any(|(it, _)| *it == other);
            assert!(
                is_below,
                "{folder} is listed with {other}, which is above it"
            );
            unseen.insert((*folder, other));
        }
    }
    let listed = unseen.clone();
    for (user, all) in modules.uses() {
        for used in all {
            // The root of the crate declares the folders, and is in none.
            let (Some(folder), Some(other)) = (user.first(), used.first()) else {
                continue;
            };
            let pair = (folder.as_str(), other.as_str());
            let is_listed = folder == other || listed.contains(&pair);
            assert!(is_listed, "{} uses {}", user.join("::"), used.join("::"));
            unseen.remove(&pair);
        }
    }
    assert!(unseen.is_empty(), "no longer used: {unseen:?}");
}

#[test]
fn the_service_layer_uses_no_http() {
    let names = ["axum", "hyper", "crate::http"];
    assert_mentions_none_of("server/src/service", &names);
}

#[test]
fn http_and_mcp_use_neither_database_nor_object_store() {
    // `LAYERS` has the types outside of unit tests; the state has the stores themselves, too.
    let names = [
        "app.db",
        "app.blobs",
        "crate::db",
        "crate::blobs",
        "store::db",
        "store::blobs",
    ];
    assert_mentions_none_of("server/src/http", &names);
    assert_mentions_none_of("server/src/mcp", &names);
}

#[test]
fn only_db_knows_diesel() {
    let db = root().join("crates/store/src/db");
    let mut others = [SOURCES.as_slice(), &["crates/net/src"]]
        .concat()
        .into_iter()
        .flat_map(sources)
        .collect::<Vec<_>>();
    others.retain(|(path, _)| !path.starts_with(&db));
    for (path, code) in others {
        assert!(!code.contains("diesel"), "{} names diesel", path.display());
    }
}

#[test]
fn only_db_makes_ids_of_what_is_stored() {
    let mut others: Vec<_> = SOURCES.into_iter().flat_map(sources).collect();
    others.retain(|(path, _)| !path.ends_with("db/schema/ids.rs") && !path.ends_with("src/id.rs"));
    for (path, code) in others {
        assert!(!code.contains("from_stored"), "{}", path.display());
    }
}

#[test]
fn media_does_no_io() {
    let names = ["std::fs", "std::io", "std::net", "std::process", "tokio"];
    assert_mentions_none_of("crates/media/src", &names);
}
