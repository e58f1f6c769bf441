//! A session with the tools, as it went.

use leptos::prelude::*;

use super::code;

/// A story from asking to deleting.
#[derive(Clone, Debug)]
pub struct Session {
    /// In the order in which they happened.
    pub steps: Vec<Step>,
}

/// What happens: a call, or something without one.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens, and why.
    pub text: String,
    /// If it is a call.
    pub call: Option<Call>,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which.
    pub tool: String,
    /// As JSON.
    pub arguments: String,
    /// What the answer says, as JSON.
    pub answer: String,
    /// What else is in the answer.
    pub blocks: Vec<Block>,
}

/// A content block of an answer.
#[derive(Clone, Debug)]
pub enum Block {
    /// An image block.
    Picture {
        /// Where it is.
        url: String,
        /// In pixels.
        width: u64,
        /// Likewise.
        height: u64,
        /// `at 0.50 s`
        moment: String,
    },
    /// Any other, in words.
    Other(String),
}

#[component]
pub(super) fn Transcript(session: Session) -> impl IntoView {
    let steps = session.steps.into_iter().map(|step| {
        view! {
            <li class="step">
                <p>{code(&step.text)}</p>
                {step.call.map(|call| view! { <CallAndAnswer call/> })}
            </li>
        }
    });
    view! {
        <section class="operation" aria-labelledby="session">
            <h2 id="session">"A session"</h2>
            <p>
                "This is what went to and fro; a test camera stood in for the person’s. Ids and times are \
                 examples, and the token is cut short."
            </p>
            <ol class="session">{steps.collect_view()}</ol>
        </section>
    }
}

#[component]
fn CallAndAnswer(call: Call) -> impl IntoView {
    let (mut pictures, mut others) = (Vec::new(), Vec::new());
    for block in call.blocks {
        match block {
            Block::Picture {
                url,
                width,
                height,
                moment,
            } => pictures.push(view! {
                <figure>
                    <img
                        src=url
                        width=width.to_string()
                        height=height.to_string()
                        alt=format!("What was filmed, {moment}")
                        loading="lazy"
                    />
                    <figcaption>{moment.clone()}</figcaption>
                </figure>
            }),
            Block::Other(words) => others.push(view! { <li>{code(&words)}</li> }),
        }
    }
    let pictures = (!pictures.is_empty()).then(|| view! { <div class="pictures">{pictures}</div> });
    let others = (!others.is_empty()).then(|| view! { <ul class="rules">{others}</ul> });
    view! {
        <h3>
            "Call of "
            <code>{call.tool}</code>
        </h3>
        <pre class="code" tabindex="0">
            <code>{call.arguments}</code>
        </pre>
        <h3>"Answer"</h3>
        <pre class="code" tabindex="0">
            <code>{call.answer}</code>
        </pre>
        {pictures}
        {others}
    }
}
