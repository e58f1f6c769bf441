//! A bucket of an S3 service as the blob store: `{prefix}/{request}/{take}/{chunk}`.
//! Several nodes can share it.
//!
//! A put is durable when the service acknowledges it. A bucket needs no folders and no lock: keys are random, so nodes
//! never write the same object, but for two that belong to no take: the empty one whose date is the bucket's time, and `id`.

use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, Checksum};
use object_store::limit::LimitStore;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, RetryConfig};
use tracing::{error, warn};

use super::streaming::pace::Piece;
use super::{Backend, BlobError, Blobs, CLOCK, ObjectPart};
use crate::telemetry::logging::AsDynError;

/// The most concurrent requests of a node. More would only wait for bandwidth, and hold memory.
const MAX_REQUESTS: usize = 64;

/// The most concurrent reads of one piece.
const READS_PER_PIECE: usize = 8;

/// No object has this key.
const NOTHING: &str = "vidence-nothing";

/// How long a failed request is retried.
/// Meanwhile its bytes stay in memory, and the client can retry itself later. A request without an answer fails after
/// object_store's 30 s.
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);

/// A bucket, and a prefix in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketLocation {
    /// The bucket's name.
    pub bucket: String,
    /// The prefix of every key; may be empty.
    pub prefix: String,
}

impl fmt::Display for BucketLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}/{}", self.bucket, self.prefix)
    }
}

/// The endpoint, region and credentials of a bucket. Never printed.
#[derive(Clone, Default)]
pub struct BucketAccess(Vec<(AmazonS3ConfigKey, String)>);

impl BucketAccess {
    /// Whether the variable with this name is used.
    pub fn reads(name: &str) -> bool {
        access_key(name).is_some()
    }

    /// Fails for half a key.
    pub fn check(&self) -> Result<(), BlobError> {
        let is_half = self.has(AmazonS3ConfigKey::AccessKeyId)
            != self.has(AmazonS3ConfigKey::SecretAccessKey);
        match is_half {
            true => Err(BlobError::HalfAKey),
            false => Ok(()),
        }
    }

    fn has(&self, key: AmazonS3ConfigKey) -> bool {
        self.0.iter().any(|(it, _)| *it == key)
    }
}

fn access_key(name: &str) -> Option<AmazonS3ConfigKey> {
    let name = name.starts_with("AWS_").then(|| name.to_ascii_lowercase());
    name?.parse().ok()
}

/// From the environment variables of AWS's own tools, such as `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and
/// `AWS_ENDPOINT_URL`. Ignores variables with other names.
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

/// Fills a piece with the bytes of these parts, whose total length is the piece's, and checks them.
///
/// The bytes are copied: a connection's buffer may be larger than the part of it that is still referenced.
pub(super) async fn fill(
    blobs: Blobs,
    mut piece: Piece,
    parts: Vec<ObjectPart>,
) -> Result<Piece, BlobError> {
    let read = async |part: ObjectPart| {
        let bytes = blobs.read(&part.key, part.range.clone()).await?;
        if bytes.len() != part.length() {
            return Err(BlobError::Io(ErrorKind::UnexpectedEof));
        }
        part.check(&bytes)?;
        Ok(bytes)
    };
    let mut parts = stream::iter(parts).map(read).buffered(READS_PER_PIECE);
    let mut filled = 0;
    while let Some(bytes) = parts.try_next().await? {
        let end = filled + bytes.len();
        piece.bytes[filled..end].copy_from_slice(&bytes);
        filled = end;
    }
    drop(parts);
    Ok(piece)
}

impl Blobs {
    /// Connects to a bucket. Lists one object of it, so that a wrong name or key is reported at start-up.
    pub async fn open_bucket(
        location: &BucketLocation,
        access: &BucketAccess,
    ) -> Result<Self, BlobError> {
        let blobs = Self::bucket(location, access)?;
        let listed = blobs.store.list(None).try_next().await;
        listed.map_err(|error| unreachable(location, access, error))?;
        Ok(blobs)
    }

