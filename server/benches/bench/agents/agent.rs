//! An agent over MCP or REST, and the browser of the user who records for it.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::api::load;

/// A request with its access token, and the server to reach it at.
#[derive(Clone)]
pub struct Agent {
    client: Client,
    base: String,
    id: String,
    token: String,
}

impl Agent {
    /// Creates a request over MCP.
    pub async fn create_request(client: &Client, base: &str) -> Result<Self> {
        let body = json!({"prompt": "Show the dent.\nShow the number plate.\nShow the key.", "expires_in_hours": 1});
        let created = call_tool(client, base, "request_video_evidence", body).await?;
        let created: Value = serde_json::from_slice(&created)?;
        let created = &created["result"]["structuredContent"];
        let text = |name: &str| created[name].as_str().map(str::to_owned);
        Ok(Self {
            client: client.clone(),
            base: base.to_owned(),
            id: text("request_id").context("no id")?,
            token: text("access_token").context("no token")?,
        })
    }

    /// The same request, through another server on the same data.
    pub fn on_server(self, base: &str) -> Self {
        let base = base.to_owned();
        Self { base, ..self }
    }

    /// Uploads and submits a video as the recording page does, in one append.
    pub async fn submit(&self, media_type: &str, video: Bytes) -> Result<()> {
        self.submit_with_ticks(media_type, video, &[]).await
    }

    /// Like [`Self::submit`], with these moments of the first lines of the prompt, in milliseconds.
    pub async fn submit_with_ticks(
        &self,
        media_type: &str,
        video: Bytes,
        ticks: &[u64],
    ) -> Result<()> {
        let takes = format!("{}/r/{}/takes", self.base, self.id);
        let begin = self.client.post(takes).header(CONTENT_TYPE, media_type);
        let begun = ensure_success(begin.body(video).send().await?)?;
        let take = begun.headers().get("location").context("no location")?;
        let take = take
            .to_str()?
            .rsplit('/')
            .next()
            .context("no id")?
            .to_owned();
        let submission_url = format!("{}/r/{}/submission", self.base, self.id);
        let ticks = (1_u32..).zip(ticks);
        let ticks: Vec<Value> = ticks
            .map(|(line, at_ms)| json!({"line": line, "at_ms": at_ms}))
            .collect();
        let submission = json!({"take": take, "ticks": ticks, "may_transcribe": true});
        let submission = self.client.post(submission_url).json(&submission);
        ensure_success(submission.send().await?)?;
        Ok(())
    }

    /// The whole response of `get_video_evidence`.
    pub async fn get_evidence(&self, delivery: &str, wait_seconds: u32) -> Result<Bytes> {
        let arguments = json!({
            "request_id": self.id,
            "access_token": self.token,
            "delivery": delivery,
            "wait_seconds": wait_seconds,
        });
        call_tool(&self.client, &self.base, "get_video_evidence", arguments).await
    }

    /// Fetches the same over REST: status, metadata, stills, video. Returns the number of bytes.
    pub async fn get_evidence_over_rest(&self) -> Result<usize> {
        let video = self.video().await?;
        let metadata = self.metadata().await?;
        let mut bytes = 0;
        for still in metadata["stills"]["pictures"]
            .as_array()
            .context("no pictures")?
        {
            let still = format!("/videos/{video}/stills/{}", still["at_ms"]);
            bytes += self.get_authorized(&still).await?.len();
        }
        bytes += self
            .get_authorized(&format!("/v1/videos/{video}"))
            .await?
            .len();
        Ok(bytes)
    }

    /// The bytes of a poll of the request's status.
    pub fn poll(&self) -> Vec<u8> {
        load::poll(&self.id, &self.token)
    }

    /// The metadata of the submitted video.
    pub async fn metadata(&self) -> Result<Value> {
        let path = format!("/videos/{}/metadata", self.video().await?);
        Ok(serde_json::from_slice(&self.get_authorized(&path).await?)?)
    }

    /// The id of the submitted video.
    pub async fn video(&self) -> Result<String> {
        let status = self
            .get_authorized(&format!("/v1/requests/{}", self.id))
            .await?;
        let status: Value = serde_json::from_slice(&status)?;
        let video = status["video"]["id"].as_str();
        Ok(video.context("no video")?.to_owned())
    }

    /// Fetches the picture of a moment in full size.
    pub async fn get_full_picture(&self, video: &str, at_ms: u64) -> Result<Bytes> {
        let path = format!("/videos/{video}/stills/{at_ms}?full=true");
        self.get_authorized(&path).await
    }

    async fn get_authorized(&self, path: &str) -> Result<Bytes> {
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.bearer_auth(&self.token).send().await?;
        Ok(ensure_success(answer)?.bytes().await?)
    }
}

/// Calls a tool and returns the body of the response.
pub async fn call_tool(client: &Client, base: &str, tool: &str, arguments: Value) -> Result<Bytes> {
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = client.post(format!("{base}/mcp")).json(&message);
    let call = call.header(ACCEPT, "application/json, text/event-stream");
    Ok(ensure_success(call.send().await?)?.bytes().await?)
}

fn ensure_success(answer: Response) -> Result<Response> {
    ensure!(answer.status().is_success(), "{}", answer.status());
    Ok(answer)
}
