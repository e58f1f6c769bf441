//! Speech, transcribed by a real model: `server/tests/transcriber`.

use app::video_metadata::TranscriptStatus;
use server::config::TranscriptArgs;
use server::outbound::transcriber::endpoint;
use test_support::recordings::speech::record;
use test_support::servers::transcriber::Transcriber;

use super::finished;
use crate::support::Server;

/// What is said.
const SENTENCE: &str = "The number on the label is four seven one nine. The lock is broken.";

#[tokio::test(flavor = "multi_thread")]
async fn speech_in_a_recording_is_transcribed_with_its_times() {
    let model = Transcriber::start().await;
    let server = Server::sqlite().await;
    let settings = TranscriptArgs {
        transcriber_url: Some(endpoint(&model.url).expect("a URL")),
        transcriber_model: Transcriber::MODEL.to_owned(),
        transcriber_key: None,
    };
    let server = server.with_transcripts(settings).await;
    for coding in [
        "-c:v libvpx -c:a libopus -ar 48000 -f webm -live 1 said.webm",
        "-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac said.mp4",
    ] {
        let recording = record(SENTENCE, coding).await;
        let creator = server.create_request().await;
        let video = creator.submit_video(&recording).await;
        let found = finished(&creator, &video).await;
        assert_eq!(found.status, TranscriptStatus::Ready, "{found:?}");
        assert_eq!(found.language.as_deref(), Some("en"));
        let texts: Vec<_> = found.segments.iter().map(|it| &*it.text).collect();
        let said = texts.join(" ").to_lowercase();
        for word in ["number", "label", "lock", "broken"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert!(digits(&said).contains("4719"), "{said}");
        let last = found.segments.last().expect("words");
        assert!((3000..=8100).contains(&last.to_ms), "{found:?}");
    }
}

/// The digits of a text, as the model writes them: `4719` or `four, seven, one, nine`.
fn digits(text: &str) -> String {
    let words = [("four", "4"), ("seven", "7"), ("one", "1"), ("nine", "9")];
    let written = words.iter().fold(text.to_owned(), |text, (word, digit)| {
        text.replace(word, digit)
    });
    written.chars().filter(char::is_ascii_digit).collect()
}
