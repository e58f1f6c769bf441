//! A server for one test, and a caller who uses it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use app::api::{CreatedRequest, ErrorBody, PageState};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Body, Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use server::clock::Clock;
use server::config::{Config, DatabaseUrl, LimitArgs};
use server::id::RequestId;
use server::service::{App, PublicUrl};
use server::{Assets, DataDir, open, router, run};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Makes two tests of each journey, one on each database.
macro_rules! journeys {
    ($($name:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::on_sqlite().await).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::on_postgres().await).await;
            })*
        }
    };
}

pub(crate) use journeys;

pub const HOUR: i64 = 60 * 60 * 1000;

/// A running server whose clock stands still.
pub struct Server {
    pub app: App,
    pub base: String,
    pub client: Client,
    config: Config,
    dir: TempDir,
    data_dir: Option<DataDir>,
    stop: CancellationToken,
    running: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub async fn on_sqlite() -> Self {
        Self::start(
            tempfile::tempdir().expect("a folder"),
            None,
            Clock::manual(),
            generous(),
        )
        .await
    }

    /// In a database of its own.
    pub async fn on_postgres() -> Self {
        let database = Some(fresh_database().await);
        let dir = tempfile::tempdir().expect("a folder");
        Self::start(dir, database, Clock::manual(), generous()).await
    }

    async fn start(
        dir: TempDir,
        database_url: Option<DatabaseUrl>,
        clock: Clock,
        limits: LimitArgs,
    ) -> Self {
        let listen = "127.0.0.1:0".parse().expect("an address");
        let config = Config {
            listen,
            public_url: None,
            data_dir: dir.path().join("data"),
            database_url,
            blob_url: None,
            limits,
        };
        let listener = TcpListener::bind(listen).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let opened = open(&config, clock, PublicUrl::new(&base)).await;
        let (app, data_dir) = opened.expect("an openable data folder");
        let assets = Assets::embedded().expect("pages in the binary");
        let stop = CancellationToken::new();
        let told = stop.clone().cancelled_owned();
        let running = tokio::spawn(run(
            app.clone(),
            router(app.clone(), assets),
            listener,
            told,
        ));
        Self {
            app,
            base,
            client: Client::new(),
            config,
            dir,
            data_dir: Some(data_dir),
            stop,
            running,
        }
    }

    /// Stops it as an operator would, and starts it again on the same data.
    pub async fn restart(self) -> Self {
        let limits = self.config.limits.clone();
        self.limited(limits).await
    }

    /// Likewise, with these limits from then on.
    pub async fn limited(mut self, limits: LimitArgs) -> Self {
        self.stop.cancel();
        self.running.await.expect("no panic").expect("a clean end");
        self.data_dir = None;
        let clock = self.app.clock.clone();
        drop(self.app);
        Self::start(self.dir, self.config.database_url, clock, limits).await
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Moves the server's clock.
    pub fn later(&self, millis: i64) {
        self.app.clock.advance(millis);
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path)
            .send()
            .await
            .expect("an answer")
    }

    pub async fn create(&self) -> Creator<'_> {
        let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let answer = self.post("/v1/requests", &wish).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let created = answer.json().await.expect("a created request");
        Creator {
            server: self,
            created,
        }
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path)
            .json(body)
            .send()
            .await
            .expect("an answer")
    }

    /// How many requests there are that have not expired yet.
    pub async fn live_requests(&self) -> usize {
        let far = self.app.clock.now() + 1000 * HOUR;
        self.app
            .db
            .requests_due(far, 1000)
            .await
            .expect("rows")
            .len()
    }

    /// Every file below the blob folder, half-written ones included.
    pub fn objects(&self) -> Vec<PathBuf> {
        files(&self.config.data_dir.join("blobs"))
    }

    /// Waits until no object is left. The test's own limit of time is the runner's.
    pub async fn objects_become(&self, count: usize) {
        wait_until(async || self.objects().len() == count).await;
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A folder may go while we look: then it holds nothing.
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.ends_with("lock") => {}
            false => found.push(path),
        }
    }
    found
}

/// Asks again until it holds: not in a tight loop, which on a machine with few cores holds up the very
/// thing that is waited for.
pub async fn wait_until(holds: impl AsyncFn() -> bool) {
    let asking = async {
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        while !holds().await {
            pace.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), asking)
        .await
        .expect("it never held");
}

/// Does these steps while a request is under way, and returns its answer, which must not come before.
pub async fn during(sending: impl Future<Output = Response>, steps: impl Future) -> Response {
    let mut sending = std::pin::pin!(sending);
    tokio::select! {
        early = &mut sending => panic!("answered too early: {early:?}"),
        _ = steps => {}
    }
    sending.await
}

/// An empty PostgreSQL database.
pub async fn fresh_database() -> DatabaseUrl {
    let url = std::env::var("VIDENCE_TEST_POSTGRES")
        .expect("VIDENCE_TEST_POSTGRES names a server: `cargo xtask test` brings one");
    let name = format!("journey_{}", RequestId::random()).to_lowercase();
    let mut admin = AsyncPgConnection::establish(&url)
        .await
        .expect("PostgreSQL");
    let create = format!("CREATE DATABASE {name}");
    admin.batch_execute(&create).await.expect("a database");
    let (server, _) = url.rsplit_once('/').expect("a URL with a database");
    DatabaseUrl(format!("{server}/{name}"))
}

/// Limits that no other journey meets, on whatever disk.
pub fn generous() -> LimitArgs {
    LimitArgs {
        max_video_bytes: 1 << 30,
        max_takes: 20,
        max_request_bytes: 1 << 30,
        max_stored_bytes: Some(1 << 40),
        min_free_bytes: 0,
        upload_memory: 256 << 20,
    }
}

/// Who made a request, with its token.
pub struct Creator<'s> {
    server: &'s Server,
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
}

/// Checks status and envelope, and that the envelope holds nothing else.
pub async fn assert_refused(answer: Response, status: u16, code: &str) {
    let url = answer.url().clone();
    assert_eq!(answer.status().as_u16(), status, "{url}");
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json", "{url}");
    let body: Value = answer.json().await.expect("JSON");
    let envelope: ErrorBody = serde_json::from_value(body.clone()).expect("the envelope");
    assert_eq!(envelope.error.code, code, "{url}");
    assert!(!envelope.error.message.is_empty(), "{url}");
    assert_eq!(serde_json::to_value(envelope).expect("JSON"), body, "{url}");
}

/// Bytes that differ everywhere, so that a misplaced one shows.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}
