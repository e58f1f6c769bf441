//! The guide for agents: the page `/docs/mcp` and the server card.

use std::path::{Path, PathBuf};
use std::{env, fs};

use reqwest::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONTENT_TYPE,
    ETAG, IF_NONE_MATCH, ORIGIN,
};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, on_each_storage};

on_each_storage! {
    the_server_card_names_the_mcp_endpoint
    the_agents_guide_describes_this_servers_endpoint_and_tools
}

async fn the_server_card_names_the_mcp_endpoint(server: Server) {
    let answer = server.get("/mcp/server-card").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let headers = answer.headers().clone();
    assert_eq!(headers[CONTENT_TYPE], "application/mcp-server-card+json");
    assert_eq!(headers[CACHE_CONTROL], "public, max-age=3600");
    let card: Value = answer.json().await.expect("JSON");
    assert_eq!(card["name"], "dev.vidence/vidence");
    let endpoint = format!("{}/mcp", server.base);
    assert_eq!(card["remotes"][0]["url"], endpoint);

    let again = server.request(Method::GET, "/mcp/server-card");
    let again = again.header(IF_NONE_MATCH, &headers[ETAG]);
    let again = again.send().await.expect("an answer");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()[ETAG], headers[ETAG]);

    // CORS: readable from any origin, with the ETag.
    let page = "https://elsewhere.example.org";
    let from_a_page = server.request(Method::GET, "/mcp/server-card");
    let from_a_page = from_a_page.header(ORIGIN, page);
    let from_a_page = from_a_page.send().await.expect("an answer");
    assert_eq!(from_a_page.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    assert_eq!(from_a_page.headers()[ACCESS_CONTROL_EXPOSE_HEADERS], "etag");
    let preflight = server
        .request(Method::OPTIONS, "/mcp/server-card")
        .header(ORIGIN, page)
        .header(ACCESS_CONTROL_REQUEST_METHOD, "GET")
        .header(ACCESS_CONTROL_REQUEST_HEADERS, "if-none-match");
    let preflight = preflight.send().await.expect("an answer");
    assert_eq!(preflight.status(), StatusCode::OK);
    assert_eq!(preflight.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], "*");

    // The endpoint agrees with the card.
    let discovered = discover(&server).await;
    let info = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    let name = info["name"].as_str().expect("a name");
    assert_eq!(card["name"], format!("dev.vidence/{name}"));
    for field in ["version", "title"] {
        assert_eq!(info[field], card[field], "{field}");
    }
    let protocol_versions = &card["remotes"][0]["supportedProtocolVersions"];
    assert_eq!(
        sorted(&discovered["supportedVersions"]),
        sorted(protocol_versions)
    );
}

fn sorted(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    let mut list: Vec<&str> = list.map(|it| it.as_str().expect("text")).collect();
    list.sort_unstable();
    list
}

async fn the_agents_guide_describes_this_servers_endpoint_and_tools(server: Server) {
    let page = server.get("/docs/mcp").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(page.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    let html = page.text().await.expect("HTML");
    let endpoint = format!("{}/mcp", server.base);
    for client in [
        "Claude Code",
        "Claude Desktop",
        "VS Code",
        "Cursor",
        "Gemini CLI",
        "ChatGPT",
    ] {
        let section = html
            .split("<section")
            .find(|it| it.contains(&format!(">{client}</h3>")));
        let section = section.unwrap_or_else(|| panic!("{client} is missing"));
        assert!(section.contains(&endpoint), "{section}");
    }
    // The Markdown version has the same sections.
    let text = server.get("/docs/mcp.md").await;
    assert_eq!(text.headers()[CONTENT_TYPE], "text/markdown; charset=utf-8");
    let text = text.text().await.expect("Markdown");
    let headings = html.split("<h2").skip(1).filter_map(|it| {
        let (_, heading) = it.split_once('>')?;
        heading.split('<').next()
    });
    for heading in headings {
        assert!(
            text.contains(&format!("\n## {heading}\n")),
            "{heading}: {text}"
        );
    }
    assert!(text.contains(&endpoint), "{text}");
    // The listed tools and arguments are exactly those of the endpoint.
    let listed = rpc(&server, "tools/list", json!({})).await;
    let tools = listed["tools"].as_array().expect("tools");
    let (_, section) = html.split_once("id=\"tools\"").expect("a section");
    let (section, _) = section.split_once("</section>").expect("an end");
    assert_eq!(section.matches("<li>").count(), tools.len());
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        let (_, about) = section.split_once(&format!(">{name}<")).expect(name);
        let (about, _) = about.split_once("</li>").expect("an end");
        let schema = &tool["inputSchema"];
        let required = schema["required"].as_array().expect("what is required");
        for field in schema["properties"].as_object().expect("properties").keys() {
            let field = match required.iter().any(|it| it == field) {
                true => field.clone(),
                false => format!("{field}?"),
            };
            assert!(about.contains(&field), "{field} of {name}: {about}");
        }
    }
    // Its images exist.
    let pictures = html
        .split("src=\"")
        .skip(1)
        .filter_map(|it| it.split('"').next());
    let pictures: Vec<&str> = pictures.filter(|it| it.ends_with(".jpg")).collect();
    assert!(!pictures.is_empty(), "{html}");
    for picture in pictures {
        let answer = server.get(picture).await;
        assert_eq!(answer.status(), StatusCode::OK, "{picture}");
        assert_eq!(answer.headers()[CONTENT_TYPE], "image/jpeg");
    }
    for (from, to) in [
        ("/", "/docs/mcp"),
        ("/docs", "/docs/mcp"),
        ("/docs/mcp", "/docs/mcp.md"),
        ("/llms.txt", "/docs/mcp.md"),
    ] {
        let page = server.get(from).await.text().await.expect("text");
        assert!(page.contains(to), "{from}");
    }
}

/// A path in the repository.
pub fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// The endpoint's description of itself in the latest protocol revision.
async fn discover(server: &Server) -> Value {
    let revision = "2026-07-28";
    let params = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let request = message(server, "server/discover", &params);
    let request = request.header("MCP-Protocol-Version", revision);
    result(request.header("Mcp-Method", "server/discover")).await
}

/// Sends one JSON-RPC message as most clients do, and returns the result.
pub async fn rpc(server: &Server, method: &str, params: Value) -> Value {
    let request = message(server, method, &params);
    result(request.header("MCP-Protocol-Version", "2025-11-25")).await
}

fn message(server: &Server, method: &str, params: &Value) -> RequestBuilder {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let request = server.request(Method::POST, "/mcp").json(&message);
    request.header(ACCEPT, "application/json, text/event-stream")
}

async fn result(request: RequestBuilder) -> Value {
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    let mut answer: Value = answer.json().await.expect("JSON");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].take()
}
