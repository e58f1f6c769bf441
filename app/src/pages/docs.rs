//! The interface, described for people. What stands here is read from its OpenAPI document.

use leptos::prelude::*;

/// The whole interface.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// What it is for, a paragraph each.
    pub intro: Vec<String>,
    /// `1.0.0`
    pub version: String,
    /// What can be called.
    pub operations: Vec<Operation>,
}

/// One thing that can be called.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// Unique in the document, and so on the page.
    pub id: String,
    /// `GET`
    pub method: String,
    /// `/v1/requests/{id}`
    pub path: String,
    /// What it does, in a few words.
    pub summary: String,
    /// What else there is to know.
    pub text: String,
    /// A call that can be pasted into a terminal.
    pub call: String,
    /// What stands in the path and in headers.
    pub parameters: Vec<Field>,
    /// What stands in the body.
    pub body: Vec<Field>,
    /// How it ends.
    pub answers: Vec<Answer>,
}

/// One named value.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it may be: `string, 1 to 2000 characters`.
    pub kind: String,
    /// What it means.
    pub text: String,
}

/// One way in which a call ends.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// `201`
    pub status: String,
    /// What it means.
    pub text: String,
    /// Headers beyond the usual ones.
    pub headers: Vec<Field>,
    /// What stands in the body.
    pub fields: Vec<Field>,
    /// One body, as an example; or what kind of bytes it is.
    pub example: String,
}

/// The page.
#[component]
pub fn Docs(reference: Reference) -> impl IntoView {
    let contents = reference.operations.iter().map(|it| {
        let (method, summary) = (it.method.clone(), it.summary.clone());
        view! {
            <li>
                <a href=format!("#{}", it.id)>{summary}</a>
                <code>{format!("{method} {}", it.path)}</code>
            </li>
        }
    });
    let contents = contents.collect_view();
    view! {
        <main class="page page--docs">
            <section class="hero">
                <h1>"The interface"</h1>
                {reference.intro.iter().map(|it| view! { <p class="lead">{code(it)}</p> }).collect_view()}
                <p class="quiet">
                    {format!("Version {}. ", reference.version)}
                    <a href="/v1/openapi.json">"OpenAPI document"</a>
                    " for generators, "
                    <a href="/llms.txt">"llms.txt"</a>
                    " and "
                    <a href="/docs/mcp">"MCP"</a>
                    " for agents."
                </p>
                <nav aria-label="Operations">
                    <ul class="contents">{contents}</ul>
                </nav>
            </section>
            {reference.operations.into_iter().map(|operation| view! { <Call operation/> }).collect_view()}
        </main>
    }
}

#[component]
fn Call(operation: Operation) -> impl IntoView {
    let Operation {
        id,
        method,
        path,
        summary,
        text,
        call,
        parameters,
        body,
        answers,
    } = operation;
    let (named, badge) = (
        id.clone(),
        format!("method method--{}", method.to_lowercase()),
    );
    view! {
        <section class="operation" aria-labelledby=named>
            <h2 id=id>{summary}</h2>
            <p class="route">
                <span class=badge>{method}</span>
                " "
                <code>{path}</code>
            </p>
            <p>{code(&text)}</p>
            <pre class="code" tabindex="0">
                <code>{call}</code>
            </pre>
            <Fields title="Parameters" fields=parameters/>
            <Fields title="Body" fields=body/>
            <h3>"Answers"</h3>
            <div class="answers">
                {answers.into_iter().map(|answer| view! { <Ending answer/> }).collect_view()}
            </div>
        </section>
    }
}

#[component]
fn Ending(answer: Answer) -> impl IntoView {
    let good = answer.status.starts_with('2');
    let class = if good {
        "status status--good"
    } else {
        "status"
    };
    let example = (!answer.example.is_empty()).then(|| {
        view! {
            <pre class="code" tabindex="0">
                <code>{answer.example}</code>
            </pre>
        }
    });
    view! {
        <details class="answer">
            <summary>
                <span class=class>{answer.status}</span>
                " "
                <span>{code(&answer.text)}</span>
            </summary>
            <Fields title="Headers" fields=answer.headers/>
            <Fields title="Body" fields=answer.fields/>
            {example}
        </details>
    }
}

#[component]
fn Fields(title: &'static str, fields: Vec<Field>) -> impl IntoView {
    let rows = fields.iter().map(|field| {
        view! {
            <dt>
                <code>{field.name.clone()}</code>
                " "
                <span class="kind">{field.kind.clone()}</span>
            </dt>
            <dd>{code(&field.text)}</dd>
        }
    });
    let rows = rows.collect_view();
    (!fields.is_empty()).then(|| {
        view! {
            <h3>{title}</h3>
            <dl class="fields">{rows}</dl>
        }
    })
}

/// What stands between backticks is code: the one piece of Markdown that the document uses.
pub(super) fn code(text: &str) -> impl IntoView + use<> {
    let pieces = text.split('`').enumerate().map(|(place, piece)| {
        let piece = piece.to_owned();
        match place % 2 {
            0 => piece.into_any(),
            _ => view! { <code>{piece}</code> }.into_any(),
        }
    });
    pieces.collect_view()
}
