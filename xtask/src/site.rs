//! The browser's half: WASM, glue, boot script, styles and icon, named by content and compressed,
//! in `target/site`, from where the server embeds them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::CompressorWriter;
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::shell::{cargo, root, run, say};

/// In the order in which they apply.
const STYLES: [&str; 6] = [
    "tokens.css",
    "base.css",
    "page.css",
    "home.css",
    "docs.css",
    "recorder.css",
];

/// What the recording page may weigh: WASM and scripts, compressed.
const SCRIPT_BUDGET: usize = 100_000;

/// Builds all of it.
pub fn build() -> Result<()> {
    let target = root().join("target/web");
    run(cargo()
        .args([
            "build",
            "--package",
            "frontend",
            "--target",
            "wasm32-unknown-unknown",
        ])
        .args(["--profile", "wasm-release", "--target-dir"])
        .arg(&target))?;
    let glue = target.join("glue");
    // The library is pinned to the wasm-bindgen in Cargo.lock, so the two halves always fit.
    Bindgen::new()
        .input_path(target.join("wasm32-unknown-unknown/wasm-release/frontend.wasm"))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("islands")
        .generate(&glue)?;

    let mut site = Site::default();
    let wasm = site.add(
        "wasm",
        "islands.wasm",
        fs::read(glue.join("islands_bg.wasm"))?,
    )?;
    let script = site.add("glue", "islands.js", fs::read(glue.join("islands.js"))?)?;
    let boot = fs::read_to_string(root().join("frontend/boot.js"))?;
    let boot = boot
        .replace("GLUE", &script)
        .replace("WASM\"", &format!("{wasm}\""));
    site.add("boot", "boot.js", boot.into_bytes())?;
    let mut style = Vec::new();
    for name in STYLES {
        style.extend(fs::read(root().join("style").join(name)).context(name)?);
    }
    site.add("style", "style.css", style)?;
    site.add("icon", "icon.svg", fs::read(root().join("style/icon.svg"))?)?;
    site.write(&root().join("target/site"))
}

/// The files to embed, before they are written.
#[derive(Default)]
struct Site {
    files: BTreeMap<String, Vec<u8>>,
    manifest: BTreeMap<&'static str, String>,
    scripts: usize,
}

impl Site {
    /// Adds a file and its compressed twin; returns the name that holds its hash.
    fn add(&mut self, role: &'static str, name: &str, content: Vec<u8>) -> Result<String> {
        let (stem, extension) = name.rsplit_once('.').context("a name with an extension")?;
        let digest = Sha256::digest(&content);
        let hash: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let hashed = format!("{stem}.{hash}.{extension}");
        let compressed = brotli(&content)?;
        let (raw, small) = (content.len(), compressed.len());
        say(format!("{name:14} {raw:>8} bytes, {small:>7} compressed"));
        if matches!(extension, "wasm" | "js") {
            self.scripts += small;
        }
        self.files.insert(format!("{hashed}.br"), compressed);
        self.files.insert(hashed.clone(), content);
        self.manifest.insert(role, hashed.clone());
        Ok(hashed)
    }

    /// Leaves exactly these files in `folder`, and untouched the ones that are there already: a build
    /// that changes nothing makes the server no older.
    fn write(mut self, folder: &Path) -> Result<()> {
        let total = self.scripts;
        say(format!(
            "WASM and scripts: {total} bytes compressed, of at most {SCRIPT_BUDGET}"
        ));
        anyhow::ensure!(
            total <= SCRIPT_BUDGET,
            "the recording page has become too heavy"
        );
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
