//! The C and C++ in the static binary: what crates bring and compile, and the libraries of its compiler.
//!
//! Each version is read from the sources that are compiled. A crate that builds with `cc` or the like and isn't listed here is
//! an error, so that the list can't go out of date silently. PostgreSQL's client, TLS and compression are Rust.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

/// One library in C or C++, and where its version is.
struct Library {
    name: &'static str,
    /// An SPDX expression.
    license: &'static str,
    /// The name by which lists of vulnerabilities know vendor and product. Empty: none is known.
    cpe: &'static str,
    /// The file with the version, from the folder of the crate or of Zig.
    file: &'static str,
    /// What is before the version in that file.
    before: &'static str,
}

/// The crates that compile C or C++, each with what it compiles.
const OF_CRATES: [(&str, Library); 4] = [
    (
        "libsqlite3-sys",
        Library {
            name: "sqlite",
            license: "blessing",
            cpe: "sqlite:sqlite",
            file: "sqlite3/sqlite3.h",
            before: "#define SQLITE_VERSION ",
        },
    ),
    (
        "openh264-sys2",
        Library {
            name: "openh264",
            license: "BSD-2-Clause",
            cpe: "cisco:openh264",
            file: "upstream/codec/api/wels/codec_ver.h",
            before: "OpenH264 version:",
        },
    ),
    // A part of BoringSSL, with changes: no version but that of the crate is known.
    (
        "ring",
        Library {
            name: "ring-boringssl",
            license: "Apache-2.0 AND ISC",
            cpe: "",
            file: "Cargo.toml",
            before: "\nversion = ",
        },
    ),
    (
        "tikv-jemalloc-sys",
        Library {
            name: "jemalloc",
            license: "BSD-2-Clause",
            cpe: "",
            file: "jemalloc/ChangeLog",
            before: "\n* ",
        },
    ),
];

/// Zig's libraries that are linked, each with the file of its licence.
/// The last three are LLVM's, with one version.
const OF_ZIG: [(Library, &str); 4] = [
    (
        Library {
            name: "musl",
            license: "MIT",
            cpe: "musl-libc:musl",
            file: "lib/libc/musl/src/internal/version.h",
            before: "#define VERSION ",
        },
        "lib/libc/musl/COPYRIGHT",
    ),
    (of_llvm("libc++"), "lib/libcxx/LICENSE.TXT"),
    (of_llvm("libc++abi"), "lib/libcxxabi/LICENSE.TXT"),
    (of_llvm("libunwind"), "lib/libunwind/LICENSE.TXT"),
];

const fn of_llvm(name: &'static str) -> Library {
    Library {
        name,
        license: "Apache-2.0 WITH LLVM-exception",
        cpe: "",
        file: "lib/libcxx/include/__config",
        before: LLVM,
    }
}

/// What is before LLVM's version, of two digits each: 220108 is 22.1.8.
const LLVM: &str = "define _LIBCPP_VERSION ";

/// Crates that compile something else than Rust, for build scripts.
const COMPILERS: [&str; 4] = ["autotools", "cc", "cmake", "nasm-rs"];

/// The components that these linked packages compile, as `cargo metadata` describes them.
pub fn of_crates<'p>(packages: impl Iterator<Item = &'p Value>) -> Result<Vec<Value>> {
    let mut found = Vec::new();
    for package in packages.filter(|it| compiles(it)) {
        let name = package["name"].as_str().context("no name")?;
        let known = OF_CRATES.iter().find(|it| it.0 == name);
        let Some((_, library)) = known else {
            bail!("{name} compiles something: name it in {}", file!());
        };
        let manifest = Path::new(package["manifest_path"].as_str().context("no manifest")?);
        let folder = manifest.parent().context("a file without a folder")?;
        found.push(component(library, folder, &format!("Compiled by {name}."))?);
    }
    ensure!(
        found.len() == OF_CRATES.len(),
        "a crate in {} compiles nothing, or isn't linked",
        file!()
    );
    Ok(found)
}

/// The components that the compiler of the static binary links.
pub fn of_zig(zig: &Path) -> Result<Vec<Value>> {
    let libraries = OF_ZIG.iter();
    libraries
        .map(|(library, _)| component(library, zig, "Linked by Zig."))
        .collect()
}

/// Name and text of the licence of each of these.
pub fn licenses_of_zig(zig: &Path) -> impl Iterator<Item = Result<(&'static str, String)>> {
    OF_ZIG.iter().map(move |(library, file)| {
        let text = fs::read_to_string(zig.join(file));
        Ok((library.name, text.with_context(|| *file)?))
    })
}

fn compiles(package: &Value) -> bool {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let mut of_build = dependencies.filter(|it| it["kind"] == "build");
    of_build.any(|it| COMPILERS.iter().any(|compiler| it["name"] == *compiler))
}

fn component(library: &Library, folder: &Path, description: &str) -> Result<Value> {
    let Library { name, license, .. } = library;
    let text = fs::read_to_string(folder.join(library.file));
    let text = text.with_context(|| format!("{name}: {}", library.file))?;
    let version = version(&text, library.before);
    let version = version.with_context(|| format!("{} has no version of {name}", library.file))?;
    let purl = format!("pkg:generic/{}@{version}", name.replace('+', "%2B"));
    let mut component = json!({
        "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "description": description, "licenses": [{ "expression": license }],
    });
    if !library.cpe.is_empty() {
        let cpe = format!("cpe:2.3:a:{}:{version}:*:*:*:*:*:*:*", library.cpe);
        component["cpe"] = cpe.into();
    }
    Ok(component)
}

/// The version in a text, behind the first of these words.
fn version(text: &str, before: &str) -> Option<String> {
    let (_, behind) = text.split_once(before)?;
    let behind = behind.trim_start_matches([' ', '"']);
    let is_part = |it: char| it.is_ascii_digit() || it == '.';
    let end = behind.find(|it| !is_part(it)).unwrap_or(behind.len());
    let version = &behind[..end];
    if before != LLVM {
        return version.contains('.').then(|| version.to_owned());
    }
    let number: u32 = version.parse().ok()?;
    let parts = [number / 10_000, number / 100 % 100, number % 100];
    Some(parts.map(|it| it.to_string()).join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_each_source_writes_them() {
        for (text, before, want) in [
            (
                "#define SQLITE_VERSION        \"3.53.2\"\n",
                "#define SQLITE_VERSION ",
                Some("3.53.2"),
            ),
            (
                "\"OpenH264 version:2.7.0.2610\"",
                "OpenH264 version:",
                Some("2.7.0.2610"),
            ),
            ("releases:\n\n* 5.3.1 (Apr 13, 2026)", "\n* ", Some("5.3.1")),
            ("#  define _LIBCPP_VERSION 220108\n", LLVM, Some("22.1.8")),
            ("#  define _LIBCPP_VERSION next\n", LLVM, None),
            ("* not one (5.3.1)", "* ", None),
            ("3.53.2", "#define SQLITE_VERSION ", None),
        ] {
            assert_eq!(version(text, before).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn a_crate_that_compiles_something_unknown_is_an_error() {
        let unknown =
            json!({ "name": "zlib", "dependencies": [{ "name": "cc", "kind": "build" }] });
        let error = of_crates([unknown].iter()).expect_err("not in the list");
        assert!(error.to_string().starts_with("zlib compiles"), "{error}");
        let tested = json!({ "name": "zlib", "dependencies": [{ "name": "cc", "kind": "dev" }] });
        assert!(!compiles(&tested));
    }
}
