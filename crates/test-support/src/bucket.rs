//! An S3 server in the test's own process, on a folder. It checks signatures like any other.

use std::fs;
use std::path::{Path, PathBuf};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const NAME: &str = "evidence";
const KEY: &str = "a-key-for-tests";
const SECRET: &str = "a-secret-for-tests";

/// A bucket that nobody else uses. Gone when dropped.
pub struct Bucket {
    endpoint: String,
    folder: TempDir,
    serving: JoinHandle<()>,
}

impl Bucket {
    /// What every one of them is called.
    pub const URL: &str = "s3://evidence/videos";

    /// Serves an empty bucket on a free port.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(NAME)).expect("a bucket");
        let files = FileSystem::new(folder.path()).expect("a store");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        Self {
            endpoint: format!("http://{address}"),
            folder,
            serving: tokio::spawn(serve(listener, service.build())),
        }
    }

    /// For `--blob-url`.
    pub fn url(&self) -> String {
        Self::URL.to_owned()
    }

    /// Where it listens.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The variables by which a server finds it.
    pub fn env(&self) -> [(&'static str, String); 4] {
        Self::env_at(&self.endpoint)
    }

    /// Likewise, of one that listens there.
    pub fn env_at(endpoint: &str) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT_URL", endpoint.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// Every object that it holds.
    pub fn objects(&self) -> Vec<PathBuf> {
        files(&self.folder.path().join(NAME))
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, service: S3Service) {
    while let Ok((connection, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            let http = Builder::new(TokioExecutor::new());
            // A client that hangs up is no concern of the bucket's.
            let _ = http
                .serve_connection(TokioIo::new(connection), service)
                .await;
        });
    }
}

/// Every file below a folder, `lock` excepted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A folder may go while it is looked at: then it holds nothing.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.ends_with("lock") => {}
            false => found.push(path),
        }
    }
    found
}
