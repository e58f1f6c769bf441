//! A server for one test, and a caller who uses it.

mod answers;
pub mod certificate;
mod place;
pub mod slow_line;
mod wishes;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clap::Parser as _;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Version};
use serde_json::{Value, json};
use server::blobs::ObjectKey;
use server::clock::Clock;
use server::config::{Config, LimitArgs, OperatorArgs, QuotaArgs, ServingArgs};
use server::service::{AppState, PublicUrl};
use server::{Assets, DataDir, ListenerConfig, Timeouts, Tls, open, router, run};
use stills::Decoders;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use place::Place;
use wishes::Wishes;

pub use answers::*;
pub use wishes::{generous, unlimited};

pub use crate::creator::Creator;
use certificate::CertificateFiles;
pub use test_support::fixtures::*;
pub use test_support::wait_until;

/// Makes two tests of each journey: on what a laptop has, and on what a cluster has. Of those behind `over_http2` a third
/// one: over HTTP/2 and TLS, as the server is reached with a certificate or `--lan`.
macro_rules! journeys {
    ($($name:ident)* $(; over_http2 $($secure:ident)*)?) => {
        $crate::support::journeys_on! { laptop on_a_laptop $($name)* $($($secure)*)? }
        $crate::support::journeys_on! { cluster in_a_cluster $($name)* $($($secure)*)? }
        $($crate::support::journeys_on! { http2 over_http2 $($secure)* })?
    };
}

/// Makes a test of each journey, in a module of its own, with a server that is started so.
macro_rules! journeys_on {
    ($module:ident $start:ident $($name:ident)*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::$start().await).await;
            })*
        }
    };
}

pub(crate) use {journeys, journeys_on};

pub const HOUR: i64 = 60 * 60 * 1000;

/// A running server whose clock stands still.
pub struct Server {
    pub app: AppState,
    pub base: String,
    pub client: Client,
    config: Config,
    timeouts: Timeouts,
    /// What it shows, where its client speaks TLS.
    certificate: Option<Arc<CertificateFiles>>,
    place: Place,
    data_dir: Option<DataDir>,
    stop: CancellationToken,
    running: Option<JoinHandle<std::io::Result<()>>>,
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

    /// SQLite and a folder, and a client that speaks HTTP/2 over TLS.
    pub async fn over_http2() -> Self {
        let certificate = Arc::new(CertificateFiles::new());
        let wishes = Wishes {
            serving: certificate.args(),
            certificate: Some(certificate),
            ..Wishes::default()
        };
        let server = Self::start(Place::laptop(), Clock::manual(), wishes).await;
        assert_eq!(server.get("/healthz").await.version(), Version::HTTP_2);
        server
    }

    /// What was left there: a data folder below `data`, or PostgreSQL with its tables and rows; and these objects.
    pub async fn on_what_was_left(
        place: Place,
        objects: Vec<(ObjectKey, Bytes)>,
        clock: Clock,
    ) -> Self {
        let wishes = Wishes {
            objects,
            ..Wishes::default()
        };
        Self::start(place, clock, wishes).await
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
        let config = Config {
            listen,
            store: place.settings(),
            operator: OperatorArgs {
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
        let scheme = if wishes.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        let address = listener.local_addr().expect("an address");
        let base = format!("{scheme}://{address}");
        let opened = open(&config, clock, PublicUrl::new(&base)).await;
        let (mut app, data_dir) = opened.expect("an openable data folder");
        app.decoders = decoders;
        for (key, bytes) in wishes.objects {
            let (request, take) = key.owner().expect("a name");
            let prepared = app.blobs.prepare_take(&request, &take).await;
            prepared.expect("a folder");
            app.blobs.put(&key, vec![bytes]).await.expect("an object");
        }
        if let Some(timeout) = wishes.form_prefix_timeout {
            app.form_prefix_timeout = timeout;
        }
        // Behind the server, which names a provider of cryptography.
        let client = match &wishes.certificate {
            Some(certificate) => certificate.client(),
            None => Client::new(),
        };
        let assets = Assets::embedded().expect("pages in the binary");
        let serving = &config.serving;
        let pair = serving.tls_cert.as_deref().zip(serving.tls_key.as_deref());
        let tls =
            pair.map(|(certificate, key)| Tls::open(certificate, key).expect("a certificate"));
        let entrance = ListenerConfig {
            listener,
            tls,
            connections: config.serving.max_connections,
            of_one_address: config.serving.max_connections_per_address,
            proxies: app.trusted_proxies.clone(),
            window_memory: config.limits.upload_memory,
            timeouts: wishes.timeouts,
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
            client,
            config,
            timeouts: wishes.timeouts,
            certificate: wishes.certificate,
            place,
            data_dir: Some(data_dir),
            stop,
            running: Some(running),
        }
    }

    /// A node over the same database and bucket that serves nobody and does nothing by itself.
    pub async fn silent_node(&self) -> AppState {
        let clock = self.app.clock.clone();
        let opened = open(&self.config, clock, self.app.public_url.clone()).await;
        opened.expect("a database and a bucket").0
    }

    /// Stops it as an operator would, and opens its data as a node that serves nobody and does nothing by itself.
    pub async fn silenced(mut self) -> Self {
        self.end().await;
        let (clock, url) = (self.app.clock.clone(), self.app.public_url.clone());
        let config = self.config.clone();
        drop(self.app);
        let (app, data_dir) = open(&config, clock, url)
            .await
            .expect("data of nobody else");
        Self {
            app,
            data_dir: Some(data_dir),
            ..self
        }
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

    /// Likewise, with connections that may get nowhere for so long from then on.
    pub async fn with_timeouts(self, timeouts: Timeouts) -> Self {
        let wishes = self.wishes();
        self.changed(Wishes { timeouts, ..wishes }).await
    }

    /// Likewise, with forms whose file must begin within so long from then on.
    pub async fn with_form_prefix_timeout(self, timeout: Duration) -> Self {
        let wishes = self.wishes();
        self.changed(Wishes {
            form_prefix_timeout: Some(timeout),
            ..wishes
        })
        .await
    }

    fn wishes(&self) -> Wishes {
        Wishes {
            form_prefix_timeout: Some(self.app.form_prefix_timeout),
            timeouts: self.timeouts,
            certificate: self.certificate.clone(),
            limits: self.config.limits.clone(),
            quotas: self.config.quotas.clone(),
            serving: self.config.serving.clone(),
            objects: Vec::new(),
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
        self.place.is_a_cluster()
    }

    /// The address of its database, if that is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.place.database_url()
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// By which the binary finds the stores of this server.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        self.place.environment()
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
        self.created(self.creation()).await
    }

    /// As a client with this address, where this one is a trusted proxy.
    pub async fn create_from(&self, address: &str) -> Creator<'_> {
        let creation = self.creation().header("X-Forwarded-For", address);
        self.created(creation).await
    }

    fn creation(&self) -> RequestBuilder {
        let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        self.request(Method::POST, "/v1/requests").json(&wish)
    }

    async fn created(&self, creation: RequestBuilder) -> Creator<'_> {
        let answer = creation.send().await.expect("an answer");
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
        self.place.objects()
    }

    /// Waits until no object is left. The test's own limit of time is the runner's.
    pub async fn objects_become(&self, count: usize) {
        wait_until(async || self.objects().len() == count).await;
    }
}
