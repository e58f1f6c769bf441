//! The release binary behind nginx and Caddy with the shipped configurations.
//!
//! A little more than 300 lines: each test runs behind both proxies.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use app::api::{CreatedRequest, PageState, RequestStatus, RequestView, Submission};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use rcgen::{CertificateParams, KeyPair};
use reqwest::header::{CONTENT_RANGE, CONTENT_TYPE, LOCATION, RANGE};
use reqwest::{Body, Certificate, Client, Response, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::caddy::Caddy;
use test_support::clients::retrying_client::http_client;
use test_support::recordings::fixtures::clip;
use test_support::scale::TIMEOUT;
use test_support::servers::nginx::{Nginx, location_directives};
use test_support::servers::node::{Node, Settings, free_address};

/// More than the server buffers before it writes.
const FIRST_PART: usize = 9_000_000;

/// Makes four tests of each function: behind each proxy with its whole configuration, and with the snippet for another.
macro_rules! proxied {
    ($($name:ident)*) => {
        mod nginx {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::ProxyKind::Nginx).await;
            })*
        }

        mod nginx_snippet {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::ProxyKind::NginxSnippet).await;
            })*
        }

        mod caddy {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::ProxyKind::Caddy).await;
            })*
        }

        mod caddy_snippet {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::ProxyKind::CaddySnippet).await;
            })*
        }
    };
}

proxied! {
    uploads_are_stored_while_they_pass_through_the_proxy
    a_link_is_not_logged_while_the_node_is_away
    a_long_poll_passes_through_the_proxy
    clients_cannot_forge_their_address_through_the_proxy
    clients_cannot_choose_their_request_id_through_the_proxy
}

/// What was found out for one of them is forgotten for the other.
#[test]
fn the_nginx_snippet_has_what_nginx_conf_has() {
    let [shipped, snippet] = location_directives();
    let missing: Vec<_> = shipped
        .iter()
        .filter(|it| !it.starts_with("proxy_pass ") && !snippet.contains(it))
        .collect();
    assert!(shipped.len() > 10 && missing.is_empty(), "{missing:?}");
}

/// A certificate for this address, and its key, in PEM.
pub(super) fn identity(front: SocketAddr) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let names = CertificateParams::new(vec![front.ip().to_string()]).expect("a name");
    let pem = names.self_signed(&key).expect("a signature").pem();
    (pem, key.serialize_pem())
}

#[derive(Clone, Copy)]
enum ProxyKind {
    Nginx,
    NginxSnippet,
    Caddy,
    CaddySnippet,
}

enum Proxy {
    Nginx(Nginx),
    Caddy(Caddy),
}

impl Proxy {
    /// Log output of the proxy.
    fn log(&self) -> String {
        match self {
            Self::Nginx(it) => it.log(),
            Self::Caddy(it) => it.log(),
        }
    }
}

/// A node behind a proxy.
struct Proxied {
    node: Node,
    proxy: Proxy,
    url: String,
    certificate: Certificate,
    client: Client,
    _folder: TempDir,
}

impl Proxied {
    async fn start(kind: ProxyKind, create_limit: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (front, back) = (free_address(), free_address());
        let url = format!("https://{front}");
        let flags = [
            ("--data-dir", folder.path().join("data").into()),
            ("--public-url", url.clone().into()),
            ("--trusted-proxies", "127.0.0.1/32".into()),
            ("--create-limit", create_limit.into()),
            ("--min-free-bytes", "0".into()),
        ];
        let flags = flags.into_iter();
        let node = Node::start(Settings {
            address: Some(back),
            flags: flags
                .flat_map(|(flag, value)| [flag.into(), value])
                .collect(),
            ..Settings::default()
        });
        let node = node.await;
        let (pem, key) = identity(front);
        let proxy = match kind {
            ProxyKind::Nginx => Proxy::Nginx(Nginx::https(front, &[back], &pem, &key)),
            ProxyKind::NginxSnippet => Proxy::Nginx(Nginx::including(front, back, &pem, &key)),
            ProxyKind::Caddy => Proxy::Caddy(Caddy::start(front, &[back], &pem, &key)),
            ProxyKind::CaddySnippet => Proxy::Caddy(Caddy::importing(front, back, &pem, &key)),
        };
        let certificate = Certificate::from_pem(pem.as_bytes()).expect("a certificate");
        Self {
            node,
            proxy,
            url,
            client: client_from(&certificate, None),
            certificate,
            _folder: folder,
        }
    }

