//! All texts of a language beside the English ones, for native readers who check them.

use leptos::prelude::*;

use crate::locale::{Locale, LocaleEntry, entries};

/// The texts of a language, made of the same files as the pages.
#[component]
pub fn Translation(locale: Locale) -> impl IntoView {
    let pairs = entries(Locale::English).into_iter().zip(entries(locale));
    let rows = pairs.map(|(english, translated)| match (english, translated) {
        (
            LocaleEntry::Message { id, comment, text },
            LocaleEntry::Message {
                text: translated, ..
            },
        ) => view! {
            <tr>
                <th scope="row">
                    <code>{id}</code>
                    {comment}
                </th>
                <td>{text}</td>
                <td lang=locale.tag() dir=locale.direction()>
                    {translated}
                </td>
            </tr>
        }
        .into_any(),
        (LocaleEntry::Group(name), _) | (_, LocaleEntry::Group(name)) => view! {
            <tr>
                <th class="group" colspan="3">
                    {name}
                </th>
            </tr>
        }
        .into_any(),
    });
    let languages = Locale::ALL.into_iter().map(|other| {
        view! {
            <li>
                <a
                    href=translation_path(other)
                    lang=other.tag()
                    aria-current=(other == locale).then_some("page")
                >
                    {other.native_name()}
                </a>
            </li>
        }
    });
    view! {
        <main class="page page--translation">
            <h1 lang=locale.tag()>{locale.native_name()}</h1>
            <p>
                "All texts that people see, from " <code>{format!("app/locales/{}.ftl", locale.code())}</code>
                ". What is in braces is filled in: keep it as it is."
            </p>
            <ul class="translations">{languages.collect_view()}</ul>
            <table class="translation">
                <thead>
                    <tr>
                        <th scope="col">"Message"</th>
                        <th scope="col">"English"</th>
                        <th scope="col" lang=locale.tag()>
                            {locale.native_name()}
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </main>
    }
}

/// The address of a language's page.
pub fn translation_path(locale: Locale) -> String {
    format!("/docs/locales/{}", locale.code())
}
