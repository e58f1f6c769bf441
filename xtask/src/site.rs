//! The browser's half: for each island WASM, glue and boot script; the script of a link that is over; the
//! player's page and worker; styles, icon and pictures. All but what needs a fixed address is named by content.
//! Compressed, in `target/site`, from where the server embeds them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::CompressorWriter;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::glue;
use crate::shell::{cargo, root, run, say};

/// A style for each kind of page, of what all have and what it has beside that: whole files, in the order in
/// which they apply, or with `*` at the end all whose names begin so, by name.
const STYLES: [(&str, &[&str]); 4] = [
    ("record", &["record*"]),
    ("home", &["prose", "home", "console"]),
    ("docs", &["prose", "docs", "guide", "words"]),
    ("closed", &["report"]),
];
const IN_ALL_STYLES: [&str; 3] = ["tokens", "base", "page"];

/// A page's interactive part: a crate in `frontend`, built by itself so that no page carries another's.
struct Island {
    /// Of the crate, and of its entry in the manifest.
    name: &'static str,
    /// What WASM and scripts may weigh, compressed.
    budget: usize,
}

const ISLANDS: [Island; 2] = [
    // A person on a phone network waits for this one.
    Island {
        name: "recorder",
        budget: 100_000,
    },
    Island {
        name: "console",
        budget: 135_000,
    },
];

/// Builds all of it.
pub fn build() -> Result<()> {
    let mut site = Site::default();
    for island in ISLANDS {
        add_island(&mut site, &island).context(island.name)?;
    }
    let mut styles = Map::new();
    for (kind, parts) in STYLES {
        let style = site.add(&format!("{kind}.css"), style(parts)?)?;
        styles.insert(kind.to_owned(), style.into());
    }
    let home = styles.get("home").and_then(Value::as_str);
    let home = home.context("a style of the home page")?.to_owned();
    let closed = site.add("closed.js", fs::read(root().join("frontend/closed.js"))?)?;
    let icon = site.add("icon.svg", fs::read(root().join("style/icon.svg"))?)?;
    let pictures = add_pictures(&mut site)?;
    let player = fs::read_to_string(root().join("frontend/watch.html"))?;
    site.keep("watch.html", player.replace("STYLE", &home).into_bytes())?;
    site.keep("watch.js", fs::read(root().join("frontend/watch.js"))?)?;
    site.manifest.insert("closed".to_owned(), closed.into());
    site.manifest.insert("styles".to_owned(), styles.into());
    site.manifest.insert("icon".to_owned(), icon.into());
    site.manifest.insert("pictures".to_owned(), pictures.into());
    site.write(&root().join("target/site"))
}

/// What lies beside the styles as JPEG.
fn add_pictures(site: &mut Site) -> Result<Map<String, Value>> {
    let mut pictures = Map::new();
    for entry in fs::read_dir(root().join("style"))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|it| it.to_str());
        if let Some(name) = name.filter(|it| it.ends_with(".jpg")) {
            let hashed = site.add(name, fs::read(&path)?)?;
            pictures.insert(name.to_owned(), hashed.into());
        }
    }
    Ok(pictures)
}

/// Of the parts of all pages and these.
fn style(parts: &[&str]) -> Result<Vec<u8>> {
    let folder = root().join("style");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name();
        names.extend(
            name.to_str()
                .and_then(|it| it.strip_suffix(".css"))
                .map(str::to_owned),
        );
    }
    names.sort_unstable();
    let mut style = Vec::new();
    for part in IN_ALL_STYLES.iter().chain(parts) {
        let mut found = names.iter().filter(|name| match part.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == part,
        });
        let first = found
            .next()
            .with_context(|| format!("no style is called {part}"))?;
        for name in std::iter::once(first).chain(found) {
            style.extend(fs::read(folder.join(format!("{name}.css")))?);
        }
    }
    Ok(style)
}

