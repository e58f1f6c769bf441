//! Database and bucket behind TLS: a node proves whom it talks to, or doesn't start.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::api::CreatedRequest;
use rcgen::{CertificateParams, KeyPair};
use reqwest::{Client, StatusCode};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::commands::vidence;
use crate::support::CLIP;
use test_support::bucket::Bucket;
use test_support::database::fresh_database;
use test_support::on_a_cluster;

on_a_cluster! {
    a_video_passes_through_tls_to_database_and_bucket
    a_node_does_not_start_over_a_database_that_it_cannot_trust
    a_node_does_not_start_over_a_bucket_that_it_cannot_trust
}

/// A node that can't start says so sooner.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a PostgreSQL client asks for TLS: "SSLRequest" in the manual's chapter on message formats.
const SSL_REQUEST: u32 = 80_877_103;

/// Whoever trusts this certificate believes whoever has its key to be 127.0.0.1.
struct Identity {
    acceptor: TlsAcceptor,
    certificate: PathBuf,
    _folder: TempDir,
}

impl Identity {
    fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let names = CertificateParams::new(vec!["127.0.0.1".to_owned()]);
        let certificate = names
            .expect("a name")
            .self_signed(&key)
            .expect("a signature");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("certificate.pem");
        std::fs::write(&file, certificate.pem()).expect("a file");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a certificate with its key");
        Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate: file,
            _folder: folder,
        }
    }

    /// Speaks TLS on a port of its own, and plainly with `target` behind it.
    async fn in_front_of(&self, target: SocketAddr, begins: Begins) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let acceptor = self.acceptor.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    if begins == Begins::AsPostgres {
                        // SSLRequest, and the one byte that agrees to it.
                        let mut request = [0; 8];
                        client.read_exact(&mut request).await?;
                        assert_eq!(request[4..], SSL_REQUEST.to_be_bytes());
                        client.write_all(b"S").await?;
                    }
                    let mut client = acceptor.accept(client).await?;
                    let mut server = TcpStream::connect(target).await?;
                    copy_bidirectional(&mut client, &mut server).await
                });
            }
        });
        address
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    WithTls,
    AsPostgres,
}

/// A node over a database and a bucket that show these certificates, while the node trusts `trusted`.
async fn node(by_database: &Identity, by_bucket: &Identity, trusted: &Identity) -> (Child, Bucket) {
    let database = fresh_database().await;
    let (before, after) = database.split_once('@').expect("a user");
    let (address, name) = after.split_once('/').expect("a name");
    let address = address.parse().expect("an address");
    let database = by_database.in_front_of(address, Begins::AsPostgres).await;
    let bucket = Bucket::start().await;
    let endpoint = bucket
        .endpoint()
        .strip_prefix("http://")
        .expect("an address");
    let endpoint = endpoint.parse().expect("an address");
    let endpoint = by_bucket.in_front_of(endpoint, Begins::WithTls).await;
    let roots = trusted.certificate.display();
    let url = format!("{before}:hunter2@{database}/{name}?sslmode=verify-full&sslrootcert={roots}");
    let node = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .args(["--listen", "127.0.0.1:0", "--blob-url", &bucket.url()])
        .envs(bucket.env())
        .env("AWS_ENDPOINT_URL", format!("https://{endpoint}"))
        .env("SSL_CERT_FILE", &trusted.certificate)
        .env("VIDENCE_DATABASE_URL", url)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    (node.expect("the binary"), bucket)
}

async fn a_video_passes_through_tls_to_database_and_bucket() {
    let identity = Identity::new();
    let (mut node, bucket) = node(&identity, &identity, &identity).await;
    let mut log = BufReader::new(node.stdout.take().expect("its log")).lines();
    let base = loop {
        let line = log.next_line().await.expect("text").expect("a start");
        if let Some((_, address)) = line.split_once("open http://") {
            let address = address.split_whitespace().next().expect("an address");
            break format!("http://{address}");
        }
    };
    // Which reqwest asks for even where it speaks plainly.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::new();
    let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let created = client
        .post(format!("{base}/v1/requests"))
        .json(&wish)
        .send();
    let created: CreatedRequest = created
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    let takes = client.post(format!("{base}/r/{}/takes", created.id));
    let takes = takes.header("Content-Type", "video/webm").body(CLIP);
    let answer = takes.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(bucket.objects().len(), 1);
}

async fn a_node_does_not_start_over_a_database_that_it_cannot_trust() {
    let (trusted, other) = (Identity::new(), Identity::new());
    let (node, _bucket) = node(&other, &trusted, &trusted).await;
    refuses(node, "database").await;
}

async fn a_node_does_not_start_over_a_bucket_that_it_cannot_trust() {
    let (trusted, other) = (Identity::new(), Identity::new());
    let (node, _bucket) = node(&trusted, &other, &trusted).await;
    refuses(node, "bucket").await;
}

/// It ends with an error that names this store and its certificate, and keeps the password to itself.
async fn refuses(node: Child, store: &str) {
    let ended = timeout(PATIENCE, node.wait_with_output()).await;
    let ended = ended.expect("it goes on trying").expect("an end");
    assert!(!ended.status.success());
    let told = String::from_utf8_lossy(&ended.stderr);
    for word in [store, "certificate"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(!told.contains("hunter2"), "{told}");
}

/// A PostgreSQL server that has no TLS, and what its client sent all the same, each time it connected.
async fn without_tls() -> (SocketAddr, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let received = Arc::<Mutex<Vec<Vec<u8>>>>::default();
    let keep = received.clone();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut bytes = vec![0; 8];
            client.read_exact(&mut bytes).await?;
            if bytes[4..] == SSL_REQUEST.to_be_bytes() {
                client.write_all(b"N").await?;
                client.read_to_end(&mut bytes).await?;
            }
            keep.lock().expect("no panic").push(bytes);
        }
        std::io::Result::Ok(())
    });
    (address, received)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_told_to_require_tls_never_sends_plaintext() {
    let (address, received) = without_tls().await;
    let ssl_request = [8_u32.to_be_bytes(), SSL_REQUEST.to_be_bytes()].concat();
    for (password, query, connects) in [
        ("hunter2", "sslmode=require", true),
        ("hunter2", "sslmode=verify-full&connect_timeout=5", true),
        ("hunter2%3Fx%40y%2Fz", "sslmode=require", true),
        ("hunter2#x", "sslmode=require", true),
        ("hunter2?x", "sslmode=require", false),
        ("hunter2", "ssl%6Dode=require", false),
        ("hunter2", "sslmode=require&sslmode=disable", false),
        ("hunter2", "sslmode=prefer", false),
    ] {
        let url = format!("postgres://vidence:{password}@{address}/vidence?{query}");
        let node = vidence(
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--blob-url",
                "file:///nowhere",
            ],
            &[("VIDENCE_DATABASE_URL", url.clone())],
        )
        .await;
        assert_ne!(node.code, Some(0), "{url}");
        let told = format!("{node:?}");
        assert!(!told.contains("hunter2"), "{told}");
        let sent = std::mem::take(&mut *received.lock().expect("no panic"));
        assert_eq!(!sent.is_empty(), connects, "{url}");
        assert!(sent.iter().all(|it| *it == ssl_request), "{url}: {sent:?}");
    }
}
