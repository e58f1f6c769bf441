//! The form that tells the operator what is wrong with a request. It needs no script, no name and no address.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// The field that says what is wrong.
pub const REASON_FIELD: &str = "reason";

/// The field for whatever else there is to say.
pub const TEXT_FIELD: &str = "text";

/// What can be wrong, in the words of the form's answer.
const REASONS: [(&str, Message); 4] = [
    ("danger", Message::ReportDanger),
    ("harassment", Message::ReportHarassment),
    ("fraud", Message::ReportFraud),
    ("other", Message::ReportOther),
];

/// Asks what is wrong.
#[component]
pub fn Report(
    locale: Locale,
    /// The request's id.
    request: String,
    /// How many characters the text may have.
    most_chars: usize,
    /// Where else the operator is reached: `mailto:` or `https:`.
    contact: Option<String>,
) -> impl IntoView {
    let says = |message| locale.says(message);
    let action = format!("/r/{request}/report?lang={}", locale.code());
    let reasons = REASONS.map(|(reason, message)| {
        view! {
            <label class="report__reason">
                <input r#type="radio" name=REASON_FIELD value=reason required/>
                {says(message)}
            </label>
        }
    });
    let directly = contact.map(|contact| {
        let shown = contact.trim_start_matches("mailto:");
        let shown = shown.split('?').next().unwrap_or_default().to_owned();
        view! {
            <p>
                {says(Message::ReportContact)} " "
                <a href=address(&contact, &request) rel="noreferrer" dir="ltr">
                    {shown}
                </a>
            </p>
        }
    });
    view! {
        <main class="page">
            <form class="card report" method="post" action=action>
                <h1>{says(Message::Report)}</h1>
                <p class="hint">{says(Message::ReportText)}</p>
                <fieldset>
                    <legend>{says(Message::ReportWhy)}</legend>
                    {reasons.into_iter().collect_view()}
                </fieldset>
                <label class="report__more">
                    {says(Message::ReportMore)}
                    <textarea name=TEXT_FIELD maxlength=most_chars.to_string() dir="auto"></textarea>
                </label>
                <button class="button button--primary" r#type="submit">
                    {says(Message::ReportSend)}
                </button>
                {directly}
            </form>
        </main>
    }
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
        let form = || view! { <Report locale=Locale::English request="abc".to_owned() most_chars=2000 contact/> };
        let html = owner.with(|| form().to_html());
        assert_eq!(html.matches("<input").count(), 4, "{html}");
        assert_eq!(html.matches(" required").count(), 4, "{html}");
        assert!(html.contains(">a@example.org</a>"), "{html}");
    }
}
