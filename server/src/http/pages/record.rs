//! The page behind a link, and the handler of its form.

use app::locale::{Date, Locale};
use app::pages::{
    DisplayTime, Foot, Kind, Languages, MAY_TRANSCRIBE, Reason, Record, RequestDetails,
    record_title,
};
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use leptos::prelude::*;

use super::{Pages, closed_reason};
use crate::clock::{Millis, civil, rfc3339};
use crate::http::extract::Ids;
use crate::http::pages::visitor::Visitor;
use crate::http::submission::form::{self, FormError};
use crate::id::RequestId;
use crate::service::Error;
use crate::service::moderation::reports;
use crate::service::submission::page_state;
use crate::telemetry::logging::request::inheriting;

pub async fn show(
    State(pages): State<Pages>,
    Ids(id): Ids<RequestId>,
    reader: Visitor,
) -> Response {
    let Visitor {
        locale,
        region,
        browser,
    } = reader;
    match page_state::load(&pages.app, &id).await {
        Ok(page) => {
            let until = DisplayTime {
                at: rfc3339(page.expires_at),
                text: in_words(page.expires_at, locale),
            };
            let details = RequestDetails {
                request: page.request,
                prompt: page.prompt,
                until,
                now: rfc3339(pages.app.clock.now()),
                max_bytes: page.max_bytes,
                is_transcribed: page.is_transcribed,
            };
            let body = move || {
                let details = details.clone();
                view! { <Record details locale browser/> }.into_any()
            };
            let (title, languages) = (record_title(locale), Languages::All(locale, region));
            pages
                .render(title, languages, Kind::Record, Foot::default(), body)
                .await
        }
        Err(error) => {
            let (status, reason) = match &error {
                // Not an error on this page: the link has served its purpose.
                Error::AlreadySubmitted => (StatusCode::OK, Reason::Submitted),
                error => closed_reason(error),
            };
            let reportable = reports::check(&pages.app, &id).await.ok();
            let request = reportable.map(|id| id.to_string());
            pages.closed(status, reason, locale, Foot { request }).await
        }
    }
}

fn in_words(at: Millis, locale: Locale) -> String {
    let at = civil(at);
    let date = Date {
        month: at.month().unsigned_abs(),
        day: at.day().unsigned_abs(),
        hour: at.hour().unsigned_abs(),
        minute: at.minute().unsigned_abs(),
    };
    date.format(locale)
}

pub async fn submit_form(
    State(pages): State<Pages>,
    Ids(id): Ids<RequestId>,
    Visitor { locale, .. }: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let mut query = query.as_deref().unwrap_or_default().split('&');
    let may_transcribe = query.any(|pair| pair == MAY_TRANSCRIBE);
    // In a task, so that it finishes even if the client disconnects after it has sent the last byte.
    let (app, request) = (pages.app.clone(), id.clone());
    let receiving =
        async move { form::receive(&app, &request, &headers, may_transcribe, body).await };
    match pages.app.tasks.spawn(inheriting(receiving)).await {
        // The page of a used link confirms the video; reloading it doesn't send the form again.
        Ok(Ok(())) => Redirect::to(&format!("/r/{id}?lang={}", locale.code())).into_response(),
        Ok(Err(FormError::Service(error))) => pages.failed(&error, locale).await,
        Err(_) => pages.failed(&Error::TaskEnded, locale).await,
        Ok(Err(FormError::NoFile)) => {
            let (status, reason) = (StatusCode::BAD_REQUEST, Reason::NoFile);
            pages.closed(status, reason, locale, Foot::default()).await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_shown_with_day_month_and_time() {
        let text = in_words(1_795_280_700_000, Locale::English);
        for part in ["21", "November", "17:05"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
