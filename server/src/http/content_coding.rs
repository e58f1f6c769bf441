//! Content codings of text: RFC 9110, section 8.4.
//!
//! By hand: texts are compressed once, at the start or by the build, and tower-http's layer compresses each response.

use std::io::Write;

use axum::body::Bytes;
use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Brotli's window as a power of two: 4 MiB, far more than a text has.
const BROTLI_WINDOW: u32 = 22;

/// A coding that makes text smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    /// The coding of the smallest form that a request accepts. `None`: only text as it is.
    pub fn accepted(request: &HeaderMap) -> Option<Self> {
        let mut all = [Self::Brotli, Self::Gzip].into_iter();
        all.find(|it| accepts(request, it.name()))
    }

    /// Its registered name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The value of `Content-Encoding`.
    pub const fn value(self) -> HeaderValue {
        HeaderValue::from_static(self.name())
    }

    /// Encodes a text with a quality from 0 to 9.
    pub fn encode(self, plain: &[u8], quality: u32) -> Bytes {
        const INFALLIBLE: &str = "a Vec takes any bytes";
        match self {
            Self::Brotli => {
                let vec = Vec::new();
                let mut encoder = brotli::CompressorWriter::new(vec, 4096, quality, BROTLI_WINDOW);
                encoder.write_all(plain).expect(INFALLIBLE);
                encoder.into_inner().into()
            }
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::new(quality));
                encoder.write_all(plain).expect(INFALLIBLE);
                encoder.finish().expect(INFALLIBLE).into()
            }
        }
    }
}

/// Whether a request accepts a content coding by its name: RFC 9110, section 12.5.3.
fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let lists = request.get_all(ACCEPT_ENCODING).iter();
    let mut accepted = lists
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','));
    accepted.any(|it| {
        let (name, weight) = it.split_once(';').unwrap_or((it, "q=1"));
        let weight = weight
            .trim()
            .strip_prefix("q=")
            .and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(coding) && weight.is_some_and(|q| q > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_used_only_for_clients_that_accept_it() {
        for (header, want) in [
            ("gzip, deflate, br, zstd", Some(Coding::Brotli)),
            ("br;q=0.5", Some(Coding::Brotli)),
            ("br;q=0", None),
            ("br;q=0, gzip", Some(Coding::Gzip)),
            ("GZip", Some(Coding::Gzip)),
            ("brotli", None),
            ("", None),
        ] {
            let header = HeaderValue::from_static(header);
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, header)]);
            assert_eq!(Coding::accepted(&headers), want, "{headers:?}");
        }
    }
}
