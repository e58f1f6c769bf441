//! How one client is set up, and what it does with a video.

use leptos::prelude::*;

use super::{Whole, code};

/// A program that agents live in.
#[derive(Clone, Debug)]
pub struct Client {
    /// Unique on the page.
    pub id: &'static str,
    /// What its makers call it.
    pub name: &'static str,
    /// Where it is set up, in a word or two.
    pub place: &'static str,
    /// Each of them is enough.
    pub ways: Vec<Way>,
    /// What it does with what the tools give back, and what it lacks.
    pub limits: &'static [&'static str],
}

/// One way to set a client up.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where what follows goes.
    pub text: &'static str,
    /// What goes there.
    pub snippet: Snippet,
    /// An address that sets the client up when it is opened on the same machine.
    pub link: Option<String>,
}

/// What is to be copied.
#[derive(Clone, Debug)]
pub struct Snippet {
    /// How it is read.
    pub language: Language,
    /// All of it.
    pub text: String,
}

/// How a snippet is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// By a shell.
    Shell,
    /// As a file.
    Json,
    /// Likewise.
    Toml,
    /// As part of a program.
    Python,
    /// As what a field of a form asks for.
    Address,
}

#[component]
pub(super) fn SetUp(client: Client) -> impl IntoView {
    let Client {
        id,
        name,
        ways,
        limits,
        ..
    } = client;
    let ways = ways.into_iter().map(|way| {
        let link = way.link.map(|link| {
            view! {
                <p>
                    "Or "
                    <a href=link>{format!("add it to {name}")}</a>
                    " on this machine."
                </p>
            }
        });
        view! {
            <p>{code(way.text)}</p>
            <Whole text=way.snippet.text/>
            {link}
        }
    });
    let limits = limits.iter().map(|limit| view! { <li>{code(limit)}</li> });
    view! {
        <section class="operation" aria-labelledby=id>
            <h2 id=id>{name}</h2>
            {ways.collect_view()}
            <h3>"With videos"</h3>
            <ul class="rules">{limits.collect_view()}</ul>
        </section>
    }
}
