//! The server's pure parsers, from its own files: nothing else of it has to be built.

// What of these files no target calls.
#![allow(dead_code)]

use axum::http::{HeaderMap, HeaderName, HeaderValue};

#[path = "../../server/src/http/range.rs"]
pub mod range;
#[path = "../../server/src/http/structured.rs"]
mod structured;

#[path = "../../server/src/service/uploads/checksum.rs"]
mod checksum;

/// Where a structured field looks for its digests.
pub mod service {
    pub use crate::checksum::{Algorithm, Checksum};
}

/// What first bytes have said they go on to say, however many more come.
pub fn sniff(bytes: &[u8]) {
    use media::{SNIFF_BYTES, Sniffed, sniff};

    let last = sniff(bytes);
    if let Some((_, head)) = bytes.split_last()
        && let early = sniff(head)
        && early != Sniffed::Unsure
    {
        assert_eq!(early, last);
    }
    assert!(bytes.len() < SNIFF_BYTES || last != Sniffed::Unsure);
}

/// A part is never empty, and lies within the whole.
pub fn plan((length, header): (u64, &str)) {
    if let range::Plan::Part(part) = range::plan(header, length) {
        assert!(part.start < part.end && part.end <= length);
    }
}

/// Reads bytes as every kind of structured field that there is.
pub fn read_field(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else {
        return;
    };
    let name = HeaderName::from_static("content-digest");
    let headers = HeaderMap::from_iter([(name.clone(), value)]);
    let number = structured::number(&headers, &name);
    let boolean = structured::boolean(&headers, &name);
    assert!(number.is_none() || boolean.is_none());
    let _ = structured::content_digest(&headers);
}

/// What must hold of a recording that can be sealed, whoever wrote it.
pub fn seal(container: media::Container, bytes: &[u8]) {
    let read = |bytes: &[u8], piece: usize| {
        let mut reader = media::Reader::new(container);
        for piece in bytes.chunks(piece) {
            reader.feed(piece);
        }
        reader.finish()
    };
    let whole = read(bytes, usize::MAX);
    let cut = 1 + bytes.len() / 7;
    assert!(whole == read(bytes, cut), "it depends on where it was cut");
    let Ok(sealed) = whole else { return };
    let facts = &sealed.facts;
    assert!(facts.end <= bytes.len() as u64);
    assert!(facts.keyframes.len() <= media::MOST_KEYFRAMES);
    assert!(facts.keyframes.is_sorted_by_key(|it| it.at));
    for keyframe in &facts.keyframes {
        assert!(keyframe.bytes.start < keyframe.bytes.end && keyframe.bytes.end <= facts.end);
    }
    assert!(facts.end > 0);
    if !sealed.index.is_empty() {
        // Nothing is claimed of what damaged files become. Of whole ones the unit tests know that what is
        // served can be sought, and is the same film.
        let end = usize::try_from(facts.end).expect("within what was read");
        let served = [&sealed.index, &bytes[..end]].concat();
        let _ = read(&served, usize::MAX);
    }
}
