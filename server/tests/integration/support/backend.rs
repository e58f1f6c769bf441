//! The stores of a test server.

use std::path::PathBuf;
use std::sync::Arc;

use server::config::StoreArgs;
use tempfile::TempDir;

use test_support::stores::bucket::{Bucket, files};
use test_support::stores::database::fresh_database;

/// Database and object store, shared by the nodes of a cluster.
#[derive(Clone)]
pub struct Backend {
    dir: Arc<TempDir>,
    shared: Option<Arc<SharedStores>>,
}

struct SharedStores {
    database: String,
    bucket: Bucket,
}

impl Backend {
    /// SQLite and a folder.
    pub fn sqlite() -> Self {
        Self::below(tempfile::tempdir().expect("a folder"))
    }

    /// SQLite and a folder, in `data` below `dir`.
    pub fn below(dir: TempDir) -> Self {
        Self {
            dir: Arc::new(dir),
            shared: None,
        }
    }

    /// An empty PostgreSQL database and an empty S3 bucket.
    pub async fn postgres_s3() -> Self {
        Self::on_database(fresh_database().await).await
    }

    /// This database and an empty bucket.
    pub async fn on_database(url: String) -> Self {
        let shared = SharedStores {
            database: url,
            bucket: Bucket::start().await,
        };
        Self {
            shared: Some(Arc::new(shared)),
            ..Self::sqlite()
        }
    }

    pub fn has_shared_stores(&self) -> bool {
        self.shared.is_some()
    }

    fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The settings of a server on these stores.
    pub fn settings(&self) -> StoreArgs {
        let (shared, bucket) = (self.shared.as_deref(), self.bucket());
        let bucket_access = bucket.map(|it| it.env().into_iter().collect());
        StoreArgs {
            data_dir: self.data_dir(),
            database_url: shared.map(|it| it.database.parse().expect("an address")),
            database_connections: 16,
            blob_url: bucket.map(|it| it.url().parse().expect("a bucket's URL")),
            bucket_access: bucket_access.unwrap_or_default(),
        }
    }

    /// URL of the database, if it is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.shared.as_ref().map(|it| it.database.as_str())
    }

    pub fn bucket(&self) -> Option<&Bucket> {
        self.shared.as_ref().map(|it| &it.bucket)
    }

    /// Environment variables with these stores, for the binary.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let dir = self.data_dir().display().to_string();
        let mut variables = vec![("VIDENCE_DATA_DIR", dir)];
        if let Some(shared) = &self.shared {
            variables.push(("VIDENCE_DATABASE_URL", shared.database.clone()));
            variables.push(("VIDENCE_BLOB_URL", shared.bucket.url()));
            variables.extend(shared.bucket.env());
        }
        variables
    }

    /// Paths of all stored objects; in a folder partial ones, too.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.shared {
            Some(shared) => shared.bucket.objects(),
            None => files(&self.data_dir().join("blobs")),
        }
    }
}
