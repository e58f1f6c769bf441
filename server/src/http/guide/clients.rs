//! How clients are set up, and what they do with videos. That models see pictures in Claude Code, Codex, Gemini CLI,
//! opencode and OpenAI's Agents SDK, and what becomes of a video there, is held by `server/tests/agents`, which sets
//! them up by these commands and snippets; the bridge for Claude Desktop is run by `server/tests/mcp`. All else is what makers' documentation and, where it is open, their
//! code said in November 2026, or what was tried once with Claude Code 2.1.330, Codex 0.169, Gemini CLI 0.61 and the
//! Agents SDK 0.24: a change to a line begins there.

use app::pages::{Client, Language, Snippet, Way};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// What each of them calls this server.
const NAME: &str = "vidence";

pub(super) fn all(endpoint: &str) -> Vec<Client> {
    vec![
        claude_code(endpoint),
        claude_desktop(endpoint),
        codex(endpoint),
        gemini_cli(endpoint),
        opencode(endpoint),
        vs_code(endpoint),
        cursor(endpoint),
        chatgpt(endpoint),
        openai_agents_sdk(endpoint),
    ]
}

fn claude_code(endpoint: &str) -> Client {
    Client {
        id: "claude-code",
        name: "Claude Code",
        place: "terminal",
        ways: vec![
            Way {
                text: "In a terminal, for all your projects:",
                snippet: shell(format!(
                    "claude mcp add --transport http --scope user {NAME} {endpoint}"
                )),
                link: None,
            },
            Way {
                text: "For everybody who works on a project, in its file `.mcp.json`; each of them is asked once:",
                snippet: file(&json!({
                    "mcpServers": { NAME: { "type": "http", "url": endpoint } }
                })),
                link: None,
            },
        ],
        limits: &[
            "The model sees the pictures. A video within the answer becomes a file, and the model is told where, so \
             that it can go on with ffmpeg or the like. It can’t watch it.",
            "It takes 25,000 tokens a result; the environment variable `MAX_MCP_OUTPUT_TOKENS` allows more.",
            "It gives a call up after 60 seconds.",
        ],
    }
}

/// support.claude.com 11503834 and claude.com/docs/connectors; the bridge was tried with mcp-remote 0.15.1.
fn claude_desktop(endpoint: &str) -> Client {
    // It refuses plain HTTP otherwise, but to the machine that it runs on.
    let plain = match endpoint.starts_with("http://") {
        true => ", \"--allow-http\"",
        false => "",
    };
    let bridge = format!(
        r#"{{
  "mcpServers": {{
    "{NAME}": {{
      "command": "npx",
      "args": ["-y", "mcp-remote", "{endpoint}"{plain}]
    }}
  }}
}}"#
    );
    Client {
        id: "claude-desktop",
        name: "Claude Desktop",
        place: "connectors",
        ways: vec![
            Way {
                text: "Here and on claude.ai: Customize, Connectors, Add custom connector. Leave the fields \
                       for OAuth empty and enter this address:",
                snippet: address(endpoint),
                link: None,
            },
            Way {
                text: "For a server that the internet doesn’t reach, a bridge in \
                       `claude_desktop_config.json` (Settings, Developer, Edit Config), which needs Node:",
                snippet: Snippet {
                    language: Language::Json,
                    text: bridge,
                },
                link: None,
            },
        ],
        limits: &[
            "A connector is reached from Anthropic’s network: by HTTPS, with a certificate that all the world \
             trusts.",
            "It cuts results near 150,000 characters, which a video within the answer exceeds: so none comes, and fewer \
             pictures.",
            "Some versions show the pictures to the model only with your next message. If it doesn’t see \
             them, write another one.",
            "It waits 300 seconds for a connector; 45 are the most that the tools take.",
        ],
    }
}

fn codex(endpoint: &str) -> Client {
    Client {
        id: "codex",
        name: "Codex",
        place: "terminal",
        ways: vec![
            Way {
                text: "In a terminal:",
                snippet: shell(format!("codex mcp add {NAME} --url {endpoint}")),
                link: None,
            },
            Way {
                text: "Or in `~/.codex/config.toml`:",
                snippet: Snippet {
                    language: Language::Toml,
                    text: format!("[mcp_servers.{NAME}]\nurl = \"{endpoint}\""),
                },
                link: None,
            },
        ],
        limits: &[
            "The model sees the pictures. GPT-6 calls tools from scripts of its own, and sees a picture if its script \
             passes it to `image()`, as the tool’s description says.",
            "A video within the answer would reach the model as letters, so none comes, and the model gets the address.",
            "While it waits for a person it may say that a script is still running; that is no error.",
        ],
    }
}

