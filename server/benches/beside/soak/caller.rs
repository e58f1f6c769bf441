//! Who calls: one line for each thing that can be asked, and what it must be answered with.

use anyhow::{Context, Result, bail, ensure};
use app::api::{CreateRequest, CreatedRequest, RequestStatus, RequestView, VideoView};
use app::video_metadata::{StillsStatus, VideoMetadata};
use bytes::Bytes;
use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::tally::Tally;
use crate::agents;

/// Every request lives for as short as may be.
const HOURS: i64 = 1;

/// Somebody with a connection or more.
#[derive(Clone)]
pub struct ClientAddr<'a> {
    pub client: Client,
    pub base: &'a str,
    pub tally: &'a Tally,
}

/// A request, and whose it is.
#[derive(Clone, Debug)]
pub struct Asked {
    pub id: String,
    pub token: String,
}

impl ClientAddr<'_> {
    /// Sends, and wants this status. The answer's body is to be read.
    pub async fn expect(
        &self,
        what: &'static str,
        want: StatusCode,
        request: RequestBuilder,
    ) -> Result<Response> {
        let answer = request.send().await.with_context(|| what.to_owned())?;
        let status = answer.status();
        self.tally.answered(what);
        if status != want {
            let why = answer.text().await.unwrap_or_default();
            bail!("{what} was answered {status} instead of {want}: {why}");
        }
        Ok(answer)
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base))
    }

    /// Likewise, with the request's secret.
    fn fetch(&self, asked: &Asked, path: &str) -> RequestBuilder {
        self.get(path).bearer_auth(&asked.token)
    }

    /// A page, to its last byte.
    pub async fn page(&self, path: &str) -> Result<()> {
        let page = self.expect("page", StatusCode::OK, self.get(path)).await?;
        page.bytes().await?;
        Ok(())
    }

    pub async fn create(&self) -> Result<Asked> {
        let wish = CreateRequest {
            prompt: "Show the dent in the door.".to_owned(),
            expires_in_hours: HOURS,
        };
        let create = self.client.post(format!("{}/v1/requests", self.base));
        let create = create.json(&wish);
        let created = self.expect("create", StatusCode::CREATED, create).await?;
        let created: CreatedRequest = created.json().await?;
        Ok(Asked {
            id: created.id,
            token: created.access_token,
        })
    }

    /// The same as an agent.
    pub async fn create_over_mcp(&self) -> Result<Asked> {
        let wish = json!({"prompt": "Show the dent in the door.", "expires_in_hours": HOURS});
        let created = self.tool("request_video_evidence", wish).await?;
        let text = |name: &str| created[name].as_str().map(str::to_owned);
        Ok(Asked {
            id: text("request_id").context("no id")?,
            token: text("access_token").context("no token")?,
        })
    }

    /// What `get_video_evidence` tells, with whatever of the video and its pictures fits in.
    pub async fn get_over_mcp(&self, asked: &Asked) -> Result<()> {
        let wish = json!({"request_id": asked.id, "access_token": asked.token});
        let told = self.tool("get_video_evidence", wish).await?;
        ensure!(
            told["status"] == "submitted",
            "over MCP: {}",
            told["status"]
        );
        Ok(())
    }

    pub async fn delete_over_mcp(&self, asked: &Asked) -> Result<()> {
        let wish = json!({"request_id": asked.id, "access_token": asked.token});
        self.tool("delete_video_request", wish).await?;
        Ok(())
    }

    async fn tool(&self, name: &'static str, arguments: Value) -> Result<Value> {
        let answer = agents::call(&self.client, self.base, name, arguments).await?;
        self.tally.answered(name);
        let answer: Value = serde_json::from_slice(&answer)?;
        let told = &answer["result"]["structuredContent"];
        ensure!(told.is_object(), "{name} was answered {answer}");
        Ok(told.clone())
    }

    pub async fn poll(&self, asked: &Asked) -> Result<RequestView> {
        let poll = self.fetch(asked, &format!("/v1/requests/{}", asked.id));
        let view = self.expect("poll", StatusCode::OK, poll).await?;
        Ok(view.json().await?)
    }

    /// Asks, and would rather be answered when something has happened, or after so many seconds.
    pub async fn wait(&self, asked: &Asked, seconds: u32) -> Result<RequestView> {
        let poll = self.fetch(asked, &format!("/v1/requests/{}", asked.id));
        let wait = poll.header("Prefer", format!("wait={seconds}"));
        let view = self.expect("wait", StatusCode::OK, wait).await?;
        Ok(view.json().await?)
    }

    /// Asks for a submitted request.
    pub async fn video(&self, asked: &Asked) -> Result<VideoView> {
        let view = self.poll(asked).await?;
        ensure!(
            view.status == RequestStatus::Submitted,
            "it isn't submitted"
        );
        view.video.context("submitted, and no video")
    }

    /// What is known of a video, and each picture that there is by now.
    pub async fn look(&self, asked: &Asked, video: &VideoView) -> Result<StillsStatus> {
        let facts = self.fetch(asked, &format!("/videos/{}/metadata", video.id));
        let facts = self.expect("facts", StatusCode::OK, facts).await?;
        let facts: VideoMetadata = facts.json().await?;
        for still in &facts.stills.pictures {
            let path = format!("/videos/{}/stills/{}", video.id, still.at_ms);
            let still = self.fetch(asked, &path);
            let still = self.expect("still", StatusCode::OK, still).await?;
            let jpeg = still.bytes().await?;
            ensure!(jpeg.starts_with(b"\xff\xd8"), "a picture is none");
        }
        Ok(facts.stills.status)
    }

    /// All of it. It must end with these bytes, before which there is an index at most.
    pub async fn watch(&self, asked: &Asked, video: &VideoView, film: &Bytes) -> Result<Bytes> {
        let watch = self.fetch(asked, &format!("/v1/videos/{}", video.id));
        let whole = self.expect("stream", StatusCode::OK, watch).await?;
        let whole = whole.bytes().await?;
        ensure!(whole.ends_with(film), "another video is served");
        Ok(whole)
    }

    /// A part of it, which must be the same as that of `whole`.
    pub async fn watch_part(
        &self,
        asked: &Asked,
        video: &VideoView,
        whole: &Bytes,
        part: std::ops::Range<usize>,
    ) -> Result<()> {
        let range = format!("bytes={}-{}", part.start, part.end - 1);
        let watch = self.fetch(asked, &format!("/v1/videos/{}", video.id));
        let watch = watch.header(RANGE, range);
        let answer = self
            .expect("range", StatusCode::PARTIAL_CONTENT, watch)
            .await?;
        ensure!(
            answer.bytes().await? == whole[part],
            "another part is served"
        );
        Ok(())
    }

    /// Begins to watch, and goes away.
    pub async fn hang_up(&self, asked: &Asked, video: &VideoView) -> Result<()> {
        let watch = self.fetch(asked, &format!("/v1/videos/{}", video.id));
        let mut answer = self.expect("hang up", StatusCode::OK, watch).await?;
        answer.chunk().await?;
        Ok(())
    }

    /// What is wrong is refused, each in its way.
    pub async fn err(&self, asked: &Asked, video: &VideoView) -> Result<()> {
        let path = format!("/v1/videos/{}", video.id);
        let refused = [
            ("no token", StatusCode::UNAUTHORIZED, self.get(&path)),
            (
                "no such video",
                StatusCode::NOT_FOUND,
                self.fetch(asked, "/v1/videos/nothing"),
            ),
            (
                "beyond the end",
                StatusCode::RANGE_NOT_SATISFIABLE,
                self.fetch(asked, &path)
                    .header(RANGE, "bytes=9999999999999-"),
            ),
        ];
        for (what, want, request) in refused {
            let answer = self.expect(what, want, request).await?;
            let named = answer.headers().contains_key(CONTENT_RANGE);
            ensure!(named == (want == StatusCode::RANGE_NOT_SATISFIABLE));
            answer.bytes().await?;
        }
        Ok(())
    }

    pub async fn delete(&self, asked: &Asked) -> Result<()> {
        let path = format!("{}/v1/requests/{}", self.base, asked.id);
        let delete = self.client.delete(path).bearer_auth(&asked.token);
        self.expect("delete", StatusCode::NO_CONTENT, delete)
            .await?;
        Ok(())
    }

    /// A deleted request is gone for whoever asks.
    pub async fn is_gone(&self, asked: &Asked) -> Result<()> {
        let poll = self.fetch(asked, &format!("/v1/requests/{}", asked.id));
        self.expect("gone", StatusCode::NOT_FOUND, poll).await?;
        Ok(())
    }

    /// An expired one is known as that, and its video is gone.
    pub async fn is_over(&self, asked: &Asked, video: Option<&VideoView>) -> Result<()> {
        let view = self.poll(asked).await?;
        ensure!(view.status == RequestStatus::Expired, "it has no end");
        if let Some(video) = video {
            let watch = self.fetch(asked, &format!("/v1/videos/{}", video.id));
            self.expect("expired", StatusCode::GONE, watch).await?;
        }
        Ok(())
    }
}
