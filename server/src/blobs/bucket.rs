//! A bucket of an S3 service as the store, for nodes that share one: `{prefix}/{request}/{take}/{chunk}`.
//!
//! A put is durable when the service says so. There are no folders to make or to sync, and no lock: keys
//! are random, so nodes never write the same object.

use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::limit::LimitStore;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, RetryConfig};

use super::pacing::Piece;
use super::{Backend, BlobError, Blobs, ObjectPart};

/// Requests that a node has under way at a time. More would wait for bandwidth, and hold memory.
const AT_A_TIME: usize = 64;

/// Objects that one piece is gathered from at a time.
const GATHERED: usize = 8;

/// How long a request that failed is tried again. Whoever waits for it holds the bytes in memory, and
/// has a way to come back.
const TRY_FOR: Duration = Duration::from_secs(15);

/// Which bucket, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketPlace {
    /// Its name.
    pub bucket: String,
    /// What every key begins with; may be empty.
    pub prefix: String,
}

/// What else it takes to reach a bucket: endpoint, region, credentials. Never shown.
#[derive(Clone, Default)]
pub struct BucketAccess(Vec<(AmazonS3ConfigKey, String)>);

impl BucketAccess {
    /// From the environment, by the names that AWS's own tools use: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` and so on.
    pub fn from_env() -> Self {
        std::env::vars().collect()
    }

    /// Whether a variable of this name is read.
    pub fn reads(name: &str) -> bool {
        access_key(name).is_some()
    }
}

fn access_key(name: &str) -> Option<AmazonS3ConfigKey> {
    let name = name.starts_with("AWS_").then(|| name.to_ascii_lowercase());
    name?.parse().ok()
}

/// Variables with other names are left out.
impl<K: AsRef<str>> FromIterator<(K, String)> for BucketAccess {
    fn from_iter<I: IntoIterator<Item = (K, String)>>(variables: I) -> Self {
        let known = variables
            .into_iter()
            .filter_map(|(name, value)| Some((access_key(name.as_ref())?, value)));
        Self(known.collect())
    }
}

impl fmt::Debug for BucketAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BucketAccess(..)")
    }
}

/// Fills a piece with the bytes of these parts, which are as long as it.
///
/// They are copied: what a connection has read may lie in a buffer of its own that is larger than what is held of it.
pub(super) async fn fill(
    blobs: Blobs,
    mut piece: Piece,
    parts: Vec<ObjectPart>,
) -> Result<Piece, BlobError> {
    let read = async |part: ObjectPart| {
        let bytes = blobs.read(&part.key, part.range.clone()).await?;
        match bytes.len() == part.length() {
            true => Ok(bytes),
            false => Err(BlobError::Io(ErrorKind::UnexpectedEof)),
        }
    };
    let mut gathered = stream::iter(parts).map(read).buffered(GATHERED);
    let mut filled = 0;
    while let Some(bytes) = gathered.try_next().await? {
        let end = filled + bytes.len();
        piece.bytes[filled..end].copy_from_slice(&bytes);
        filled = end;
    }
    drop(gathered);
    Ok(piece)
}

impl Blobs {
    /// Connects to a bucket and looks into it, so that a wrong name or key is told at the start.
    pub async fn open_bucket(
        place: &BucketPlace,
        access: &BucketAccess,
    ) -> Result<Self, BlobError> {
        let shown = format!("s3://{}/{}", place.bucket, place.prefix);
        let unreachable = |source| BlobError::Bucket {
            place: shown.clone(),
            source,
        };
        let retry = RetryConfig {
            retry_timeout: TRY_FOR,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new();
        for (key, value) in &access.0 {
            // Who names an endpoint without TLS means it.
            let plain = matches!(
                key,
                AmazonS3ConfigKey::Endpoint | AmazonS3ConfigKey::S3Endpoint
            ) && value.starts_with("http://");
            builder = builder.with_config(*key, value);
            if plain {
                builder = builder.with_allow_http(true);
            }
        }
        let store = builder
            .with_bucket_name(&place.bucket)
            .with_checksum_algorithm(Checksum::SHA256)
            .with_retry(retry)
            .build()
            .map_err(unreachable)?;
        let store = LimitStore::new(store, AT_A_TIME);
        let store = PrefixStore::new(store, place.prefix.as_str());
        store.list(None).try_next().await.map_err(unreachable)?;
        Ok(Self {
            store: Arc::new(store),
            place: Backend::Bucket,
            streams: Arc::default(),
        })
    }

    /// Removes whatever lies below a prefix.
    pub(super) async fn remove_below(&self, prefix: &Path) -> Result<(), BlobError> {
        // Listed to the end first: a listing and a removal that wait for each other's share of
        // `AT_A_TIME` would wait for ever.
        let objects = self.store.list(Some(prefix));
        let keys: Vec<_> = objects.map_ok(|it| Ok(it.location)).try_collect().await?;
        let removed = self.store.delete_stream(stream::iter(keys).boxed());
        removed
            .try_for_each(|_| std::future::ready(Ok(())))
            .await
            .map_err(BlobError::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_aws_are_known_and_never_shown() {
        let access: BucketAccess = [
            ("AWS_SECRET_ACCESS_KEY", "hunter2".to_owned()),
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:9000".to_owned()),
            ("AWS_PAGER", "less".to_owned()),
            ("PATH", "/bin".to_owned()),
        ]
        .into_iter()
        .collect();
        assert_eq!(access.0.len(), 2);
        assert_eq!(format!("{access:?}"), "BucketAccess(..)");
    }
}
