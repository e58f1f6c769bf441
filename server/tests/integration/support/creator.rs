//! A client that creates a request and uploads the takes for it.

use app::api::{CreatedRequest, PageState};
use app::video_metadata::VideoMetadata;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Body, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use server::id::TakeId;

use super::{Server, wait_until};

/// A created request with its access token.
pub struct Creator<'s> {
    pub server: &'s Server,
    pub created: CreatedRequest,
}

impl Creator<'_> {
    pub fn id(&self) -> &str {
        &self.created.id
    }

    /// A path below the link.
    pub fn link_path(&self, path: &str) -> String {
        format!("/r/{}{path}", self.created.id)
    }

    pub async fn send_authorized(&self, method: Method, path: &str) -> Response {
        self.send_with_headers(method, path, HeaderMap::new()).await
    }

    pub async fn send_with_headers(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
    ) -> Response {
        let request = self.server.request(method, path).headers(headers);
        request
            .bearer_auth(&self.created.access_token)
            .send()
            .await
            .expect("an answer")
    }

    pub async fn status(&self) -> Value {
        let answer = self
            .send_authorized(Method::GET, &format!("/v1/requests/{}", self.id()))
            .await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json().await.expect("a status")
    }

    pub async fn delete(&self) -> StatusCode {
        self.send_authorized(Method::DELETE, &format!("/v1/requests/{}", self.id()))
            .await
            .status()
    }

    pub async fn page_state(&self) -> PageState {
        self.server
            .get(&self.link_path("/state"))
            .await
            .json()
            .await
            .expect("a state")
    }

    /// A call that creates a take. Without header fields it creates an empty one that is complete.
    pub fn post_take(&self) -> RequestBuilder {
        self.server.request(Method::POST, &self.link_path("/takes"))
    }

    /// Asks for an empty take, to append to.
    pub async fn begin_take(&self) -> Response {
        let begun = self.post_take().header("Upload-Complete", "?0").send();
        begun.await.expect("an answer")
    }

    /// Creates an empty take and returns its path.
    pub async fn create_take(&self) -> String {
        self.create_take_as("").await
    }

    /// Creates an empty take with this in `Vidence-Captured-As`, and returns its path.
    pub async fn create_take_as(&self, captured_as: &str) -> String {
        let request = self
            .post_take()
            .header(CONTENT_TYPE, "video/webm;codecs=vp8,opus")
            .header("Vidence-Captured-As", captured_as);
        let answer = request
            .header("Upload-Complete", "?0")
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        assert_eq!(answer.headers()["upload-offset"], "0");
        assert_eq!(answer.headers()["upload-complete"], "?0");
        answer.headers()[LOCATION]
            .to_str()
            .expect("a path")
            .to_owned()
    }

    pub async fn append(
        &self,
        take: &str,
        offset: u64,
        body: impl Into<Body>,
        last: bool,
    ) -> Response {
        let request = self.server.request(Method::PATCH, take).body(body);
        request
            .header(CONTENT_TYPE, "application/partial-upload")
            .header("Upload-Offset", offset)
            .header("Upload-Complete", if last { "?1" } else { "?0" })
            .send()
            .await
            .expect("an answer")
    }

    /// Uploads a complete take and returns its path.
    pub async fn upload(&self, bytes: &[u8]) -> String {
        let take = self.create_take().await;
        let answer = self.append(&take, 0, bytes.to_vec(), true).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        take
    }

    pub async fn submit(&self, take: &str) -> Response {
        let id = last_segment(take);
        self.server
            // As the page does where it says that speech is turned into text.
            .post(
                &self.link_path("/submission"),
                &json!({ "take": id, "may_transcribe": true }),
            )
            .await
    }

    /// Uploads and submits a video and returns its path.
    pub async fn submit_video(&self, bytes: &[u8]) -> String {
        let take = self.upload(bytes).await;
        self.submit_take(&take).await
    }

    /// Submits a take and returns the path of the video.
    pub async fn submit_take(&self, take: &str) -> String {
        // On a busy machine, sealing a long recording may take longer than a submission waits.
        wait_until(async || {
            let status = self.submit(take).await.status();
            assert!(
                [StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE].contains(&status),
                "{status}"
            );
            status == StatusCode::OK
        })
        .await;
        self.video_path().await
    }

    /// Path of the submitted video.
    pub async fn video_path(&self) -> String {
        let status = self.status().await;
        let url = status["video"]["url"].as_str().expect("a video");
        let path = url.strip_prefix(&self.server.base);
        path.expect("a URL of this server").to_owned()
    }

    /// The metadata of the video at this path.
    pub async fn metadata(&self, video: &str) -> VideoMetadata {
        let path = sibling_path(video, "/metadata");
        let answer = self.send_authorized(Method::GET, &path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        answer.json().await.expect("metadata")
    }

    /// Submits a take and downloads the video.
    pub async fn submit_and_download(&self, take: &str) -> Vec<u8> {
        let path = self.submit_take(take).await;
        let answer = self.send_authorized(Method::GET, &path).await;
        answer.bytes().await.expect("bytes").to_vec()
    }
}

/// The last segment of a path: the id of a take or of a video.
pub fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().expect("an id")
}

/// The path of something that belongs to the video at `video`, such as its metadata.
pub fn sibling_path(video: &str, path: &str) -> String {
    format!("/videos/{}{path}", last_segment(video))
}

/// The id of a take, from its path.
pub fn take_id(path: &str) -> TakeId {
    TakeId::parse(last_segment(path)).expect("an id")
}
