//! `vidence reports`: listing and closing reports of abusive requests.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bootstrap::attach;
use crate::cli::terminal::printable::{printable, printable_json};
use crate::clock::rfc3339;
use crate::config::StoreArgs;
use crate::id::ReportId;
use crate::service::moderation::reports;
use crate::service::moderation::reports::OpenReport;
use crate::service::{AppState, Error};

/// The arguments of `vidence reports`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ReportsArgs {
    /// Print a JSON array
    #[arg(long)]
    json: bool,

    /// Close these reports: they are no longer listed
    #[arg(long, value_name = "REPORT", num_args = 1.., conflicts_with = "json")]
    done: Vec<String>,

    #[command(flatten)]
    store: StoreArgs,
}

/// Lists the open reports, newest first, or closes some.
#[tokio::main]
pub(in crate::cli) async fn reports(args: ReportsArgs) -> anyhow::Result<()> {
    let app = attach(args.store).await?;
    match args.done.is_empty() {
        true => list(&app, args.json).await,
        false => close(&app, &args.done).await,
    }
}

async fn close(app: &AppState, ids: &[String]) -> anyhow::Result<()> {
    let mut unknown = Vec::new();
    for id in ids {
        match reports::done(app, ReportId::parse_sent(id)).await {
            Err(Error::NotFound) => unknown.push(id.as_str()),
            done => done?,
        }
    }
    if !unknown.is_empty() {
        anyhow::bail!("there is no such report here: {}", unknown.join(" "));
    }
    Ok(())
}

/// Prints all open reports. Loads a page at a time, because all of them may not fit into memory.
async fn list(app: &AppState, as_json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut count = 0_usize;
    let mut page = reports::open(app, None).await?;
    while let Some(last) = page.last() {
        for line in page.iter().map(Line::of) {
            count += 1;
            match (as_json, count) {
                (true, 1) => write!(out, "[\n{}", line.json()?)?,
                (true, _) => write!(out, ",\n{}", line.json()?)?,
                (false, _) => line.write(&mut out)?,
            }
        }
        page = reports::open(app, Some(last)).await?;
    }
    match (as_json, count) {
        (true, 0) => writeln!(out, "[]")?,
        (true, _) => writeln!(out, "\n]")?,
        (false, 0) => writeln!(out, "No reports.")?,
        (false, 1) => writeln!(out, "1 report.")?,
        (false, _) => writeln!(out, "{count} reports.")?,
    }
    Ok(())
}

/// Breaks a line. What a terminal breaks begins at its edge, where only our own lines do.
fn rows(line: &str) -> Vec<String> {
    /// Terminals are wide enough for it. Letters beyond ASCII may take two columns.
    const COLUMNS: usize = 72;
    let (mut rows, mut columns) = (vec![String::new()], 0);
    for letter in line.chars() {
        let width = if letter.is_ascii() { 1 } else { 2 };
        if columns + width > COLUMNS {
            rows.push(String::new());
            columns = 0;
        }
        columns += width;
        if let Some(row) = rows.last_mut() {
            row.push(letter);
        }
    }
    rows
}

/// A printed report.
#[derive(Serialize)]
struct Line {
    report: String,
    reported_at: String,
    reason: &'static str,
    text: Option<String>,
    request: String,
    /// `awaiting_submission`, `submitted`, `expired`, `deleted` or `taken_down`.
    request_status: &'static str,
    prompt: Option<String>,
    /// The network address of the request's creator.
    creator: Option<String>,
}

impl Line {
    fn of(
        OpenReport {
            report,
            request_state,
        }: &OpenReport,
    ) -> Self {
        let text = |bytes: &Option<Vec<u8>>| {
            let bytes = bytes.as_deref();
            bytes.map(|it| String::from_utf8_lossy(it).into_owned())
        };
        Self {
            report: report.id.to_string(),
            reported_at: rfc3339(report.reported_at),
            reason: report.reason.as_str(),
            text: text(&report.text),
            request: report.request_id.to_string(),
            request_status: request_state,
            prompt: text(&report.prompt),
            creator: report.creator.map(|it| it.address().to_string()),
        }
    }

    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|it| printable_json(&it))
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { report, reason, .. } = self;
        writeln!(out, "report {report}: {reason}, {}", self.reported_at)?;
        writeln!(out, "  request {}: {}", self.request, self.request_status)?;
        if let Some(creator) = &self.creator {
            writeln!(out, "  asked from {creator}")?;
        }
        for (name, text) in [("asked for", &self.prompt), ("said", &self.text)] {
            let Some(text) = text else { continue };
            writeln!(out, "  {name}:")?;
            for line in text.lines().map(printable) {
                for row in rows(&line) {
                    writeln!(out, "    {row}")?;
                }
            }
        }
        writeln!(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_printed_without_control_characters() {
        let line = Line {
            report: "r".to_owned(),
            reported_at: "2026-11-21T21:00:00Z".to_owned(),
            reason: "other",
            text: Some("a\u{1b}[2Jb\nreport x: forged".to_owned()),
            request: "q".to_owned(),
            request_status: "expired",
            prompt: None,
            creator: None,
        };
        let mut out = Vec::new();
        line.write(&mut out).expect("a write to memory");
        let out = String::from_utf8(out).expect("UTF-8");
        assert!(out.contains("    a[2Jb\n"), "{out}");
        let reports = out.lines().filter(|it| it.starts_with("report "));
        assert_eq!(reports.count(), 1, "{out}");
        // A terminal would break it, and begin a row with what looks like another report.
        for (text, want) in [
            ("x".repeat(80), vec![72, 8]),
            ("話".repeat(80), vec![36, 36, 8]),
            (String::new(), vec![0]),
        ] {
            let lengths: Vec<usize> = rows(&text).iter().map(|it| it.chars().count()).collect();
            assert_eq!(lengths, want);
        }
        let json = line.json().expect("JSON");
        assert!(json.contains("a\\u001b[2Jb\\nreport"), "{json}");
    }
}
