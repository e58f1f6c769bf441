//! The licences of everything that is in the binary and in its pages, as one text file.
//!
//! Those that ask for it (BSD, MIT, Apache-2.0) are passed on in the words of their authors: each file of a crate that is a
//! licence by its name, at any depth, and so those of the C and C++ that crates bring: OpenH264, jemalloc, BoringSSL's part
//! of ring. SQLite is in the public domain. A crate without such a file gets the standard text of the licence that its
//! manifest names, from the SPDX list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{native_code, sbom, static_binary};
use crate::setup::WASM_TARGET;
use crate::shell::{root, say};

/// The name of the file.
pub const FILE: &str = "THIRD-PARTY-LICENSES";

/// All that is released: one file is in every package and every image.
const TARGETS: [&str; 3] = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-unknown-linux-gnu",
];

/// Folders of crates whose content isn't compiled. SQLCipher lies beside SQLite.
const LEFT_OUT: [&str; 5] = ["benches", "examples", "fuzz", "sqlcipher", "tests"];

/// What a name of a licence's file begins with.
const NAMES: [&str; 6] = [
    "copying",
    "copyright",
    "licence",
    "license",
    "notice",
    "unlicense",
];

/// What every binary has besides crates: the name, and the licence by its SPDX identifier.
const STANDARD_LIBRARY: (&str, &str) = ("Rust's standard library", "Apache-2.0");

/// `cargo xtask licenses`: writes the file into `target`, for the image that is built with `cargo xtask build`.
pub fn write_for_build() -> Result<()> {
    let file = root().join("target").join(FILE);
    fs::write(&file, collect()?.to_text())?;
    say(file.display().to_string());
    Ok(())
}

/// Writes the file for the static binary, which has more: a C library and that of C++.
pub fn write_for_static_binary(folder: &Path) -> Result<()> {
    let mut texts = collect()?;
    for license in native_code::licenses_of_zig(&static_binary::zig()?) {
        let (name, text) = license?;
        texts.add(name.to_owned(), text);
    }
    Ok(fs::write(folder.join(FILE), texts.to_text())?)
}

/// The texts, each with what is under it.
#[derive(Default)]
struct Texts(BTreeMap<String, (String, BTreeSet<String>)>);

impl Texts {
    /// Adds a text. Those that differ in white space alone are one.
    fn add(&mut self, what: String, text: String) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let entry = self.0.entry(words);
        entry.or_insert((text, BTreeSet::new())).1.insert(what);
    }

    fn to_text(&self) -> String {
        let mut file = "Vidence contains the following, each under its own licence.\n".to_owned();
        let line = "=".repeat(80);
        for (text, used_by) in self.0.values() {
            let used_by = used_by.iter().map(String::as_str).collect::<Vec<_>>();
            // Never fails.
            let _ = write!(
                file,
                "\n{line}\n{}\n{line}\n\n{}\n",
                used_by.join("\n"),
                text.trim_end()
            );
        }
        file
    }
}

fn collect() -> Result<Texts> {
    let mut texts = Texts::default();
    let (name, license) = STANDARD_LIBRARY;
    texts.add(
        name.to_owned(),
        standard_text(license, "The Rust Project contributors")?,
    );
    let linked = linked()?;
    let mut found = 0;
    for package in &sbom::packages(&[&TARGETS[..], &[WASM_TARGET]].concat())? {
        let text = |field: &str| package[field].as_str();
        let name = text("name").context("no name")?;
        let version = text("version").context("no version")?;
        let what = format!("{name} {version}");
        if !linked.contains(&what) {
            continue;
        }
        found += 1;
        let license = text("license").unwrap_or_default();
        let manifest = Path::new(text("manifest_path").context("no manifest")?);
        let folder = manifest.parent().context("a file without a folder")?;
        let files = license_files(folder)?;
        // A file below is that of code which the crate brings.
        if !files.iter().any(|it| it.parent() == Some(folder)) {
            let authors = authors(package);
            let standard = standard_text(license, &authors);
            texts.add(what.clone(), standard.with_context(|| what.clone())?);
        }
        for file in files {
            let within = file.strip_prefix(folder)?.parent().context("a file")?;
            let what = match within.as_os_str().is_empty() {
                true => what.clone(),
                false => format!("{what}: {}", within.display()),
            };
            let text = fs::read(&file)?;
            texts.add(what, String::from_utf8_lossy(&text).into_owned());
        }
    }
    ensure!(
        found == linked.len(),
        "{found} of {} crates have a source",
        linked.len()
    );
    Ok(texts)
}

