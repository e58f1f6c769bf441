//! The form to report a request, and its handler.

use app::locale::Locale;
use app::pages::{
    Draft, DraftError, Foot, Kind, Languages, REASON_FIELD, Reason, Report, TEXT_FIELD,
    report_title,
};
use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use leptos::prelude::*;

use super::Pages;
use crate::config::Contact;
use crate::http::extract::Ids;
use crate::http::pages::visitor::Visitor;
use crate::id::RequestId;
use crate::service::moderation::reports;
use crate::service::moderation::reports::{Incomplete, NewReport, TEXT_CHARS};
use crate::service::quota;
use net::client_addr::ClientAddr;

/// The longest form body. A text of 2000 characters of four bytes, all percent-encoded, takes 24 KB.
pub const MAX_BYTES: usize = 32 << 10;

pub async fn form(
    State(pages): State<Pages>,
    Ids(id): Ids<RequestId>,
    Visitor { locale, .. }: Visitor,
) -> Response {
    match reports::check(&pages.app, &id).await {
        Ok(request) => {
            let draft = Draft::default();
            pages.form(request.to_string(), draft, locale).await
        }
        Err(error) => pages.failed(&error, locale).await,
    }
}

pub async fn submit(
    State(pages): State<Pages>,
    Extension(client): Extension<ClientAddr>,
    Ids(id): Ids<RequestId>,
    Visitor { locale, .. }: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !is_same_origin(&headers, pages.app.public_url.as_str()) {
        // A form from another site leads to the empty form, so that the user decides whether to send it.
        let form = format!("/r/{id}/report?lang={}", locale.code());
        return match reports::check(&pages.app, &id).await {
            Ok(_) => Redirect::to(&form).into_response(),
            Err(error) => pages.failed(&error, locale).await,
        };
    }
    let Fields { reason, text } = Fields::read(&body);
    let said = match NewReport::new(&reason, text.clone()) {
        Ok(said) => said,
        Err(missing) => {
            let draft = Draft {
                reason,
                text,
                error: Some(draft_error(missing)),
            };
            return pages.render_with_error(&id, draft, locale).await;
        }
    };
    let reported = match quota::permit_report(&pages.app, client) {
        Ok(heard) => reports::report(&pages.app, heard, &id, said).await,
        Err(error) => Err(error),
    };
    match reported {
        Ok(()) => {
            let (status, reason) = (
                StatusCode::OK,
                Reason::Reported {
                    days: reports::KEPT_DAYS,
                },
            );
            pages.closed(status, reason, locale, Foot::default()).await
        }
        Err(error) => pages.failed(&error, locale).await,
    }
}

impl Pages {
    /// Renders the form again with the user's input.
    async fn render_with_error(&self, id: &RequestId, draft: Draft, locale: Locale) -> Response {
        let request = match reports::check(&self.app, id).await {
            Ok(request) => request.to_string(),
            Err(error) => return self.failed(&error, locale).await,
        };
        let mut form = self.form(request, draft, locale).await;
        *form.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
        form
    }

    async fn form(&self, request: String, draft: Draft, locale: Locale) -> Response {
        let contact = self.app.operator.contact.as_ref().map(Contact::as_str);
        let contact = contact.map(str::to_owned);
        let body = move || {
            let (request, draft, contact) = (request.clone(), draft.clone(), contact.clone());
            view! { <Report locale request draft max_chars=TEXT_CHARS contact/> }.into_any()
        };
        let (title, languages) = (report_title(locale), Languages::All(locale, None));
        let foot = Foot::default();
        self.render(title, languages, Kind::Closed, foot, body)
            .await
    }
}

/// Whether a form was sent by one of the server's own pages, as far as the browser tells.
///
/// That is given by Fetch Metadata (section 2.4) or, where it is absent, without HTTPS and in old browsers, by
/// `Origin` (RFC 6454, section 7.3). The server's pages send no referrer, and so `null` as their origin (Fetch,
/// section 3.2). Other programs send neither field, and are accepted: no cookie authenticates them either.
fn is_same_origin(headers: &HeaderMap, public_url: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    let host = headers.get(HOST).and_then(|it| it.to_str().ok());
    match headers.get(ORIGIN).map(|it| it.to_str()) {
        None | Some(Ok("null")) => true,
        // A proxy may put another `Host` in its place.
        Some(Ok(origin)) if origin == public_url => true,
        Some(Ok(origin)) => {
            let named = origin.split_once("://").map(|(_, host)| host);
            named.is_some() && named == host
        }
        Some(Err(_)) => false,
    }
}

/// The error message that the form shows.
fn draft_error(missing: Incomplete) -> DraftError {
    match missing {
        Incomplete::NoReason => DraftError::NoReason,
        Incomplete::TooLong => DraftError::TextTooLong,
    }
}

/// The fields of the form; absent ones are empty.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fields {
    reason: String,
    text: String,
}

impl Fields {
    /// Parses an `application/x-www-form-urlencoded` body: WHATWG URL, section 5.1.
    fn read(body: &[u8]) -> Self {
        let mut fields = Self::default();
        for (name, value) in form_urlencoded::parse(body) {
            match &*name {
                REASON_FIELD => fields.reason = value.into_owned(),
                // Forms send a line break as CR LF but count it as one character: HTML, section 4.10.
                TEXT_FIELD => fields.text = value.replace("\r\n", "\n").trim().to_owned(),
                _ => {}
            }
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn cross_site_forms_are_refused() {
        for (said, want) in [
            (vec![], true),
            (vec![("sec-fetch-site", "same-origin")], true),
            (vec![("sec-fetch-site", "same-site")], false),
            (vec![("sec-fetch-site", "cross-site")], false),
            (vec![("sec-fetch-site", "none")], false),
            (vec![("origin", "null")], true),
            (vec![("origin", "https://evidence.example.org")], true),
            (vec![("origin", "https://public.example.org")], true),
            (vec![("origin", "https://evil.example")], false),
            (
                vec![("origin", "https://evidence.example.org.evil.example")],
                false,
            ),
            (vec![("origin", "evidence.example.org")], false),
            (
                vec![("sec-fetch-site", "cross-site"), ("origin", "null")],
                false,
            ),
        ] {
            let host = [("host", "evidence.example.org")];
            let headers = said.iter().chain(&host).map(|(name, value)| {
                let value = value.parse().expect("a value");
                (HeaderName::from_static(name), value)
            });
            let is_same = is_same_origin(&headers.collect(), "https://public.example.org");
            assert_eq!(is_same, want, "{said:?}");
        }
        let mut without_host = HeaderMap::new();
        without_host.insert(ORIGIN, "evidence.example.org".parse().expect("a value"));
        assert!(!is_same_origin(&without_host, "https://public.example.org"));
    }

    #[test]
    fn report_forms_are_parsed() {
        for (body, reason, text) in [
            ("reason=fraud", "fraud", ""),
            ("reason=other&text=", "other", ""),
            (
                "text=a%0D%0Ab%C3%A9+c%0D%0A&reason=danger",
                "danger",
                "a\nbé c",
            ),
            ("text=abc", "", "abc"),
            ("", "", ""),
        ] {
            let fields = Fields::read(body.as_bytes());
            let read = (fields.reason.as_str(), fields.text.as_str());
            assert_eq!(read, (reason, text), "{body}");
        }
    }
}
