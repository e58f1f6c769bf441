//! What is stored of a take and of its pieces, and its form in IndexedDB.
//!
//! `frontend/closed.js` reads these names too. A page of another version may have stored what this one reads, so they
//! stay as they are.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbKeyRange;

use crate::browser::js::{get_field, object};

/// A take, as far as it is known on this device. One is stored for each request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TakeRecord {
    /// Names the take on this device; random, so that pieces of two takes never mix.
    pub name: String,
    /// The take's URL; empty before the server has created it.
    pub url: String,
    /// What was deleted here to make room.
    pub released: Released,
    /// Whether all of the take is stored.
    pub ended: bool,
    /// Whether the recording ended without Stop.
    pub interrupted: bool,
    /// Whether it is a file that the person chose.
    pub is_file: bool,
    /// The name of that file; empty: it is none, or an older page has stored it.
    pub file_name: String,
    /// When the link closes, in milliseconds since 1970; the take is deleted then.
    pub expires_at: f64,
}

/// The beginning of a take that is committed on the server and deleted here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// How many pieces.
    pub pieces: u32,
    /// Their bytes.
    pub bytes: u64,
}

/// A stored piece, without its bytes.
#[derive(Clone, Debug)]
pub struct PieceRecord {
    pub(super) key: JsValue,
    /// Its number in the take, from 0.
    pub number: u32,
    /// Where it ends in the take's time.
    pub end_ms: u32,
}

impl TakeRecord {
    pub(super) fn to_object(&self) -> JsValue {
        object(&[
            ("name", self.name.as_str().into()),
            ("url", self.url.as_str().into()),
            ("releasedPieces", self.released.pieces.into()),
            ("released", to_number(self.released.bytes).into()),
            ("ended", self.ended.into()),
            ("interrupted", self.interrupted.into()),
            ("isFile", self.is_file.into()),
            ("fileName", self.file_name.as_str().into()),
            ("expiresAt", self.expires_at.into()),
        ])
    }

    pub(super) fn from_object(record: &JsValue) -> Option<Self> {
        let field = |name| get_field(record, name);
        let number = |name| field(name).as_f64().map_or(0, from_number);
        Some(Self {
            name: name_of(record)?,
            url: field("url").as_string()?,
            released: Released {
                pieces: u32::try_from(number("releasedPieces")).unwrap_or(u32::MAX),
                bytes: number("released"),
            },
            ended: field("ended").is_truthy(),
            interrupted: field("interrupted").is_truthy(),
            is_file: field("isFile").is_truthy(),
            file_name: field("fileName").as_string().unwrap_or_default(),
            expires_at: field("expiresAt").as_f64()?,
        })
    }
}

/// The name of the take in a stored object.
pub(super) fn name_of(record: &JsValue) -> Option<String> {
    get_field(record, "name").as_string()
}

impl PieceRecord {
    /// The key holds all that is to be known of a piece without reading its bytes.
    pub(super) fn key(take: &str, number: u32, end_ms: u32, media_type: &str) -> JsValue {
        Array::of4(
            &take.into(),
            &number.into(),
            &end_ms.into(),
            &media_type.into(),
        )
        .into()
    }

    pub(super) fn from_key(key: JsValue) -> Option<Self> {
        let parts = key.dyn_ref::<Array>()?;
        let part = |at| u32::try_from(from_number(parts.get(at).as_f64()?)).ok();
        let (number, end_ms) = (part(1)?, part(2)?);
        Some(Self {
            key,
            number,
            end_ms,
        })
    }

    pub(super) fn media_type(&self) -> Option<String> {
        self.key.dyn_ref::<Array>()?.get(3).as_string()
    }

    /// The name of the take in the key of a piece.
    pub(super) fn take_of(key: &JsValue) -> Option<String> {
        key.dyn_ref::<Array>()?.get(0).as_string()
    }

    /// The keys of all pieces of a take: in a key an array sorts after every number.
    pub(super) fn keys_of(take: &str) -> Option<JsValue> {
        let from = Array::of1(&take.into());
        let to = Array::of2(&take.into(), &Array::new());
        IdbKeyRange::bound(&from, &to).ok().map(JsValue::from)
    }
}

/// Exact up to 2⁵³ bytes.
#[expect(clippy::cast_precision_loss, reason = "see above")]
fn to_number(bytes: u64) -> f64 {
    bytes as f64
}

/// The number was unsigned when it was stored.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "see above"
)]
fn from_number(number: f64) -> u64 {
    number as u64
}
