//! What `vidence ask` says: sentences for people, or a line of JSON for each step.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use tokio::time::interval;

use super::evidence::Saved;
use super::folder::{Folder, Ticket};
use crate::cli::qr;
use app::format::{duration, megabytes};
use app::video_metadata::VideoMetadata;

/// A step that is done, as a line of JSON.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event<'a> {
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
}

pub(super) struct Report {
    json: bool,
    /// Whether someone watches.
    progress: bool,
}

impl Report {
    pub fn new(json: bool) -> Self {
        Self {
            json,
            progress: io::stderr().is_terminal(),
        }
    }

    pub fn created(&self, ticket: &Ticket, folder: &Folder) -> io::Result<()> {
        let folder = folder.path().display().to_string();
        if self.json {
            return print(&Event::Created {
                id: &ticket.id,
                submission_url: &ticket.submission_url,
                expires_at: &ticket.expires_at,
                folder: &folder,
            });
        }
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "Send this link to the person who films:\n\n  {}\n",
            ticket.submission_url
        )?;
        if let Some(code) =
            qr::render(&ticket.submission_url).filter(|_| io::stdout().is_terminal())
        {
            writeln!(out, "{code}")?;
        }
        writeln!(
            out,
            "It is open until {}. If this command is interrupted, go on with:\n\n  vidence ask --resume {folder}\n",
            minute(&ticket.expires_at)
        )
    }

    pub fn submitted(&self, video: &str) -> io::Result<()> {
        self.clear();
        match self.json {
            true => print(&Event::Submitted { video }),
            false => writeln!(io::stdout(), "The video is there."),
        }
    }

    pub fn saved(&self, folder: &Folder, saved: &Saved) -> io::Result<()> {
        self.clear();
        let path = folder.path().display().to_string();
        if self.json {
            return print(&Event::Saved {
                folder: &path,
                video: &saved.video,
                files: &saved.files,
                pending: &saved.pending,
                receipt_valid: saved.receipt_valid,
                metadata: saved.metadata.as_ref(),
            });
        }
        let mut out = io::stdout().lock();
        if let Some(metadata) = &saved.metadata {
            writeln!(out, "{}", describe(metadata))?;
        }
        writeln!(out, "Saved in {path}: {}", saved.files.join(", "))?;
        match saved.receipt_valid {
            Some(true) => writeln!(
                out,
                "The receipt is valid: the server signed that it received this video."
            )?,
            Some(false) => writeln!(
                out,
                "The receipt is NOT that of this video, or its signature is wrong."
            )?,
            None => {}
        }
        if !saved.pending.is_empty() {
            let pending = saved.pending.join(" and ");
            writeln!(
                out,
                "Still being made: {pending}. Get them later with: vidence ask --resume {path}"
            )?;
        }
        Ok(())
    }

    pub fn deleted(&self) -> io::Result<()> {
        match self.json {
            true => print(&Event::Deleted),
            false => writeln!(
                io::stdout(),
                "Request and video are deleted from the server."
            ),
        }
    }

    /// `saved`: the file of the video, if an earlier command saved it.
    pub fn over(&self, saved: Option<&str>) -> io::Result<()> {
        self.clear();
        match (self.json, saved) {
            (true, video) => print(&Event::Over { video }),
            (false, Some(video)) => writeln!(
                io::stdout(),
                "The request is over; {video} was saved before."
            ),
            (false, None) => writeln!(io::stdout(), "No video came, and the link is closed."),
        }
    }

    /// Shows how much time is left while something is waited for.
    pub async fn during<T>(
        &self,
        what: &str,
        until: Timestamp,
        work: impl Future<Output = T>,
    ) -> T {
        if !self.progress {
            return work.await;
        }
        let mut seconds = interval(Duration::from_secs(1));
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                _ = seconds.tick() => {
                    let left = until.as_second().saturating_sub(Timestamp::now().as_second()).max(0);
                    self.progress(&format!("{what} {} left", clock(left)));
                }
            }
        }
    }

    /// Shows a line in place of the last one, if someone watches.
    pub fn progress(&self, line: &str) {
        if self.progress {
            // Nothing is lost where it can't be shown.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
    }

    fn clear(&self) {
        if self.progress {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn print(event: &Event<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, event)?;
    writeln!(out)?;
    out.flush()
}

/// `0:12, 1280 × 720, 3.4 MB, arrived 2026-11-21 12:01:03–12:02:41 UTC, while it was recorded, as its sender says`.
fn describe(metadata: &VideoMetadata) -> String {
    let mut facts = Vec::new();
    if let Some(it) = &metadata.properties {
        #[expect(clippy::cast_precision_loss, reason = "durations are far smaller")]
        facts.push(duration(it.duration_ms as f64));
        facts.push(format!("{} × {}", it.width, it.height));
    }
    facts.push(megabytes(metadata.bytes));
    let arrival = metadata.arrival.as_ref();
    if let Some(summary) = arrival.and_then(|it| it.summary(metadata.captured_as)) {
        facts.push(format!("arrived {summary}"));
    }
    facts.join(", ")
}

/// An RFC 3339 time as `2026-11-22 09:30 UTC`.
fn minute(time: &str) -> String {
    let parsed: Result<Timestamp, _> = time.parse();
    parsed.map_or_else(
        |_| time.to_owned(),
        |it| it.strftime("%Y-%m-%d %H:%M UTC").to_string(),
    )
}

/// Seconds as `59:07` or `47:59:07`.
fn clock(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_to_the_minute() {
        assert_eq!(minute("2026-11-22T09:30:59.104Z"), "2026-11-22 09:30 UTC");
        assert_eq!(minute("soon"), "soon");
    }

    #[test]
    fn the_time_that_is_left_is_shown_as_a_clock_does() {
        for (seconds, want) in [
            (0, "0:00"),
            (67, "1:07"),
            (3599, "59:59"),
            (172_799, "47:59:59"),
        ] {
            assert_eq!(clock(seconds), want);
        }
    }
}
