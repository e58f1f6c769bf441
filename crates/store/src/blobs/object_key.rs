//! Keys of objects.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use object_store::path::Path;
use sha2::{Digest as _, Sha256};

use crate::id::{RequestId, TakeId};

/// The key of one object: `{request}/{take}/{random}`, and for a picture `.{SHA-256 in base64url}` after that.
///
/// Random, so that two writers never write to the same key. Below the ids of request and take, so that all objects of
/// either can be removed.
#[derive(Clone, PartialEq, Eq)]
pub struct ObjectKey(pub(super) Path);

impl ObjectKey {
    /// The number of segments of a key.
    pub(super) const SEGMENTS: usize = 3;

    /// Creates a key for a new object of a take.
    pub fn random(request: &RequestId, take: &TakeId) -> Self {
        // The same alphabet and strength as an id.
        let object = TakeId::random();
        Self::named(request, take, object.as_str())
    }

    /// Creates a key for a new object of a take with the digest of its bytes, by which every read verifies them.
    pub fn with_digest(request: &RequestId, take: &TakeId, bytes: &[u8]) -> Self {
        let object = format!("{}.{}", TakeId::random().as_str(), digest_of(bytes));
        Self::named(request, take, &object)
    }

    fn named(request: &RequestId, take: &TakeId, object: &str) -> Self {
        Self(Path::from_iter([request.as_str(), take.as_str(), object]))
    }

    /// Whether an object with these bytes may have this key. Always, if the key has no digest.
    pub(super) fn allows(&self, bytes: &[u8]) -> bool {
        let digest = self.as_str().rsplit_once('.');
        digest.is_none_or(|(_, digest)| digest == digest_of(bytes))
    }

    /// Reads a key from a row.
    pub fn from_manifest(key: &str) -> Self {
        Self(Path::from(key))
    }

    /// The ids of the request and the take. `None`: the key doesn't begin with two ids.
    pub fn owner(&self) -> Option<(RequestId, TakeId)> {
        let mut segments = self.as_str().split('/');
        let (request, take) = (segments.next()?, segments.next()?);
        Some((RequestId::parse(request)?, TakeId::parse(take)?))
    }

    /// The id of the request, or what stands in its place.
    pub fn request(&self) -> &str {
        self.as_str().split('/').next().unwrap_or_default()
    }

    /// The key as a row holds it.
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
}

fn digest_of(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes))
}

/// Without the key, which holds the ids of a live link.
impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectKey(..)")
    }
}
