//! Verification of a receipt, with nothing but the public keys.

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};

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
    #[error("the signature is wrong: the receipt was changed, or is somebody else's")]
    WrongSignature,
}

/// Verifies the signature of a receipt, and returns what it says.
pub fn verify(receipt: &str, keys: &JwkSet) -> Result<Receipt, VerificationError> {
    use VerificationError::{NoReceipt, UnknownKey, WrongSignature};
    ring_provider::install();
    let header = decode_header(receipt).map_err(|_| NoReceipt)?;
    if header.typ.as_deref() != Some(TYPE) {
        return Err(NoReceipt);
    }
    let key = header.kid.as_deref().and_then(|id| keys.find(id));
    let key = DecodingKey::from_jwk(key.ok_or(UnknownKey)?).map_err(|_| UnknownKey)?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    // A receipt tells what was, so it doesn't expire; and it isn't for anybody alone.
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let verified = decode::<Receipt>(receipt, &key, &validation);
    Ok(verified.map_err(|_| WrongSignature)?.claims)
}
