//! A release server with simple clients for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use app::api::{CreatedRequest, RequestView, Submission};
use reqwest::header::{CONTENT_TYPE, ETAG, LOCATION};
use reqwest::{Body, Client, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clients::retrying_client::http_client;
use crate::recordings::fixtures::LIVE_WEBM;
use crate::servers::node::{Node, Settings};
use crate::servers::transcriber::Transcriber;
use crate::stores::bucket::{Bucket, files};
use crate::stores::database::fresh_database;

/// Path of a recording by Chromium.
pub fn recording_path() -> &'static Path {
    static RECORDING: LazyLock<PathBuf> = LazyLock::new(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chromium-vp8-opus.webm")
    });
    &RECORDING
}

/// A running release server with a data folder of its own.
pub struct ReleaseServer {
    node: Node,
    client: Client,
    folder: TempDir,
    shared_stores: Option<SharedStores>,
}

/// The shared stores of a server on PostgreSQL and S3.
struct SharedStores {
    database_url: String,
    bucket: Bucket,
}

/// A request with a submitted video.
pub struct Submitted {
    pub created: CreatedRequest,
    pub video: String,
    pub etag: String,
}

impl ReleaseServer {
    /// Starts a server without rate limits.
    pub async fn start() -> Self {
        Self::with_rate_limit("off").await
    }

    /// Starts a server without rate limits that logs at `trace`, in this format.
    pub async fn logging(format: &str) -> Self {
        Self::start_with("off", log_all(format), None).await
    }

    /// Like [`Self::logging`], on PostgreSQL and S3.
    pub async fn logging_on_postgres_s3(format: &str) -> Self {
        let shared_stores = SharedStores {
            database_url: fresh_database().await,
            bucket: Bucket::start().await,
        };
        Self::start_with("off", log_all(format), Some(shared_stores)).await
    }

    /// Starts a server without rate limits that has speech turned into text.
    pub async fn with_transcriber(transcriber: &Transcriber) -> Self {
        let variables = vec![
            ("VIDENCE_TRANSCRIBER_URL", transcriber.url.clone()),
            ("VIDENCE_TRANSCRIBER_MODEL", Transcriber::MODEL.to_owned()),
        ];
        Self::start_with("off", variables, None).await
    }

    /// Starts a server with this rate limit for creations and reads.
    pub async fn with_rate_limit(limit: &str) -> Self {
        Self::start_with(limit, Vec::new(), None).await
    }

    async fn start_with(
        limit: &str,
        mut variables: Vec<(&'static str, String)>,
        shared_stores: Option<SharedStores>,
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
        if let Some(SharedStores {
            database_url,
            bucket,
        }) = &shared_stores
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
            client: http_client(),
            folder,
            shared_stores,
        }
    }

    /// Its data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn url(&self) -> String {
        self.node.url()
    }

    /// Paths of all stored objects.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.shared_stores {
            Some(shared_stores) => shared_stores.bucket.objects(),
            None => files(&self.folder.path().join("data/blobs")),
        }
    }

    /// URL of the database, if it is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        Some(&self.shared_stores.as_ref()?.database_url)
    }

    /// Its output so far.
    pub fn log(&self) -> String {
        self.node.log()
    }

    /// URL of the OpenAPI document.
    pub fn openapi_url(&self) -> String {
        format!("{}/v1/openapi.json", self.url())
    }

    /// The OpenAPI document.
    pub async fn openapi(&self) -> Value {
        let answer = self.client.get(self.openapi_url()).send().await;
        let answer = answer.expect("an answer");
        answer.json().await.expect("a document")
    }

    pub async fn create(&self) -> CreatedRequest {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let create = self.client.post(format!("{}/v1/requests", self.url()));
        let answer = create.json(&body).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await.expect("a created request")
    }

    /// Creates a request and submits a recording by Chromium.
    pub async fn submit_recording(&self) -> Submitted {
        self.submit(LIVE_WEBM, "video/webm").await
    }

    /// Creates a request and submits this recording.
    pub async fn submit(&self, recording: impl Into<Body>, media_type: &str) -> Submitted {
        let created = self.create().await;
        let link = &created.submission_url;
        let send = self.client.post(format!("{link}/takes")).body(recording);
        let send = send.header(CONTENT_TYPE, media_type);
        let sent = send.send().await.expect("an answer");
        let take = sent.headers()[LOCATION].to_str().expect("a path");
        let take = take.rsplit('/').next().expect("an id").to_owned();
        let submit = self.client.post(format!("{link}/submission"));
        let mut submission = Submission::of(take);
        submission.may_transcribe = true;
        let submit = submit.json(&submission);
        let submitted = submit.send().await.expect("an answer");
        assert_eq!(submitted.status(), StatusCode::OK);

        let path = format!("/v1/requests/{}", created.id);
        let view = self.get(&path, &created).await;
        let view: RequestView = view.json().await.expect("a request");
        let video = view.video.expect("a video").id;
        let path = format!("/v1/videos/{video}");
        let answer = self.get(&path, &created).await;
        let etag = answer.headers()[ETAG].to_str().expect("a tag").to_owned();
        Submitted {
            created,
            video,
            etag,
        }
    }

    /// The metadata of a submitted video.
    pub async fn metadata(&self, submitted: &Submitted) -> Value {
        let path = format!("/videos/{}/metadata", submitted.video);
        let answer = self.get(&path, &submitted.created).await;
        answer.json().await.expect("metadata")
    }

    async fn get(&self, path: &str, created: &CreatedRequest) -> Response {
        let get = self.client.get(self.url() + path);
        let answer = get.bearer_auth(&created.access_token).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{}", answer.url());
        answer
    }
}

/// The key and the path of a transcriber, which isn't there, of servers that log everything.
pub const TRANSCRIBER_SECRETS: [&str; 2] = ["sk-0pen5esame0pen5esame", "tenant-7c1d90af52"];

fn log_all(format: &str) -> Vec<(&'static str, String)> {
    let [key, path] = TRANSCRIBER_SECRETS;
    vec![
        (
            "VIDENCE_TRANSCRIBER_URL",
            format!("http://127.0.0.1:9/{path}/v1"),
        ),
        ("VIDENCE_TRANSCRIBER_KEY", key.to_owned()),
        ("VIDENCE_LOG", "trace".to_owned()),
        ("VIDENCE_LOG_FORMAT", format.to_owned()),
    ]
}