    async fn create(&self, client: &Client, forwarded: &str) -> Response {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let create = client.post(format!("{}/v1/requests", self.url)).json(&body);
        let create = create.header("X-Forwarded-For", forwarded);
        create.send().await.expect("an answer")
    }

    async fn created(&self) -> CreatedRequest {
        let answer = self.create(&self.client, "198.51.100.1").await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await.expect("a request")
    }

    /// Offset of the take, fetched from the node itself.
    async fn offset(&self, created: &CreatedRequest) -> u64 {
        let state = format!("{}/r/{}/state", self.node.url(), created.id);
        let state = http_client().get(state).send().await.expect("an answer");
        let state: PageState = state.json().await.expect("a state");
        state.takes.first().map_or(0, |take| take.offset)
    }

    async fn submit(&self, created: &CreatedRequest, created_take: &Response) {
        assert_eq!(created_take.status(), StatusCode::CREATED);
        let take = created_take.headers()[LOCATION].to_str().expect("a path");
        let take = take.rsplit('/').next().expect("an id").to_owned();
        let submit = format!("{}/submission", created.submission_url);
        let submit = self.client.post(submit).json(&Submission::of(take));
        let submitted = submit.send().await.expect("an answer");
        assert_eq!(submitted.status(), StatusCode::OK);
    }

    async fn wait(&self, created: &CreatedRequest, seconds: u32) -> RequestView {
        let poll = format!("{}/v1/requests/{}", self.url, created.id);
        let poll = self.client.get(poll).bearer_auth(&created.access_token);
        let wait = poll.header("Prefer", format!("wait={seconds}"));
        let answer = wait.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(
            answer.headers()["preference-applied"],
            format!("wait={seconds}")
        );
        answer.json().await.expect("a request")
    }
}

/// A client with this local address that trusts this certificate alone.
pub(super) fn client_from(certificate: &Certificate, from: Option<IpAddr>) -> Client {
    let client = Client::builder().no_proxy().local_address(from);
    let client = client.tls_certs_only([certificate.clone()]);
    client.build().expect("a client")
}

async fn uploads_are_stored_while_they_pass_through_the_proxy(kind: ProxyKind) {
    let proxied = Proxied::start(kind, "off").await;
    let created = proxied.created().await;
    let recording = Bytes::from(clip(FIRST_PART + 1000));
    let rest = recording.slice(FIRST_PART..);
    let (release, released) = oneshot::channel::<()>();
    let first = stream::iter([Ok::<_, std::io::Error>(recording.slice(..FIRST_PART))]);
    let last = stream::once(async move {
        released.await.map_err(std::io::Error::other)?;
        Ok(rest)
    });
    let send = proxied
        .client
        .post(format!("{}/takes", created.submission_url));
    let send = send
        .header(CONTENT_TYPE, "video/mp4")
        .header("Upload-Complete", "?1");
    let send = send.body(Body::wrap_stream(first.chain(last)));
    let sending = tokio::spawn(send.send());
    let start = Instant::now();
    while proxied.offset(&created).await == 0 {
        assert!(!sending.is_finished(), "it was answered too early");
        assert!(start.elapsed() < TIMEOUT, "the proxy keeps it to itself");
        tokio::task::yield_now().await;
    }
    release.send(()).expect("it is still being sent");
    let created_take = sending.await.expect("no panic").expect("an answer");
    let (view, ()) = tokio::join!(
        proxied.wait(&created, 50),
        proxied.submit(&created, &created_take)
    );
    assert_eq!(view.status, RequestStatus::Submitted);

    let video = view.video.expect("a video");
    assert!(video.url.starts_with(&proxied.url), "{}", video.url);
    let download = proxied.client.get(video.url);
    let download = download.bearer_auth(&created.access_token);
    let part = download.try_clone().expect("no body");
    let part = part.header(RANGE, "bytes=-1000").send().await;
    let part = part.expect("an answer");
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert!(part.headers().contains_key(CONTENT_RANGE));
    let part = part.bytes().await.expect("bytes");
    assert!(
        part == recording.slice(recording.len() - 1000..),
        "another part"
    );
    let whole = download.send().await.expect("an answer").bytes().await;
    assert!(whole.expect("bytes").ends_with(&recording), "another video");

    let log = proxied.proxy.log();
    // Only the snippet for nginx switches its logs off.
    let is_silent = matches!(kind, ProxyKind::NginxSnippet);
    assert!(is_silent || !log.is_empty(), "nothing is logged");
    if let ProxyKind::Nginx = kind {
        assert!(log.contains(" POST 201 "), "requests are logged: {log}");
        assert!(!log.contains("127.0.0.1"), "the log names who asked: {log}");
    }
    assert!(!log.contains(&created.id), "the log names a link: {log}");
}

