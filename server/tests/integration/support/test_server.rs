//! A server for one test with a manual clock.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clap::Parser as _;
use reqwest::{Client, Version};
use server::blobs::ObjectKey;
use server::clock::Clock;
use server::config::public_url::PublicUrl;
use server::config::{Config, OperatorArgs};
use server::db::SweepPlace;
use server::service::AppState;
use server::service::quota::RefusalReason;
use server::{Assets, DataDir, ListenerConfig, Timeouts, Tls, open, router, run};
use stills::Decoders;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::HOUR;
use super::backend::Backend;
use super::certificate::CertificateFiles;
use super::overrides::Overrides;
use test_support::stores::bucket::{Bucket, make_older};
use test_support::wait_until;

/// A running server with a manual clock.
pub struct Server {
    pub app: AppState,
    pub base: String,
    pub client: Client,
    pub(super) config: Config,
    pub(super) timeouts: Timeouts,
    /// The certificate of the server, if its client uses TLS.
    pub(super) certificate: Option<Arc<CertificateFiles>>,
    pub(super) backend: Backend,
    pub(super) data_dir: Option<DataDir>,
    pub(super) stop: CancellationToken,
    pub(super) running: Option<JoinHandle<std::io::Result<()>>>,
}

impl Server {
    /// A server on SQLite and a folder.
    pub async fn sqlite() -> Self {
        Self::start(Backend::sqlite(), Clock::manual(), Overrides::default()).await
    }

    /// A server on an empty PostgreSQL database and an empty S3 bucket.
    pub async fn postgres_s3() -> Self {
        Self::start(
            Backend::postgres_s3().await,
            Clock::manual(),
            Overrides::default(),
        )
        .await
    }

    /// A server on SQLite and a folder, with a client over HTTP/2 and TLS.
    pub async fn over_http2() -> Self {
        let certificate = Arc::new(CertificateFiles::new());
        let overrides = Overrides {
            serving: certificate.serving_args(),
            certificate: Some(certificate),
            ..Overrides::default()
        };
        let server = Self::start(Backend::sqlite(), Clock::manual(), overrides).await;
        assert_eq!(server.get("/healthz").await.version(), Version::HTTP_2);
        server
    }

    /// A server on existing stores, to which these objects are added.
    pub async fn on_existing_stores(
        backend: Backend,
        objects: Vec<(ObjectKey, Bytes)>,
        clock: Clock,
    ) -> Self {
        let overrides = Overrides {
            objects,
            ..Overrides::default()
        };
        Self::start(backend, clock, overrides).await
    }

    /// Another node on the same database and bucket.
    pub async fn another_node(&self) -> Self {
        let (backend, clock) = (self.backend.clone(), self.app.clock.clone());
        Self::start(backend, clock, self.overrides()).await
    }

    /// A server on SQLite and a folder that can't make stills, as no decoder can be started.
    pub async fn without_decoders() -> Self {
        Self::with_decoders(Decoders::new("/nowhere/vidence".into(), None)).await
    }

    /// A server on SQLite and a folder that decodes with ffmpeg, too.
    pub async fn with_ffmpeg() -> Self {
        let vidence = env!("CARGO_BIN_EXE_vidence").into();
        Self::with_decoders(Decoders::new(vidence, Some("/usr/bin/ffmpeg".into()))).await
    }

    async fn with_decoders(decoders: Decoders) -> Self {
        let (backend, clock) = (Backend::sqlite(), Clock::manual());
        Self::start_with(backend, clock, Overrides::default(), decoders).await
    }

    pub(super) async fn start(backend: Backend, clock: Clock, overrides: Overrides) -> Self {
        // The default would be the test binary.
        let decoders = Decoders::new(env!("CARGO_BIN_EXE_vidence").into(), None);
        Self::start_with(backend, clock, overrides, decoders).await
    }

