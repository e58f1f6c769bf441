//! What the console says. Short, plain, kind. Pure.

use super::client::Failure;
use super::session::Contact;
use super::state::Phase;
use crate::format::{duration, grouped, megabytes};
use crate::video_metadata::VideoMetadata;

/// Where it stands, as a heading.
pub fn heading(phase: &Phase) -> &'static str {
    match phase {
        Phase::Blank => "Ask for a video",
        Phase::Waiting => "Waiting for the video",
        Phase::Submitted { .. } => "The video is here",
        Phase::Expired => "This request has expired",
        Phase::Deleted => "Deleted",
        Phase::Refused { .. } => "The token is not accepted",
    }
}

/// What an end means.
pub fn ending(phase: &Phase) -> String {
    match phase {
        Phase::Expired => "Its time is over. Link and token no longer work, and a video, if there \
                           was one, is removed from the server."
            .to_owned(),
        Phase::Deleted => "The request and its video, if there was one, are gone from the server. \
                           The link no longer works, and the token is forgotten here."
            .to_owned(),
        Phase::Refused { message } => format!("The server says: {message}."),
        Phase::Blank | Phase::Waiting | Phase::Submitted { .. } => String::new(),
    }
}

/// What a screen reader announces when it comes to this. Empty: nothing worth interrupting for.
pub fn announcement(phase: &Phase) -> &'static str {
    match phase {
        Phase::Blank => "",
        Phase::Waiting => "The link is ready. Waiting for the video.",
        other => heading(other),
    }
}

/// What to know about the line to the server. Empty: nothing.
pub fn contact(contact: Contact) -> &'static str {
    match contact {
        Contact::Good => "",
        Contact::Offline => "You are offline. This goes on by itself when you are back.",
        Contact::Silent => "The server doesn’t answer. This goes on by itself when it does.",
        Contact::Busy => "The server asks for patience. This goes on by itself in a while.",
    }
}

/// Why something didn't work: where the server said, in its own words.
pub fn failure(failure: &Failure) -> String {
    match failure {
        Failure::Refused {
            message,
            retry_after: Some(seconds),
            ..
        } => format!("The server says: {message}. Try again in {seconds} s."),
        Failure::Refused { message, .. } => format!("The server says: {message}."),
        Failure::Away => {
            "The server doesn’t answer. Check your connection and try again.".to_owned()
        }
    }
}

/// How long a prompt is, and may be.
pub fn length(chars: usize, most: usize) -> String {
    match chars.checked_sub(most) {
        Some(over) if over > 0 => format!("{chars} of {most} characters: {over} too many"),
        _ => format!("{chars} of {most} characters"),
    }
}

/// A lifetime to choose.
pub fn lifetime(hours: i64) -> String {
    match hours {
        1 => "1 hour".to_owned(),
        48 => "2 days".to_owned(),
        hours => format!("{hours} hours"),
    }
}

/// What is known of a video, as names and values. The digest is shown apart.
pub fn metadata(metadata: &VideoMetadata) -> Vec<(&'static str, String)> {
    let size = format!(
        "{} ({} bytes)",
        megabytes(metadata.bytes),
        grouped(metadata.bytes)
    );
    let mut lines = vec![("Format", metadata.media_type.clone()), ("Size", size)];
    if let Some(properties) = &metadata.properties {
        // Exact up to 2⁵³.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let length = |millis: u64| duration(millis as f64);
        let yes_no = |it: bool, yes: &str, no: &str| if it { yes } else { no }.to_owned();
        lines.extend([
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
            let much = match properties.missing_ms {
                Some(millis) => format!(": the last {}", length(millis)),
                None => ": the file breaks off".to_owned(),
            };
            lines.push(("Its end", format!("Missing{much}")));
        }
    }
    lines
}

/// How a file of this type is called.
pub fn extension(media_type: &str) -> &'static str {
    match media_type {
        "video/mp4" => "mp4",
        "video/quicktime" => "mov",
        "video/x-matroska" => "mkv",
        _ => "webm",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video_metadata::{Stills, VideoProperties};

    #[test]
    fn the_server_speaks_for_itself() {
        let refused = |retry_after| Failure::Refused {
            status: 400,
            message: "prompt must have 1 to 2000 characters, not 0".to_owned(),
            retry_after,
        };
        assert_eq!(
            failure(&refused(None)),
            "The server says: prompt must have 1 to 2000 characters, not 0."
        );
        assert!(failure(&refused(Some(7))).ends_with("Try again in 7 s."));
    }

    #[test]
    fn a_prompt_that_is_too_long_says_by_how_much() {
        assert_eq!(length(0, 2000), "0 of 2000 characters");
        assert_eq!(length(2000, 2000), "2000 of 2000 characters");
        assert_eq!(length(2003, 2000), "2003 of 2000 characters: 3 too many");
    }

    #[test]
    fn facts_are_said_as_far_as_they_are_known() {
        let mut video = VideoMetadata {
            id: "v".to_owned(),
            media_type: "video/webm".to_owned(),
            bytes: 1_234_567,
            properties: None,
            stills: Stills::pending(),
        };
        let says = |video: &VideoMetadata, name: &str| {
            let line = metadata(video).into_iter().find(|line| line.0 == name);
            line.map(|line| line.1)
        };
        assert_eq!(
            says(&video, "Size").as_deref(),
            Some("1.3 MB (1,234,567 bytes)")
        );
        assert_eq!(says(&video, "Sound"), None);
        video.properties = Some(VideoProperties {
            sha256: String::new(),
            received_sha256: String::new(),
            duration_ms: 7_400,
            width: 640,
            height: 480,
            has_audio: false,
            has_location: false,
            truncated: true,
            missing_ms: None,
        });
        assert_eq!(says(&video, "Length").as_deref(), Some("0:07"));
        assert_eq!(says(&video, "Sound").as_deref(), Some("None"));
        let end = says(&video, "Its end");
        assert_eq!(end.as_deref(), Some("Missing: the file breaks off"));
        if let Some(properties) = &mut video.properties {
            properties.missing_ms = Some(10_033);
        }
        let end = says(&video, "Its end");
        assert_eq!(end.as_deref(), Some("Missing: the last 0:10"));
    }
}