async fn a_link_is_not_logged_while_the_node_is_away(kind: ProxyKind) {
    let mut proxied = Proxied::start(kind, "off").await;
    let created = proxied.created().await;
    proxied.node.kill();
    let page = proxied.client.get(&created.submission_url).send().await;
    let status = page.expect("the proxy's answer").status();
    assert!(status.is_server_error(), "{status}");
    let log = proxied.proxy.log();
    assert!(!log.contains(&created.id), "the log names a link: {log}");
}

async fn a_long_poll_passes_through_the_proxy(kind: ProxyKind) {
    let proxied = Proxied::start(kind, "off").await;
    let created = proxied.created().await;
    let start = Instant::now();
    let view = proxied.wait(&created, 3).await;
    assert_eq!(view.status, RequestStatus::AwaitingSubmission);
    assert!(start.elapsed() >= Duration::from_secs(3), "it ended early");
}

async fn clients_cannot_forge_their_address_through_the_proxy(kind: ProxyKind) {
    let proxied = Proxied::start(kind, "1/hour:2").await;
    for (forwarded, want) in [
        ("198.51.100.1", StatusCode::CREATED),
        ("198.51.100.2", StatusCode::CREATED),
        ("198.51.100.3", StatusCode::TOO_MANY_REQUESTS),
        ("127.0.0.1", StatusCode::TOO_MANY_REQUESTS),
        ("203.0.113.1, 198.51.100.4", StatusCode::TOO_MANY_REQUESTS),
    ] {
        let answer = proxied.create(&proxied.client, forwarded).await;
        assert_eq!(answer.status(), want, "{forwarded}");
    }
    // Another client has limits of its own.
    let other_address = Ipv4Addr::new(127, 0, 0, 2);
    let another = client_from(&proxied.certificate, Some(other_address.into()));
    let answer = proxied.create(&another, "198.51.100.1").await;
    assert_eq!(answer.status(), StatusCode::CREATED);
}

async fn clients_cannot_choose_their_request_id_through_the_proxy(kind: ProxyKind) {
    const GIVEN_ID: &str = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    let proxied = Proxied::start(kind, "off").await;
    let trace = format!("00-{TRACE}-00f067aa0ba902b7-01");
    for (header, value) in [("X-Request-Id", GIVEN_ID), ("traceparent", &*trace)] {
        let request = proxied.client.get(format!("{}/healthz", proxied.url));
        let answer = request
            .header(header, value)
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        let id = answer.headers()["x-request-id"].to_str().expect("text");
        assert!(![GIVEN_ID, TRACE].contains(&id), "{header} was passed on");
        // Caddy's ids have dashes.
        assert_eq!(id.replace('-', "").len(), 32, "{id}");
    }
}
