//! The next steps by program: one tab a language.

use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;

use super::copy::Copy;
use super::session::{Given, Session};
use super::snippets::{About, Language, Step, Token, snippet};
use super::text;
use crate::browser;

/// Status, download and deletion in curl, Python and JavaScript.
#[component]
pub fn Programs(session: Session, given: Given, base: String) -> impl IntoView {
    let language = RwSignal::new(Language::Curl);
    let request = given.id.clone();
    let about = Memo::new(move |_| About {
        base: base.clone(),
        request: request.clone(),
        video: session.phase.with(|it| it.video().map(str::to_owned)),
        extension: session.metadata.with(|metadata| {
            let media_type = metadata.as_ref().map(|it| it.media_type.as_str());
            text::extension(media_type.unwrap_or_default())
        }),
    });
    let steps = Step::ALL.map(|step| {
        let token = given.token.clone();
        let shown = move || snippet(language.get(), step, &about.get(), Token::Environment);
        let plain = move || {
            snippet(
                language.get_untracked(),
                step,
                &about.get_untracked(),
                Token::Environment,
            )
        };
        let whole = move || {
            snippet(
                language.get_untracked(),
                step,
                &about.get_untracked(),
                Token::Literal(&token),
            )
        };
        view! {
            <div class="program">
                <div class="program__head">
                    <h4>{step.title()}</h4>
                    <Copy label="Copy" what=step.title() text=plain/>
                    <Copy label="Copy with token" what=step.title() text=whole/>
                </div>
                <pre class="code" tabindex="0">
                    <code>{shown}</code>
                </pre>
            </div>
        }
    });
    view! {
        <section class="card programs" aria-labelledby="programs-heading">
            <h3 id="programs-heading">"From a program"</h3>
            <Tabs language/>
            <div
                class="programs__steps"
                role="tabpanel"
                id="programs-panel"
                aria-labelledby=move || tab_id(language.get())
            >
                {steps.collect_view()}
            </div>
        </section>
    }
}

fn tab_id(language: Language) -> String {
    format!("tab-{}", language.name())
}

/// As the pattern for tabs has it: one of them is in the order of Tab, arrow keys go between them.
#[component]
fn Tabs(language: RwSignal<Language>) -> impl IntoView {
    let list = NodeRef::<Div>::new();
    let step = move |event: KeyboardEvent| {
        let forward = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => Language::ALL.len() - 1,
            _ => return,
        };
        let at = Language::ALL
            .iter()
            .position(|it| *it == language.get_untracked());
        let next = (at.unwrap_or_default() + forward) % Language::ALL.len();
        if let Some(next) = Language::ALL.get(next) {
            language.set(*next);
            if let Some(list) = list.get_untracked() {
                browser::focus_within(&list, &tab_id(*next));
            }
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label="Language" node_ref=list on:keydown=step>
            {Language::ALL
                .map(|it| {
                    let chosen = move || language.get() == it;
                    view! {
                        <button
                            class="tab"
                            role="tab"
                            id=tab_id(it)
                            aria-controls="programs-panel"
                            aria-selected=move || chosen().to_string()
                            tabindex=move || if chosen() { "0" } else { "-1" }
                            on:click=move |_| language.set(it)
                        >
                            {it.name()}
                        </button>
                    }
                })
                .collect_view()}
        </div>
    }
}
