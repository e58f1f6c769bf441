//! The link to the form that reports the request.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// It opens in another tab: in this one it would end a recording.
#[component]
pub(in crate::pages::record) fn ReportLink(locale: Locale, request: String) -> impl IntoView {
    view! {
        <a
            class="report-link"
            href=format!("/r/{request}/report?lang={}", locale.code())
            target="_blank"
            rel="noreferrer"
        >
            {locale.text(Message::ReportHeading)}
        </a>
    }
}
