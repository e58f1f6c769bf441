//! What the operator says: the terms, and what becomes of what is stored.

use app::locale::{Piece, pieces};
use app::pages::{Foot, Kind, Languages, Words};
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use leptos::prelude::*;

use super::Pages;
use crate::http::markdown;
use crate::service::{App, Operator, Text};

/// What comes with Vidence; what stands in braces is this server's.
const TERMS: &str = include_str!("terms.md");
const PRIVACY: &str = include_str!("privacy.md");

/// Rendered once.
pub(super) struct Texts {
    terms: Page,
    privacy: Page,
}

enum Page {
    Html(String),
    Elsewhere(String),
}

impl Texts {
    pub(super) fn of(app: &App) -> Self {
        let page = |text: &Text, ours: &str, title| match text {
            Text::Ours => Page::Html(markdown::render(&filled_in(ours, &app.operator), title)),
            Text::Markdown(text) => Page::Html(markdown::render(text, title)),
            Text::Elsewhere(address) => Page::Elsewhere(address.clone()),
        };
        Self {
            terms: page(&app.operator.terms, TERMS, "Terms"),
            privacy: page(&app.operator.privacy, PRIVACY, "Privacy"),
        }
    }
}

fn filled_in(text: &str, operator: &Operator) -> String {
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
    let parts = pieces(text).map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Gap("run_by") => &run_by,
        Piece::Gap("operator") => &name,
        Piece::Gap("contact") => &contact,
        Piece::Gap(other) => other,
    });
    parts.collect()
}

/// Markdown that shows this text as it is: CommonMark 0.31, section 2.4.
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

pub(super) async fn terms(State(pages): State<Pages>) -> Response {
    let page = &pages.texts.terms;
    pages.words("Terms", page).await
}

pub(super) async fn privacy(State(pages): State<Pages>) -> Response {
    let page = &pages.texts.privacy;
    pages.words("Privacy", page).await
}

impl Pages {
    async fn words(&self, title: &'static str, page: &Page) -> Response {
        let html = match page {
            Page::Html(html) => html.clone(),
            Page::Elsewhere(address) => return Redirect::to(address).into_response(),
        };
        let body = move || {
            let html = html.clone();
            view! { <Words html/> }.into_any()
        };
        let (languages, foot) = (Languages::English, Foot::default());
        self.render(title, languages, Kind::Docs, foot, body).await
    }
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
            let markdown = filled_in("{run_by} By {operator}.\n\n{contact}", &operator);
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
    fn what_comes_with_vidence_has_no_gap_that_nothing_fills() {
        for text in [TERMS, PRIVACY] {
            for piece in pieces(text) {
                if let Piece::Gap(gap) = piece {
                    assert!(["run_by", "operator", "contact"].contains(&gap), "{gap}");
                }
            }
        }
    }
}
