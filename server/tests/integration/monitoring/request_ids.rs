//! `X-Request-Id` on every response, to find it in the log.

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use server::config::QuotaArgs;

use crate::support::mcp_client::tool_call_message;
use crate::support::process::ServerProcess;
use crate::support::{CLIP, Server, on_each_storage, unlimited_quotas};

on_each_storage! {
    every_response_has_a_unique_request_id
    only_a_trusted_proxy_sets_the_request_id
    cors_exposes_the_request_id
}

const GIVEN_ID: &str = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn request_id(answer: &Response) -> String {
    let id = answer.headers().get("x-request-id");
    let id = id.unwrap_or_else(|| panic!("{} has none", answer.url()));
    id.to_str().expect("text").to_owned()
}

async fn every_response_has_a_unique_request_id(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let mut ids = BTreeSet::new();
    let mut answers = Vec::new();
    for path in [
        "/",
        "/docs",
        "/nothing",
        "/v1/none",
        "/v1/requests/none",
        "/healthz",
        "/readyz",
        "/mcp",
    ] {
        answers.push(server.get(path).await);
    }
    answers.push(creator.send_authorized(Method::GET, &video).await);
    answers.push(creator.send_authorized(Method::HEAD, &video).await);
    answers.push(creator.send_authorized(Method::PUT, &video).await);
    answers.push(
        creator
            .send_authorized(Method::OPTIONS, &creator.link_path("/takes"))
            .await,
    );
    answers.push(server.get(&creator.link_path("")).await);
    let count = answers.len();
    for answer in answers {
        let id = request_id(&answer);
        assert_eq!(id.len(), 32, "{id}");
        assert!(id.bytes().all(|it| it.is_ascii_hexdigit()), "{id}");
        ids.insert(id);
    }
    assert_eq!(ids.len(), count, "each has its own");
}

async fn id_for(server: &Server, header: &str, value: &str) -> String {
    let request = server
        .request(Method::GET, "/healthz")
        .header(header, value);
    request_id(&request.send().await.expect("an answer"))
}

async fn only_a_trusted_proxy_sets_the_request_id(server: Server) {
    let traceparent = format!("00-{TRACE}-b7ad6b7169203331-01");
    assert_ne!(id_for(&server, "x-request-id", GIVEN_ID).await, GIVEN_ID);
    assert_ne!(id_for(&server, "traceparent", &traceparent).await, TRACE);
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    assert_eq!(id_for(&server, "x-request-id", GIVEN_ID).await, GIVEN_ID);
    assert_eq!(id_for(&server, "traceparent", &traceparent).await, TRACE);
    let token = server.create_request().await.created.access_token;
    for invalid in [
        token.as_str(),
        "short",
        "a line\tbroken in two",
        &"a".repeat(65),
    ] {
        let id = id_for(&server, "x-request-id", invalid).await;
        assert_eq!(id.len(), 32, "{id} for {invalid}");
    }
}

async fn cors_exposes_the_request_id(server: Server) {
    let creator = server.create_request().await;
    for path in ["/v1/requests/none", &creator.link_path("/state")] {
        let request = server
            .request(Method::GET, path)
            .header("origin", "https://example.org");
        let answer = request.send().await.expect("an answer");
        let exposed = &answer.headers()["access-control-expose-headers"];
        let exposed = exposed.to_str().expect("text").to_ascii_lowercase();
        assert!(
            exposed.split(',').any(|it| it.trim() == "x-request-id"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_failed_tool_is_logged_with_its_request() {
    let mut server = ServerProcess::start(&["--listen", "127.0.0.1:0", "--log-format", "json"]);
    let address = server.address().await;
    let database = server.data_dir().join("vidence.db");
    let mut database =
        SqliteConnection::establish(&database.display().to_string()).expect("a database");
    database
        .batch_execute("DROP TABLE quotas")
        .expect("a table less");
    let arguments = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let call = Client::new()
        .post(format!("{address}/mcp"))
        .header("accept", "application/json, text/event-stream")
        .json(&tool_call_message("request_video_evidence", &arguments));
    let id = request_id(&call.send().await.expect("an answer"));
    // rmcp calls the tool in a task of its own.
    let line = server.wait_for_line("tool failed").await;
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["http"]["request_id"], id, "{line}");
    assert_eq!(line["http"]["route"], "/mcp", "{line}");
}
