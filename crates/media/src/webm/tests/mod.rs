//! Tests of the whole reader.

mod browsers;
mod documents;
mod duplicated_headers;
pub(super) mod fixtures;
mod hostile;
mod parser;

use super::element::{Header, ParsedHeader};
use super::*;

fn seal(bytes: &[u8]) -> Result<Sealed, Unplayable> {
    let mut reader = WebMReader::new();
    reader.feed(bytes);
    reader.finish()
}

fn summary(bytes: &[u8]) -> Summary {
    seal(bytes).expect("a sealed recording").summary
}

fn milliseconds(bytes: &[u8]) -> u128 {
    summary(bytes).duration.as_millis()
}

/// The video that the server sends: the index and the playable part of the recording.
fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.summary.end).expect("small");
    [&sealed.index, &recording[..end]].concat()
}

fn at(offset: u64, bytes: &[u8]) -> &[u8] {
    &bytes[usize::try_from(offset).expect("small")..]
}

fn header(bytes: &[u8]) -> Header {
    match Header::read(bytes) {
        ParsedHeader::Complete(header) => header,
        other => panic!("{other:?}"),
    }
}
