//! What a person waits for before the recording page stands: its HTML and its style, as this very binary
//! sends them, in every language. What the island weighs is checked where that is built, in `site`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::shell::{program, root, say};

/// What a server may send at once: ten packets of TCP's first window (RFC 6928), headers left out.
const MOST: usize = 14_336;

const LANGUAGES: [&str; 12] = [
    "en", "es", "fr", "de", "pt", "it", "pl", "tr", "ar", "hi", "zh", "ja",
];

/// Fails when the page is too heavy in some language, and says what it weighs in each of them.
pub fn check(binary: &Path) -> Result<()> {
    let style = style()?;
    let server = Server::start(binary)?;
    let wish = json!({
        "prompt": "Walk once around the car.\nShow the dent in the left door from close up.",
        "expires_in_hours": 1,
    });
    let created = server.ask("POST", "/v1/requests", &wish.to_string())?;
    let created: Value = serde_json::from_slice(&created.body)?;
    let id = created.get("id").and_then(Value::as_str);
    let id = id.context("a creation without an id")?;
    let mut heaviest = 0;
    for language in LANGUAGES {
        let page = server.ask("GET", &format!("/r/{id}?lang={language}"), "")?;
        ensure!(
            page.is_compressed,
            "the page in {language} came uncompressed"
        );
        let (html, total) = (page.body.len(), page.body.len() + style);
        let spoken = spoken(&page.body)?;
        ensure!(
            spoken.split('-').next() == Some(language),
            "the page in {language} came in {spoken}"
        );
        say(format!(
            "{language}: HTML {html} + CSS {style} = {total} bytes compressed, of at most {MOST}"
        ));
        heaviest = heaviest.max(total);
    }
    ensure!(
        heaviest <= MOST,
        "the recording page has become too heavy: {heaviest} bytes of HTML and CSS, {} more than it may have",
        heaviest - MOST
    );
    Ok(())
}

/// The compressed length of the recording page's style.
fn style() -> Result<usize> {
    let site = root().join("target/site");
    let manifest: Value = serde_json::from_slice(&fs::read(site.join("manifest.json"))?)?;
    let name = manifest.pointer("/styles/record").and_then(Value::as_str);
    let name = name.context("the recording page has no style")?;
    Ok(fs::read(site.join(format!("{name}.br")))?.len())
}

/// What the page says about its own language.
fn spoken(html: &[u8]) -> Result<String> {
    const BUFFER: usize = 64 << 10;
    let mut text = String::new();
    brotli::Decompressor::new(html, BUFFER).read_to_string(&mut text)?;
    let (_, rest) = text
        .split_once("<html lang=\"")
        .context("a page without a language")?;
    let (language, _) = rest.split_once('"').context("a tag without an end")?;
    Ok(language.to_owned())
}

/// A server with nothing in it, on a free loopback port. Ended and removed when dropped.
struct Server {
    process: Child,
    address: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(binary: &Path) -> Result<Self> {
        /// A debug build on a busy machine takes a while.
        const PATIENCE: Duration = Duration::from_secs(60);
        let folder = tempfile::Builder::new()
            .prefix("vidence-weights-")
            .tempdir()?;
        // Asked for and given back: nothing on this machine takes a port at random in between.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = program(binary, &["--listen", &address.to_string()]);
        // Whatever somebody has set for a server of theirs is not for this one.
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("VIDENCE_") {
                command.env_remove(name);
            }
        }
        let process = command
            .env("VIDENCE_LOG", "warn")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("can't start: {}", binary.display()))?;
        let mut server = Self {
            process,
            address,
            _folder: folder,
        };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("the server ended at once: {status}");
            }
            ensure!(start.elapsed() < PATIENCE, "the server doesn't answer");
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// In HTTP/1.0, in which a body comes as it is, and ends with the connection.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<Answer> {
        const PATIENCE: Duration = Duration::from_secs(30);
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nHost: {}\r\nAccept-Encoding: br\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
            self.address
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n");
        let end = end.context("an answer without an end of its head")?;
        let (head, body) = answer.split_at(end);
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap_or_default();
        ensure!(status.starts_with('2'), "{method} {path}: {status}");
        Ok(Answer {
            is_compressed: head.lines().any(|line| line == "content-encoding: br"),
            body: body.get(4..).unwrap_or_default().to_vec(),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // By its id, and at once: what it holds is thrown away anyway.
        if self.process.kill().is_ok() {
            let _ = self.process.wait();
        }
    }
}

struct Answer {
    is_compressed: bool,
    body: Vec<u8>,
}