/// Name and version of each crate in the binary and in its pages, with those that are macros.
fn linked() -> Result<BTreeSet<String>> {
    let crates = sbom::crates(&TARGETS)?;
    let names = crates.iter().map(|line| {
        let mut words = line.split_whitespace();
        let (name, version) = words.next().zip(words.next()).context("no version")?;
        Ok(format!("{name} {}", version.trim_start_matches('v')))
    });
    names.collect()
}

/// All files below a folder that are a licence by their name.
fn license_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_lowercase();
        if path.is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                found.extend(license_files(&path)?);
            }
        } else if NAMES.iter().any(|it| name.starts_with(it)) && !name.ends_with(".rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The authors that a manifest names, without their addresses.
fn authors(package: &Value) -> String {
    let named = package["authors"].as_array().into_iter().flatten();
    let named = named.filter_map(Value::as_str);
    let named: Vec<&str> = named
        .map(|it| it.split('<').next().unwrap_or(it).trim())
        .collect();
    match named.is_empty() {
        true => format!(
            "The authors of {}",
            package["name"].as_str().unwrap_or_default()
        ),
        false => named.join(", "),
    }
}

/// The text of the first of these licences, with the authors in place of the line that is to be filled in.
fn standard_text(license: &str, authors: &str) -> Result<String> {
    // Of two that are to be chosen between, the first; with an `AND` all would be needed, and no such crate lacks its file.
    let first = license.split(" OR ").next().unwrap_or(license);
    let first = first.split('/').next().unwrap_or(first).trim();
    let known = spdx::license_id(first);
    let known = known.with_context(|| format!("no licence of this name: {license:?}"))?;
    let lines = known.text().lines();
    let lines = lines.filter(|it| !it.contains("<year>"));
    let text = lines.collect::<Vec<_>>().join("\n");
    Ok(format!("Copyright (c) {authors}\n\n{}", text.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_linked_crate_has_its_licence_and_so_has_what_it_brings_in_c() {
        let texts = collect().expect("licences");
        let used_by = |words: &str| {
            let of_text = texts.0.iter().filter(|it| it.0.contains(words));
            of_text.flat_map(|it| &it.1.1).cloned().collect::<Vec<_>>()
        };
        for (words, what) in [
            ("Copyright (c) 2013, Cisco Systems", "openh264-sys2"),
            (
                "Copyright (C) 2002-present Jason Evans",
                "tikv-jemalloc-sys",
            ),
            ("Copyright (c) Ralf Biedert Redistribution", "openh264 "),
            (
                "Copyright (c) Greg Johnston MIT License Permission",
                "leptos ",
            ),
            ("The Rust Project contributors", STANDARD_LIBRARY.0),
        ] {
            let used_by = used_by(words);
            let has = used_by.iter().any(|it| it.starts_with(what));
            assert!(has, "{words}: {used_by:?}");
        }
        assert_eq!(used_by("Zetetic"), Vec::<String>::new(), "not compiled");
        let all = used_by("");
        for package in linked().expect("crates") {
            assert!(
                all.contains(&package),
                "{package} is linked without a licence"
            );
        }
    }

    #[test]
    fn a_standard_text_names_the_authors_and_has_nothing_to_fill_in() {
        for license in ["MIT", "BSD-2-Clause", "BSD-3-Clause", "MIT/Apache-2.0"] {
            let text = standard_text(license, "Ada, Grace").expect("a text");
            assert!(text.starts_with("Copyright (c) Ada, Grace\n\n"), "{text}");
            assert!(!text.contains('<'), "{text}");
        }
        standard_text("Something AND MIT", "Ada").expect_err("no such licence");
    }
}
