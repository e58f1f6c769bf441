//! The steps of `vidence ask --json`, a line of JSON each.

use std::io::{self, Write as _};

use app::video_metadata::VideoMetadata;
use serde::Serialize;

use crate::cli::terminal::printable::printable_json;

/// A step that is done, as a line of JSON.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event<'a> {
    /// The link is open.
    Created {
        id: &'a str,
        submission_url: &'a str,
        expires_at: &'a str,
        folder: &'a str,
    },
    /// The video is there.
    Submitted { video: &'a str },
    /// All that could be had is saved.
    Saved {
        folder: &'a str,
        video: &'a str,
        files: &'a [String],
        /// What is still being made, so that the request is left on the server.
        pending: &'a [&'static str],
        /// Whether the receipt is valid and that of this video; absent where there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        receipt_valid: Option<bool>,
        /// Why it isn't.
        #[serde(skip_serializing_if = "Option::is_none")]
        receipt_problem: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<&'a VideoMetadata>,
    },
    /// The request and its video are deleted from the server.
    Deleted,
    /// The request is over. Without a video, unless one was saved before.
    Over {
        #[serde(skip_serializing_if = "Option::is_none")]
        video: Option<&'a str>,
    },
    /// Something failed; the exit code is 1.
    Failed { message: &'a str },
}

impl Event<'_> {
    /// Prints it, at once.
    pub fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", printable_json(&serde_json::to_string(self)?))?;
        out.flush()
    }
}
