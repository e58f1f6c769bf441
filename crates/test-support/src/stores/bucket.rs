//! An S3 server in the test's own process, which stores objects in a folder and verifies signatures.

use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::stores::bucket_faults::BucketFaults;

const NAME: &str = "evidence";
const PREFIX: &str = "videos";
const KEY: &str = "a-key-for-tests";
const SECRET: &str = "a-secret-for-tests";

/// A bucket of its own for one test, removed on drop.
pub struct Bucket {
    endpoint: String,
    folder: TempDir,
    faults: Arc<BucketFaults>,
    serving: JoinHandle<()>,
}

impl Bucket {
    /// URL of the bucket, the same for every instance.
    pub const URL: &str = "s3://evidence/videos";

    /// Serves an empty bucket on a free port.
    pub async fn start() -> Self {
        Self::start_on(Ipv4Addr::LOCALHOST).await
    }

    /// Serves an empty bucket on a free port of this address.
    pub async fn start_on(address: Ipv4Addr) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(NAME)).expect("a bucket");
        let files = FileSystem::new(folder.path()).expect("a store");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let listener = TcpListener::bind((address, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let faults = Arc::default();
        Self {
            endpoint: format!("http://{address}"),
            folder,
            serving: tokio::spawn(serve(listener, service.build(), Arc::clone(&faults))),
            faults,
        }
    }

    /// The value for `--blob-url`.
    pub fn url(&self) -> String {
        Self::URL.to_owned()
    }

    /// URL that the S3 server listens at.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Environment variables that give a server access to this bucket.
    pub fn env(&self) -> [(&'static str, String); 4] {
        Self::env_at(&self.endpoint)
    }

    /// Environment variables for a bucket that listens at `endpoint`.
    pub fn env_at(endpoint: &str) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT_URL", endpoint.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// How it misbehaves.
    pub fn faults(&self) -> &BucketFaults {
        &self.faults
    }

    /// Stores an object as another program does, at this path below the prefix.
    pub fn store(&self, name: &str, bytes: &str) {
        let folder = self.folder.path().join(NAME).join(PREFIX);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name), bytes).expect("an object");
    }

    /// Paths of all stored objects.
    pub fn objects(&self) -> Vec<PathBuf> {
        files(&self.folder.path().join(NAME))
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, service: S3Service, faults: Arc<BucketFaults>) {
    while let Ok((connection, _)) = listener.accept().await {
        let (service, faults) = (service.clone(), faults.clone());
        tokio::spawn(async move {
            let http = Builder::new(TokioExecutor::new());
            let service = service_fn(move |request| {
                let (service, faults) = (service.clone(), faults.clone());
                async move { faults.call(&service, request).await }
            });
            // Another handle, by which the connection is reset when an answer is to be lost. A client that hangs up is no
            // error of the bucket.
            let connection = connection.into_std().expect("a socket");
            let handle = connection.try_clone().expect("a handle");
            let connection = TcpStream::from_std(connection).expect("a socket");
            let served = http.serve_connection(TokioIo::new(connection), service);
            if served.await.is_err() {
                let handle = TcpStream::from_std(handle).expect("a socket");
                handle.set_zero_linger().expect("a setting");
            }
        });
    }
}

/// All files below a folder, without a store's `lock` and `vidence-clock`.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // A folder that is removed during the walk counts as empty.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false
                if ["lock", "id", "vidence-clock"]
                    .iter()
                    .any(|it| path.ends_with(it)) => {}
            false => found.push(path),
        }
    }
    found
}

/// Makes these files older, as a store tells the age of its objects.
pub fn make_older(files: &[PathBuf], by: Duration) {
    for file in files {
        let file = File::options().write(true).open(file).expect("an object");
        let modified = file.metadata().and_then(|it| it.modified());
        let older = modified.expect("a time") - by;
        file.set_modified(older).expect("an older object");
    }
}