fn gemini_cli(endpoint: &str) -> Client {
    Client {
        id: "gemini-cli",
        name: "Gemini CLI",
        place: "terminal",
        ways: vec![
            Way {
                text: "In a terminal, for all your projects:",
                snippet: shell(format!(
                    "gemini mcp add --transport http --scope user {NAME} {endpoint}"
                )),
                link: None,
            },
            Way {
                text: "Or in `~/.gemini/settings.json`:",
                snippet: file(&json!({ "mcpServers": { NAME: { "httpUrl": endpoint } } })),
                link: None,
            },
        ],
        limits: &[
            "The model sees the pictures, but for `gemini-3-flash-preview`, which gets none.",
            "It strips videos, so none comes within the answer, and the model gets the address. Have the agent fetch it \
             with the command that stands beside it.",
            "In a folder that it hasn’t been told to trust it leaves all servers off.",
        ],
    }
}

fn opencode(endpoint: &str) -> Client {
    let server = json!({ "type": "remote", "url": endpoint, "enabled": true });
    Client {
        id: "opencode",
        name: "opencode",
        place: "opencode.json",
        ways: vec![Way {
            text: "For all your projects in `~/.config/opencode/opencode.json`, for one in its `opencode.json`:",
            snippet: file(&json!({ "mcp": { NAME: server } })),
            link: None,
        }],
        limits: &[
            "The model sees the pictures, if opencode knows that it can.",
            "It leaves out videos and links to them, so none comes within the answer, and the text has the address.",
        ],
    }
}

/// code.visualstudio.com/docs/agents/reference/mcp-configuration, and vscode's
/// `mcpLanguageModelToolContribution.ts`.
fn vs_code(endpoint: &str) -> Client {
    let server = json!({ "type": "http", "url": endpoint });
    let named = json!({ "name": NAME, "type": "http", "url": endpoint });
    Client {
        id: "vs-code",
        name: "VS Code",
        place: "mcp.json",
        ways: vec![Way {
            text: "For a project in `.vscode/mcp.json`; for yourself in the file that the command “MCP: Open \
                   User Configuration” opens:",
            snippet: file(&json!({ "servers": { NAME: server } })),
            link: Some(format!(
                "vscode:mcp/install?{}",
                encoded(&named.to_string())
            )),
        }],
        limits: &[
            "It shows the pictures to models that can see.",
            "A video within the answer becomes a file in the chat, for you to open or save. The model gets its \
             name and can’t watch it.",
            "It asks you before tools that change something, and before it hands the model what came from \
             outside.",
        ],
    }
}

/// cursor.com/docs/mcp and cursor.com/docs/mcp/install-links.
fn cursor(endpoint: &str) -> Client {
    let server = json!({ "url": endpoint });
    let config = encoded(&STANDARD.encode(server.to_string()));
    Client {
        id: "cursor",
        name: "Cursor",
        place: "mcp.json",
        ways: vec![Way {
            text: "For all your projects in `~/.cursor/mcp.json`, for one in its `.cursor/mcp.json`:",
            snippet: file(&json!({ "mcpServers": { NAME: server } })),
            link: Some(format!(
                "cursor://anysphere.cursor-deeplink/mcp/install?name={NAME}&config={config}"
            )),
        }],
        limits: &[
            "It shows the pictures to models that can see.",
            "What becomes of a video within the answer its makers don’t say, so none comes. Have the agent fetch it in \
             the terminal.",
        ],
    }
}

/// developers.openai.com/api/docs/guides/custom-mcp-server.
fn chatgpt(endpoint: &str) -> Client {
    Client {
        id: "chatgpt",
        name: "ChatGPT",
        place: "plugins",
        ways: vec![Way {
            text: "On the web: chatgpt.com/plugins, the plus button, Add custom MCP server. Choose No \
                   authentication and enter this address as the server’s URL:",
            snippet: address(endpoint),
            link: None,
        }],
        limits: &[
            "It is reached from OpenAI’s network: by HTTPS, with a certificate that all the world trusts. \
             Workspaces may forbid such servers.",
            "Whether its models see the pictures has differed from version to version; ask what they show before you \
             rely on it.",
            "It shows no video, so the agent gets its address. Open that with a program that can send the token.",
            "It asks you before tools that change something: asking a person and deleting.",
        ],
    }
}

/// A test takes the snippet from the guide and runs it.
fn openai_agents_sdk(endpoint: &str) -> Client {
    let server = format!(
        r#"from agents.mcp import MCPServerStreamableHttp

vidence = MCPServerStreamableHttp(
    name="{NAME}",
    params={{"url": "{endpoint}", "headers": {{"User-Agent": "openai-agents"}}}},
    client_session_timeout_seconds=60,
)"#
    );
    Client {
        id: "openai-agents-sdk",
        name: "OpenAI Agents SDK",
        place: "Python",
        ways: vec![Way {
            text: "As one of the `mcp_servers` of an agent. Without the timeout it gives a call up after five seconds, \
                   and a person takes longer. By its `User-Agent` the server knows that it shows no videos, which would \
                   reach the model as millions of letters:",
            snippet: Snippet {
                language: Language::Python,
                text: server,
            },
            link: None,
        }],
        limits: &[
            "The model sees the pictures by the Responses API, which the SDK uses unless told otherwise. By Chat \
             Completions it gets the texts alone.",
            "No video comes within the answer, and the model gets the address.",
        ],
    }
}

