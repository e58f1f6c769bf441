//! Structured fields (RFC 9651) of resumable uploads and of digests.
//!
//! A field that doesn't parse counts as absent, as the drafts and RFC 9530 require.

use axum::http::{HeaderMap, HeaderName};
use sfv::{BareItem, DictSerializer, Dictionary, Item, KeyRef, ListEntry, Parser};

use crate::service::{Algorithm, Checksum};

pub const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

/// Parses a header field that is a non-negative integer.
pub fn number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    match item(headers, name)? {
        BareItem::Integer(number) => u64::try_from(number).ok(),
        _ => None,
    }
}

/// Parses a header field that is a boolean.
pub fn boolean(headers: &HeaderMap, name: &HeaderName) -> Option<bool> {
    match item(headers, name)? {
        BareItem::Boolean(value) => Some(value),
        _ => None,
    }
}

/// Parses a header field that is a single item, ignoring its parameters.
fn item(headers: &HeaderMap, name: &HeaderName) -> Option<BareItem> {
    let mut values = headers.get_all(name).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let item: Item = Parser::new(value.as_bytes()).parse().ok()?;
    Some(item.bare_item)
}

/// The strongest supported digest in `Content-Digest`: RFC 9530, section 2.
pub fn content_digest(headers: &HeaderMap) -> Option<Checksum> {
    let values = headers.get_all(CONTENT_DIGEST).iter();
    let text = values
        .map(|value| value.to_str().ok())
        .collect::<Option<Vec<_>>>()?
        .join(", ");
    let digests: Dictionary = Parser::new(&text).parse().ok()?;
    let of = |name: &str| match digests.get(name)? {
        ListEntry::Item(item) => match &item.bare_item {
            BareItem::ByteSequence(bytes) => Some(bytes.clone()),
            _ => None,
        },
        ListEntry::InnerList(_) => None,
    };
    let known = [
        ("sha-512", Algorithm::Sha512),
        ("sha-256", Algorithm::Sha256),
    ];
    known
        .into_iter()
        .find_map(|(name, algorithm)| Checksum::new(algorithm, of(name)?))
}

/// Formats a SHA-256 digest as RFC 9530 specifies.
pub fn sha256(digest: &[u8]) -> String {
    let mut fields = DictSerializer::new();
    fields.bare_item(KeyRef::constant("sha-256"), digest);
    fields.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: HeaderName = HeaderName::from_static("upload-offset");

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        let value = |value: &&str| (name.clone(), value.parse().expect("a value"));
        values.iter().map(value).collect()
    }

    #[test]
    fn numbers_and_booleans_are_structured_items() {
        for (value, number_is, boolean_is) in [
            ("0", Some(0), None),
            (" 12 ", Some(12), None),
            ("12;by=me", Some(12), None),
            ("-1", None, None),
            ("+1", None, None),
            ("1.0", None, None),
            ("1, 2", None, None),
            ("", None, None),
            ("99999999999999999999999", None, None),
            ("?1", None, Some(true)),
            ("?0", None, Some(false)),
            ("true", None, None),
        ] {
            let headers = headers(&NAME, &[value]);
            assert_eq!(number(&headers, &NAME), number_is, "{value:?}");
            assert_eq!(boolean(&headers, &NAME), boolean_is, "{value:?}");
        }
        assert_eq!(number(&headers(&NAME, &["1", "1"]), &NAME), None, "twice");
    }

    #[test]
    fn only_known_and_complete_digests_count() {
        let sha256 = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:";
        for (values, known) in [
            (vec![sha256], true),
            (vec!["md5=:AAAA:", sha256], true),
            (vec!["md5=:AAAA:"], false),
            (vec!["sha-256=:AAAA:"], false),
            (vec!["sha-256=abc"], false),
            (vec!["nonsense ="], false),
            (vec![], false),
        ] {
            let headers = headers(&CONTENT_DIGEST, &values);
            assert_eq!(content_digest(&headers).is_some(), known, "{values:?}");
        }
    }
}
