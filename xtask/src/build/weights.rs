//! Checks the weight of the recording page: its HTML and CSS as the built binary sends them, in every language.
//!
//! They are what a page needs to be shown. The weight of its island is checked by `site`, which builds it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::server::Server;
use crate::shell::{root, say};

/// Maximum of HTML and CSS in bytes: the initial window of TCP, ten packets (RFC 6928), without headers.
const MAX_WEIGHT: usize = 14_336;

const LANGUAGES: [&str; 18] = [
    "en", "es", "fr", "de", "pt", "it", "nl", "pl", "uk", "tr", "ar", "hi", "id", "vi", "zh",
    "zh-Hant", "ja", "ko",
];

/// Prints the weight of the page in each language, and fails if one is too heavy.
pub fn check(binary: &Path) -> Result<()> {
    let css = css_weight()?;
    let server = Server::start(binary)?;
    let request = json!({
        "prompt": "Walk once around the car.\nShow the dent in the left door from close up.",
        "expires_in_hours": 1,
    });
    let created = ask(&server, "POST", "/v1/requests", &request.to_string())?;
    let created: Value = serde_json::from_slice(&created.body)?;
    let id = created.get("id").and_then(Value::as_str);
    let id = id.context("a creation without an id")?;
    let mut heaviest = 0;
    for language in LANGUAGES {
        let page = ask(&server, "GET", &format!("/r/{id}?lang={language}"), "")?;
        ensure!(
            page.is_compressed,
            "the page in {language} came uncompressed"
        );
        let (html, total) = (page.body.len(), page.body.len() + css);
        let declared = declared_language(&page.body)?;
        ensure!(
            declared.starts_with(language),
            "the page in {language} came in {declared}"
        );
        say(format!(
            "{language}: HTML {html} + CSS {css} = {total} bytes compressed, of at most {MAX_WEIGHT}"
        ));
        heaviest = heaviest.max(total);
    }
    ensure!(
        heaviest <= MAX_WEIGHT,
        "the recording page has become too heavy: {heaviest} bytes of HTML and CSS, {} more than it may have",
        heaviest - MAX_WEIGHT
    );
    Ok(())
}

/// The compressed size of the recording page's CSS.
fn css_weight() -> Result<usize> {
    let site = root().join("target/site");
    let manifest: Value = serde_json::from_slice(&fs::read(site.join("manifest.json"))?)?;
    let name = manifest.pointer("/styles/record").and_then(Value::as_str);
    let name = name.context("the recording page has no style")?;
    Ok(fs::read(site.join(format!("{name}.br")))?.len())
}

/// The `lang` attribute of a page.
fn declared_language(html: &[u8]) -> Result<String> {
    const BUFFER: usize = 64 << 10;
    let mut text = String::new();
    brotli::Decompressor::new(html, BUFFER).read_to_string(&mut text)?;
    let (_, rest) = text
        .split_once("<html lang=\"")
        .context("a page without a language")?;
    let (language, _) = rest.split_once('"').context("a tag without an end")?;
    Ok(language.to_owned())
}

/// Sends a request in HTTP/1.0: the body of its response isn't chunked, and ends with the connection.
fn ask(server: &Server, method: &str, path: &str, body: &str) -> Result<Response> {
    const READ_TIMEOUT: Duration = Duration::from_secs(30);
    let mut stream = TcpStream::connect(server.address)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: {}\r\nAccept-Encoding: br\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
        server.address
    )?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    let end = response.windows(4).position(|it| it == b"\r\n\r\n");
    let end = end.context("a response without an end of its head")?;
    let (head, body) = response.split_at(end);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let status = head.split(' ').nth(1).unwrap_or_default();
    ensure!(status.starts_with('2'), "{method} {path}: {status}");
    Ok(Response {
        is_compressed: head.lines().any(|line| line == "content-encoding: br"),
        body: body.get(4..).unwrap_or_default().to_vec(),
    })
}

struct Response {
    is_compressed: bool,
    body: Vec<u8>,
}
