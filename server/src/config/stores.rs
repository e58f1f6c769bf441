//! Settings of the database and the blob store.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::secret_files;
use crate::blobs::{BucketAccess, BucketLocation};
use crate::db::DatabaseUrl;

/// The database and the blob store.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Storage")]
pub struct StoreArgs {
    /// Folder of the database file and the videos, for one server at a time
    #[arg(long, env = "VIDENCE_DATA_DIR", default_value = "./data")]
    pub data_dir: PathBuf,

    /// Database URL, such as postgres://user:password@host/name?sslmode=verify-full
    /// [default: SQLite, vidence.db in the data folder]
    #[arg(long, env = "VIDENCE_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<DatabaseUrl>,

    /// Maximum connections of this server to PostgreSQL, two at least, one of which is that of /readyz; unused with SQLite
    #[arg(long, env = "VIDENCE_DATABASE_CONNECTIONS", default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub database_connections: usize,

    /// Object store of the videos: file:///absolute/folder, or s3://bucket/prefix with the usual AWS_* variables
    /// [default: blobs in the data folder]
    #[arg(long, env = "VIDENCE_BLOB_URL", hide_env_values = true)]
    pub blob_url: Option<BlobUrl>,

    /// The values of the AWS_* variables
    #[arg(skip = secret_files::bucket_variables().collect::<BucketAccess>())]
    pub bucket_access: BucketAccess,
}

/// The location of a blob store. A URL with credentials is refused, without printing them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobUrl {
    /// A folder.
    Folder(PathBuf),
    /// A bucket of an S3 service.
    Bucket(BucketLocation),
}

impl FromStr for BlobUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file://")
            && path.starts_with('/')
        {
            return Ok(BlobUrl::Folder(PathBuf::from(path)));
        }
        if let Some(place) = text.strip_prefix("s3://") {
            let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
            if !bucket.is_empty() && !place.contains(['?', '#', '@']) {
                return Ok(BlobUrl::Bucket(BucketLocation {
                    bucket: bucket.to_owned(),
                    prefix: prefix.trim_end_matches('/').to_owned(),
                }));
            }
        }
        Err("give it as file:///absolute/folder or s3://bucket/prefix".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blob_url_names_an_absolute_folder_or_a_bucket() {
        let bucket = |bucket: &str, prefix: &str| {
            BlobUrl::Bucket(BucketLocation {
                bucket: bucket.to_owned(),
                prefix: prefix.to_owned(),
            })
        };
        for (text, want) in [
            (
                "file:///var/blobs",
                Some(BlobUrl::Folder(PathBuf::from("/var/blobs"))),
            ),
            ("s3://evidence", Some(bucket("evidence", ""))),
            ("s3://evidence/", Some(bucket("evidence", ""))),
            ("s3://evidence/a/b/", Some(bucket("evidence", "a/b"))),
            ("s3://", None),
            ("s3:///prefix", None),
            ("s3://key:secret@evidence", None),
            ("file://blobs", None),
            ("/var/blobs", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), want, "{text}");
        }
    }
}