    /// A bucket that wasn't asked for anything yet.
    pub fn bucket(location: &BucketLocation, access: &BucketAccess) -> Result<Self, BlobError> {
        access.check()?;
        let retry = RetryConfig {
            retry_timeout: RETRY_TIMEOUT,
            // The time is the limit. Ten retries, the default, take two to eight seconds.
            max_retries: 1000,
            ..RetryConfig::default()
        };
        let mut builder = AmazonS3Builder::new();
        for (key, value) in &access.0 {
            // An endpoint without TLS is the operator's explicit choice.
            let plain = matches!(
                key,
                AmazonS3ConfigKey::Endpoint | AmazonS3ConfigKey::S3Endpoint
            ) && value.starts_with("http://");
            builder = builder.with_config(*key, value);
            if plain {
                builder = builder.with_allow_http(true);
            }
        }
        let builder = builder
            .with_bucket_name(&location.bucket)
            .with_checksum_algorithm(Checksum::SHA256);
        let build = |retry| {
            let store = builder.clone().with_retry(retry).build();
            store.map_err(|error| unreachable(location, access, error))
        };
        let prefix = location.prefix.as_str();
        // It asks whether the bucket answers now.
        let once = RetryConfig {
            max_retries: 0,
            ..RetryConfig::default()
        };
        let unlimited = PrefixStore::new(build(once)?, prefix);
        let store = build(retry)?;
        let store = PrefixStore::new(LimitStore::new(store, MAX_REQUESTS), prefix);
        Ok(Self {
            store: Arc::new(store),
            backend: Backend::S3(Arc::new(unlimited)),
            streams: Arc::default(),
        })
    }

    /// Checks that the bucket can be read and deleted from: a missing right to delete would otherwise show by what is left
    /// of videos that are over. A bucket that can't be written to may be full, and only a server makes room in it.
    pub async fn check_permissions(&self, location: &BucketLocation) -> Result<(), BlobError> {
        let refused = |use_of_it, source| BlobError::Bucket {
            place: location.to_string(),
            use_of_it,
            source,
        };
        let later = |error: object_store::Error| {
            let error = BlobError::from(error);
            warn!(
                error = error.as_dyn(),
                "could not check the permissions of the bucket"
            );
        };
        let clock = Path::from(CLOCK);
        if let Err(error) = self.store.put(&clock, PutPayload::new()).await {
            let error = BlobError::from(error);
            error!(error = error.as_dyn(), "could not write to the bucket");
        }
        match self.store.head(&clock).await {
            // Without versioning S3 calls the version "null", or doesn't tell one.
            Ok(found) if found.version.as_deref().is_some_and(|it| it != "null") => {
                warn!("the bucket keeps versions: what is deleted or expires stays in it");
            }
            Ok(_) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) if is_refusal(&error) => return Err(refused("read", error)),
            Err(error) => later(error),
        }
        match self.store.delete(&Path::from(NOTHING)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) if is_refusal(&error) => Err(refused("deleted from", error)),
            Err(error) => {
                later(error);
                Ok(())
            }
        }
    }

    /// Removes all objects below a prefix.
    /// Tries it twice: many are deleted by a POST, which is not repeated for a connection that broke.
    pub(super) async fn remove_below(&self, prefix: &Path) -> Result<(), BlobError> {
        match self.try_remove_below(prefix).await {
            Err(error) if error.is_broken_connection() => self.try_remove_below(prefix).await,
            removed => removed,
        }
    }

    async fn try_remove_below(&self, prefix: &Path) -> Result<(), BlobError> {
        // The listing is completed first: listings and removals that wait for each other's permits of `MAX_REQUESTS`
        // would deadlock.
        let objects = self.store.list(Some(prefix));
        let keys: Vec<_> = objects.map_ok(|it| Ok(it.location)).try_collect().await?;
        let removed = self.store.delete_stream(stream::iter(keys).boxed());
        removed
            .try_for_each(|_| std::future::ready(Ok(())))
            .await
            .map_err(BlobError::from)
    }
}

/// Why a bucket can't be used.
fn unreachable(
    location: &BucketLocation,
    access: &BucketAccess,
    source: object_store::Error,
) -> BlobError {
    let place = location.to_string();
    let credentials = [
        AmazonS3ConfigKey::AccessKeyId,
        AmazonS3ConfigKey::SkipSignature,
        AmazonS3ConfigKey::WebIdentityTokenFile,
        AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
        AmazonS3ConfigKey::ContainerCredentialsFullUri,
    ];
    match credentials.into_iter().any(|it| access.has(it)) {
        true => BlobError::Bucket {
            place,
            use_of_it: "used",
            source,
        },
        false => BlobError::NoKey { place, source },
    }
}

/// Whether the service doesn't let this key do something.
fn is_refusal(error: &object_store::Error) -> bool {
    matches!(
        error,
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. }
    )
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
