//! The list of all crates in the binary and in its pages, and of the C and C++ in it, with their licences, as CycloneDX 1.5.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{Release, native_code, static_binary};
use crate::shell::{cargo, output};

/// Writes the list. Returns its path.
pub fn write(release: &Release, folder: &Path) -> Result<PathBuf> {
    let target = release.architecture.target();
    let mut components = of_crates(&target)?;
    components.extend(native_code::of_zig(&static_binary::zig()?)?);
    // Without a time and a serial number, which would differ each time.
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "name": "vidence", "version": release.version,
        } },
        "components": components,
    });
    let file = folder.join(format!("{}.cdx.json", release.name()));
    fs::write(&file, format!("{list:#}\n"))?;
    Ok(file)
}

/// All crates in a server for this target and in its pages, and what they compile.
fn of_crates(target: &str) -> Result<Vec<Value>> {
    let crates = crates(&[target])?;
    let components = crates.iter().map(|it| component(it));
    let mut components = components.collect::<Result<Vec<Value>>>()?;
    let is_linked = |package: &&Value| {
        let is_it = |it: &Value| {
            ["name", "version"]
                .iter()
                .all(|key| it[key] == package[key])
        };
        components.iter().any(is_it)
    };
    let packages = packages(&[target])?;
    let native = native_code::of_crates(packages.iter().filter(is_linked))?;
    components.extend(native);
    Ok(components)
}

/// The crates that are needed for these targets, as `cargo metadata` describes them: without those of other systems, which
/// would be downloaded.
pub fn packages(targets: &[&str]) -> Result<Vec<Value>> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--format-version", "1"]);
    for target in targets {
        metadata.args(["--filter-platform", target]);
    }
    let mut metadata: Value = serde_json::from_str(&output(&mut metadata)?)?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("no packages"),
    }
}

/// Lines of crate, version and licence, of all that is in servers for these targets and in their pages.
pub fn crates(targets: &[&str]) -> Result<BTreeSet<String>> {
    let mut server = vec!["--package", "server"];
    server.extend(targets.iter().flat_map(|it| ["--target", it]));
    let mut crates = dependencies(&server)?;
    let pages = ["--package", "recorder", "--package", "console"];
    let wasm = ["--target", "wasm32-unknown-unknown"];
    crates.extend(dependencies(&[pages.as_slice(), &wasm].concat())?);
    Ok(crates)
}

/// Lines of crate, version and licence, of all that these packages are linked to.
fn dependencies(packages: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--edges", "normal", "--prefix", "none"]);
    tree.args(["--format", "{p}\t{l}"]);
    Ok(of_registry(&output(tree.args(packages))?))
}

/// Without the empty lines between two trees, this project's own crates, and the sign of a crate that was listed before.
fn of_registry(tree: &str) -> BTreeSet<String> {
    let lines = tree.lines().map(|it| it.trim_end_matches(" (*)"));
    let foreign = lines.filter(|it| !it.is_empty() && !it.contains(" (/"));
    foreign.map(str::to_owned).collect()
}

/// One line of `cargo tree` as a component.
fn component(line: &str) -> Result<Value> {
    let (package, license) = line.split_once('\t').context("no licence")?;
    let mut words = package.split(' ');
    let name = words.next().context("no name")?;
    let version = words.next().and_then(|it| it.strip_prefix('v'));
    let version = version.with_context(|| format!("{name} has no version"))?;
    let purl = format!("pkg:cargo/{name}@{version}");
    // An old way to write OR, which is no SPDX expression.
    let license = license.split('/').map(str::trim).collect::<Vec<_>>();
    let license = license.join(" OR ");
    Ok(json!({
        "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "licenses": [{ "expression": license }],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_listed_with_its_licence() {
        let listed = component("memchr v2.7.1\tUnlicense / MIT").expect("a crate");
        assert_eq!(listed["purl"], "pkg:cargo/memchr@2.7.1");
        assert_eq!(listed["licenses"][0]["expression"], "Unlicense OR MIT");
        assert!(component("memchr\tMIT").is_err());
    }

    #[test]
    fn what_crates_compile_is_listed_with_the_version_of_its_source() {
        let listed = of_crates("x86_64-unknown-linux-musl").expect("components");
        for (name, words) in [
            ("sqlite", "libsqlite3-sys"),
            ("openh264", "openh264-sys2"),
            ("jemalloc", "tikv-jemalloc-sys"),
            ("ring-boringssl", "ring"),
        ] {
            // A crate may have the same name.
            let purl = format!("pkg:generic/{name}@");
            let is_it = |it: &&Value| it["purl"].as_str().is_some_and(|it| it.starts_with(&purl));
            let found = listed.iter().find(is_it);
            let found = found.unwrap_or_else(|| panic!("{name} isn't listed"));
            let description = found["description"].as_str().expect("text");
            assert!(description.contains(words), "{found}");
            let license = found["licenses"][0]["expression"].as_str().expect("text");
            for id in license.split(" AND ") {
                assert!(spdx::license_id(id).is_some(), "{license}");
            }
            let version = found["version"].as_str().expect("text");
            assert!(
                version.starts_with(|it: char| it.is_ascii_digit()),
                "{found}"
            );
        }
    }

    #[test]
    fn foreign_crates_are_listed_once() {
        let tree = "server v0.1.0 (/vidence/server)\t(Apache-2.0 OR MIT)\nmemchr v2.7.1\tMIT\n\nmemchr v2.7.1\tMIT (*)\n";
        let listed = of_registry(tree);
        assert_eq!(
            listed.into_iter().collect::<Vec<_>>(),
            ["memchr v2.7.1\tMIT"]
        );
    }
}
