//! Where a server keeps what it keeps.

use std::path::PathBuf;
use std::sync::Arc;

use server::config::StoreArgs;
use tempfile::TempDir;

use test_support::bucket::{Bucket, files};
use test_support::database::fresh_database;

/// Nodes of a cluster share one.
#[derive(Clone)]
pub struct Place {
    dir: Arc<TempDir>,
    cluster: Option<Arc<Cluster>>,
}

struct Cluster {
    database: String,
    bucket: Bucket,
}

impl Place {
    /// SQLite and a folder.
    pub fn laptop() -> Self {
        Self::below(tempfile::tempdir().expect("a folder"))
    }

    /// SQLite and a folder, in `data` below this one.
    pub fn below(dir: TempDir) -> Self {
        Self {
            dir: Arc::new(dir),
            cluster: None,
        }
    }

    /// PostgreSQL and an S3 bucket, nobody else's.
    pub async fn cluster() -> Self {
        Self::on_the_database(fresh_database().await).await
    }

    /// This database, and an empty bucket.
    pub async fn on_the_database(url: String) -> Self {
        let cluster = Cluster {
            database: url,
            bucket: Bucket::start().await,
        };
        Self {
            cluster: Some(Arc::new(cluster)),
            ..Self::laptop()
        }
    }

    pub fn is_a_cluster(&self) -> bool {
        self.cluster.is_some()
    }

    fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// By which a server finds it.
    pub fn settings(&self) -> StoreArgs {
        let cluster = self.cluster.as_deref();
        let bucket = cluster.map(|it| &it.bucket);
        let bucket_access = bucket.map(|it| it.env().into_iter().collect());
        StoreArgs {
            data_dir: self.data_dir(),
            database_url: cluster.map(|it| it.database.parse().expect("an address")),
            database_connections: 16,
            blob_url: bucket.map(|it| it.url().parse().expect("a bucket's URL")),
            bucket_access: bucket_access.unwrap_or_default(),
        }
    }

    /// The address of the database, if that is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.cluster.as_ref().map(|it| it.database.as_str())
    }

    /// By which the binary finds it.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let dir = self.data_dir().display().to_string();
        let mut variables = vec![("VIDENCE_DATA_DIR", dir)];
        if let Some(cluster) = &self.cluster {
            variables.push(("VIDENCE_DATABASE_URL", cluster.database.clone()));
            variables.push(("VIDENCE_BLOB_URL", cluster.bucket.url()));
            variables.extend(cluster.bucket.env());
        }
        variables
    }

    /// Every file below the blob folder, half-written ones included; or every object in the bucket.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.cluster {
            Some(cluster) => cluster.bucket.objects(),
            None => files(&self.data_dir().join("blobs")),
        }
    }
}
