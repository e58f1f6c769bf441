//! Verification of a receipt, with nothing but the public keys.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{JwkSet, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, crypto, decode_header};

use super::{Receipt, TYPE, ring_provider};

/// Why a receipt isn't valid.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    /// It isn't a receipt.
    #[error("this is no receipt of Vidence")]
    NoReceipt,
    /// The key that it names isn't among the given ones.
    #[error("none of the given keys has signed it")]
    UnknownKey,
    /// The signature isn't that of the key.
    #[error("the signature is wrong: the receipt was changed, or signed by another key")]
    WrongSignature,
    /// The signature is that of the key, over something else than [`Receipt`].
    #[error("this key has signed it, but it is of a version that this program can't read")]
    Unreadable,
}

/// The id of the key that a receipt names: once it is [verified](verify), the thumbprint of that key (RFC 7638).
pub fn key_id(receipt: &str) -> Option<String> {
    decode_header(receipt).ok()?.kid
}

/// Verifies the signature of a receipt, and returns what it says.
///
/// No time is compared: a receipt tells what was, so it doesn't expire.
pub fn verify(receipt: &str, keys: &JwkSet) -> Result<Receipt, VerificationError> {
    use VerificationError::{NoReceipt, UnknownKey, Unreadable, WrongSignature};
    ring_provider::install();
    let header = decode_header(receipt).map_err(|_| NoReceipt)?;
    // A receipt that chose its algorithm could choose a MAC, whose secret would be the public key: RFC 8725, section 3.1.
    if header.typ.as_deref() != Some(TYPE) || header.alg != Algorithm::EdDSA {
        return Err(NoReceipt);
    }
    let (message, signature) = receipt.rsplit_once('.').ok_or(NoReceipt)?;
    let (_, payload) = message.split_once('.').ok_or(NoReceipt)?;
    let id = header.kid.as_deref().ok_or(UnknownKey)?;
    let key = keys.find(id).ok_or(UnknownKey)?;
    // A key is known by its thumbprint, so none is taken for another by the name that it has in a set.
    if key.thumbprint(ThumbprintHash::SHA256).ok().as_deref() != Some(id) {
        return Err(UnknownKey);
    }
    let key = DecodingKey::from_jwk(key).map_err(|_| UnknownKey)?;
    match crypto::verify(signature, message.as_bytes(), &key, header.alg) {
        Ok(true) => {}
        _ => return Err(WrongSignature),
    }
    // What it calls critical must be understood, and nothing of it is: RFC 7515, section 4.1.11.
    if header.crit.is_some() {
        return Err(Unreadable);
    }
    let payload = URL_SAFE_NO_PAD.decode(payload).map_err(|_| Unreadable)?;
    serde_json::from_slice(&payload).map_err(|_| Unreadable)
}
