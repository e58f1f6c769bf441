//! The texts of the console that depend on its state. Pure.

use super::client::ApiError;
use super::state::{Connectivity, Phase, Progress};
use crate::format::{duration, megabytes, thousands};
use crate::video_metadata::{VideoMetadata, moment};

/// The heading of a state.
pub fn heading(phase: &Phase, progress: Progress) -> &'static str {
    match phase {
        Phase::Blank => "Ask for a video",
        Phase::Waiting => match progress {
            Progress::Recording => "Someone is recording",
            Progress::Recorded => "Recorded, not sent yet",
            Progress::Link | Progress::Video | Progress::Failed => "Waiting for the video",
        },
        Phase::Submitted { .. } if progress == Progress::Failed => "The video can’t be shown",
        Phase::Submitted { .. } => "The video is here",
        Phase::Expired => "This request has expired",
        Phase::Deleted => "Deleted",
        Phase::Rejected { .. } => "The token is not accepted",
    }
}

/// The CSS classes of the header.
pub fn header_class(progress: Progress) -> &'static str {
    match progress {
        Progress::Link | Progress::Recorded => "request-header",
        Progress::Recording => "request-header request-header--recording",
        Progress::Video => "request-header request-header--submitted",
        Progress::Failed => "request-header request-header--failed",
    }
}

/// Explains a final state.
pub fn explanation(phase: &Phase) -> String {
    match phase {
        Phase::Expired => {
            "Its time is over. The link no longer works, and the server has removed the video, if \
                           there was one."
                .to_owned()
        }
        Phase::Deleted => {
            "The link no longer works, and the video, if there was one, is gone from the server."
                .to_owned()
        }
        Phase::Rejected { message } => {
            format!("The server says: {message}. Reload this page to try again.")
        }
        Phase::Blank | Phase::Waiting | Phase::Submitted { .. } => String::new(),
    }
}

/// The steps of a request, see [`Progress::step`].
pub const STEPS: [&str; 3] = ["Link", "Recording", "Video"];

/// The icon of a final state, 24 units wide and high.
pub fn icon(phase: &Phase) -> &'static str {
    match phase {
        Phase::Expired => "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3 2",
        Phase::Deleted => "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
        _ => "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v6M12 16.5v.1",
    }
}

/// What screen readers announce when a state begins; empty: nothing.
pub fn announcement(phase: &Phase, progress: Progress) -> &'static str {
    match (phase, progress) {
        (Phase::Blank, _) => "",
        (Phase::Waiting, Progress::Link) => "The link is ready. Waiting for the video.",
        _ => heading(phase, progress),
    }
}

/// The notice about the connection; empty: none.
pub fn connectivity(connectivity: Connectivity) -> &'static str {
    match connectivity {
        Connectivity::Good => "",
        Connectivity::Offline => "You are offline. This goes on by itself when you are back.",
        Connectivity::Unreachable => {
            "The server doesn’t answer. This goes on by itself when it does."
        }
        Connectivity::RateLimited => {
            "The server asks for patience. This goes on by itself in a while."
        }
    }
}

/// The message of an error: the server's own, if there is one.
pub fn error(error: &ApiError) -> String {
    match error {
        // It says when to come back, if that is known.
        ApiError::Rejected { message, .. } => format!("The server says: {message}."),
        ApiError::Unreachable => {
            "The server doesn’t answer. Check your connection and try again.".to_owned()
        }
    }
}

/// The length of a prompt, and the allowed one.
pub fn prompt_length(chars: usize, max: usize) -> String {
    match chars.checked_sub(max) {
        Some(over) if over > 0 => format!("{chars} of {max} characters: {over} too many"),
        _ => format!("{chars} of {max} characters"),
    }
}

/// The label of a lifetime.
pub fn lifetime(hours: i64) -> String {
    match hours {
        1 => "1 hour".to_owned(),
        48 => "2 days".to_owned(),
        hours => format!("{hours} hours"),
    }
}

