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
fn transcriber_answers_are_parsed() {
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
fn impossible_segment_times_are_corrected() {
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
fn malformed_transcriber_answers_are_rejected() {
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
