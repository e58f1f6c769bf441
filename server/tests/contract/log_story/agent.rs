//! What agents do, and callers who do everything wrong.

use std::time::Duration;

use app::api::{CreatedRequest, RequestView};
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{PROMPT, Story};
use test_support::wait_until;

impl Story<'_> {
    /// Asks, waits, streams in every way, and looks at pictures. The video's id.
    pub(super) async fn watch(&mut self, created: &CreatedRequest) -> String {
        let token = &created.access_token;
        let get = |story: &Self, path: &str| story.request("GET", path).bearer_auth(token);
        let path = format!("/v1/requests/{}", created.id);
        let (_, view) = self.ask(get(self, &path).header("Prefer", "wait=1")).await;
        let view: RequestView = serde_json::from_str(&view).expect("a request");
        let video = view.video.expect("a video").id;
        self.keep("the video", &video);
        let path = format!("/v1/videos/{video}");
        let (status, whole) = self.ask(get(self, &path)).await;
        assert!(status == 200 && !whole.is_empty());
        for (range, want) in [("bytes=5-14", 206), ("bytes=99999999-", 416)] {
            let (status, _) = self.ask(get(self, &path).header("Range", range)).await;
            assert_eq!(status, want);
        }
        let facts = format!("/videos/{video}/metadata");
        let made = async || {
            let facts = get(self, &facts).send().await.expect("an answer");
            let facts: Value = facts.json().await.expect("facts");
            facts["stills"]["status"] == "ready"
        };
        wait_until(made).await;
        let (_, facts) = self.ask(get(self, &facts)).await;
        let facts: Value = serde_json::from_str(&facts).expect("facts");
        let at = &facts["stills"]["pictures"][0]["at_ms"];
        let (status, _) = self
            .ask(get(self, &format!("/videos/{video}/stills/{at}")))
            .await;
        assert_eq!(status, 200);
        // Waits in vain, and hangs up; by REST, as an agent would.
        let other = self.create().await;
        let path = format!("/v1/requests/{}", other.id);
        let wait = self.request("GET", &path).bearer_auth(&other.access_token);
        let wait = wait.header("Prefer", "wait=50").send();
        assert!(timeout(Duration::from_millis(300), wait).await.is_err());
        video
    }

    pub(super) async fn ask_as_an_agent(&mut self, created: &CreatedRequest) {
        let keys = json!({ "request_id": created.id, "access_token": created.access_token });
        let (_, got) = self.call("get_video_evidence", &keys).await;
        let blocks = got["result"]["content"].as_array().expect("blocks");
        let embedded = blocks.iter().find(|it| it["type"] == "resource");
        let blob = embedded.expect("a video")["resource"]["blob"].as_str();
        let blob = blob.expect("base64")[..100].to_owned();
        self.keep("the answer's video", &blob);
        let wish = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
        let (_, made) = self.call("request_video_evidence", &wish).await;
        let made = made["result"]["structuredContent"].clone();
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        let (id, token) = (text("request_id"), text("access_token"));
        self.keep("the agent's request", &id);
        self.keep("the agent's token", &token);
        // One that isn't there, and what can't be understood.
        self.call("get_video", &keys).await;
        let mut strange = keys.clone();
        strange["wait_seconds"] = json!({ "access_token": token });
        self.call("get_video_evidence", &strange).await;
        let broken = format!("{{\"access_token\": \"{token}\", \"prompt\": \"{PROMPT}\"");
        let broken = self.request("POST", "/mcp").body(broken);
        self.ask(broken.header(CONTENT_TYPE, "application/json"))
            .await;
        let keys = json!({ "request_id": id, "access_token": token });
        self.call("delete_video_request", &keys).await;
    }

    async fn call(&mut self, tool: &str, arguments: &Value) -> (u16, Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let (status, body) = self.ask(self.request("POST", "/mcp").json(&call)).await;
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    /// Everything that callers can do wrong.
    pub(super) async fn fail(&mut self, created: &CreatedRequest, video: &str) {
        let stranger = self.create().await;
        let path = format!("/v1/requests/{}", created.id);
        let wish = format!("{{\"prompt\": \"{PROMPT}\", \"expires_in_hours\": \"{PROMPT}\"}}");
        let wish = self.request("POST", "/v1/requests").body(wish);
        let wish = wish.header(CONTENT_TYPE, "application/json");
        let token = &created.access_token;
        for (request, want) in [
            (wish, 400),
            (self.request("GET", &path), 401),
            (self.request("GET", &path).bearer_auth("vidence_guess"), 401),
            (
                self.request("GET", &path)
                    .bearer_auth(&stranger.access_token),
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
            let (status, body) = self.ask(request).await;
            assert_eq!(status, want, "{body}");
        }
        // Watches, and hangs up with the answer half-way.
        let path = format!("/v1/videos/{video}");
        let stream = self.request("GET", &path).bearer_auth(token).send().await;
        drop(stream.expect("an answer"));
    }
}
