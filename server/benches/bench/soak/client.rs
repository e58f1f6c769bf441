//! The API client of the soak test, which checks the answer to each of its calls.

use anyhow::{Context, Result, bail, ensure};
use app::api::{CreateRequest, CreatedRequest, RequestStatus, RequestView, VideoView};
use app::video_metadata::{StillsStatus, VideoMetadata};
use bytes::Bytes;
use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::counters::Counters;
use crate::agents;

/// Lifetime of a request: the shortest possible.
const HOURS: i64 = 1;

/// A client with its connections and counters.
#[derive(Clone)]
pub struct ApiClient<'a> {
    pub client: Client,
    pub base: &'a str,
    pub counters: &'a Counters,
}

/// A created request with its access token.
#[derive(Clone, Debug)]
pub struct RequestHandle {
    pub id: String,
    pub token: String,
}

impl ApiClient<'_> {
    /// Sends a request and requires this status. The caller reads the body.
    pub async fn expect(
        &self,
        what: &'static str,
        want: StatusCode,
        request: RequestBuilder,
    ) -> Result<Response> {
        let answer = request.send().await.with_context(|| what.to_owned())?;
        let status = answer.status();
        self.counters.count_call(what);
        if status != want {
            let why = answer.text().await.unwrap_or_default();
            bail!("{what} was answered {status} instead of {want}: {why}");
        }
        Ok(answer)
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base))
    }

    /// A GET with the access token of the request.
    fn get_authorized(&self, request: &RequestHandle, path: &str) -> RequestBuilder {
        self.get(path).bearer_auth(&request.token)
    }

    /// Fetches a page and reads it.
    pub async fn page(&self, path: &str) -> Result<()> {
        let page = self.expect("page", StatusCode::OK, self.get(path)).await?;
        page.bytes().await?;
        Ok(())
    }

    pub async fn create(&self) -> Result<RequestHandle> {
        let body = CreateRequest {
            prompt: "Show the dent in the door.".to_owned(),
            expires_in_hours: HOURS,
        };
        let create = self.client.post(format!("{}/v1/requests", self.base));
        let create = create.json(&body);
        let created = self.expect("create", StatusCode::CREATED, create).await?;
        let created: CreatedRequest = created.json().await?;
        Ok(RequestHandle {
            id: created.id,
            token: created.access_token,
        })
    }

    /// Creates a request over MCP.
    pub async fn create_over_mcp(&self) -> Result<RequestHandle> {
        let body = json!({"prompt": "Show the dent in the door.", "expires_in_hours": HOURS});
        let created = self.call_tool("request_video_evidence", body).await?;
        let text = |name: &str| created[name].as_str().map(str::to_owned);
        Ok(RequestHandle {
            id: text("request_id").context("no id")?,
            token: text("access_token").context("no token")?,
        })
    }

    /// Calls `get_video_evidence`, whose response embeds as much of video and stills as fits.
    pub async fn get_over_mcp(&self, request: &RequestHandle) -> Result<()> {
        let body = json!({"request_id": request.id, "access_token": request.token});
        let result = self.call_tool("get_video_evidence", body).await?;
        ensure!(
            result["status"] == "submitted",
            "over MCP: {}",
            result["status"]
        );
        Ok(())
    }

    pub async fn delete_over_mcp(&self, request: &RequestHandle) -> Result<()> {
        let body = json!({"request_id": request.id, "access_token": request.token});
        self.call_tool("delete_video_request", body).await?;
        Ok(())
    }

    async fn call_tool(&self, name: &'static str, arguments: Value) -> Result<Value> {
        let answer = agents::call_tool(&self.client, self.base, name, arguments).await?;
        self.counters.count_call(name);
        let answer: Value = serde_json::from_slice(&answer)?;
        let result = &answer["result"]["structuredContent"];
        ensure!(result.is_object(), "{name} was answered {answer}");
        Ok(result.clone())
    }

    pub async fn poll(&self, request: &RequestHandle) -> Result<RequestView> {
        let poll = self.get_authorized(request, &format!("/v1/requests/{}", request.id));
        let view = self.expect("poll", StatusCode::OK, poll).await?;
        Ok(view.json().await?)
    }

    /// Long-polls a request for up to `seconds`.
    pub async fn wait(&self, request: &RequestHandle, seconds: u32) -> Result<RequestView> {
        let poll = self.get_authorized(request, &format!("/v1/requests/{}", request.id));
        let wait = poll.header("Prefer", format!("wait={seconds}"));
        let view = self.expect("wait", StatusCode::OK, wait).await?;
        Ok(view.json().await?)
    }

    /// Polls a request that is submitted.
    pub async fn video(&self, request: &RequestHandle) -> Result<VideoView> {
        let view = self.poll(request).await?;
        ensure!(
            view.status == RequestStatus::Submitted,
            "the request isn't submitted"
        );
        view.video.context("submitted without a video")
    }

    /// Fetches the metadata of a video and each still that exists so far.
    pub async fn load_stills(
        &self,
        request: &RequestHandle,
        video: &VideoView,
    ) -> Result<StillsStatus> {
        let metadata = self.get_authorized(request, &format!("/videos/{}/metadata", video.id));
        let metadata = self.expect("metadata", StatusCode::OK, metadata).await?;
        let metadata: VideoMetadata = metadata.json().await?;
        for still in &metadata.stills.pictures {
            let path = format!("/videos/{}/stills/{}", video.id, still.at_ms);
            let still = self.get_authorized(request, &path);
            let still = self.expect("still", StatusCode::OK, still).await?;
            let jpeg = still.bytes().await?;
            ensure!(jpeg.starts_with(b"\xff\xd8"), "a still is no JPEG");
        }
        Ok(metadata.stills.status)
    }

    /// Downloads a video, which must end with these bytes behind an optional index.
    pub async fn download(
        &self,
        request: &RequestHandle,
        video: &VideoView,
        recording: &Bytes,
    ) -> Result<Bytes> {
        let download = self.get_authorized(request, &format!("/v1/videos/{}", video.id));
        let whole = self.expect("stream", StatusCode::OK, download).await?;
        let whole = whole.bytes().await?;
        ensure!(whole.ends_with(recording), "another video is served");
        Ok(whole)
    }

    /// Downloads a range, which must equal that part of `whole`.
    pub async fn download_range(
        &self,
        request: &RequestHandle,
        video: &VideoView,
        whole: &Bytes,
        part: std::ops::Range<usize>,
    ) -> Result<()> {
        let range = format!("bytes={}-{}", part.start, part.end - 1);
        let download = self.get_authorized(request, &format!("/v1/videos/{}", video.id));
        let download = download.header(RANGE, range);
        let answer = self
            .expect("range", StatusCode::PARTIAL_CONTENT, download)
            .await?;
        ensure!(
            answer.bytes().await? == whole[part],
            "another part is served"
        );
        Ok(())
    }

    /// Begins a download and drops the connection.
    pub async fn abort_download(&self, request: &RequestHandle, video: &VideoView) -> Result<()> {
        let download = self.get_authorized(request, &format!("/v1/videos/{}", video.id));
        let mut answer = self.expect("hang up", StatusCode::OK, download).await?;
        answer.chunk().await?;
        Ok(())
    }

    /// Sends invalid requests, each of which must be refused with its own status.
    pub async fn send_invalid_requests(
        &self,
        request: &RequestHandle,
        video: &VideoView,
    ) -> Result<()> {
        let path = format!("/v1/videos/{}", video.id);
        let cases = [
            ("no token", StatusCode::UNAUTHORIZED, self.get(&path)),
            (
                "no such video",
                StatusCode::NOT_FOUND,
                self.get_authorized(request, "/v1/videos/nothing"),
            ),
            (
                "beyond the end",
                StatusCode::RANGE_NOT_SATISFIABLE,
                self.get_authorized(request, &path)
                    .header(RANGE, "bytes=9999999999999-"),
            ),
        ];
        for (what, want, request) in cases {
            let answer = self.expect(what, want, request).await?;
            let named = answer.headers().contains_key(CONTENT_RANGE);
            ensure!(named == (want == StatusCode::RANGE_NOT_SATISFIABLE));
            answer.bytes().await?;
        }
        Ok(())
    }

    pub async fn delete(&self, request: &RequestHandle) -> Result<()> {
        let path = format!("{}/v1/requests/{}", self.base, request.id);
        let delete = self.client.delete(path).bearer_auth(&request.token);
        self.expect("delete", StatusCode::NO_CONTENT, delete)
            .await?;
        Ok(())
    }

    /// Asserts that a deleted request is not found.
    pub async fn assert_deleted(&self, request: &RequestHandle) -> Result<()> {
        let poll = self.get_authorized(request, &format!("/v1/requests/{}", request.id));
        self.expect("gone", StatusCode::NOT_FOUND, poll).await?;
        Ok(())
    }

    /// Asserts that a request has expired, and that its video is gone.
    pub async fn assert_expired(
        &self,
        request: &RequestHandle,
        video: Option<&VideoView>,
    ) -> Result<()> {
        let view = self.poll(request).await?;
        ensure!(
            view.status == RequestStatus::Expired,
            "the request isn't expired"
        );
        if let Some(video) = video {
            let download = self.get_authorized(request, &format!("/v1/videos/{}", video.id));
            self.expect("expired", StatusCode::GONE, download).await?;
        }
        Ok(())
    }
}
