//! A server for one test, and a caller who uses it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use app::api::ErrorBody;
use bytes::Bytes;
use clap::Parser;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use server::clock::Clock;
use server::config::{Config, DatabaseUrl, LawArgs, LimitArgs, QuotaArgs, ServingArgs, StoreArgs};
use server::service::quota::Allowance;
use server::service::{App, PublicUrl};
use server::stills::Decoders;
use server::{Assets, DataDir, Entrance, Tls, open, router, run};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::backends::{Bucket, files, fresh_database};
pub use crate::clips::*;
pub use crate::creator::Creator;

/// Makes two tests of each journey: on what a laptop has, and on what a cluster has.
macro_rules! journeys {
    ($($name:ident)*) => {
        mod laptop {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::on_a_laptop().await).await;
            })*
        }

        mod cluster {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::in_a_cluster().await).await;
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
    place: Place,
    data_dir: Option<DataDir>,
    stop: CancellationToken,
    running: Option<JoinHandle<std::io::Result<()>>>,
}

/// Where a server keeps what it keeps. Nodes of a cluster share one.
#[derive(Clone)]
struct Place {
    dir: Arc<TempDir>,
    cluster: Option<Arc<Cluster>>,
}

/// What journeys choose.
struct Wishes {
    limits: LimitArgs,
    quotas: QuotaArgs,
    serving: ServingArgs,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            limits: generous(),
            quotas: unlimited(),
            serving: Config::parse_from(["vidence"]).serving,
        }
    }
}

struct Cluster {
    database: DatabaseUrl,
    bucket: Bucket,
}

impl Place {
    fn laptop() -> Self {
        Self {
            dir: Arc::new(tempfile::tempdir().expect("a folder")),
            cluster: None,
        }
    }

    async fn cluster() -> Self {
        let cluster = Cluster {
            database: DatabaseUrl(fresh_database().await),
            bucket: Bucket::start().await,
        };
        Self {
            cluster: Some(Arc::new(cluster)),
            ..Self::laptop()
        }
    }
}

impl Server {
    /// SQLite and a folder.
    pub async fn on_a_laptop() -> Self {
        Self::start(Place::laptop(), Clock::manual(), Wishes::default()).await
    }

    /// PostgreSQL and an S3 bucket, nobody else's.
    pub async fn in_a_cluster() -> Self {
        Self::start(Place::cluster().await, Clock::manual(), Wishes::default()).await
    }

    /// SQLite and a folder that are there already, below `data`.
    pub async fn on_the_data_in(dir: TempDir, clock: Clock) -> Self {
        let place = Place {
            dir: Arc::new(dir),
            cluster: None,
        };
        Self::start(place, clock, Wishes::default()).await
    }

    /// PostgreSQL with tables and rows that are there already, and an empty bucket.
    pub async fn on_the_database(url: String, clock: Clock) -> Self {
        let place = Place {
            cluster: Some(Arc::new(Cluster {
                database: DatabaseUrl(url),
                bucket: Bucket::start().await,
            })),
            ..Place::laptop()
        };
        Self::start(place, clock, Wishes::default()).await
    }

    /// One more node over the same database and bucket.
    pub async fn another_node(&self) -> Self {
        let (place, clock) = (self.place.clone(), self.app.clock.clone());
        Self::start(place, clock, self.wishes()).await
    }

    /// On a laptop, where no decoder can be started: what makes stills isn't there.
    pub async fn without_decoders() -> Self {
        let nothing = Decoders::new("/nowhere/vidence".into(), None);
        Self::start_with(Place::laptop(), Clock::manual(), Wishes::default(), nothing).await
    }

    async fn start(place: Place, clock: Clock, wishes: Wishes) -> Self {
        // Which would be this test otherwise.
        let decoders = Decoders::new(env!("CARGO_BIN_EXE_vidence").into(), None);
        Self::start_with(place, clock, wishes, decoders).await
    }

    async fn start_with(place: Place, clock: Clock, wishes: Wishes, decoders: Decoders) -> Self {
        let listen = "127.0.0.1:0".parse().expect("an address");
        let cluster = place.cluster.as_deref();
        let bucket = cluster.map(|it| &it.bucket);
        let blob_url = bucket.map(|it| it.url().parse().expect("a bucket's URL"));
        let bucket_access = bucket.map(|it| it.env().into_iter().collect());
        let config = Config {
            listen,
            store: StoreArgs {
                data_dir: place.dir.path().join("data"),
                database_url: cluster.map(|it| it.database.clone()),
                database_connections: 16,
                blob_url,
                bucket_access: bucket_access.unwrap_or_default(),
            },
            law: LawArgs {
                operator: None,
                contact: Some("mailto:abuse@example.org".parse().expect("a contact")),
                terms: None,
                privacy: None,
            },
            mcp_origins: vec!["https://agents.example.net".parse().expect("an origin")],
            limits: wishes.limits,
            quotas: wishes.quotas,
            serving: wishes.serving,
            ..Config::parse_from(["vidence"])
        };
        let listener = TcpListener::bind(listen).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let opened = open(&config, clock, PublicUrl::new(&base)).await;
        let (mut app, data_dir) = opened.expect("an openable data folder");
        app.decoders = decoders;
        let assets = Assets::embedded().expect("pages in the binary");
        let serving = &config.serving;
        let pair = serving.tls_cert.as_deref().zip(serving.tls_key.as_deref());
        let tls =
            pair.map(|(certificate, key)| Tls::open(certificate, key).expect("a certificate"));
        let entrance = Entrance {
            listener,
            tls,
            connections: config.serving.max_connections,
            of_one_address: config.serving.max_connections_per_address,
            proxies: app.proxies.clone(),
        };
        let stop = CancellationToken::new();
        let told = stop.clone().cancelled_owned();
        let running = tokio::spawn(run(
            app.clone(),
            router(app.clone(), assets),
            entrance,
            config.serving.drain(),
            told,
        ));
        Self {
            app,
            base,
            client: Client::new(),
            config,
            place,
            data_dir: Some(data_dir),
            stop,
            running: Some(running),
        }
    }

