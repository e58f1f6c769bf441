//! A transcriber's answer, bounded and repaired: it may be garbage.

#[cfg(test)]
mod tests;

use std::fmt::{self, Formatter};
use std::time::Duration;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The most segments: hours of speech, in segments of some seconds.
pub const MAX_SEGMENTS: usize = 5000;

/// The most characters of a segment, which is a sentence or two; and of a text without segments.
const MAX_SEGMENT_CHARS: usize = 2000;

/// The most bytes of all segments. An hour of speech has some 60 KB.
const MAX_TEXT_BYTES: usize = 400_000;

/// What is said, with times of the audio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The language as the server names it: `en`, or `english`.
    pub language: Option<String>,
    /// In the order in which they begin.
    pub segments: Vec<Segment>,
    /// Whether text is missing because there was more than is kept.
    pub is_cut: bool,
}

/// Some words, and when they are spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// When they begin.
    pub from: Duration,
    /// When they end, not before they begin.
    pub to: Duration,
    /// The words in one line, without control characters. Not empty.
    pub text: String,
}

/// The fields of `verbose_json` that are read.
#[derive(Deserialize)]
struct VerboseJson {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    segments: Option<FirstSegments>,
}

/// At most one segment more than is kept. An answer may have a million empty ones.
#[derive(Default)]
struct FirstSegments(Vec<VerboseSegment>);

impl<'de> Deserialize<'de> for FirstSegments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Self::default())
    }
}

impl<'de> Visitor<'de> for FirstSegments {
    type Value = Self;

    fn expecting(&self, text: &mut Formatter<'_>) -> fmt::Result {
        text.write_str("a list of segments")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut segments: A) -> Result<Self, A::Error> {
        while self.0.len() <= MAX_SEGMENTS {
            match segments.next_element()? {
                Some(segment) => self.0.push(segment),
                None => return Ok(self),
            }
        }
        while segments.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

/// Times are in seconds.
#[derive(Deserialize)]
struct VerboseSegment {
    #[serde(default)]
    start: Option<f64>,
    #[serde(default)]
    end: Option<f64>,
    #[serde(default)]
    text: Option<String>,
}

impl Answer {
    /// Reads an answer about audio of this duration. `None`: it isn't the JSON that was asked for.
    pub(super) fn read(body: &[u8], duration: Duration) -> Option<Self> {
        let answer: VerboseJson = serde_json::from_slice(body).ok()?;
        let has_segments = answer.segments.is_some();
        let segments = match (answer.segments.unwrap_or_default().0, answer.text) {
            // Some servers and models tell no times.
            (segments, Some(text)) if segments.is_empty() => untimed(&text),
            (segments, None) if segments.is_empty() && !has_segments => return None,
            (segments, _) => segments,
        };
        let mut is_cut = segments.len() > MAX_SEGMENTS;
        let mut room = MAX_TEXT_BYTES;
        let mut kept = Vec::new();
        for segment in segments.into_iter().take(MAX_SEGMENTS) {
            let (text, is_shorter) = one_line(&segment.text.unwrap_or_default());
            is_cut |= is_shorter || text.len() > room;
            if text.len() > room {
                break;
            }
            room -= text.len();
            if text.is_empty() {
                continue;
            }
            let from = time(segment.start, duration).unwrap_or_default();
            let to = time(segment.end, duration).unwrap_or(duration);
            kept.push(Segment {
                from,
                to: to.max(from),
                text,
            });
        }
        kept.sort_by_key(|segment| segment.from);
        Some(Self {
            language: answer.language.and_then(|it| language(&it)),
            segments: kept,
            is_cut,
        })
    }
}

/// A text without times, in segments that are short enough.
fn untimed(text: &str) -> Vec<VerboseSegment> {
    let mut pieces = vec![String::new()];
    for word in text.split_whitespace() {
        let last = pieces.last().map_or(0, String::len);
        if last > 0 && last + word.len() > MAX_SEGMENT_CHARS {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(word);
            piece.push(' ');
        }
    }
    let segments = pieces.into_iter().map(|text| VerboseSegment {
        start: None,
        end: None,
        text: Some(text),
    });
    segments.collect()
}

/// A time within the audio. `None`: there is none.
fn time(seconds: Option<f64>, duration: Duration) -> Option<Duration> {
    let seconds = seconds.filter(|seconds| !seconds.is_nan())?;
    let time = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
    Some(time.min(duration))
}

/// The words of a text in one line, and whether there were more than may be.
fn one_line(text: &str) -> (String, bool) {
    let words = text.split(|it: char| it.is_whitespace() || it.is_control());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_SEGMENT_CHARS) {
        Some((end, _)) => (line[..end].to_owned(), true),
        None => (line, false),
    }
}

/// A code or name of a language, in lower case.
fn language(name: &str) -> Option<String> {
    let is_name = (2..=32).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    is_name.then(|| name.to_ascii_lowercase())
}