fn add_island(site: &mut Site, island: &Island) -> Result<()> {
    let target = root().join("target/web");
    run(cargo()
        .args(["build", "--package", island.name])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--profile", "wasm-release", "--target-dir"])
        .arg(&target))?;
    let wasm = format!("wasm32-unknown-unknown/wasm-release/{}.wasm", island.name);
    // The library is pinned to the wasm-bindgen in Cargo.lock, so the two halves always fit.
    let mut output = Bindgen::new()
        .input_path(target.join(wasm))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(island.name)
        .generate_output()?;
    let glue = glue::shorten(&mut output)?;

    let before = site.scripts;
    let file = |extension: &str| format!("{}{extension}", island.name);
    let wasm = site.add(&file(".wasm"), glue.wasm)?;
    let script = site.add(&file(".js"), terse(&glue.script).into_bytes())?;
    let boot = fs::read_to_string(root().join("frontend/boot.js"))?;
    let boot = boot
        .replace("GLUE", &script)
        .replace("WASM\"", &format!("{wasm}\""));
    let boot = site.add("boot.js", terse(&boot).into_bytes())?;
    let (total, budget) = (site.scripts - before, island.budget);
    say(format!(
        "{}: WASM and scripts {total} bytes compressed, of at most {budget}",
        island.name
    ));
    anyhow::ensure!(total <= budget, "its page has become too heavy");
    let urls = json!({ "boot": boot, "glue": script, "wasm": wasm });
    site.manifest.insert(island.name.to_owned(), urls);
    Ok(())
}

/// A script without indentation and without lines that are comments. None of ours, and none that wasm-bindgen writes, has
/// a text of several lines.
fn terse(script: &str) -> String {
    let lines = script.lines().map(str::trim);
    let code = lines.filter(|it| !it.is_empty() && !it.starts_with("//") && !it.starts_with("/*"));
    code.flat_map(|it| [it, "\n"]).collect()
}

/// The files to embed, before they are written.
#[derive(Default)]
struct Site {
    files: BTreeMap<String, Vec<u8>>,
    manifest: Map<String, Value>,
    scripts: usize,
}

impl Site {
    /// Adds a file and its compressed twin; returns the name that holds its hash.
    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<String> {
        let (stem, extension) = name.rsplit_once('.').context("a name with an extension")?;
        let digest = Sha256::digest(&content);
        let hash: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let hashed = format!("{stem}.{hash}.{extension}");
        self.keep(&hashed, content)?;
        Ok(hashed)
    }

    /// Adds a file and its compressed twin under this very name. What is compressed already has none.
    fn keep(&mut self, name: &str, content: Vec<u8>) -> Result<()> {
        if name.ends_with(".jpg") {
            say(format!("{name:32} {:>8} bytes", content.len()));
            self.files.insert(name.to_owned(), content);
            return Ok(());
        }
        let compressed = brotli(&content)?;
        let (raw, small) = (content.len(), compressed.len());
        say(format!("{name:32} {raw:>8} bytes, {small:>7} compressed"));
        if name.ends_with(".wasm") || name.ends_with(".js") {
            self.scripts += small;
        }
        self.files.insert(format!("{name}.br"), compressed);
        self.files.insert(name.to_owned(), content);
        Ok(())
    }

    /// Leaves exactly these files in `folder`, and untouched the ones that are there already: a build
    /// that changes nothing makes the server no older.
    fn write(mut self, folder: &Path) -> Result<()> {
        let manifest = serde_json::to_vec_pretty(&self.manifest)?;
        self.files.insert("manifest.json".to_owned(), manifest);
        fs::create_dir_all(folder)?;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if !self
                .files
                .contains_key(entry.file_name().to_string_lossy().as_ref())
            {
                fs::remove_file(entry.path())?;
            }
        }
        for (name, content) in &self.files {
            let file = folder.join(name);
            if fs::read(&file).ok().as_ref() != Some(content) {
                fs::write(file, content)?;
            }
        }
        Ok(())
    }
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    const BUFFER: usize = 64 << 10;
    const QUALITY: u32 = 11;
    const WINDOW: u32 = 22;
    let mut compressor = CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW);
    compressor.write_all(content)?;
    Ok(compressor.into_inner())
}
