//! Tests of receipts: what is signed can be verified, and nothing else.
//!
//! A little more than 300 lines: all tests share key and receipt.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use ring::hmac;
use ring::signature::Ed25519KeyPair;
use serde_json::{Value, json};

use super::key::to_pem;
use super::key_file::is_shared;
use super::*;

/// The key of RFC 8037, appendix A.1.
const SEED: [u8; 32] = [
    0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
    0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
];

/// How many changes of a receipt or a video are tried.
const CHANGES: usize = 10_000;

fn receipt(received: &[u8], served: &[u8]) -> Receipt {
    let bytes = |bytes: &[u8]| Bytes {
        sha256: hex_sha256(bytes),
        bytes: bytes.len() as u64,
    };
    let at = "2026-11-21T12:01:03.250Z".to_owned();
    Receipt {
        iss: "https://evidence.example.org".to_owned(),
        iat: 1_795_219_200,
        request_id: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
        video_id: "Rw7sJ4fDq1NgXe6KzB0tMu".to_owned(),
        prompt_sha256: hex_sha256("Show me the dent.".as_bytes()),
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
fn a_signed_receipt_is_verified_and_matches_its_video() {
    let signed = receipt(b"received", b"index and received");
    let compact = key().sign(&signed);
    assert_eq!(compact.split('.').count(), 3);
    let keys = key().public_keys();
    let verified = verify(&compact, &keys).expect("its own signature");
    assert_eq!(verified, signed);
    let found = |bytes: &[u8]| verified.matches(&hex_sha256(bytes));
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
        matches!(error, Err(VerificationError::UnknownKey)),
        "{error:?}"
    );

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

/// An attacker can make a MAC with the public key, and name that algorithm in the header.
#[test]
fn a_mac_by_the_public_key_is_no_signature() {
    let keys = key().public_keys();
    let jwk = serde_json::to_value(&keys).expect("JSON")["keys"][0].clone();
    let text = |name: &str| jwk[name].as_str().expect("a text").to_owned();
    let compact = key().sign(&receipt(b"a", b"b"));
    let payload = compact.split('.').nth(1).expect("parts");
    let raw = URL_SAFE_NO_PAD.decode(text("x")).expect("base64");
    // The start of a public key in DER: RFC 8410, section 4.
    let der = [
        b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00",
        &raw[..],
    ]
    .concat();
    let pem = STANDARD.encode(&der);
    let pem = format!("-----BEGIN PUBLIC KEY-----\n{pem}\n-----END PUBLIC KEY-----\n");
    for secret in [&raw[..], &der, text("x").as_bytes(), pem.as_bytes()] {
        for algorithm in ["HS256", "EdDSA"] {
            let header = json!({"alg": algorithm, "typ": TYPE, "kid": text("kid")});
            let header = base64_url(header.to_string().as_bytes());
            let message = format!("{header}.{payload}");
            let mac = hmac::Key::new(hmac::HMAC_SHA256, secret);
            let mac = hmac::sign(&mac, message.as_bytes());
            let token = format!("{message}.{}", base64_url(mac.as_ref()));
            let error = verify(&token, &keys);
            let refused = match algorithm {
                "HS256" => matches!(error, Err(VerificationError::NoReceipt)),
                _ => matches!(error, Err(VerificationError::WrongSignature)),
            };
            assert!(refused, "{algorithm}: {error:?}");
        }
    }
}

/// RFC 7515, section 4.1.11.
#[test]
fn a_receipt_with_what_is_critical_and_unknown_is_not_read() {
    let (keys, pair) = (
        key().public_keys(),
        Ed25519KeyPair::from_seed_unchecked(&SEED).expect("a key"),
    );
    let compact = key().sign(&receipt(b"a", b"b"));
    let payload = compact.split('.').nth(1).expect("parts");
    for (critical, is_read) in [(json!(null), true), (json!(["b64"]), false)] {
        let id = key_id(&compact);
        let header = json!({"alg": "EdDSA", "typ": TYPE, "kid": id, "crit": critical, "b64": true});
        let message = format!("{}.{payload}", base64_url(header.to_string().as_bytes()));
        let signature = base64_url(pair.sign(message.as_bytes()).as_ref());
        let read = verify(&format!("{message}.{signature}"), &keys);
        match is_read {
            true => assert!(read.is_ok(), "{read:?}"),
            false => assert!(
                matches!(read, Err(VerificationError::Unreadable)),
                "{read:?}"
            ),
        }
    }
}

/// A receipt of a later release is not called forged: its signature holds.
#[test]
fn a_signed_receipt_of_another_version_is_read_as_far_as_it_is_known() {
    let keys = key().public_keys();
    let known = serde_json::to_value(receipt(b"a", b"b")).expect("JSON");
    let signed = |change: &dyn Fn(&mut Value)| {
        let mut claims = known.clone();
        change(&mut claims);
        verify(&key().sign_claims(&claims), &keys)
    };
    let later = signed(&|claims| {
        claims["captured_as"] = json!("by_a_drone");
        claims["arrival"]["by"] = json!("sea");
        claims["weather"] = json!({"rain": true});
    });
    let later = later.expect("a receipt with more than is known");
    assert_eq!((later.captured_as, later.duration_ms), (None, 1500));
    assert!(later.matches(&hex_sha256(b"b")).is_some());
    let none = signed(&|claims| drop(claims.as_object_mut().map(|it| it.remove("captured_as"))));
    assert_eq!(none.expect("a receipt").captured_as, None);

    for unreadable in [
        signed(&|claims| claims["duration_ms"] = json!("a while")),
        signed(&|claims| drop(claims.as_object_mut().map(|it| it.remove("served")))),
        signed(&|claims| *claims = json!("a text")),
    ] {
        assert!(
            matches!(unreadable, Err(VerificationError::Unreadable)),
            "{unreadable:?}"
        );
    }
}

fn base64_url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[test]
fn tampered_videos_and_receipts_fail_verification() {
    let video = test_support::recordings::fixtures::LIVE_WEBM;
    let compact = key().sign(&receipt(b"as it came", video));
    let keys = key().public_keys();
    let accepts = |compact: &str, video: &[u8]| {
        let receipt = verify(compact, &keys);
        receipt.is_ok_and(|it| it.matches(&hex_sha256(video)).is_some())
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
    assert!(!is_shared(mode));
    for mode in [0o100_640, 0o100_604, 0o100_620] {
        assert!(is_shared(mode), "{mode:o}");
    }
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
