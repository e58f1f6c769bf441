//! The private key that signs receipts, and its public half.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ring::rand::{SecureRandom as _, SystemRandom};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde::Serialize;

use super::{Receipt, TYPE, ring_provider};

/// The bytes before the seed of an Ed25519 key in PKCS#8: RFC 8410, section 7.
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// The length of a seed in bytes.
pub const SEED_BYTES: usize = 32;

/// The text isn't a private key of Ed25519.
#[derive(Debug, thiserror::Error)]
#[error(
    "it holds no Ed25519 key in PEM and PKCS#8, as `openssl genpkey -algorithm ed25519` makes one"
)]
pub struct InvalidKey;

/// The system has no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

/// The private key that signs receipts.
#[derive(Clone)]
pub struct ReceiptKey {
    key: EncodingKey,
    jwk: Jwk,
    id: String,
}

impl fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReceiptKey({})", self.id)
    }
}

impl ReceiptKey {
    /// Reads a private key in PEM and PKCS#8.
    pub fn from_pem(pem: &[u8]) -> Result<Self, InvalidKey> {
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem).map_err(|_| InvalidKey)?;
        Self::from_pkcs8(der.secret_pkcs8_der())
    }

    /// The key with this seed.
    pub fn from_seed(seed: &[u8]) -> Result<Self, InvalidKey> {
        Self::from_pkcs8(&pkcs8(seed))
    }

    fn from_pkcs8(der: &[u8]) -> Result<Self, InvalidKey> {
        ring_provider::install();
        let key = EncodingKey::from_ed_der(der);
        let jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA);
        let mut jwk = jwk.map_err(|_| InvalidKey)?;
        let id = jwk
            .thumbprint(ThumbprintHash::SHA256)
            .map_err(|_| InvalidKey)?;
        jwk.common.key_id = Some(id.clone());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        Ok(Self { key, jwk, id })
    }

    /// The thumbprint of the public half (RFC 7638), by which receipts name it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Signs a receipt.
    pub fn sign(&self, receipt: &Receipt) -> String {
        self.sign_claims(receipt)
    }

    pub(super) fn sign_claims(&self, claims: &impl Serialize) -> String {
        let header = Header {
            typ: Some(TYPE.to_owned()),
            kid: Some(self.id.clone()),
            ..Header::new(Algorithm::EdDSA)
        };
        // Ed25519 signs whatever it is given, and the receipt is texts and numbers.
        encode(&header, claims, &self.key).expect("a key that was read")
    }

    /// The public half, as a set of one key. Its id is the thumbprint of RFC 7638.
    pub fn public_keys(&self) -> JwkSet {
        JwkSet {
            keys: vec![self.jwk.clone()],
        }
    }
}

/// A new seed.
pub fn random_seed() -> Result<[u8; SEED_BYTES], NoRandomness> {
    let mut seed = [0; SEED_BYTES];
    SystemRandom::new()
        .fill(&mut seed)
        .map_err(|_| NoRandomness)?;
    Ok(seed)
}

/// The key with this seed in PEM and PKCS#8.
pub fn to_pem(seed: &[u8]) -> String {
    let text = STANDARD.encode(pkcs8(seed));
    format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n")
}

fn pkcs8(seed: &[u8]) -> Vec<u8> {
    [&PKCS8_PREFIX, seed].concat()
}
