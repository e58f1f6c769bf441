//! The browser's half: for each island WASM, glue and boot script; the player's page and worker; styles and
//! icon. All but what needs a fixed address is named by content. Compressed, in `target/site`, from where
//! the server embeds them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::CompressorWriter;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::shell::{cargo, root, run, say};

/// In the order in which they apply.
const STYLES: [&str; 9] = [
    "tokens.css",
    "base.css",
    "page.css",
    "home.css",
    "docs.css",
    "console.css",
    "record.css",
    "recorder.css",
    "recorder-layout.css",
];

/// A page's interactive part: a feature of `frontend`, built by itself so that no page carries another's.
struct Island {
    /// Of the feature, and of its entry in the manifest.
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
    let mut style = Vec::new();
    for name in STYLES {
        style.extend(fs::read(root().join("style").join(name)).context(name)?);
    }
    let style = site.add("style.css", style)?;
    let icon = site.add("icon.svg", fs::read(root().join("style/icon.svg"))?)?;
    let player = fs::read_to_string(root().join("frontend/watch.html"))?;
    site.keep("watch.html", player.replace("STYLE", &style).into_bytes())?;
    site.keep("watch.js", fs::read(root().join("frontend/watch.js"))?)?;
    site.manifest.insert("style".to_owned(), style.into());
    site.manifest.insert("icon".to_owned(), icon.into());
    site.write(&root().join("target/site"))
}

fn add_island(site: &mut Site, island: &Island) -> Result<()> {
    let target = root().join("target/web");
    run(cargo()
        .args([
            "build",
            "--package",
            "frontend",
            "--target",
            "wasm32-unknown-unknown",
        ])
        .args(["--no-default-features", "--features", island.name])
        .args(["--profile", "wasm-release", "--target-dir"])
        .arg(&target))?;
    let glue = target.join("glue").join(island.name);
    // The library is pinned to the wasm-bindgen in Cargo.lock, so the two halves always fit.
    Bindgen::new()
        .input_path(target.join("wasm32-unknown-unknown/wasm-release/frontend.wasm"))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(island.name)
        .generate(&glue)?;

    let before = site.scripts;
    let file = |extension: &str| format!("{}{extension}", island.name);
    let wasm = fs::read(glue.join(file("_bg.wasm")))?;
    let wasm = site.add(&file(".wasm"), wasm)?;
    let script = site.add(&file(".js"), fs::read(glue.join(file(".js")))?)?;
    let boot = fs::read_to_string(root().join("frontend/boot.js"))?;
    let boot = boot
        .replace("GLUE", &script)
        .replace("WASM\"", &format!("{wasm}\""));
    let boot = site.add("boot.js", boot.into_bytes())?;
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

    /// Adds a file and its compressed twin under this very name.
    fn keep(&mut self, name: &str, content: Vec<u8>) -> Result<()> {
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