/// The metadata of a video as names and values, without the digest.
pub fn metadata_entries(metadata: &VideoMetadata) -> Vec<(&'static str, String)> {
    let size = format!(
        "{} ({} bytes)",
        megabytes(metadata.bytes),
        thousands(metadata.bytes)
    );
    let mut entries = vec![("Format", metadata.media_type.clone()), ("Size", size)];
    if let Some(properties) = &metadata.properties {
        if let Some(codec) = &properties.codec {
            let hdr = if properties.hdr { ", HDR" } else { "" };
            entries.push(("Codec", codec.to_owned() + hdr));
        }
        // Exact up to 2⁵³.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let length = |millis: u64| duration(millis as f64);
        let yes_no = |it: bool, yes: &str, no: &str| if it { yes } else { no }.to_owned();
        entries.extend([
            ("Length", length(properties.duration_ms)),
            (
                "Picture",
                format!("{} × {}", properties.width, properties.height),
            ),
            ("Sound", yes_no(properties.has_audio, "Yes", "None")),
            (
                "Where it was filmed",
                yes_no(
                    properties.has_location,
                    "The file says so",
                    "Not in the file",
                ),
            ),
        ]);
        if properties.truncated {
            let how_much = match properties.missing_ms {
                Some(millis) => format!(": the last {}", length(millis)),
                None => ": the file breaks off".to_owned(),
            };
            entries.push(("Its end", format!("Missing{how_much}")));
        }
    }
    for (name, at) in [
        ("Asked for", &metadata.request_created_at),
        ("Sealed", &metadata.sealed_at),
        ("Submitted", &metadata.submitted_at),
    ] {
        if let Some(at) = at.as_deref().and_then(moment) {
            entries.push((name, at));
        }
    }
    // Last, because it is the longest.
    if let Some(arrived) = &metadata.arrived {
        entries.push(("Arrived", arrived.clone()));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video_metadata::{CapturedAs, Stills, Transcript, VideoProperties};

    #[test]
    fn errors_are_shown_in_the_server_s_words() {
        let rejected = ApiError::Rejected {
            status: 400,
            message: "prompt must have 1 to 2000 characters, not 0".to_owned(),
            retry_after: None,
        };
        assert_eq!(
            error(&rejected),
            "The server says: prompt must have 1 to 2000 characters, not 0."
        );
    }

    #[test]
    fn a_video_that_cannot_be_shown_is_not_announced_as_here() {
        let submitted = Phase::Submitted {
            video: "v".to_owned(),
        };
        let announced = |progress| announcement(&submitted, progress);
        assert_eq!(announced(Progress::Video), "The video is here");
        assert_eq!(announced(Progress::Failed), "The video can’t be shown");
    }

    #[test]
    fn the_excess_of_a_prompt_is_shown() {
        assert_eq!(prompt_length(0, 2000), "0 of 2000 characters");
        assert_eq!(prompt_length(2000, 2000), "2000 of 2000 characters");
        assert_eq!(
            prompt_length(2003, 2000),
            "2003 of 2000 characters: 3 too many"
        );
    }

    #[test]
    fn known_metadata_is_shown() {
        let mut video = VideoMetadata {
            id: "v".to_owned(),
            media_type: "video/webm".to_owned(),
            bytes: 1_234_567,
            properties: None,
            stills: Stills::pending(),
            contact_sheet: None,
            ticks: Vec::new(),
            transcript: Transcript::default(),
            captured_as: Some(CapturedAs::Recorded),
            arrival: None,
            arrived: None,
            request_created_at: None,
            sealed_at: None,
            submitted_at: None,
        };
        let value = |video: &VideoMetadata, name: &str| {
            let mut entries = metadata_entries(video).into_iter();
            entries.find(|entry| entry.0 == name).map(|entry| entry.1)
        };
        assert_eq!(
            value(&video, "Size").as_deref(),
            Some("1.3 MB (1,234,567 bytes)")
        );
        assert_eq!(value(&video, "Sound"), None);
        video.properties = Some(VideoProperties {
            sha256: String::new(),
            received_sha256: String::new(),
            duration_ms: 7_400,
            width: 640,
            height: 480,
            codec: Some("hevc".to_owned()),
            hdr: true,
            has_audio: false,
            has_location: false,
            truncated: true,
            missing_ms: None,
        });
        assert_eq!(value(&video, "Length").as_deref(), Some("0:07"));
        assert_eq!(value(&video, "Sound").as_deref(), Some("None"));
        assert_eq!(value(&video, "Codec").as_deref(), Some("hevc, HDR"));
        let end = value(&video, "Its end");
        assert_eq!(end.as_deref(), Some("Missing: the file breaks off"));
        if let Some(properties) = &mut video.properties {
            properties.missing_ms = Some(10_033);
        }
        let end = value(&video, "Its end");
        assert_eq!(end.as_deref(), Some("Missing: the last 0:10"));
        assert_eq!(value(&video, "Arrived"), None);
        let arrived = "2026-11-21 12:01:03–12:01:09 UTC, while it was recorded, as its sender says";
        video.arrived = Some(arrived.to_owned());
        assert_eq!(value(&video, "Arrived").as_deref(), Some(arrived));
        assert_eq!(value(&video, "Submitted"), None);
        video.submitted_at = Some("2026-11-21T12:01:09.001Z".to_owned());
        let submitted = value(&video, "Submitted");
        assert_eq!(submitted.as_deref(), Some("2026-11-21 12:01:09 UTC"));
    }
}
