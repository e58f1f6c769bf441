//! Builds the frontend into `target/site`, from where the server embeds it.
//!
//! It consists of WASM, glue and a boot script for each island, the scripts of closed links and of code to copy, the
//! player's page and its worker, CSS, an icon and pictures. Files are compressed. Those that need no fixed URL have a hash of their content in
//! their name.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use brotli::CompressorWriter;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use super::glue::{self, Glue};
use super::{Profile, flags, minify};
use crate::shell::{cargo, root, run, say};

/// The CSS of each kind of page, as files in `style` that follow the common ones, in the order of the cascade.
const STYLES: [(&str, &[&str]); 4] = [
    (
        "record",
        &[
            "record/prompt",
            "record/start",
            "record/help",
            "record/live",
            "record/controls",
            "record/camera-tools",
            "record/review",
            "record/sheet",
            "record/older",
        ],
    ),
    (
        "home",
        &[
            "prose",
            "home",
            "scene",
            "console/request",
            "console/result",
            "console/timeline",
            "console/layout",
        ],
    ),
    ("docs", &["prose", "docs", "guide", "translation", "legal"]),
    ("closed", &["report"]),
];

/// The files that the CSS of all pages begins with.
const COMMON_STYLES: [&str; 3] = ["tokens", "base", "page"];

/// The interactive part of a page: a crate in `frontend`, so that no page loads the code of another one.
struct Island {
    /// The name of the crate, and of its entry in the manifest.
    name: &'static str,
    /// Maximum compressed size of WASM and scripts, in bytes.
    budget: usize,
}

const ISLANDS: [Island; 2] = [
    // The one that is loaded over mobile networks.
    Island {
        name: "recorder",
        budget: 100_000,
    },
    Island {
        name: "console",
        budget: 145_000,
    },
];

/// Builds the frontend.
pub fn build(profile: Profile) -> Result<()> {
    let mut site = Site::new(profile);
    // Side by side: for the time that nothing is to be compiled, which is that of most builds.
    let compiled = thread::scope(|scope| {
        let started = ISLANDS.map(|it| scope.spawn(move || compile(&it, profile).context(it.name)));
        started.map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    for (island, code) in ISLANDS.into_iter().zip(compiled) {
        add_island(&mut site, &island, code?).context(island.name)?;
    }
    let mut styles = Map::new();
    for (kind, parts) in STYLES {
        let css = site.add_hashed(&format!("{kind}.css"), concat_css(parts)?)?;
        styles.insert(kind.to_owned(), css.into());
    }
    let home_style = styles.get("home").and_then(Value::as_str);
    let home_style = home_style.context("the home page has no CSS")?.to_owned();
    let closed = site.add_hashed("closed.js", fs::read(root().join("frontend/closed.js"))?)?;
    let [home, code_blocks] = ["home.js", "code-blocks.js"].map(|name| {
        let script = fs::read_to_string(root().join("frontend").join(name))?;
        site.add_hashed(name, minify::script(&script)?.into_bytes())
    });
    let icon = site.add_hashed("icon.svg", fs::read(root().join("style/icon.svg"))?)?;
    let pictures = add_pictures(&mut site)?;
    let player = fs::read_to_string(root().join("frontend/watch.html"))?;
    site.add(
        "watch.html",
        player.replace("STYLE", &home_style).into_bytes(),
    )?;
    site.add("watch.js", fs::read(root().join("frontend/watch.js"))?)?;
    site.manifest.insert("closed".to_owned(), closed.into());
    site.manifest.insert("home".to_owned(), home?.into());
    site.manifest
        .insert("code_blocks".to_owned(), code_blocks?.into());
    site.manifest.insert("styles".to_owned(), styles.into());
    site.manifest.insert("icon".to_owned(), icon.into());
    site.manifest.insert("pictures".to_owned(), pictures.into());
    site.write(&site_folder())
}

/// Adds the JPEG files in `style/pictures`.
fn add_pictures(site: &mut Site) -> Result<Map<String, Value>> {
    let mut pictures = Map::new();
    for entry in fs::read_dir(root().join("style/pictures"))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|it| it.to_str());
        if let Some(name) = name.filter(|it| it.ends_with(".jpg")) {
            let hashed = site.add_hashed(name, fs::read(&path)?)?;
            pictures.insert(name.to_owned(), hashed.into());
        }
    }
    Ok(pictures)
}

/// Concatenates the common CSS files and these, without indentation and comments.
fn concat_css(parts: &[&str]) -> Result<Vec<u8>> {
    let mut css = String::new();
    for part in COMMON_STYLES.iter().chain(parts) {
        let path = root().join(format!("style/{part}.css"));
        let file = fs::read_to_string(&path).with_context(|| format!("there is no {part}.css"))?;
        css.push_str(&minify::style(&file)?);
    }
    Ok(css.into_bytes())
}

