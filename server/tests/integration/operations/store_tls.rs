//! Database and bucket behind TLS: a node verifies their certificates, or doesn't start.

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

use crate::support::binary::vidence;
use crate::support::{CLIP, wait_until};
use test_support::on_postgres_s3;
use test_support::stores::bucket::Bucket;
use test_support::stores::database::fresh_database;

on_postgres_s3! {
    an_upload_works_with_tls_to_database_and_bucket
    a_node_refuses_a_database_with_an_untrusted_certificate
    a_node_refuses_a_bucket_with_an_untrusted_certificate
}

/// Longer than a node takes to fail.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A PostgreSQL client's request for TLS: SSLRequest in "Message Formats".
const SSL_REQUEST: u32 = 80_877_103;

/// A self-signed certificate for 127.0.0.1, and a TLS acceptor with it.
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

    /// Terminates TLS on a port of its own, in front of `target`.
    async fn terminate_tls(&self, target: SocketAddr, handshake: Handshake) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let acceptor = self.acceptor.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    if handshake == Handshake::AsPostgres {
                        // SSLRequest, answered with one byte.
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
enum Handshake {
    WithTls,
    AsPostgres,
}

/// A node on a database and a bucket with these certificates, which trusts `trusted`.
async fn node(
    database_identity: &Identity,
    bucket_identity: &Identity,
    trusted: &Identity,
) -> (Child, Bucket) {
    let database = fresh_database().await;
    let (before, after) = database.split_once('@').expect("a user");
    let (address, name) = after.split_once('/').expect("a name");
    let address = address.parse().expect("an address");
    let database = database_identity
        .terminate_tls(address, Handshake::AsPostgres)
        .await;
    let bucket = Bucket::start().await;
    let endpoint = bucket
        .endpoint()
        .strip_prefix("http://")
        .expect("an address");
    let endpoint = endpoint.parse().expect("an address");
    let endpoint = bucket_identity
        .terminate_tls(endpoint, Handshake::WithTls)
        .await;
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

async fn an_upload_works_with_tls_to_database_and_bucket() {
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
    // reqwest needs a provider even without TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::new();
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let created = client
        .post(format!("{base}/v1/requests"))
        .json(&body)
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

async fn a_node_refuses_a_database_with_an_untrusted_certificate() {
    let (trusted, other) = (Identity::new(), Identity::new());
    let (node, _bucket) = node(&other, &trusted, &trusted).await;
    assert_fails_at(node, "database").await;
}

async fn a_node_refuses_a_bucket_with_an_untrusted_certificate() {
    let (trusted, other) = (Identity::new(), Identity::new());
    let (node, _bucket) = node(&trusted, &other, &trusted).await;
    assert_fails_at(node, "bucket").await;
}

/// Asserts that the node exits with an error that names the store and its certificate, but not the password.
async fn assert_fails_at(node: Child, store: &str) {
    let ended = timeout(TIMEOUT, node.wait_with_output()).await;
    let ended = ended.expect("it keeps retrying").expect("an end");
    assert!(!ended.status.success());
    let stderr = String::from_utf8_lossy(&ended.stderr);
    for expected in [store, "certificate"] {
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
    assert!(!stderr.contains("hunter2"), "{stderr}");
}

/// A PostgreSQL server without TLS, and what its clients sent on each connection.
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
async fn a_node_with_sslmode_require_never_sends_plaintext() {
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
        let (address, received) = without_tls().await;
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
        let stderr = format!("{node:?}");
        assert!(!stderr.contains("hunter2"), "{stderr}");
        if connects {
            wait_until(async || !received.lock().expect("no panic").is_empty()).await;
        }
        let sent = std::mem::take(&mut *received.lock().expect("no panic"));
        assert_eq!(!sent.is_empty(), connects, "{url}");
        assert!(sent.iter().all(|it| *it == ssl_request), "{url}: {sent:?}");
    }
}
