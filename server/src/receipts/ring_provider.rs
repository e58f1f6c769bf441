//! Ed25519 of ring for jsonwebtoken, whose own providers bring a second implementation of all cryptography.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, Result};
use jsonwebtoken::jwk::{EllipticCurve, ThumbprintHash};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, EncodingKey};
use ring::digest::{SHA256, digest};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils {
        ed_pub_components_from_private_key: public_key,
        compute_digest: sha256,
        ..KeyUtils::new_unimplemented()
    },
};

/// Makes jsonwebtoken use ring. Must run before it signs or verifies; may run again.
pub(super) fn install() {
    // Fails if it is installed already.
    let _ = PROVIDER.install_default();
}

/// Reads a private key in PKCS#8, of version 1 as OpenSSL writes it, or of version 2.
pub(super) fn key_pair(pkcs8: &[u8]) -> Option<Ed25519KeyPair> {
    Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8).ok()
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    match (algorithm, key.family()) {
        (Algorithm::EdDSA, AlgorithmFamily::Ed) => {
            Ok(Box::new(Ed25519Signer(parsed(key.as_bytes())?)))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    match (algorithm, key.family()) {
        (Algorithm::EdDSA, AlgorithmFamily::Ed) => {
            let public = key.try_get_as_bytes()?.to_vec();
            Ok(Box::new(Ed25519Verifier(UnparsedPublicKey::new(
                &ED25519, public,
            ))))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn public_key(pkcs8: &[u8], curve: &EllipticCurve) -> Result<Vec<u8>> {
    match curve {
        EllipticCurve::Ed25519 => Ok(parsed(pkcs8)?.public_key().as_ref().to_vec()),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn parsed(pkcs8: &[u8]) -> Result<Ed25519KeyPair> {
    key_pair(pkcs8).ok_or_else(|| Error::from(ErrorKind::InvalidEddsaKey))
}

fn sha256(data: &[u8], hash: ThumbprintHash) -> Result<Vec<u8>> {
    match hash {
        ThumbprintHash::SHA256 => Ok(digest(&SHA256, data).as_ref().to_vec()),
        _ => Err(ErrorKind::UnsupportedAlgorithm.into()),
    }
}

struct Ed25519Signer(Ed25519KeyPair);

impl Signer<Vec<u8>> for Ed25519Signer {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Ed25519Signer {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct Ed25519Verifier(UnparsedPublicKey<Vec<u8>>);

impl Verifier<Vec<u8>> for Ed25519Verifier {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), signature::Error> {
        self.0
            .verify(message, signature)
            .map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Ed25519Verifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
