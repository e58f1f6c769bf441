//! Who asks, over MCP or over REST; and the human who answers.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response};
use serde_json::{Value, json};

/// A request, and whose it is.
#[derive(Clone)]
pub struct Agent {
    client: Client,
    base: String,
    id: String,
    token: String,
}

impl Agent {
    /// Asks for a video.
    pub async fn ask(client: &Client, base: &str) -> Result<Self> {
        let wish = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
        let created = call(client, base, "request_video_evidence", wish).await?;
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

    /// The same one, at another address of the same data.
    pub fn at(self, base: &str) -> Self {
        let base = base.to_owned();
        Self { base, ..self }
    }

    /// Does what the human's browser does: all in one append.
    pub async fn submit(&self, media_type: &str, video: Bytes) -> Result<()> {
        let takes = format!("{}/r/{}/takes", self.base, self.id);
        let begin = self.client.post(takes).header(CONTENT_TYPE, media_type);
        let begun = good(begin.body(video).send().await?)?;
        let take = begun.headers().get("location").context("no location")?;
        let take = take
            .to_str()?
            .rsplit('/')
            .next()
            .context("no id")?
            .to_owned();
        let submission = format!("{}/r/{}/submission", self.base, self.id);
        let submission = self.client.post(submission).json(&json!({"take": take}));
        good(submission.send().await?)?;
        Ok(())
    }

    /// The whole answer of `get_video_evidence`.
    pub async fn get(&self, delivery: &str, wait_seconds: u32) -> Result<Bytes> {
        let arguments = json!({
            "request_id": self.id,
            "access_token": self.token,
            "delivery": delivery,
            "wait_seconds": wait_seconds,
        });
        call(&self.client, &self.base, "get_video_evidence", arguments).await
    }

    /// The same by REST: status, facts, pictures, video. How many bytes that is.
    pub async fn get_by_rest(&self) -> Result<usize> {
        let status = self.fetch(&format!("/v1/requests/{}", self.id)).await?;
        let status: Value = serde_json::from_slice(&status)?;
        let video = status["video"]["id"].as_str().context("no video")?;
        let facts = self.fetch(&format!("/videos/{video}/metadata")).await?;
        let facts: Value = serde_json::from_slice(&facts)?;
        let mut bytes = 0;
        for still in facts["stills"]["pictures"]
            .as_array()
            .context("no pictures")?
        {
            let still = format!("/videos/{video}/stills/{}", still["at_ms"]);
            bytes += self.fetch(&still).await?.len();
        }
        bytes += self.fetch(&format!("/v1/videos/{video}")).await?.len();
        Ok(bytes)
    }

    async fn fetch(&self, path: &str) -> Result<Bytes> {
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.bearer_auth(&self.token).send().await?;
        Ok(good(answer)?.bytes().await?)
    }
}

/// The answer to a call of a tool, as it came.
pub async fn call(client: &Client, base: &str, tool: &str, arguments: Value) -> Result<Bytes> {
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = client.post(format!("{base}/mcp")).json(&message);
    let call = call.header(ACCEPT, "application/json, text/event-stream");
    Ok(good(call.send().await?)?.bytes().await?)
}

fn good(answer: Response) -> Result<Response> {
    ensure!(answer.status().is_success(), "{}", answer.status());
    Ok(answer)
}
