//! Reports of requests, and their review by the operator.
//!
//! Nothing about the reporter is stored. The request's prompt is copied into its report, because it is deleted when the
//! request expires, and the operator needs it for a decision.

use std::time::Duration;

use crate::clock::Millis;
use crate::db::{Report, ReportInsertion, Request, RequestState};
use crate::id::{ReportId, RequestId};
use crate::service::quota::{RefusalReason, ReportPermit, count_refusal};
use crate::service::requests::access;
use crate::service::{AppState, Error};

pub use crate::db::Reason;

/// Maximum length of a report's text in characters.
pub const TEXT_CHARS: usize = 2000;

/// Time after a request's expiry for which its link can still be reported.
///
/// It counts from the original expiry even if the request was deleted before, because the recipient may report it
/// later.
const AFTER: Millis = 24 * 60 * 60 * 1000;

/// Retention period of reports.
pub const KEPT: Duration = Duration::from_secs(KEPT_DAYS as u64 * 24 * 60 * 60);

/// [`KEPT`] in days.
pub const KEPT_DAYS: u8 = 30;

/// Maximum number of reports in one page of the list.
const PAGE: i64 = 500;

/// A validated report, which isn't stored yet.
#[derive(Debug)]
pub struct NewReport {
    reason: Reason,
    text: String,
}

/// Why a report is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The reason is missing or unknown.
    NoReason,
    /// The text has more than [`TEXT_CHARS`] characters.
    TooLong,
}

impl NewReport {
    /// Validates a report: the reason as in [`Reason::as_str`], and a text, which may be empty.
    pub fn new(reason: &str, text: String) -> Result<Self, Incomplete> {
        let known = Reason::ALL.iter().copied().find(|it| it.as_str() == reason);
        let reason = known.ok_or(Incomplete::NoReason)?;
        match text.chars().count() > TEXT_CHARS {
            true => Err(Incomplete::TooLong),
            false => Ok(Self { reason, text }),
        }
    }
}

/// Checks whether the request of a link can be reported, and returns its id.
///
/// Otherwise the error is what the page of the link shows.
pub async fn check(app: &AppState, request: &RequestId) -> Result<RequestId, Error> {
    access::reportable(app, request, AFTER).await
}

/// Stores a report of a request.
pub async fn report(
    app: &AppState,
    _: ReportPermit,
    request: &RequestId,
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
        ReportInsertion::Done => {
            if let Some(webhook) = &app.report_webhook {
                webhook.enqueue_report();
            }
            Ok(())
        }
        ReportInsertion::TooMany => {
            count_refusal(RefusalReason::ReportRate);
            Err(Error::ReportedOften)
        }
    }
}

/// An open report with the state of its request.
pub struct OpenReport {
    /// The report, with the request as it was then.
    pub report: Report,
    /// Current state of the request, as one word.
    pub request_state: &'static str,
}

/// Lists open reports, newest first: one page of those after `after`. An empty page is the end.
pub async fn open(app: &AppState, after: Option<&OpenReport>) -> Result<Vec<OpenReport>, Error> {
    let after = after.map(|OpenReport { report, .. }| (report.reported_at, report.id.clone()));
    let found = app.db.reports_open(after, PAGE).await?;
    let now = app.clock.now();
    let open = found.into_iter().map(|(report, request)| OpenReport {
        report,
        request_state: request_state(&request, now),
    });
    Ok(open.collect())
}

fn request_state(request: &Request, now: Millis) -> &'static str {
    match request.state {
        RequestState::Deleted if request.taken_down_at.is_some() => "taken_down",
        RequestState::AwaitingSubmission | RequestState::Submitted if now >= request.expires_at => {
            RequestState::Expired.as_str()
        }
        state => state.as_str(),
    }
}

/// Closes a report that the operator has handled.
pub async fn done(app: &AppState, id: ReportId) -> Result<(), Error> {
    match app.db.report_close(id, app.clock.now()).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Deletes reports whose retention period has passed.
pub(in crate::service) async fn delete_expired(app: &AppState) -> Result<(), Error> {
    let kept = Millis::try_from(KEPT.as_millis()).unwrap_or(Millis::MAX);
    app.db.reports_delete(app.clock.confirmed() - kept).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_needs_a_known_reason_and_a_bounded_text() {
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
