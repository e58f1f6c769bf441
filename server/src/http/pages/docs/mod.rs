//! `docs/api.md` and `docs/mcp.md`, filled in for this server: as Markdown and as HTML pages.
//!
//! Agents read the Markdown.
//!
//! A paragraph that ends with a comment such as `<!-- session -->` is replaced by the content of that name.

mod operations;
mod page;
mod session;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use utoipa::openapi::OpenApi;

use crate::config::public_url::PublicUrl;
use crate::http::Assets;
use crate::service::AppState;

pub use page::render_page;

const API: &str = include_str!("../../../../../docs/api.md");
const MCP: &str = include_str!("../../../../../docs/mcp.md");

/// What MCP clients passed on to their models, as measured by a test (`server/tests/agents`).
const PROGRAMS: &str = include_str!("programs.json");

/// The example address in the documents, which is replaced by the server's own.
const EXAMPLE: &str = "https://evidence.example.org";

/// The default limits in the documents, in bytes, which are replaced by the server's own.
///
/// They apply to a video, and to a video that is sent inline.
const API_BYTES: &str = "1073741824";
const MCP_BYTES: &str = "5242880";

/// The documents as Markdown.
pub struct Docs {
    /// `docs/api.md`, without the operations.
    pub api: String,
    /// `docs/api.md`, with the operations of the OpenAPI document.
    pub reference: String,
    /// `docs/mcp.md`
    pub mcp: String,
}

impl Docs {
    pub fn new(app: &AppState, assets: &Assets, document: &OpenApi) -> Self {
        let url = &app.public_url;
        let api = fill(API, url, (API_BYTES, app.storage_limits.max_video_bytes));
        let mcp = fill(MCP, url, (MCP_BYTES, app.mcp_inline_bytes));
        let mcp = put_in(&mcp, "programs", &programs());
        let session = session::session(url, assets);
        Self {
            reference: put_in(&api, "operations", &operations::operations(document)),
            api: put_in(&api, "operations", ""),
            mcp: put_in(&mcp, "session", &session),
        }
    }
}

fn fill(document: &str, url: &PublicUrl, (bytes, limit): (&str, u64)) -> String {
    // The configuration in the link that adds this server to Cursor.
    let cursor = |url: &str| STANDARD.encode(json!({ "url": format!("{url}/mcp") }).to_string());
    let url = url.as_str();
    document
        .replace(bytes, &limit.to_string())
        .replace(&cursor(EXAMPLE), &cursor(url))
        .replace(EXAMPLE, url)
        .replace("](api.md", "](/docs")
        .replace("](mcp.md", "](/docs/mcp")
}

/// Replaces the paragraph that ends with the comment of this name.
fn put_in(document: &str, name: &str, content: &str) -> String {
    let comment = format!("<!-- {name} -->");
    let paragraphs = document.trim_end().split("\n\n");
    let paragraphs = paragraphs.map(|it| if it.ends_with(&comment) { content } else { it });
    let filled = paragraphs.collect::<Vec<_>>().join("\n\n");
    filled.trim_end().to_owned() + "\n"
}