    /// A node over the same database and bucket that serves nobody and does nothing by itself.
    pub async fn silent_node(&self) -> App {
        let clock = self.app.clock.clone();
        let opened = open(&self.config, clock, self.app.public_url.clone()).await;
        opened.expect("a database and a bucket").0
    }

    /// Stops it as an operator would, and starts it again on the same data.
    pub async fn restart(self) -> Self {
        let wishes = self.wishes();
        self.changed(wishes).await
    }

    /// Likewise, with these limits from then on.
    pub async fn limited(self, limits: LimitArgs) -> Self {
        let wishes = self.wishes();
        self.changed(Wishes { limits, ..wishes }).await
    }

    /// Likewise, with these quotas from then on.
    pub async fn rationed(self, quotas: QuotaArgs) -> Self {
        let wishes = self.wishes();
        self.changed(Wishes { quotas, ..wishes }).await
    }

    /// Likewise, with connections served so from then on.
    pub async fn serving(self, serving: ServingArgs) -> Self {
        let wishes = self.wishes();
        self.changed(Wishes { serving, ..wishes }).await
    }

    fn wishes(&self) -> Wishes {
        Wishes {
            limits: self.config.limits.clone(),
            quotas: self.config.quotas.clone(),
            serving: self.config.serving.clone(),
        }
    }

    async fn changed(mut self, wishes: Wishes) -> Self {
        self.end().await;
        let clock = self.app.clock.clone();
        drop(self.app);
        Self::start(self.place, clock, wishes).await
    }

    /// Stops it as an operator would.
    pub async fn end(&mut self) {
        self.stop.cancel();
        if let Some(running) = self.running.take() {
            running.await.expect("no panic").expect("a clean end");
        }
        self.data_dir = None;
    }

    /// Tells it to stop, and goes on talking to it meanwhile.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether it may have other nodes beside it.
    pub fn is_in_a_cluster(&self) -> bool {
        self.place.cluster.is_some()
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// By which the binary finds the stores of this server.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let dir = self.config.store.data_dir.display().to_string();
        let mut variables = vec![("VIDENCE_DATA_DIR", dir)];
        if let Some(cluster) = &self.place.cluster {
            variables.push(("VIDENCE_DATABASE_URL", cluster.database.0.clone()));
            variables.push(("VIDENCE_BLOB_URL", cluster.bucket.url()));
            variables.extend(cluster.bucket.env());
        }
        variables
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

    /// A connection to send by what no client would.
    pub async fn connect(&self) -> TcpStream {
        let address = self.base.strip_prefix("http://").expect("an address");
        TcpStream::connect(address).await.expect("a connection")
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

    /// Every file below the blob folder, half-written ones included; or every object in the bucket.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.place.cluster {
            Some(cluster) => cluster.bucket.objects(),
            None => files(&self.config.store.data_dir.join("blobs")),
        }
    }

    /// Waits until no object is left. The test's own limit of time is the runner's.
    pub async fn objects_become(&self, count: usize) {
        wait_until(async || self.objects().len() == count).await;
    }
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

/// A body of two pieces; the second one comes when its sender is told to, or forgotten.
pub fn body_in_two_pieces(
    first: &'static [u8],
    second: &'static [u8],
) -> (Body, oneshot::Sender<()>) {
    let (end, ended) = oneshot::channel();
    let second = stream::once(async move {
        let _ = ended.await;
        Ok::<_, std::io::Error>(Bytes::from_static(second))
    });
    let first = stream::iter([Ok(Bytes::from_static(first))]);
    (Body::wrap_stream(first.chain(second)), end)
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

/// As often as one likes.
pub fn unlimited() -> QuotaArgs {
    QuotaArgs {
        create_limit: Allowance(None),
        read_limit: Allowance(None),
        report_limit: Allowance(None),
        create_limit_for: Vec::new(),
        read_limit_for: Vec::new(),
        max_creator_bytes: 1 << 40,
        max_creator_bytes_for: Vec::new(),
        trusted_proxies: Vec::new(),
        proxy_hops: 1,
    }
}

/// Checks status and envelope, and that the body holds nothing else: but for takes, whose failures are
/// problem details around it.
pub async fn assert_refused(answer: Response, status: u16, code: &str) {
    let url = answer.url().clone();
    assert_eq!(answer.status().as_u16(), status, "{url}");
    let of_a_take = url.path().contains("/takes");
    let media_type = match of_a_take {
        true => "application/problem+json",
        false => "application/json",
    };
    assert_eq!(answer.headers()[CONTENT_TYPE], media_type, "{url}");
    let body: Value = answer.json().await.expect("JSON");
    let envelope: ErrorBody = serde_json::from_value(body.clone()).expect("the envelope");
    assert_eq!(envelope.error.code, code, "{url}");
    assert!(!envelope.error.message.is_empty(), "{url}");
    if of_a_take {
        assert_eq!(body["status"], status, "{url}");
        assert_eq!(body["detail"], envelope.error.message, "{url}");
        assert!(
            body["type"].is_string() && body["title"].is_string(),
            "{url}"
        );
    } else {
        assert_eq!(serde_json::to_value(envelope).expect("JSON"), body, "{url}");
    }
}
