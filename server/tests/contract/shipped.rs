//! The shipped binary, and people who use it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use app::api::{CreatedRequest, RequestView, Submission};
use reqwest::header::{CONTENT_TYPE, ETAG, LOCATION};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::callers::client;
use crate::clips::LIVE_WEBM;
use crate::node::{Node, Settings};

/// What a human sends: recorded by Chromium.
pub fn film() -> &'static Path {
    static FILM: LazyLock<PathBuf> = LazyLock::new(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/films/chromium-vp8-opus.webm")
    });
    &FILM
}

/// A running server.
pub struct Shipped {
    node: Node,
    client: Client,
    _folder: TempDir,
}

/// A request that has its video.
pub struct Submitted {
    pub created: CreatedRequest,
    pub video: String,
    pub etag: String,
}

impl Shipped {
    /// One that can't be called too often.
    pub async fn start() -> Self {
        Self::limited("off").await
    }

    /// Likewise, and it writes down what this filter lets through.
    pub async fn logging(filter: &str) -> Self {
        Self::with("off", vec![("VIDENCE_LOG", filter.to_owned())]).await
    }

    /// One that may be called so often, as its flags have it.
    pub async fn limited(limit: &str) -> Self {
        Self::with(limit, Vec::new()).await
    }

    async fn with(limit: &str, variables: Vec<(&'static str, String)>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let flags = [
            ("--data-dir", folder.path().join("data").into()),
            ("--create-limit", limit.into()),
            ("--read-limit", limit.into()),
            ("--min-free-bytes", "0".into()),
        ];
        let flags = flags.into_iter();
        let settings = Settings {
            flags: flags
                .flat_map(|(flag, value)| [flag.into(), value])
                .collect(),
            variables,
            ..Settings::default()
        };
        Self {
            node: Node::start(settings).await,
            client: client(),
            _folder: folder,
        }
    }

    pub fn url(&self) -> String {
        self.node.url()
    }

    /// What it has written down.
    pub fn log(&self) -> String {
        self.node.log()
    }

    /// Where it describes itself.
    pub fn document_url(&self) -> String {
        format!("{}/v1/openapi.json", self.url())
    }

    /// How it describes itself.
    pub async fn document(&self) -> Value {
        let answer = self.client.get(self.document_url()).send().await;
        let answer = answer.expect("an answer");
        answer.json().await.expect("a document")
    }

    pub async fn create(&self) -> CreatedRequest {
        let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let create = self.client.post(format!("{}/v1/requests", self.url()));
        let answer = create.json(&wish).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await.expect("a created request")
    }

    /// Creates a request and answers it.
    pub async fn submitted(&self) -> Submitted {
        let created = self.create().await;
        let link = &created.submission_url;
        let send = self.client.post(format!("{link}/takes")).body(LIVE_WEBM);
        let send = send.header(CONTENT_TYPE, "video/webm");
        let sent = send.send().await.expect("an answer");
        let take = sent.headers()[LOCATION].to_str().expect("a path");
        let take = take.rsplit('/').next().expect("an id").to_owned();
        let submit = self.client.post(format!("{link}/submission"));
        let submit = submit.json(&Submission { take });
        let submitted = submit.send().await.expect("an answer");
        assert_eq!(submitted.status(), StatusCode::OK);

        let view = self.get("requests", &created.id, &created).await;
        let view: RequestView = view.json().await.expect("a request");
        let video = view.video.expect("a video").id;
        let answer = self.get("videos", &video, &created).await;
        let etag = answer.headers()[ETAG].to_str().expect("a tag").to_owned();
        Submitted {
            created,
            video,
            etag,
        }
    }

    async fn get(&self, what: &str, id: &str, created: &CreatedRequest) -> Response {
        let get = self.client.get(format!("{}/v1/{what}/{id}", self.url()));
        let answer = get.bearer_auth(&created.access_token).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{}", answer.url());
        answer
    }
}
