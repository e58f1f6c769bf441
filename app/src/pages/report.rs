//! The form that tells the operator what is wrong with a request. It needs no script, no name and no address.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// The field that says what is wrong.
pub const REASON_FIELD: &str = "reason";

/// The field for whatever else there is to say.
pub const TEXT_FIELD: &str = "text";

/// What can be wrong, in the words of the form's answer.
const REASONS: [(&str, Message); 4] = [
    ("danger", Message::ReportReasonDanger),
    ("harassment", Message::ReportReasonHarassment),
    ("fraud", Message::ReportReasonFraud),
    ("other", Message::ReportReasonOther),
];

/// What was written into the form before it was shown.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The chosen reason, or none that we know.
    pub reason: String,
    /// What else was said.
    pub text: String,
    /// Why it wasn't taken.
    pub lacks: Option<Lacks>,
}

/// What a draft has to have to be a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacks {
    /// A reason.
    Reason,
    /// A shorter text.
    Brevity,
}

impl Lacks {
    const fn message(self) -> Message {
        match self {
            Self::Reason => Message::ReportReasonMissing,
            Self::Brevity => Message::ReportTooLong,
        }
    }
}

/// The title of the page with the form.
pub fn report_title(locale: Locale) -> &'static str {
    locale.text(Message::ReportHeading)
}

/// Asks what is wrong.
#[component]
pub fn Report(
    locale: Locale,
    /// The request's id.
    request: String,
    /// What it begins with.
    draft: Draft,
    /// How many characters the text may have.
    most_chars: usize,
    /// Where else the operator is reached: `mailto:` or `https:`.
    contact: Option<String>,
) -> impl IntoView {
    let action = format!("/r/{request}/report?lang={}", locale.code());
    let Draft {
        reason: chosen,
        text,
        lacks,
    } = draft;
    let complaint = lacks.map(|lacks| {
        view! {
            <p class="notice notice--bad" role="alert">
                {locale.text(lacks.message())}
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
    let directly = contact.map(|contact| {
        let shown = contact.trim_start_matches("mailto:");
        let shown = shown.split('?').next().unwrap_or_default().to_owned();
        view! {
            <p>
                {locale.text(Message::ReportContact)} " "
                <a href=address(&contact, &request) rel="noreferrer" dir="ltr">
                    {shown}
                </a>
            </p>
        }
    });
    view! {
        <main class="page">
            <form class="card report" method="post" action=action>
                <h1>{locale.text(Message::ReportHeading)}</h1>
                {complaint}
                <p class="hint">{locale.text(Message::ReportText)}</p>
                <fieldset>
                    <legend>{locale.text(Message::ReportReason)}</legend>
                    {reasons.into_iter().collect_view()}
                </fieldset>
                <label class="report__more">
                    {locale.text(Message::ReportDetails)}
                    <textarea
                        name=TEXT_FIELD
                        maxlength=most_chars.to_string()
                        dir="auto"
                        inner_html=inert(&text)
                    ></textarea>
                </label>
                <button class="button button--primary" r#type="submit">
                    {locale.text(Message::ReportSend)}
                </button>
                {directly}
            </form>
        </main>
    }
}

/// Text for where leptos writes it as it is, and HTML (section 13.1.2.2) knows nothing but text, which these end.
fn inert(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A letter says which request it is about, unless the operator has written its subject already.
fn address(contact: &str, request: &str) -> String {
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
    fn a_letter_says_which_request_it_is_about() {
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
            assert_eq!(address(contact, "abc"), want);
        }
    }

    #[test]
    fn a_report_needs_a_reason_and_nothing_else() {
        let contact = Some("mailto:a@example.org".to_owned());
        let owner = Owner::new();
        let draft = Draft::default();
        let form = || view! { <Report locale=Locale::English request="abc".to_owned() draft most_chars=2000 contact/> };
        let html = owner.with(|| form().to_html());
        assert_eq!(html.matches("<input").count(), 4, "{html}");
        assert_eq!(html.matches(" required").count(), 4, "{html}");
        assert!(html.contains(">a@example.org</a>"), "{html}");
        assert!(!html.contains(" checked"), "{html}");
        assert!(!html.contains("alert"), "{html}");
    }

    #[test]
    fn a_draft_is_shown_again_with_what_it_lacks() {
        for (reason, lacks, message, checked) in [
            ("danger", Lacks::Brevity, Message::ReportTooLong, 1),
            ("else", Lacks::Reason, Message::ReportReasonMissing, 0),
        ] {
            let draft = Draft {
                reason: reason.to_owned(),
                text: "a </textarea><script>&amp;b".to_owned(),
                lacks: Some(lacks),
            };
            let (locale, request) = (Locale::English, "abc".to_owned());
            let form = || view! { <Report locale request draft most_chars=2000 contact=None/> };
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
