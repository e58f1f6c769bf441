//! What people say against a request, and how the operator reads it.
//!
//! Nothing is known of whoever says it. What the request asked for is copied into its report, because a request
//! that is over keeps none of it, and somebody has to judge.

use std::time::Duration;

use super::quota::Heard;
use super::{App, Error, access};
use crate::clock::Millis;
use crate::db::{Report, Reported, Request, RequestState};
use crate::id::{ReportId, RequestId};

pub use crate::db::Reason;

/// As long as this in characters, at most.
pub const TEXT_CHARS: usize = 2000;

/// A link that has expired can still be reported for so long: who was asked may think of it later.
const AFTER: Millis = 24 * 60 * 60 * 1000;

/// Reports are kept for so long.
pub const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// As many are listed at a time.
const LISTED: i64 = 1000;

/// What somebody says.
pub struct Complaint {
    /// What is wrong.
    pub reason: Reason,
    /// In their own words; empty for none.
    pub text: String,
}

/// Whether there is something to report behind a link: what the page of the link says otherwise.
pub async fn check(app: &App, request: &str) -> Result<RequestId, Error> {
    let current = access::reportable(app, request, AFTER).await?;
    Ok(current.id().clone())
}

/// Stores what somebody says against a request.
pub async fn report(app: &App, _: Heard, request: &str, said: Complaint) -> Result<(), Error> {
    let request_id = check(app, request).await?;
    let chars = said.text.chars().count();
    if chars > TEXT_CHARS {
        return Err(Error::Invalid(format!(
            "a report has at most {TEXT_CHARS} characters, not {chars}"
        )));
    }
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
        Reported::Stored => Ok(()),
        Reported::Enough => Err(Error::ReportedOften),
    }
}

/// A report as the operator reads it.
pub struct Open {
    /// What somebody said, and what the request was like then.
    pub report: Report,
    /// How the request stands now, in a word.
    pub standing: &'static str,
}

/// Reports that nobody is done with, oldest first.
pub async fn open(app: &App) -> Result<Vec<Open>, Error> {
    let found = app.db.reports_open(LISTED).await?;
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
pub async fn done(app: &App, id: &str) -> Result<(), Error> {
    let id = ReportId::parse(id).ok_or(Error::NotFound)?;
    match app.db.report_done(id, app.clock.now()).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Forgets those that were kept for long enough.
pub(super) async fn forget_old(app: &App) -> Result<(), Error> {
    let kept = Millis::try_from(KEPT.as_millis()).unwrap_or(Millis::MAX);
    app.db.reports_forget(app.clock.now() - kept).await?;
    Ok(())
}
