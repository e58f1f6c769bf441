//! What the operator says: the terms, and what becomes of what is stored.

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
            Text::Ours => Page::Html(markdown::render(&filled_in(ours, app), title)),
            Text::Markdown(text) => Page::Html(markdown::render(text, title)),
            Text::Elsewhere(address) => Page::Elsewhere(address.clone()),
        };
        Self {
            terms: page(&app.operator.terms, TERMS, "Terms"),
            privacy: page(&app.operator.privacy, PRIVACY, "Privacy"),
        }
    }
}

fn filled_in(text: &str, app: &App) -> String {
    let Operator { name, contact, .. } = &app.operator;
    let run_by = match name {
        Some(name) => format!("It is run by {name}."),
        None => "Whoever runs it gives no name here.".to_owned(),
    };
    let name = name.as_deref().unwrap_or("whoever runs this service");
    let contact = contact.as_ref().map_or_else(
        || "This server names no address for that.".to_owned(),
        |it| {
            let shown = it.as_str().trim_start_matches("mailto:");
            format!("Write to [{shown}](<{}>).", it.as_str())
        },
    );
    text.replace("{run_by}", &run_by)
        .replace("{operator}", name)
        .replace("{contact}", &contact)
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
