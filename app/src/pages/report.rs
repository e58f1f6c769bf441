//! The form that reports a request to the operator.
//! It needs no script, and asks for neither name nor address.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// The name of the field for the reason.
pub const REASON_FIELD: &str = "reason";

/// The name of the field for the free text.
pub const TEXT_FIELD: &str = "text";

/// The reasons, by their values in the form.
const REASONS: [(&str, Message); 4] = [
    ("danger", Message::ReportReasonDanger),
    ("harassment", Message::ReportReasonHarassment),
    ("fraud", Message::ReportReasonFraud),
    ("other", Message::ReportReasonOther),
];

/// A report that was filled in but not accepted.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The chosen reason; another text if none was chosen.
    pub reason: String,
    /// The free text.
    pub text: String,
    /// Why the report wasn't accepted.
    pub error: Option<DraftError>,
}

/// Why a report isn't accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftError {
    /// No reason was chosen.
    NoReason,
    /// The free text is too long.
    TextTooLong,
}

impl DraftError {
    const fn message(self) -> Message {
        match self {
            Self::NoReason => Message::ReportReasonMissing,
            Self::TextTooLong => Message::ReportTooLong,
        }
    }
}

/// The title of the page with the form.
pub fn report_title(locale: Locale) -> &'static str {
    locale.text(Message::ReportHeading)
}

/// The form.
#[component]
pub fn Report(
    locale: Locale,
    /// The request's id.
    request: String,
    /// The initial content.
    draft: Draft,
    /// The longest free text, in characters.
    max_chars: usize,
    /// The operator's contact: a `mailto:` or `https:` URL.
    contact: Option<String>,
) -> impl IntoView {
    let action = format!("/r/{request}/report?lang={}", locale.code());
    let Draft {
        reason: chosen,
        text,
        error,
    } = draft;
    let error_notice = error.map(|error| {
        view! {
            <p class="card report__error" role="alert">
                {locale.text(error.message())}
            </p>
        }
    });
    let reasons = REASONS.map(|(reason, message)| {
        let checked = reason == chosen;
        view! {
            <label class="report__reason">
                <input r#type="radio" name=REASON_FIELD value=reason checked=checked required/>
                {locale.text(message)}
            </label>
        }
    });
    let contact = contact.map(|contact| {
        let shown = contact.trim_start_matches("mailto:");
        let shown = shown.split('?').next().unwrap_or_default().to_owned();
        view! {
            <p>
                {locale.text(Message::ReportContact)} " "
                <a href=contact_url(&contact, &request) rel="noreferrer" dir="ltr">
                    {shown}
                </a>
            </p>
        }
    });
    view! {
        <main class="page">
            <form class="card report" method="post" action=action>
                <h1>{locale.text(Message::ReportHeading)}</h1>
                {error_notice}
                <p class="hint">{locale.text(Message::ReportText)}</p>
                <fieldset>
                    <legend>{locale.text(Message::ReportReason)}</legend>
                    {reasons.into_iter().collect_view()}
                </fieldset>
                <label class="report__details">
                    {locale.text(Message::ReportDetails)}
                    <textarea
                        name=TEXT_FIELD
                        maxlength=max_chars.to_string()
                        dir="auto"
                        inner_html=escape_text(&text)
                    ></textarea>
                </label>
                <button class="button button--primary" r#type="submit">
                    {locale.text(Message::ReportSend)}
                </button>
                {contact}
            </form>
        </main>
    }
}

/// Escapes the content of a `<textarea>`, which Leptos writes as it is.
/// HTML, section 13.1.2.2: it is text in which only these two characters have a meaning.
fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Adds the request's id to the subject of a mail, unless the operator has set a subject.
fn contact_url(contact: &str, request: &str) -> String {
    if contact.starts_with("mailto:") && !contact.contains('?') {
        format!("{contact}?subject=Vidence%20{request}")
    } else {
        contact.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_names_the_request() {
        for (contact, want) in [
            (
                "mailto:a@example.org",
                "mailto:a@example.org?subject=Vidence%20abc",
            ),
            (
                "mailto:a@example.org?subject=x",
                "mailto:a@example.org?subject=x",
            ),
            ("https://example.org/report", "https://example.org/report"),
        ] {
            assert_eq!(contact_url(contact, "abc"), want);
        }
    }

    #[test]
    fn a_report_needs_a_reason_and_nothing_else() {
        let contact = Some("mailto:a@example.org".to_owned());
        let owner = Owner::new();
        let draft = Draft::default();
        let form = || view! { <Report locale=Locale::English request="abc".to_owned() draft max_chars=2000 contact/> };
        let html = owner.with(|| form().to_html());
        assert_eq!(html.matches("<input").count(), 4, "{html}");
        assert_eq!(html.matches(" required").count(), 4, "{html}");
        assert!(html.contains(">a@example.org</a>"), "{html}");
        assert!(!html.contains(" checked"), "{html}");
        assert!(!html.contains("alert"), "{html}");
    }

    #[test]
    fn a_rejected_report_is_shown_again_with_its_error() {
        for (reason, error, message, checked) in [
            ("danger", DraftError::TextTooLong, Message::ReportTooLong, 1),
            (
                "else",
                DraftError::NoReason,
                Message::ReportReasonMissing,
                0,
            ),
        ] {
            let draft = Draft {
                reason: reason.to_owned(),
                text: "a </textarea><script>&amp;b".to_owned(),
                error: Some(error),
            };
            let (locale, request) = (Locale::English, "abc".to_owned());
            let form = || view! { <Report locale request draft max_chars=2000 contact=None/> };
            let html = Owner::new().with(|| form().to_html());
            assert_eq!(html.matches(" checked").count(), checked, "{html}");
            assert!(html.contains(locale.text(message)), "{html}");
            assert!(
                html.contains(">a &lt;/textarea>&lt;script>&amp;amp;b</textarea>"),
                "{html}"
            );
        }
    }
}