/// The table of what MCP clients passed on to their models: a row for each answer, as phones are narrow.
fn programs() -> String {
    let programs: Value = serde_json::from_str(PROGRAMS).expect("JSON that a test reads");
    let mut table = "| program and model | answer | its model gets |\n|---|---|---|".to_owned();
    for it in programs.as_array().into_iter().flatten() {
        let text = |name: &str| it[name].as_str().unwrap_or_default();
        let (program, version, model) = (text("program"), text("version"), text("model"));
        let mut first = format!("**{program} {version}** {model}");
        for answer in it["answers"].as_array().into_iter().flatten() {
            let (stills, characters) = (&answer["stills"], &answer["characters"]);
            let got = |name: &str, what| match answer[name] == true {
                true => what,
                false => "",
            };
            let sheet = got("contact_sheet", "contact sheet, ");
            let transcript = got("transcript", ", transcript");
            let cost = match answer["tokens"].as_u64() {
                Some(tokens) => format!(", about {tokens} tokens"),
                None => String::new(),
            };
            let text = |name: &str| answer[name].as_str().unwrap_or_default();
            let (answer, video) = (text("answer"), text("video"));
            table += &format!(
                "\n| {first} | {answer} | {sheet}stills: {stills}{transcript}, {characters} characters in all{cost}; video {video} |"
            );
            first.clear();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use reqwest::Url;

    use super::*;

    const URL: &str = "https://evidence.example.net:8443";
    const ENDPOINT: &str = "https://evidence.example.net:8443/mcp";

    /// The section of the guide for an MCP client.
    fn section(client: &str) -> String {
        let guide = fill(MCP, &PublicUrl::new(URL), (MCP_BYTES, 1));
        let (_, section) = guide
            .split_once(&format!("\n### {client}\n"))
            .expect(client);
        let section = section.split("\n## ").next().expect("a section");
        section
            .split("\n### ")
            .next()
            .expect("a section")
            .to_owned()
    }

    #[test]
    fn documents_name_this_server_and_its_limits() {
        for (document, bytes) in [(API, API_BYTES), (MCP, MCP_BYTES)] {
            let filled = fill(document, &PublicUrl::new(URL), (bytes, 1));
            assert!(
                filled.contains(URL) && !filled.contains("example.org"),
                "{filled}"
            );
            assert!(filled.contains(" at most 1 bytes"), "{filled}");
            // A file of the repository is nothing that a server has.
            for link in filled.split("](").skip(1) {
                let served = ["http", "/", "#", "<vscode:", "cursor:"];
                assert!(served.iter().any(|it| link.starts_with(it)), "{link}");
            }
        }
        let put_in = put_in("A\n\n*Here.* <!-- b -->\n\nC\n", "b", "B");
        assert_eq!(put_in, "A\n\nB\n\nC\n");
    }

    #[test]
    fn every_client_reads_what_is_to_be_copied_for_it() {
        for (client, languages) in [
            ("Claude Code", &["sh", "json"][..]),
            ("Claude Desktop", &["", "json"]),
            ("Codex", &["sh", "toml"]),
            ("Gemini CLI", &["sh", "json"]),
            ("opencode", &["json"]),
            ("VS Code", &["json"]),
            ("Cursor", &["json"]),
            ("ChatGPT", &[""]),
            ("OpenAI Agents SDK", &["python"]),
        ] {
            let section = section(client);
            let blocks = section.split("```").skip(1).step_by(2);
            let blocks = blocks.map(|it| it.split_once('\n').expect("a line"));
            let (found, snippets): (Vec<_>, Vec<_>) = blocks.unzip();
            assert_eq!(found, languages, "{client}");
            for (language, snippet) in found.into_iter().zip(snippets) {
                let snippet = snippet.trim_end();
                match language {
                    "json" => {
                        let config: Value = serde_json::from_str(snippet).expect("JSON");
                        let key = match client {
                            "VS Code" => "servers",
                            "opencode" => "mcp",
                            _ => "mcpServers",
                        };
                        let server = &config[key]["vidence"];
                        assert!(
                            server.to_string().contains(&format!("\"{ENDPOINT}\"")),
                            "{config}"
                        );
                    }
                    "sh" => {
                        let mut bash = Command::new("bash");
                        let read = bash.args(["-n", "-c", snippet]).status();
                        assert!(read.expect("a shell").success(), "{snippet}");
                        let words: Vec<&str> = snippet.split(' ').collect();
                        assert_eq!(words[1..3], ["mcp", "add"], "{words:?}");
                        assert_eq!(words[words.len() - 1], ENDPOINT, "{words:?}");
                    }
                    "" => assert_eq!(snippet, ENDPOINT),
                    _ => assert!(snippet.contains(&format!("\"{ENDPOINT}\"")), "{snippet}"),
                }
            }
        }
    }

    #[test]
    fn each_link_has_the_same_text_as_its_file() {
        let link = |client: &str| {
            let page = render_page(&section(client));
            let (_, link) = page.split_once("Or <a href=\"").expect("a link");
            link.split('"')
                .next()
                .expect("an end")
                .replace("&amp;", "&")
        };
        let config = link("VS Code");
        let config = config
            .strip_prefix("vscode:mcp/install?")
            .expect("VS Code's");
        // The link holds the JSON as its whole query, which a form decoder reads as a name without a value.
        let url = Url::parse(&format!("http://localhost/?{config}")).expect("a query");
        let (config, _) = url.query_pairs().next().expect("a name");
        let config: Value = serde_json::from_str(&config).expect("JSON");
        let want = json!({ "name": "vidence", "type": "http", "url": ENDPOINT });
        assert_eq!(config, want);

        let url = Url::parse(&link("Cursor")).expect("a URL");
        let address = (url.scheme(), url.host_str(), url.path());
        let want = ("cursor", Some("anysphere.cursor-deeplink"), "/mcp/install");
        assert_eq!(address, want);
        let fields: Vec<_> = url.query_pairs().collect();
        assert_eq!(fields[0], ("name".into(), "vidence".into()));
        let config = STANDARD.decode(fields[1].1.as_bytes()).expect("base64");
        let config: Value = serde_json::from_slice(&config).expect("JSON");
        assert_eq!(config, json!({ "url": ENDPOINT }));
    }
}
