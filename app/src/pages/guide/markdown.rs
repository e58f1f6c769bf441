//! The same as a text for models: Markdown.

use super::session::{Block, Call};
use super::{Client, Language, Measured, Session};
use super::{ERRORS, Entry, FAILS_AS_HTTP, FAILS_AS_TOOL, Guide, MEASURED_HOW, RULES, TOOLS};

/// What the page says to whoever reads it, without pictures and links that are made to be pressed.
pub fn markdown(guide: &Guide) -> String {
    let mut text = format!(
        "# Use Vidence from an agent\n\nBy MCP, the Model Context Protocol: with three tools an agent asks a person for \
         a video, waits for it, and sees what they filmed. The endpoint is <{}>: streamable HTTP, no account, no key.\n",
        guide.endpoint
    );
    text += "\n## Three tools\n\n";
    entries(&TOOLS, &mut text);
    for it in &guide.clients {
        client(it, &mut text);
    }
    text += &format!("\n## What models see\n\n{MEASURED_HOW}\n\n");
    table(&guide.measured, &mut text);
    text += "\n## Rules worth knowing\n\n";
    items(&RULES, &mut text);
    text += &format!("\n## Errors\n\n{FAILS_AS_TOOL}\n\n");
    entries(&ERRORS, &mut text);
    text += &format!("\n{FAILS_AS_HTTP}\n");
    session(&guide.session, &mut text);
    text
}

fn entries(entries: &[Entry], text: &mut String) {
    for Entry {
        name,
        kind,
        text: about,
    } in entries
    {
        let kind = match *kind {
            "" => String::new(),
            kind => format!(" ({kind})"),
        };
        *text += &format!("- `{name}`{kind}: {about}\n");
    }
}

fn items(items: &[&str], text: &mut String) {
    for item in items {
        *text += &format!("- {item}\n");
    }
}

fn client(client: &Client, text: &mut String) {
    *text += &format!("\n## {}\n", client.name);
    for way in &client.ways {
        *text += &format!("\n{}\n\n", way.text);
        let language = match way.snippet.language {
            Language::Shell => "sh",
            Language::Json => "json",
            Language::Toml => "toml",
            Language::Python => "python",
            Language::Address => "",
        };
        block(language, &way.snippet.text, text);
    }
    *text += "\nWith videos:\n\n";
    items(client.limits, text);
}

fn table(measured: &[Measured], text: &mut String) {
    let films = measured.first().map(|it| it.films.as_slice());
    let films = films.unwrap_or_default();
    let lengths = films.iter().map(|it| format!(" {} s, 720p |", it.seconds));
    *text += &format!("| program and model |{}\n", lengths.collect::<String>());
    *text += &format!("|---|{}\n", "---|".repeat(films.len()));
    for it in measured {
        let films = it
            .films
            .iter()
            .map(|film| format!(" {} |", film.in_words()));
        let films: String = films.collect();
        *text += &format!("| {} {}, {} |{films}\n", it.program, it.version, it.model);
    }
}

fn session(session: &Session, text: &mut String) {
    *text += "\n## A session\n\nIds and times are examples, and the token is cut short.\n";
    for (step, number) in session.steps.iter().zip(1..) {
        *text += &format!("\n{number}. {}\n", step.text);
        if let Some(call) = &step.call {
            call_and_answer(call, text);
        }
    }
}

fn call_and_answer(call: &Call, text: &mut String) {
    *text += &format!("\nCall of `{}`:\n\n", call.tool);
    block("json", &call.arguments, text);
    *text += "\nAnswer:\n\n";
    block("json", &call.answer, text);
    if !call.blocks.is_empty() {
        *text += "\nBeside it:\n\n";
    }
    for block in &call.blocks {
        match block {
            Block::Picture { moment, .. } => *text += &format!("- A picture, {moment}\n"),
            Block::Other(words) => *text += &format!("- {words}\n"),
        }
    }
}

fn block(language: &str, content: &str, text: &mut String) {
    *text += &format!("```{language}\n{content}\n```\n");
}
