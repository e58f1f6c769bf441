//! Captions as WebVTT.

use std::fmt::Write;

use app::video_metadata::TranscriptSegment;

/// The shortest time for which a cue is shown, in milliseconds: its end must be after its begin.
const MIN_CUE_MS: u64 = 1;

/// Writes a file with a cue for each segment.
pub(super) fn webvtt(segments: &[TranscriptSegment]) -> String {
    let mut file = "WEBVTT\n".to_owned();
    for segment in segments {
        let end = segment.to_ms.max(segment.from_ms + MIN_CUE_MS);
        let times = format!("{} --> {}", Time(segment.from_ms), Time(end));
        // Writing to a string never fails.
        let _ = write!(file, "\n{times}\n{}\n", escape(&segment.text));
    }
    file
}

/// A time in milliseconds, as `hh:mm:ss.ttt`.
struct Time(u64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(ms) = self;
        let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        write!(f, "{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % 1000)
    }
}

/// The text of a cue: what begins a tag or a character reference is escaped, so that neither those nor the arrow of a
/// cue's times can be in it. A segment has no line breaks.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\r' | '\n' | '\0' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_becomes_a_cue() {
        let segment = |from_ms, to_ms, text: &str| TranscriptSegment {
            from_ms,
            to_ms,
            text: text.to_owned(),
        };
        let segments = [
            segment(0, 1500, "Hello."),
            segment(61_001, 61_001, "a < b & c --> d"),
            segment(360_000_000, 360_001_000, "<script>\n\n00:00 --> 00:01"),
        ];
        let want = "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello.\n\n\
                    00:01:01.001 --> 00:01:01.002\na &lt; b &amp; c --&gt; d\n\n\
                    100:00:00.000 --> 100:00:01.000\n&lt;script&gt;  00:00 --&gt; 00:01\n";
        assert_eq!(webvtt(&segments), want);
        assert_eq!(webvtt(&[]), "WEBVTT\n");
    }
}
