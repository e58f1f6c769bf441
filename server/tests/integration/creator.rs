//! Who asks for a video; and, for short, who sends one.

use app::api::{CreatedRequest, PageState};
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Body, Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::Server;

/// Who made a request, with its token.
pub struct Creator<'s> {
    pub server: &'s Server,
    pub created: CreatedRequest,
}

impl Creator<'_> {
    pub fn id(&self) -> &str {
        &self.created.id
    }

    /// Below the link.
    pub fn page(&self, path: &str) -> String {
        format!("/r/{}{path}", self.created.id)
    }

    pub async fn ask(&self, method: Method, path: &str) -> Response {
        self.ask_with(method, path, HeaderMap::new()).await
    }

    pub async fn ask_with(&self, method: Method, path: &str, headers: HeaderMap) -> Response {
        let request = self.server.request(method, path).headers(headers);
        request
            .bearer_auth(&self.created.access_token)
            .send()
            .await
            .expect("an answer")
    }

    pub async fn status(&self) -> Value {
        let answer = self
            .ask(Method::GET, &format!("/v1/requests/{}", self.id()))
            .await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json().await.expect("a status")
    }

    pub async fn delete(&self) -> StatusCode {
        self.ask(Method::DELETE, &format!("/v1/requests/{}", self.id()))
            .await
            .status()
    }

    pub async fn state(&self) -> PageState {
        self.server
            .get(&self.page("/state"))
            .await
            .json()
            .await
            .expect("a state")
    }

    /// Begins an empty take; its path.
    pub async fn begin(&self) -> String {
        let request = self.server.request(Method::POST, &self.page("/takes"));
        let request = request.header(CONTENT_TYPE, "video/webm;codecs=vp8,opus");
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

    /// A complete take of these bytes; its path.
    pub async fn upload(&self, bytes: &[u8]) -> String {
        let take = self.begin().await;
        let answer = self.append(&take, 0, bytes.to_vec(), true).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        take
    }

    pub async fn submit(&self, take: &str) -> Response {
        let id = take.rsplit('/').next().expect("an id");
        self.server
            .post(&self.page("/submission"), &json!({ "take": id }))
            .await
    }

    /// Uploads and submits; the video's path.
    pub async fn submit_video(&self, bytes: &[u8]) -> String {
        let take = self.upload(bytes).await;
        assert_eq!(self.submit(&take).await.status(), StatusCode::OK);
        let status = self.status().await;
        let url = status["video"]["url"].as_str().expect("a video");
        url.strip_prefix(&self.server.base)
            .expect("a URL of this server")
            .to_owned()
    }

    /// Submits a take, and watches it: its bytes.
    pub async fn submit_and_watch(&self, take: &str) -> Vec<u8> {
        assert_eq!(self.submit(take).await.status(), StatusCode::OK);
        let status = self.status().await;
        let url = status["video"]["url"].as_str().expect("a URL");
        let path = url.strip_prefix(&self.server.base).expect("ours");
        let answer = self.ask(Method::GET, path).await;
        answer.bytes().await.expect("bytes").to_vec()
    }
}
