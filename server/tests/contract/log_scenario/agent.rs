//! The agent's part of the scenario, and invalid calls.

use std::time::Duration;

use app::api::{CreatedRequest, RequestView};
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{PROMPT, Scenario};
use test_support::wait_until;

impl Scenario<'_> {
    /// Polls, waits, downloads in every way, and fetches a still. Returns the video's id.
    pub(super) async fn download(&mut self, created: &CreatedRequest) -> String {
        let token = &created.access_token;
        let get = |scenario: &Self, path: &str| scenario.request("GET", path).bearer_auth(token);
        let path = format!("/v1/requests/{}", created.id);
        let (_, view) = self.send(get(self, &path).header("Prefer", "wait=1")).await;
        let view: RequestView = serde_json::from_str(&view).expect("a request");
        let video = view.video.expect("a video").id;
        self.add_secret("the video", &video);
        let path = format!("/v1/videos/{video}");
        let (status, whole) = self.send(get(self, &path)).await;
        assert!(status == 200 && !whole.is_empty());
        for (range, want) in [("bytes=5-14", 206), ("bytes=99999999-", 416)] {
            let (status, _) = self.send(get(self, &path).header("Range", range)).await;
            assert_eq!(status, want);
        }
        let metadata = format!("/videos/{video}/metadata");
        let are_stills_ready = async || {
            let metadata = get(self, &metadata).send().await.expect("an answer");
            let metadata: Value = metadata.json().await.expect("metadata");
            metadata["stills"]["status"] == "ready"
        };
        wait_until(are_stills_ready).await;
        let (_, metadata) = self.send(get(self, &metadata)).await;
        let metadata: Value = serde_json::from_str(&metadata).expect("metadata");
        let at = &metadata["stills"]["pictures"][0]["at_ms"];
        let (status, _) = self
            .send(get(self, &format!("/videos/{video}/stills/{at}")))
            .await;
        assert_eq!(status, 200);
        // A long poll that the client gives up.
        let other = self.create().await;
        let path = format!("/v1/requests/{}", other.id);
        let wait = self.request("GET", &path).bearer_auth(&other.access_token);
        let wait = wait.header("Prefer", "wait=50").send();
        assert!(timeout(Duration::from_secs(2), wait).await.is_err());
        video
    }

    pub(super) async fn use_tools(&mut self, created: &CreatedRequest) {
        let credentials = json!({ "request_id": created.id, "access_token": created.access_token });
        let (_, evidence) = self.call("get_video_evidence", &credentials).await;
        let blocks = evidence["result"]["content"].as_array().expect("blocks");
        let embedded = blocks.iter().find(|it| it["type"] == "resource");
        let blob = embedded.expect("a video")["resource"]["blob"].as_str();
        let blob = blob.expect("base64")[..100].to_owned();
        self.add_secret("the answer's video", &blob);
        let body = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
        let (_, answer) = self.call("request_video_evidence", &body).await;
        let answer = &answer["result"]["structuredContent"];
        let text = |name: &str| answer[name].as_str().expect("a text").to_owned();
        let (id, token) = (text("request_id"), text("access_token"));
        self.add_secret("the agent's request", &id);
        self.add_secret("the agent's token", &token);
        // An unknown tool, and malformed arguments.
        self.call("get_video", &credentials).await;
        let mut invalid = credentials.clone();
        invalid["wait_seconds"] = json!({ "access_token": token });
        self.call("get_video_evidence", &invalid).await;
        let malformed = format!("{{\"access_token\": \"{token}\", \"prompt\": \"{PROMPT}\"");
        let malformed = self.request("POST", "/mcp").body(malformed);
        self.send(malformed.header(CONTENT_TYPE, "application/json"))
            .await;
        let credentials = json!({ "request_id": id, "access_token": token });
        self.call("delete_video_request", &credentials).await;
    }

    async fn call(&mut self, tool: &str, arguments: &Value) -> (u16, Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let (status, body) = self.send(self.request("POST", "/mcp").json(&call)).await;
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    /// Every kind of refused call.
    pub(super) async fn send_invalid_requests(&mut self, created: &CreatedRequest, video: &str) {
        let other = self.create().await;
        let path = format!("/v1/requests/{}", created.id);
        let body = format!("{{\"prompt\": \"{PROMPT}\", \"expires_in_hours\": \"{PROMPT}\"}}");
        let body = self.request("POST", "/v1/requests").body(body);
        let body = body.header(CONTENT_TYPE, "application/json");
        let token = &created.access_token;
        for (request, want) in [
            (body, 400),
            (self.request("GET", &path), 401),
            (self.request("GET", &path).bearer_auth("vidence_guess"), 401),
            (
                self.request("GET", &path).bearer_auth(&other.access_token),
                403,
            ),
            (
                self.request("GET", "/v1/requests/none").bearer_auth(token),
                404,
            ),
            (self.request("GET", &format!("/v1/{token}")), 404),
            (
                self.request("GET", &format!("/{}/{token}", created.id)),
                404,
            ),
            (self.request("PUT", &path).bearer_auth(token), 405),
            (self.request(token.split_at(8).1, &path), 405),
            (
                self.request("GET", &format!("/v1/videos/{video}?token={token}")),
                401,
            ),
        ] {
            let (status, body) = self.send(request).await;
            assert_eq!(status, want, "{body}");
        }
        // A download that the client gives up.
        let path = format!("/v1/videos/{video}");
        let stream = self.request("GET", &path).bearer_auth(token).send().await;
        drop(stream.expect("an answer"));
    }
}
