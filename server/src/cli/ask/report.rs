//! What `vidence ask` says: sentences for people, or a line of JSON for each step.

use std::cell::RefCell;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use rustix::termios::tcgetwinsize;
use tokio::time::interval;

use super::event::Event;
use super::folder::{Folder, Ticket};
use super::saved::Saved;
use crate::cli::terminal::printable::printable;
use crate::cli::terminal::qr;
use app::format::{duration, megabytes};
use app::video_metadata::VideoMetadata;

pub(super) struct Report {
    json: bool,
    /// Whether someone watches.
    progress: bool,
    /// Why requests fail at present.
    problem: RefCell<Option<String>>,
    /// The first step that couldn't be printed. Evidence is saved all the same.
    unprinted: RefCell<Option<io::Error>>,
}

impl Report {
    pub fn new(json: bool) -> Self {
        Self {
            json,
            progress: io::stderr().is_terminal()
                && std::env::var_os("TERM").is_none_or(|it| it != "dumb"),
            problem: RefCell::default(),
            unprinted: RefCell::default(),
        }
    }

    pub fn created(&self, ticket: &Ticket, folder: &Folder) -> io::Result<()> {
        if self.json {
            return Event::Created {
                id: &ticket.id,
                submission_url: &ticket.submission_url,
                expires_at: &ticket.expires_at,
                folder: &folder.path().display().to_string(),
            }
            .print();
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
            "It is open until {}. If this command is interrupted, go on with:\n\n  {}\n\nor withdraw the link with:\n\n  {}\n",
            minute(&ticket.expires_at),
            folder.resume_command(),
            folder.cancel_command()
        )
    }

    pub fn submitted(&self, video: &str) {
        self.clear();
        self.noted(match self.json {
            true => Event::Submitted { video }.print(),
            false => writeln!(io::stdout(), "The video is there."),
        });
    }

    pub fn saved(&self, folder: &Folder, saved: &Saved) {
        self.clear();
        self.noted(self.print_saved(folder, saved));
    }

    fn print_saved(&self, folder: &Folder, saved: &Saved) -> io::Result<()> {
        let path = folder.path().display().to_string();
        if self.json {
            return Event::Saved {
                folder: &path,
                video: &saved.video,
                files: &saved.files,
                pending: &saved.pending,
                receipt_valid: saved.receipt.as_ref().map(Result::is_ok),
                receipt_problem: saved
                    .receipt
                    .as_ref()
                    .and_then(|it| it.as_ref().err())
                    .map(String::as_str),
                metadata: saved.metadata.as_ref(),
            }
            .print();
        }
        let mut out = io::stdout().lock();
        if let Some(metadata) = &saved.metadata {
            writeln!(out, "{}", printable(&describe(metadata)))?;
        }
        writeln!(out, "Saved in {path}: {}", saved.files.join(", "))?;
        match &saved.receipt {
            Some(Ok(())) => writeln!(
                out,
                "The receipt is valid: the server signed that it received this video."
            )?,
            Some(Err(why)) => writeln!(out, "The receipt is NOT valid for this video: {why}.")?,
            None => writeln!(out, "The server has no receipt of this video.")?,
        }
        if saved.is_over {
            writeln!(out, "The request ended before all of it could be saved.")?;
        } else if !saved.pending.is_empty() {
            let pending = saved.pending.join(" and ");
            writeln!(
                out,
                "Still being made: {pending}. Get them later with: {}",
                folder.resume_command()
            )?;
        }
        Ok(())
    }

    pub fn deleted(&self) {
        self.noted(match self.json {
            true => Event::Deleted.print(),
            false => writeln!(
                io::stdout(),
                "Request and video are deleted from the server."
            ),
        });
    }

    /// `saved`: the file of the video, if an earlier command saved it.
    pub fn over(&self, saved: Option<&str>) {
        self.clear();
        self.noted(match (self.json, saved) {
            (true, video) => Event::Over { video }.print(),
            (false, Some(video)) => writeln!(
                io::stdout(),
                "The request is over; {video} was saved before."
            ),
            (false, None) => writeln!(io::stdout(), "No video came, and the link is closed."),
        });
    }

    /// For scripts; people read the error itself.
    pub fn failed(&self, error: &anyhow::Error) {
        self.clear();
        if self.json {
            let message = &format!("{error:#}");
            self.noted(Event::Failed { message }.print());
        }
    }

    /// Keeps the first error of printing, such as that of a pipe which ended after the link.
    fn noted(&self, printed: io::Result<()>) {
        let mut unprinted = self.unprinted.borrow_mut();
        if let (None, Err(error)) = (unprinted.as_ref(), printed) {
            *unprinted = Some(error);
        }
    }

    /// Returns the first error of printing, now that all is done.
    pub fn finish(&self) -> anyhow::Result<()> {
        match self.unprinted.take() {
            Some(error) => Err(error).context("all is done, and could not be printed"),
            None => Ok(()),
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
                    let problem = self.problem.borrow();
                    let problem = problem.as_deref().unwrap_or_default();
                    self.progress(&format!("{what} {} left  {problem}", clock(left)));
                }
            }
        }
    }

    /// Shows why requests fail at present, or that they succeed again. A log gets each reason once.
    pub fn set_problem(&self, what: &str, now: Option<String>) {
        if let Some(why) = now.as_ref().filter(|_| *self.problem.borrow() != now) {
            let line = printable(&format!("{what}: {why}"));
            match self.progress {
                true => self.progress(&line),
                // Nothing is lost where it can't be told.
                false => drop(writeln!(io::stderr(), "{line}")),
            }
        }
        self.problem.replace(now);
    }

    /// Shows a line in place of the last one, if someone watches.
    /// Only the last row of a longer one could be cleared.
    pub fn progress(&self, line: &str) {
        if self.progress {
            let size = tcgetwinsize(io::stderr()).ok();
            let columns = size.map(|it| it.ws_col).filter(|it| *it > 0);
            let room = usize::from(columns.unwrap_or(80) - 1);
            let line: String = line.chars().take(room).collect();
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

/// `0:12, 1280 × 720, 3.4 MB, arrived 2026-11-21 12:01:03–12:02:41 UTC, while it was recorded, as its sender says`.
fn describe(metadata: &VideoMetadata) -> String {
    let mut facts = Vec::new();
    if let Some(it) = &metadata.properties {
        #[expect(clippy::cast_precision_loss, reason = "durations are far smaller")]
        facts.push(duration(it.duration_ms as f64));
        facts.push(format!("{} × {}", it.width, it.height));
    }
    facts.push(megabytes(metadata.bytes));
    if let Some(arrived) = &metadata.arrived {
        facts.push(format!("arrived {arrived}"));
    }
    facts.join(", ")
}

/// An RFC 3339 time as `2026-11-22 09:30 UTC`.
fn minute(time: &str) -> String {
    let parsed: Result<Timestamp, _> = time.parse();
    parsed.map_or_else(
        |_| printable(time),
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
    fn times_are_printed_to_the_minute() {
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
