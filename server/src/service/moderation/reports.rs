//! What people say against a request, and how the operator reads it.
//!
//! Nothing is known of whoever says it. What the request asked for is copied into its report, because a request
//! that is over keeps none of it, and somebody has to judge.

use std::time::Duration;

use crate::clock::Millis;
use crate::db::{Report, ReportInsertion, Request, RequestState};
use crate::id::{ReportId, RequestId};
use crate::service::quota::ReportPermit;
use crate::service::requests::access;
use crate::service::{AppState, Error};

pub use crate::db::Reason;

/// As long as this in characters, at most.
pub const TEXT_CHARS: usize = 2000;

/// A link can still be reported for so long after the time until which it was given, whether its request has
/// expired or was deleted before: who was asked may think of it later.
const AFTER: Millis = 24 * 60 * 60 * 1000;

/// Reports are kept for so long.
pub const KEPT: Duration = Duration::from_secs(KEPT_DAYS as u64 * 24 * 60 * 60);

/// [`KEPT`] in days.
pub const KEPT_DAYS: u8 = 30;

/// As many are listed at a time.
const PAGE: i64 = 500;

/// What somebody says.
#[derive(Debug)]
pub struct NewReport {
    reason: Reason,
    text: String,
}

/// Why something isn't a complaint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// It doesn't say what is wrong.
    NoReason,
    /// It has more than [`TEXT_CHARS`].
    TooLong,
}

impl NewReport {
    /// What is wrong, as [`Reason::word`], and somebody's own words, which may be none.
    pub fn new(reason: &str, text: String) -> Result<Self, Incomplete> {
        let known = Reason::ALL.iter().copied().find(|it| it.word() == reason);
        let reason = known.ok_or(Incomplete::NoReason)?;
        match text.chars().count() > TEXT_CHARS {
            true => Err(Incomplete::TooLong),
            false => Ok(Self { reason, text }),
        }
    }
}

/// Whether there is something to report behind a link: what the page of the link says otherwise.
pub async fn check(app: &AppState, request: &str) -> Result<RequestId, Error> {
    access::reportable(app, request, AFTER).await
}

/// Stores what somebody says against a request.
pub async fn report(
    app: &AppState,
    _: ReportPermit,
    request: &str,
    said: NewReport,
) -> Result<(), Error> {
    let request_id = check(app, request).await?;
    let report = Report {
        id: ReportId::random(),
        request_id,
        reason: said.reason,
        text: (!said.text.is_empty()).then(|| said.text.into_bytes()),
        prompt: None,
        creator: None,
        reported_at: app.clock.now(),
        done_at: None,
    };
    match app.db.report_insert(report).await? {
        ReportInsertion::Done => Ok(()),
        ReportInsertion::TooMany => Err(Error::ReportedOften),
    }
}

/// A report as the operator reads it.
pub struct Open {
    /// What somebody said, and what the request was like then.
    pub report: Report,
    /// How the request stands now, in a word.
    pub standing: &'static str,
}

/// Reports that nobody is done with, newest first: a page of those that follow on this one. None: that was all.
pub async fn open(app: &AppState, after: Option<&Open>) -> Result<Vec<Open>, Error> {
    let after = after.map(|Open { report, .. }| (report.reported_at, report.id.clone()));
    let found = app.db.reports_open(after, PAGE).await?;
    let now = app.clock.now();
    let open = found.into_iter().map(|(report, request)| Open {
        report,
        standing: standing(&request, now),
    });
    Ok(open.collect())
}

fn standing(request: &Request, now: Millis) -> &'static str {
    match request.state {
        RequestState::Deleted if request.taken_down_at.is_some() => "taken_down",
        RequestState::AwaitingSubmission | RequestState::Submitted if now >= request.expires_at => {
            RequestState::Expired.word()
        }
        state => state.word(),
    }
}

/// Notes that the operator is done with a report.
pub async fn done(app: &AppState, id: &str) -> Result<(), Error> {
    let id = ReportId::parse(id).ok_or(Error::NotFound)?;
    match app.db.report_close(id, app.clock.now()).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Forgets those that were kept for long enough.
pub(in crate::service) async fn forget_old(app: &AppState) -> Result<(), Error> {
    let kept = Millis::try_from(KEPT.as_millis()).unwrap_or(Millis::MAX);
    app.db.reports_delete(app.clock.confirmed() - kept).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_has_a_reason_and_an_end() {
        for (reason, chars, want) in [
            ("fraud", 0, None),
            ("other", TEXT_CHARS, None),
            ("other", TEXT_CHARS + 1, Some(Incomplete::TooLong)),
            ("nothing", 3, Some(Incomplete::NoReason)),
            ("", 0, Some(Incomplete::NoReason)),
        ] {
            let said = NewReport::new(reason, "é".repeat(chars));
            assert_eq!(said.err(), want, "{reason} and {chars}");
        }
    }
}