fn shell(text: String) -> Snippet {
    Snippet {
        language: Language::Shell,
        text,
    }
}

fn file(content: &Value) -> Snippet {
    Snippet {
        language: Language::Json,
        text: format!("{content:#}"),
    }
}

fn address(endpoint: &str) -> Snippet {
    Snippet {
        language: Language::Address,
        text: endpoint.to_owned(),
    }
}

/// As one value in a query: RFC 3986, section 2.1, of all but the unreserved characters.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use reqwest::Url;

    use super::*;

    /// As long as a `--public-url` with all its parts, one that needs quoting nowhere and escaping in a link.
    const ENDPOINT: &str = "https://evidence.example.org:8443/mcp";

    /// The one value below `mcpServers` or `servers`.
    fn server<'v>(config: &'v Value, key: &str) -> &'v Value {
        let config = config.as_object().expect("an object");
        assert_eq!(config.keys().collect::<Vec<_>>(), [key]);
        let servers = config[key].as_object().expect("servers");
        assert_eq!(servers.keys().collect::<Vec<_>>(), [NAME]);
        &servers[NAME]
    }

    #[test]
    fn every_client_reads_what_is_to_be_copied_for_it() {
        let clients = all(ENDPOINT);
        let names: Vec<&str> = clients.iter().map(|it| it.name).collect();
        let want = "Claude Code, Claude Desktop, Codex, Gemini CLI, opencode, VS Code, Cursor, ChatGPT, \
                    OpenAI Agents SDK";
        assert_eq!(names.join(", "), want);
        for client in &clients {
            assert!(
                !client.ways.is_empty() && !client.limits.is_empty(),
                "{client:?}"
            );
            for Way { snippet, .. } in &client.ways {
                assert!(snippet.text.contains(ENDPOINT), "{snippet:?}");
                match snippet.language {
                    Language::Json => {
                        let config: Value = serde_json::from_str(&snippet.text).expect("JSON");
                        let key = match client.id {
                            "vs-code" => "servers",
                            "opencode" => "mcp",
                            _ => "mcpServers",
                        };
                        let server = server(&config, key);
                        assert!(server.is_object(), "{server}");
                    }
                    Language::Shell => {
                        let mut bash = Command::new("bash");
                        let read = bash.args(["-n", "-c", &snippet.text]).status();
                        assert!(read.expect("a shell").success(), "{snippet:?}");
                        let words: Vec<&str> = snippet.text.split(' ').collect();
                        assert_eq!(words[1..3], ["mcp", "add"], "{words:?}");
                        assert_eq!(words[words.len() - 1], ENDPOINT, "{words:?}");
                    }
                    Language::Toml | Language::Python => {
                        let quoted = format!("\"{ENDPOINT}\"");
                        assert!(snippet.text.contains(&quoted), "{snippet:?}");
                    }
                    Language::Address => assert_eq!(snippet.text, ENDPOINT),
                }
            }
        }
    }

    #[test]
    fn a_link_says_the_same_as_the_file_beside_it() {
        let clients = all(ENDPOINT);
        let links = clients.iter().flat_map(|client| {
            let links = client.ways.iter().filter_map(|it| it.link.as_deref());
            links.map(|link| (client.id, link))
        });
        let links: Vec<(&str, &str)> = links.collect();
        let [("vs-code", vs_code), ("cursor", cursor)] = links[..] else {
            panic!("{links:?}");
        };
        let config = vs_code
            .strip_prefix("vscode:mcp/install?")
            .expect("VS Code's");
        // As the whole query, which a form's decoder takes for a name without a value.
        let url = Url::parse(&format!("http://localhost/?{config}")).expect("a query");
        let (config, _) = url.query_pairs().next().expect("a name");
        let config: Value = serde_json::from_str(&config).expect("JSON");
        assert_eq!(
            config,
            json!({ "name": NAME, "type": "http", "url": ENDPOINT })
        );

        let url = Url::parse(cursor).expect("a URL");
        let address = (url.scheme(), url.host_str(), url.path());
        assert_eq!(
            address,
            ("cursor", Some("anysphere.cursor-deeplink"), "/mcp/install")
        );
        let fields: Vec<_> = url.query_pairs().collect();
        assert_eq!(fields[0], ("name".into(), NAME.into()));
        let config = STANDARD.decode(fields[1].1.as_bytes()).expect("base64");
        let config: Value = serde_json::from_slice(&config).expect("JSON");
        assert_eq!(config, json!({ "url": ENDPOINT }));
    }

    #[test]
    fn the_bridge_is_told_where_it_may_go_without_tls() {
        for (endpoint, told) in [(ENDPOINT, false), ("http://192.0.2.1:3000/mcp", true)] {
            let client = claude_desktop(endpoint);
            let bridge = &client.ways[1].snippet.text;
            assert_eq!(bridge.contains("--allow-http"), told, "{bridge}");
        }
    }
}
