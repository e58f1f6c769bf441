//! The shipped binary, and people who use it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use app::api::{CreatedRequest, RequestView, Submission};
use reqwest::header::{CONTENT_TYPE, ETAG, LOCATION};
use reqwest::{Body, Client, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bucket::{Bucket, files};
use crate::callers::client;
use crate::database::fresh_database;
use crate::fixtures::LIVE_WEBM;
use crate::node::{Node, Settings};

/// What a human sends: recorded by Chromium.
pub fn film() -> &'static Path {
    static FILM: LazyLock<PathBuf> = LazyLock::new(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chromium-vp8-opus.webm")
    });
    &FILM
}

/// A running server.
pub struct Shipped {
    node: Node,
    client: Client,
    folder: TempDir,
    shared: Option<Shared>,
}

/// What a server of a cluster stands on.
struct Shared {
    database_url: String,
    bucket: Bucket,
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

    /// Likewise, and it writes down everything, in this format.
    pub async fn logging(format: &str) -> Self {
        Self::with("off", log_all(format), None).await
    }

    /// Likewise, on PostgreSQL and S3.
    pub async fn logging_in_a_cluster(format: &str) -> Self {
        let shared = Shared {
            database_url: fresh_database().await,
            bucket: Bucket::start().await,
        };
        Self::with("off", log_all(format), Some(shared)).await
    }

    /// One that may be called so often, as its flags have it.
    pub async fn limited(limit: &str) -> Self {
        Self::with(limit, Vec::new(), None).await
    }

    async fn with(
        limit: &str,
        mut variables: Vec<(&'static str, String)>,
        shared: Option<Shared>,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let flags = [
            ("--data-dir", folder.path().join("data").into()),
            ("--create-limit", limit.into()),
            ("--read-limit", limit.into()),
            ("--min-free-bytes", "0".into()),
        ];
        let flags = flags.into_iter();
        let mut flags: Vec<OsString> = flags
            .flat_map(|(flag, value)| [flag.into(), value])
            .collect();
        if let Some(Shared {
            database_url,
            bucket,
        }) = &shared
        {
            flags.extend(["--database-url".into(), database_url.into()]);
            flags.extend(["--blob-url".into(), bucket.url().into()]);
            variables.extend(bucket.env());
        }
        let settings = Settings {
            flags,
            variables,
            ..Settings::default()
        };
        Self {
            node: Node::start(settings).await,
            client: client(),
            folder,
            shared,
        }
    }

    pub fn url(&self) -> String {
        self.node.url()
    }

    /// Every object that it keeps, by its place.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.shared {
            Some(shared) => shared.bucket.objects(),
            None => files(&self.folder.path().join("data/blobs")),
        }
    }

    /// Where its rows are, if others can get at them.
    pub fn database_url(&self) -> Option<&str> {
        Some(&self.shared.as_ref()?.database_url)
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
        self.submitted_film(LIVE_WEBM, "video/webm").await
    }

    /// Likewise, with this recording.
    pub async fn submitted_film(&self, film: impl Into<Body>, media_type: &str) -> Submitted {
        let created = self.create().await;
        let link = &created.submission_url;
        let send = self.client.post(format!("{link}/takes")).body(film);
        let send = send.header(CONTENT_TYPE, media_type);
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

fn log_all(format: &str) -> Vec<(&'static str, String)> {
    vec![
        ("VIDENCE_LOG", "trace".to_owned()),
        ("VIDENCE_LOG_FORMAT", format.to_owned()),
    ]
}