    async fn start_with(
        backend: Backend,
        clock: Clock,
        overrides: Overrides,
        decoders: Decoders,
    ) -> Self {
        let listen = "127.0.0.1:0".parse().expect("an address");
        let config = Config {
            listen,
            store: backend.settings(),
            operator: OperatorArgs {
                report_webhook: None,
                operator: None,
                contact: Some("mailto:abuse@example.org".parse().expect("a contact")),
                terms: None,
                privacy: None,
            },
            mcp_origins: vec!["https://agents.example.net".parse().expect("an origin")],
            limits: overrides.limits,
            quotas: overrides.quotas,
            serving: overrides.serving,
            transcripts: overrides.transcripts,
            ..Config::parse_from(["vidence"])
        };
        let listener = TcpListener::bind(listen).await.expect("a port");
        let scheme = if overrides.certificate.is_some() {
            "https"
        } else {
            "http"
        };
        let address = listener.local_addr().expect("an address");
        let base = format!("{scheme}://{address}");
        let opened = open(&config, clock, PublicUrl::new(&base)).await;
        let (mut app, data_dir) = opened.expect("an openable data folder");
        app.decoders = decoders;
        for (key, bytes) in overrides.objects {
            let (request, take) = key.owner().expect("a name");
            let prepared = app.blobs.prepare_take(&request, &take).await;
            prepared.expect("a folder");
            app.blobs.put(&key, vec![bytes]).await.expect("an object");
        }
        if let (Some(transcriber), Some(timeout)) =
            (&mut app.transcriber, overrides.transcriber_timeout)
        {
            transcriber.base_timeout = timeout;
        }
        if let Some(timeout) = overrides.form_prefix_timeout {
            app.form_prefix_timeout = timeout;
        }
        // After the server's start, which installs the TLS provider.
        let client = match &overrides.certificate {
            Some(certificate) => certificate.client(),
            None => Client::new(),
        };
        let assets = Assets::embedded().expect("pages in the binary");
        let serving = &config.serving;
        let pair = serving.tls_cert.as_deref().zip(serving.tls_key.as_deref());
        let tls =
            pair.map(|(certificate, key)| Tls::open(certificate, key).expect("a certificate"));
        let refusals = app.quotas.refusals.clone();
        let listener_config = ListenerConfig {
            listener,
            tls,
            connections: config.serving.max_connections,
            of_one_address: config.serving.max_connections_per_address,
            proxies: app.trusted_proxies.clone(),
            window_memory: config.limits.upload_memory,
            timeouts: overrides.timeouts,
            on_refused: Arc::new(move |client| {
                refusals.record(client, RefusalReason::Connections);
            }),
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        let running = tokio::spawn(run(
            app.clone(),
            router(app.clone(), assets),
            listener_config,
            config.serving.clone(),
            stopped,
        ));
        Self {
            app,
            base,
            client,
            config,
            timeouts: overrides.timeouts,
            certificate: overrides.certificate,
            backend,
            data_dir: Some(data_dir),
            stop,
            running: Some(running),
        }
    }

    /// Stops the server gracefully and waits for its end.
    pub async fn shutdown(&mut self) {
        self.stop.cancel();
        if let Some(running) = self.running.take() {
            running.await.expect("no panic").expect("a clean end");
        }
        self.data_dir = None;
    }

    /// Starts a graceful shutdown.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether the stores allow several nodes.
    pub fn has_shared_stores(&self) -> bool {
        self.backend.has_shared_stores()
    }

    /// URL of the database, if it is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.backend.database_url()
    }

    pub fn bucket(&self) -> &Bucket {
        self.backend.bucket().expect("a bucket")
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Environment variables with the stores of this server, for the binary.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        self.backend.environment()
    }

    /// Advances the server's clock.
    pub fn advance_clock(&self, millis: i64) {
        self.app.clock.advance(millis);
    }

    /// Number of unexpired requests.
    pub async fn live_requests(&self) -> usize {
        let far = self.app.clock.now() + 1000 * HOUR;
        self.app
            .db
            .requests_due(far, &SweepPlace::default(), 1000)
            .await
            .expect("rows")
            .len()
    }

    /// Paths of all stored objects; in a folder partial ones, too.
    pub fn objects(&self) -> Vec<PathBuf> {
        self.backend.objects()
    }

    /// Makes all objects older, as the search for orphans goes by the store's clock.
    pub fn age_objects(&self, millis: i64) {
        make_older(
            &self.objects(),
            Duration::from_millis(millis.unsigned_abs()),
        );
    }

    /// Waits until the number of stored objects is `count`.
    pub async fn wait_for_objects(&self, count: usize) {
        wait_until(async || self.objects().len() == count).await;
    }
}
