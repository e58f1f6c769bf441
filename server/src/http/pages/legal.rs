//! The operator's legal texts: the terms and the privacy policy.

use crate::config::{LegalText, Operator};
use crate::http::pages::markdown;
use crate::service::AppState;

/// The built-in texts, whose placeholders in braces are filled in for this server.
const TERMS: &str = include_str!("terms.md");
const PRIVACY: &str = include_str!("privacy.md");

/// What the privacy policy says besides where transcripts are made.
const TRANSCRIPT: &str = " What is said in one that was sent is turned into text: by a program to which its sound goes, \
                          and which may be run by somebody else. The text is deleted with the recording.";

/// A legal text.
pub enum LegalPage {
    /// The text as HTML, to be served by this server.
    Html(String),
    /// The address where the text is published.
    Elsewhere(String),
}

pub fn terms(app: &AppState) -> LegalPage {
    page(&app.operator.terms, TERMS, "Terms", app)
}

pub fn privacy(app: &AppState) -> LegalPage {
    page(&app.operator.privacy, PRIVACY, "Privacy", app)
}

fn page(text: &LegalText, builtin: &str, title: &str, app: &AppState) -> LegalPage {
    match text {
        LegalText::Builtin => {
            let filled_in = filled_in(builtin, &app.operator, app.transcriber.is_some());
            LegalPage::Html(markdown::render(&filled_in, title))
        }
        LegalText::Markdown(text) => LegalPage::Html(markdown::render(text, title)),
        LegalText::Url(address) => LegalPage::Elsewhere(address.clone()),
    }
}

fn filled_in(text: &str, operator: &Operator, is_transcribed: bool) -> String {
    let Operator { name, contact, .. } = operator;
    let name = name.as_deref().map(as_written);
    let run_by = match &name {
        Some(name) => format!("It is run by {name}."),
        None => "Whoever runs it gives no name here.".to_owned(),
    };
    let name = name.unwrap_or_else(|| "whoever runs this service".to_owned());
    let contact = contact.as_ref().map_or_else(
        || "This server names no address for that.".to_owned(),
        |it| {
            let address = as_written(it.as_str());
            let shown = as_written(it.as_str().trim_start_matches("mailto:"));
            format!("Write to [{shown}](<{address}>).")
        },
    );
    fill_in(text, |placeholder| match placeholder {
        "run_by" => &run_by,
        "operator" => &name,
        "contact" => &contact,
        "transcript" if is_transcribed => TRANSCRIPT,
        "transcript" => "",
        other => other,
    })
}

/// Replaces `{name}` in one pass, so that braces in a value stay text.
fn fill_in<'a>(text: &'a str, value: impl Fn(&'a str) -> &'a str) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (placeholder, rest) = part.split_once('}').unwrap_or((part, ""));
        filled += value(placeholder);
        filled += rest;
    }
    filled
}

/// Escapes a text for Markdown, so that it is shown literally: CommonMark 0.31, section 2.4.
fn as_written(text: &str) -> String {
    let mut markdown = String::new();
    for letter in text.chars() {
        if letter.is_ascii_punctuation() {
            markdown.push('\\');
        }
        markdown.push(letter);
    }
    markdown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_an_address_are_shown_as_they_are_written() {
        for (name, shown) in [
            ("Example Ltd.", "Example Ltd."),
            ("*A* & {contact} _b_", "*A* &amp; {contact} _b_"),
            (
                "[A](https://evil.example) <b>",
                "[A](https://evil.example) &lt;b&gt;",
            ),
            ("A &amp; `B` \\*", "A &amp;amp; `B` \\*"),
        ] {
            let contact = "mailto:a*b*c@example.org?subject=a<b>_c_&amp;d";
            let operator = Operator {
                name: Some(name.to_owned()),
                contact: Some(contact.parse().expect("a contact")),
                ..Operator::default()
            };
            let markdown = filled_in("{run_by} By {operator}.\n\n{contact}", &operator, false);
            let html = markdown::render(&markdown, "Title");
            let said = format!("<p>It is run by {shown}. By {shown}.</p>");
            assert!(html.contains(&said), "{html}");
            assert!(
                html.contains(">a*b*c@example.org?subject=a&lt;b&gt;_c_&amp;amp;d</a>"),
                "{html}"
            );
            assert_eq!(html.matches("<a ").count(), 1, "{html}");
        }
    }

    #[test]
    fn the_privacy_policy_names_transcripts_where_they_are_made() {
        for is_transcribed in [true, false] {
            let text = filled_in(PRIVACY, &Operator::default(), is_transcribed);
            assert_eq!(text.contains("turned into text"), is_transcribed, "{text}");
        }
    }

    #[test]
    fn the_bundled_legal_texts_have_only_known_placeholders() {
        for text in [TERMS, PRIVACY] {
            fill_in(text, |placeholder| {
                let known = ["run_by", "operator", "contact", "transcript"].contains(&placeholder);
                assert!(known, "{placeholder}");
                ""
            });
        }
    }
}
