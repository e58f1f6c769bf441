//! Receipts: what the server says of a video that it received, signed, so that it can be verified later and offline.
//!
//! A receipt is a JSON Web Signature in compact form (RFC 7515) by Ed25519 (RFC 8037), whose payload is [`Receipt`]. The
//! public keys are a JSON Web Key Set (RFC 7517). It says what was received and when; not who filmed, and not that a
//! scene is true.

mod key;
mod key_file;
mod ring_provider;
mod verification;

use app::video_metadata::{Arrival, CapturedAs};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};

pub use key::{InvalidKey, NoRandomness, ReceiptKey, random_seed};
pub use key_file::{KeyFileError, create_or_read, read, read_and_warn};
pub use verification::{VerificationError, key_id, verify};

/// The `typ` in the header of a receipt, so that no other token of this key is one: RFC 8725, section 3.11.
const TYPE: &str = "vidence-receipt+jwt";

/// SHA-256 in hexadecimal digits.
pub fn hex_sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// A digest in hexadecimal digits, as receipts and metadata have it.
pub fn hex(digest: &[u8]) -> String {
    digest.iter().map(|it| format!("{it:02x}")).collect()
}

/// What a receipt says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The public URL of the server when it signed.
    pub iss: String,
    /// When the receipt was signed, in seconds since 1970 UTC.
    pub iat: i64,
    /// The request that the video answers.
    pub request_id: String,
    /// The video.
    pub video_id: String,
    /// SHA-256 of the prompt in UTF-8. All digests are in hexadecimal digits.
    pub prompt_sha256: String,
    /// The media type by the bytes.
    pub media_type: String,
    /// The bytes as they were received: as they were stored when the video was sealed.
    pub received: Bytes,
    /// The bytes as they are served: a recording has an index in front.
    pub served: Bytes,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// What the video is, as its sender says. `None`, too: something that this release doesn't know.
    #[serde(
        default,
        deserialize_with = "known",
        skip_serializing_if = "Option::is_none"
    )]
    pub captured_as: Option<CapturedAs>,
    /// When the bytes arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    /// When the request was created: RFC 3339, in UTC.
    pub request_created_at: String,
    /// When the server had read all of the video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed_at: Option<String>,
    /// When the person submitted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<String>,
}

/// Bytes by their digest and number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    /// Their SHA-256.
    pub sha256: String,
    /// How many they are.
    pub bytes: u64,
}

/// Which bytes of a receipt a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The video as it is served.
    Served,
    /// The recording or file as it was received.
    Received,
}

/// A value that a later release may have extended.
fn known<'de, D: Deserializer<'de>>(value: D) -> Result<Option<CapturedAs>, D::Error> {
    let value = serde_json::Value::deserialize(value)?;
    Ok(CapturedAs::deserialize(value).ok())
}

impl Receipt {
    /// Which of its bytes have this digest. `None`: the receipt is of another video.
    pub fn matches(&self, sha256: &str) -> Option<Match> {
        if sha256 == self.served.sha256 {
            return Some(Match::Served);
        }
        (sha256 == self.received.sha256).then_some(Match::Received)
    }
}

#[cfg(test)]
mod tests;
