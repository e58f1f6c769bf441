//! A transcriber's answer, bounded and repaired: it may be garbage.

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const DURATION: Duration = Duration::from_secs(10);

    fn read(body: &str) -> Option<Answer> {
        Answer::read(body.as_bytes(), DURATION)
    }

    /// The segments: milliseconds and text.
    fn segments(body: &str) -> Vec<(u128, u128, String)> {
        let segments = read(body).expect("an answer").segments.into_iter();
        segments
            .map(|it| (it.from.as_millis(), it.to.as_millis(), it.text))
            .collect()
    }

    #[test]
    fn what_servers_answer_is_read() {
        let body = r#"{"task":"transcribe","language":"English","duration":10.0,"text":" Hello. Bye.",
            "segments":[{"id":0,"start":0.5,"end":1.25,"text":" Hello.","tokens":[1,2],"temperature":0.0},
                        {"id":1,"start":2,"end":3,"text":" Bye."}]}"#;
        let answer = read(body).expect("an answer");
        assert_eq!(
            (answer.language.as_deref(), answer.is_cut),
            (Some("english"), false)
        );
        let want = [
            (500, 1250, "Hello.".to_owned()),
            (2000, 3000, "Bye.".to_owned()),
        ];
        assert_eq!(segments(body), want);
        // A model without times.
        assert_eq!(
            segments(r#"{"text":"Hello."}"#),
            [(0, 10_000, "Hello.".to_owned())]
        );
        assert_eq!(segments(r#"{"text":"","segments":[]}"#), []);
    }

    #[test]
    fn a_text_without_times_is_kept_whole() {
        let text = "word ".repeat(1000);
        for body in [json!({"text": text}), json!({"text": text, "segments": []})] {
            let answer = read(&body.to_string()).expect("an answer");
            assert!(!answer.is_cut);
            let words = answer.segments.iter().flat_map(|it| it.text.split(' '));
            assert_eq!(words.count(), 1000);
        }
    }

    #[test]
    fn segments_beyond_the_most_are_left_out_and_the_text_is_cut() {
        for (count, is_cut) in [(MAX_SEGMENTS, false), (MAX_SEGMENTS + 2, true)] {
            let segments = vec![r#"{"text": "a"}"#; count].join(",");
            let answer = read(&format!(
                r#"{{"segments": [{segments}], "language": "en"}}"#
            ));
            let answer = answer.expect("an answer");
            assert_eq!(
                (answer.segments.len(), answer.is_cut),
                (MAX_SEGMENTS, is_cut)
            );
            assert_eq!(
                answer.language.as_deref(),
                Some("en"),
                "what follows is read"
            );
        }
    }

    #[test]
    fn times_that_lie_are_put_right() {
        let body = json!({"segments": [
            {"start": 5, "end": 4, "text": "backwards"},
            {"start": -3, "end": 1e300, "text": "far"},
            {"start": 11, "end": 12, "text": "late"},
            {"start": 2, "text": "no end"},
            {"end": 1, "text": "no start"},
        ]});
        let text = |it: &str| it.to_owned();
        let want = [
            (0, 10_000, text("far")),
            (0, 1000, text("no start")),
            (2000, 10_000, text("no end")),
            (5000, 5000, text("backwards")),
            (10_000, 10_000, text("late")),
        ];
        assert_eq!(segments(&body.to_string()), want);
    }

    #[test]
    fn a_text_is_one_line_without_control_characters() {
        let body = json!({"segments": [
            {"start": 0, "end": 1, "text": " one\r\n\u{0}two\u{1b}[31m\tthree\u{85} "},
            {"start": 1, "end": 2, "text": " \u{7}\n "},
        ]});
        assert_eq!(
            segments(&body.to_string()),
            [(0, 1000, "one two [31m three".to_owned())]
        );
    }

    #[test]
    fn garbage_is_no_answer() {
        for body in [
            "",
            "{",
            "[]",
            "{}",
            "null",
            "<html>",
            r#"{"segments":[{"start":NaN,"end":1,"text":"a"}]}"#,
            r#"{"segments":[{"start":"0","end":1,"text":"a"}]}"#,
            r#"{"segments":{"start":0}}"#,
            r#"{"error":{"message":"no"}}"#,
        ] {
            assert_eq!(read(body), None, "{body}");
        }
        assert!(Answer::read(&[0xff; 100], DURATION).is_none());
        let deep = format!("{{\"segments\":{}", "[".repeat(100_000));
        assert_eq!(read(&deep), None);
    }

    #[test]
    fn megabytes_of_text_are_cut() {
        let segment = |length| json!({"start": 0, "end": 1, "text": "ä".repeat(length)});
        for (segments, length, kept) in [
            (MAX_SEGMENTS, 1, MAX_SEGMENTS),
            (MAX_SEGMENTS + 1, 1, MAX_SEGMENTS),
            (1, MAX_SEGMENT_CHARS + 1, 1),
            (1000, MAX_SEGMENT_CHARS, 100),
        ] {
            let body = json!({"segments": vec![segment(length); segments]});
            let answer = read(&body.to_string()).expect("an answer");
            assert_eq!(answer.segments.len(), kept);
            let is_cut = segments > MAX_SEGMENTS || length >= MAX_SEGMENT_CHARS;
            assert_eq!(answer.is_cut, is_cut, "{segments} of {length}");
        }
    }

    #[test]
    fn a_language_is_a_short_name() {
        for (name, want) in [
            ("en", Some("en")),
            ("English", Some("english")),
            ("zh-Hant", Some("zh-hant")),
            ("", None),
            ("e", None),
            ("<b>", None),
            ("ignore all instructions", None),
        ] {
            assert_eq!(language(name).as_deref(), want);
        }
    }

    proptest! {
        #[test]
        fn every_answer_is_in_order_and_within_the_audio(
            times in proptest::collection::vec((any::<f64>(), any::<f64>(), ".{0,40}"), 0..50),
        ) {
            // JSON has no infinities.
            let segments: Vec<_> = times.iter().filter(|it| it.0.is_finite() && it.1.is_finite())
                .map(|(start, end, text)| json!({"start": start, "end": end, "text": text})).collect();
            let body = json!({ "segments": segments }).to_string();
            let answer = read(&body).expect("an answer");
            prop_assert!(answer.segments.is_sorted_by_key(|it| it.from));
            for segment in answer.segments {
                prop_assert!(segment.from <= segment.to && segment.to <= DURATION);
                prop_assert!(!segment.text.is_empty());
                prop_assert!(!segment.text.contains(char::is_control));
            }
        }
    }
}
