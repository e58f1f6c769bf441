//! Tests of receipts: what is signed can be verified, and nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use jsonwebtoken::jwk::JwkSet;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::key::to_pem;
use super::*;

/// The key of RFC 8037, appendix A.1.
const SEED: [u8; 32] = [
    0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
    0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
];

/// How many changes of a receipt or a video are tried.
const CHANGES: usize = 10_000;

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect()
}

fn receipt(received: &[u8], served: &[u8]) -> Receipt {
    let bytes = |bytes: &[u8]| Bytes {
        sha256: sha256(bytes),
        bytes: bytes.len() as u64,
    };
    let at = "2026-11-21T12:01:03.250Z".to_owned();
    Receipt {
        iss: "https://evidence.example.org".to_owned(),
        iat: 1_795_219_200,
        request_id: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
        video_id: "Rw7sJ4fDq1NgXe6KzB0tMu".to_owned(),
        prompt_sha256: sha256("Show me the dent.".as_bytes()),
        media_type: "video/webm".to_owned(),
        received: bytes(received),
        served: bytes(served),
        duration_ms: 1500,
        captured_as: Some(CapturedAs::Recorded),
        arrival: Some(Arrival {
            first_byte_at: at.clone(),
            last_byte_at: at.clone(),
            while_recorded: false,
        }),
        request_created_at: at.clone(),
        sealed_at: Some(at),
        submitted_at: None,
    }
}

fn key() -> ReceiptKey {
    ReceiptKey::from_seed(&SEED).expect("a key")
}

#[test]
fn the_public_key_is_that_of_the_standard() {
    let keys = serde_json::to_value(key().public_keys()).expect("JSON");
    // RFC 8037, appendices A.2 and A.3.
    let want = json!({"keys": [{
        "kty": "OKP",
        "crv": "Ed25519",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
        "alg": "EdDSA",
        "use": "sig",
    }]});
    assert_eq!(keys, want);
}

#[test]
fn what_was_signed_is_verified_and_compared_with_its_bytes() {
    let signed = receipt(b"received", b"index and received");
    let compact = key().sign(&signed);
    assert_eq!(compact.split('.').count(), 3);
    let keys = key().public_keys();
    let verified = verify(&compact, &keys).expect("its own signature");
    assert_eq!(verified, signed);
    let found = |bytes| verified.matches(&sha256(bytes));
    assert_eq!(found(b"index and received"), Some(Match::Served));
    assert_eq!(found(b"received"), Some(Match::Received));
    assert_eq!(found(b"Received"), None);
}

#[test]
fn other_keys_and_other_tokens_are_refused() {
    let signed = receipt(b"a", b"b");
    let compact = key().sign(&signed);
    let other = ReceiptKey::from_seed(&[7; 32]).expect("a key");
    let error = verify(&compact, &other.public_keys());
    assert!(
        matches!(error, Err(VerificationError::UnknownKey)),
        "{error:?}"
    );

    // Another key under this one's id.
    let id = key().public_keys().keys[0].common.key_id.clone();
    let mut renamed = other.public_keys();
    renamed.keys[0].common.key_id = id;
    let error = verify(&compact, &renamed);
    assert!(
        matches!(error, Err(VerificationError::WrongSignature)),
        "{error:?}"
    );

    // A symmetric key, for which anybody can sign who knows the public one.
    let confused: JwkSet = serde_json::from_value(json!({"keys": [{
        "kty": "oct",
        "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
        "k": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    }]}))
    .expect("keys");
    verify(&compact, &confused).expect_err("no key of Ed25519");

    let header = |header: Value| base64_url(header.to_string().as_bytes());
    let (_, rest) = compact.split_once('.').expect("parts");
    for token in [
        String::new(),
        "..".to_owned(),
        format!("{}.{rest}", header(json!({"alg": "none", "typ": TYPE}))),
        format!("{}.{rest}", header(json!({"alg": "EdDSA", "typ": "JWT"}))),
        format!("{compact}.{rest}"),
    ] {
        let error = verify(&token, &key().public_keys());
        let refused = matches!(
            error,
            Err(VerificationError::NoReceipt | VerificationError::UnknownKey)
        );
        assert!(refused, "{token}: {error:?}");
    }
}

fn base64_url(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

#[test]
fn no_change_of_a_video_or_its_receipt_is_verified() {
    let video = test_support::recordings::fixtures::LIVE_WEBM;
    let compact = key().sign(&receipt(b"as it came", video));
    let keys = key().public_keys();
    let accepts = |compact: &str, video: &[u8]| {
        let receipt = verify(compact, &keys);
        receipt.is_ok_and(|it| it.matches(&sha256(video)).is_some())
    };
    assert!(accepts(&compact, video));
    let mut random = StdRng::seed_from_u64(37);
    for number in 0..CHANGES {
        let (mut changed, mut text) = (video.to_vec(), compact.clone().into_bytes());
        // Each video costs its digest, each receipt a signature.
        let target = if number % 2 == 0 {
            &mut changed
        } else {
            &mut text
        };
        let before = target.clone();
        while *target == before {
            change(target, &mut random);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!accepts(&text, &changed), "change {number}: {text}");
    }
}

/// Changes bytes in one of the ways in which files are damaged or forged.
fn change(bytes: &mut Vec<u8>, random: &mut StdRng) {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ";
    let at = random.random_range(0..bytes.len());
    let other = random.random_range(0..bytes.len());
    let letter = ALPHABET[random.random_range(0..ALPHABET.len())];
    match random.random_range(0..7) {
        0 => bytes[at] ^= 1 << random.random_range(0..8),
        1 => bytes[at] = letter,
        2 => bytes.insert(at, letter),
        3 => drop(bytes.remove(at)),
        4 => bytes.swap(at, other),
        5 => bytes.truncate(at),
        _ => bytes.extend_from_within(at.min(other)..at.max(other)),
    }
}

#[test]
fn a_key_is_made_once_for_its_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("receipt-key.pem");
    // What a crash leaves.
    fs::write(file.with_extension("new"), "half").expect("a file");
    let made = create_or_read(&file).expect("a key");
    let mode = fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.path()).expect("files").count(), 1);
    let again = create_or_read(&file).expect("the same key");
    assert_eq!(again.public_keys(), made.public_keys());
    assert_ne!(made.public_keys(), key().public_keys());
    assert!(!format!("{made:?}").contains(&base64_url(&SEED)));

    fs::write(&file, to_pem(&SEED)).expect("a file");
    let known = create_or_read(&file).expect("a key");
    assert_eq!(known.public_keys(), key().public_keys());
    for damaged in [
        "",
        "half",
        &to_pem(&SEED[1..]),
        "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
    ] {
        fs::write(&file, damaged).expect("a file");
        let error = create_or_read(&file);
        assert!(
            matches!(error, Err(KeyFileError::Invalid(..))),
            "{damaged}: {error:?}"
        );
        assert_eq!(
            fs::read_to_string(&file).expect("a file"),
            damaged,
            "it is not replaced"
        );
    }
}
