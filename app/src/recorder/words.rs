//! What the page says. Short, plain, kind. Pure.

use super::machine::{Ending, Obstacle, Phase};
use super::upload::Upload;
use crate::amounts::megabytes;

/// Heading and text for somebody who can't go on as they are.
pub struct Notice {
    /// What happened.
    pub heading: &'static str,
    /// What to do about it.
    pub text: &'static str,
}

/// What a phase has to say that can't be overlooked.
pub fn notice(phase: Phase) -> Option<Notice> {
    match phase {
        Phase::Blocked(it) => Some(obstacle(it)),
        Phase::Over(it) => Some(ending(it)),
        Phase::Sent => Some(Notice {
            heading: "Video received",
            text: "Thank you. That was all: you can close this page.",
        }),
        _ => None,
    }
}

/// What to know before pressing the button.
pub fn hint(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle | Phase::Asking => {
            "First you only see what the camera sees. Nothing is recorded or sent before you press Record."
        }
        Phase::Preview => "This is what the camera sees. Press Record when you are ready.",
        Phase::Recording | Phase::Stopping => "It is uploaded while you record.",
        Phase::Review => "Have a look. Nobody gets this video before you press Send.",
        Phase::Submitting => "Please keep this page open for a moment.",
        Phase::Blocked(_) | Phase::Sent | Phase::Over(_) => "",
    }
}

/// What the one main button says. Empty: there is nothing to press.
pub fn button(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "Turn on the camera",
        Phase::Asking => "Waiting for your permission…",
        Phase::Blocked(_) => "Try again",
        Phase::Preview => "Record",
        Phase::Recording | Phase::Stopping => "Stop",
        Phase::Review | Phase::Submitting | Phase::Sent | Phase::Over(_) => "",
    }
}

/// How much of the recording is safe.
pub fn sent(upload: &Upload) -> String {
    if upload.preparing {
        return "It has arrived, and is being made ready. This takes a moment.".to_owned();
    }
    if upload.waiting {
        return "It can’t be uploaded right now. It is kept here, and goes on by itself."
            .to_owned();
    }
    if upload.complete {
        return "All of it is uploaded, ready to be sent.".to_owned();
    }
    let (committed, recorded) = (megabytes(upload.committed), megabytes(upload.recorded));
    format!("Uploaded {committed} of {recorded}")
}

/// What to do about a camera that can't be had.
fn obstacle(obstacle: Obstacle) -> Notice {
    let (heading, text) = match obstacle {
        Obstacle::Denied => (
            "The camera is blocked for this page",
            "If you want to go on, allow camera and microphone in your browser: tap the icon beside \
             the address, allow both, then try again.",
        ),
        Obstacle::NoCamera => (
            "No camera was found",
            "Connect one and try again, or open this link on your phone.",
        ),
        Obstacle::Busy => (
            "The camera is in use",
            "Another app or tab seems to have it. Close that one, then try again.",
        ),
        Obstacle::Insecure => (
            "The camera needs a secure address",
            "Browsers allow it only for links that begin with https. Ask for such a link.",
        ),
        Obstacle::Unsupported => (
            "This browser can’t record",
            "Copy the link and open it in Safari, Chrome or Firefox. Apps that show web pages inside \
             themselves often can’t use the camera.",
        ),
        Obstacle::NoPicture => (
            "The camera gave no picture",
            "Nothing was recorded. Please try again.",
        ),
    };
    Notice { heading, text }
}

/// Why nothing more can be done here.
fn ending(ending: Ending) -> Notice {
    let (heading, text) = match ending {
        Ending::Expired => (
            "This link has expired",
            "Its time passed before the video was sent. What was recorded is deleted. If a video is \
             still needed, ask for a new link.",
        ),
        Ending::AlreadySubmitted => (
            "A video was already sent",
            "Somebody has sent one with this link, perhaps you in another tab. It works once, so this \
             recording was not sent.",
        ),
        Ending::Withdrawn => (
            "This request was withdrawn",
            "Whoever asked no longer needs the video. What was recorded is deleted.",
        ),
        Ending::TooLarge => (
            "This recording is too long",
            "It is larger than this server takes, so it was not sent. Please reload the page and record a \
             shorter one.",
        ),
        Ending::Refused => (
            "This recording can’t be taken",
            "The server refused it, and trying again would not help. Reload the page to record anew, \
             perhaps in another browser.",
        ),
        Ending::Unplayable => (
            "This recording can’t be played",
            "Something in it is missing or damaged, so it was not sent. Please reload the page and record it \
             again.",
        ),
    };
    Notice { heading, text }
}

/// What a screen reader announces when a phase begins. Empty: nothing worth interrupting for.
pub fn announcement(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle | Phase::Submitting => "",
        Phase::Asking => "Your browser asks whether this page may use the camera.",
        Phase::Blocked(it) => obstacle(it).heading,
        Phase::Preview => "The camera is on. Nothing is recorded yet.",
        Phase::Recording => "Recording.",
        Phase::Stopping => "Recording stopped.",
        Phase::Review => "Here is your recording.",
        Phase::Sent => "Video received.",
        Phase::Over(it) => ending(it).heading,
    }
}
