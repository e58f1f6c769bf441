//! The next steps as code, with a tab for each language.

mod snippets;

use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;

use self::snippets::{Language, SnippetContext, Step, TokenSource, snippet};
use super::controller::Controller;
use super::copy::CopyButton;
use super::state::IssuedRequest;
use crate::browser;
use crate::format::video_extension;

/// Status, download and deletion in curl, Python and JavaScript.
#[component]
pub fn CodeTabs(controller: Controller, request: IssuedRequest, base: String) -> impl IntoView {
    let language = RwSignal::new(Language::Curl);
    let id = request.id.clone();
    let context = Memo::new(move |_| SnippetContext {
        base: base.clone(),
        request: id.clone(),
        video: controller.phase.with(|it| it.video().map(str::to_owned)),
        extension: controller.metadata.with(|metadata| {
            let media_type = metadata.as_ref().map(|it| it.media_type.as_str());
            video_extension(media_type.unwrap_or_default())
        }),
    });
    let steps = Step::ALL.map(|step| {
        let token = request.token.clone();
        let shown = move || {
            let environment = TokenSource::Environment;
            snippet(language.get(), step, &context.get(), environment)
        };
        let copied = move |token: TokenSource<'_>| {
            let language = language.get_untracked();
            snippet(language, step, &context.get_untracked(), token)
        };
        let without_token = move || copied(TokenSource::Environment);
        let with_token = move || copied(TokenSource::Literal(&token));
        view! {
            <div class="snippet">
                <div class="snippet__header">
                    <h4>{step.title()}</h4>
                    <CopyButton label="Copy" what=step.title() text=without_token/>
                    <CopyButton label="Copy with token" what=step.title() text=with_token/>
                </div>
                <pre class="code" tabindex="0">
                    <code>{shown}</code>
                </pre>
            </div>
        }
    });
    view! {
        <section class="card code-tabs" aria-labelledby="code-tabs-heading">
            <h3 id="code-tabs-heading">"From a program"</h3>
            <Tabs language/>
            <div
                class="code-tabs__panel"
                role="tabpanel"
                id="code-tabs-panel"
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

/// The tabs, by the ARIA pattern: one of them is in the tab order, and arrow keys move between them.
#[component]
fn Tabs(language: RwSignal<Language>) -> impl IntoView {
    let list = NodeRef::<Div>::new();
    let move_by_key = move |event: KeyboardEvent| {
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
                browser::dom::focus_within(&list, &tab_id(*next));
            }
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label="Language" node_ref=list on:keydown=move_by_key>
            {Language::ALL
                .map(|it| {
                    let is_selected = move || language.get() == it;
                    view! {
                        <button
                            class="tab"
                            role="tab"
                            id=tab_id(it)
                            aria-controls="code-tabs-panel"
                            aria-selected=move || is_selected().to_string()
                            tabindex=move || if is_selected() { "0" } else { "-1" }
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