/// Compiles an island, and makes its glue.
fn compile(island: &Island, profile: Profile) -> Result<Glue> {
    let target = root().join("target/web");
    let name = match profile {
        Profile::Release | Profile::Incremental => "wasm-release",
        Profile::Dev => "wasm-dev",
    };
    run(cargo()
        .args(["build", "--package", island.name])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--profile", name, "--target-dir"])
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags::without_paths()?))?;
    let wasm = format!("wasm32-unknown-unknown/{name}/{}.wasm", island.name);
    // The library has the version of the wasm-bindgen that the island is compiled with.
    let mut output = Bindgen::new()
        .input_path(target.join(wasm))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name(island.name)
        .generate_output()?;
    glue::shrink(&mut output, profile != Profile::Dev)
}

fn add_island(site: &mut Site, island: &Island, glue: Glue) -> Result<()> {
    let before = site.code_size;
    let file = |extension: &str| format!("{}{extension}", island.name);
    let wasm = site.add_hashed(&file(".wasm"), glue.wasm)?;
    let script = site.add_hashed(&file(".js"), glue.script.into_bytes())?;
    let boot = fs::read_to_string(root().join("frontend/boot.js"))?;
    let boot = boot
        .replace("GLUE", &script)
        .replace("WASM\"", &format!("{wasm}\""));
    let boot = site.add_hashed("boot.js", minify::script(&boot)?.into_bytes())?;
    let (total, budget) = (site.code_size - before, island.budget);
    say(format!(
        "{}: WASM and scripts {total} bytes compressed, of at most {budget}",
        island.name
    ));
    anyhow::ensure!(
        total <= budget || site.profile == Profile::Dev,
        "the island exceeds its weight limit"
    );
    let urls = json!({ "boot": boot, "glue": script, "wasm": wasm });
    site.manifest.insert(island.name.to_owned(), urls);
    Ok(())
}

/// The files to be written, and the manifest that names them.
struct Site {
    profile: Profile,
    files: BTreeMap<String, Vec<u8>>,
    manifest: Map<String, Value>,
    /// Compressed size of all WASM and scripts, in bytes.
    code_size: usize,
}

impl Site {
    fn new(profile: Profile) -> Self {
        Self {
            profile,
            files: BTreeMap::new(),
            manifest: Map::new(),
            code_size: 0,
        }
    }

    /// Adds a file under a name with the hash of its content, and returns that name.
    fn add_hashed(&mut self, name: &str, content: Vec<u8>) -> Result<String> {
        let (stem, extension) = name.rsplit_once('.').context("a name with an extension")?;
        let digest = Sha256::digest(&content);
        let hash: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let hashed = format!("{stem}.{hash}.{extension}");
        self.add(&hashed, content)?;
        Ok(hashed)
    }

    /// Adds a file under this name, and a compressed copy unless it is compressed already.
    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<()> {
        if name.ends_with(".jpg") {
            say(format!("{name:32} {:>8} bytes", content.len()));
            self.files.insert(name.to_owned(), content);
            return Ok(());
        }
        // What ships doesn't depend on earlier builds.
        let before = match self.profile {
            Profile::Release => None,
            Profile::Incremental | Profile::Dev => compressed_before(name, &content),
        };
        let compressed = match before {
            Some(compressed) => compressed,
            // Another profile makes another WASM, so a release doesn't get what was compressed in haste.
            None if self.profile == Profile::Dev && name.ends_with(".wasm") => brotli(&content, 1)?,
            None => brotli(&content, 11)?,
        };
        let (raw, small) = (content.len(), compressed.len());
        say(format!("{name:32} {raw:>8} bytes, {small:>7} compressed"));
        if name.ends_with(".wasm") || name.ends_with(".js") {
            self.code_size += small;
        }
        self.files.insert(format!("{name}.br"), compressed);
        self.files.insert(name.to_owned(), content);
        Ok(())
    }

    /// Writes the files to `folder` and removes others.
    /// Unchanged ones aren't touched, so that the server isn't rebuilt.
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
        // In reverse, so that a compressed copy is written before what it is the copy of, see `compressed_before`.
        for (name, content) in self.files.iter().rev() {
            let file = folder.join(name);
            if fs::read(&file).ok().as_ref() != Some(content) {
                fs::write(file, content)?;
            }
        }
        Ok(())
    }
}

/// The compressed copy of a file that an earlier build wrote with the same content: compressing all takes five seconds.
fn compressed_before(name: &str, content: &[u8]) -> Option<Vec<u8>> {
    let written = fs::read(site_folder().join(name)).ok()?;
    let compressed = fs::read(site_folder().join(format!("{name}.br"))).ok()?;
    (written == content).then_some(compressed)
}

fn site_folder() -> PathBuf {
    root().join("target/site")
}

/// Compresses with a quality from 0 to 11.
fn brotli(content: &[u8], quality: u32) -> Result<Vec<u8>> {
    const BUFFER: usize = 64 << 10;
    const WINDOW: u32 = 22;
    let mut compressor = CompressorWriter::new(Vec::new(), BUFFER, quality, WINDOW);
    compressor.write_all(content)?;
    Ok(compressor.into_inner())
}
