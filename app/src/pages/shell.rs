//! The document around every page: head, masthead, footer.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use serde::Deserialize;

use crate::locale::{Locale, Message, Region};

/// What the pages for developers say about themselves.
const DESCRIPTION: &str = "Ask a human for video evidence: an agent sends a link, a person films in any browser, and \
                           the agent sees it. No app, no account.";

/// File names of the assets below `/assets/`; each contains a hash of its content.
#[derive(Clone, Debug, Deserialize)]
pub struct AssetUrls {
    /// The island of the recording page.
    pub recorder: IslandUrls,
    /// The island of the home page.
    pub console: IslandUrls,
    /// The script of a page whose link is over.
    pub closed: String,
    /// What the home page does besides its island.
    pub home: String,
    /// The script of a page with code to copy.
    pub code_blocks: String,
    /// The style sheets.
    pub styles: StyleUrls,
    /// The favicon.
    pub icon: String,
    /// Pictures, by the names of their files in `style/pictures`.
    pub pictures: BTreeMap<String, String>,
}

/// File names of the style sheets. Each has the rules of one kind of page, and no others.
#[derive(Clone, Debug, Deserialize)]
pub struct StyleUrls {
    /// For the recording page.
    pub record: String,
    /// For the home page, and the player in its iframe.
    pub home: String,
    /// For the documentation.
    pub docs: String,
    /// For pages that only show a message.
    pub closed: String,
}

/// File names of an island.
#[derive(Clone, Debug, Deserialize)]
pub struct IslandUrls {
    /// The script that hydrates the island.
    pub boot: String,
    /// The bindings between WASM and browser.
    pub glue: String,
    /// The WASM.
    pub wasm: String,
}

/// The kind of a page, which decides its style sheet and its scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The recording page, with the island of [`crate::recorder`].
    Record,
    /// The home page, with the island of [`crate::console`].
    Home,
    /// The guide for agents.
    Guide,
    /// The reference of the API.
    Reference,
    /// Another text, without a script: an operator may have written it.
    Text,
    /// A message, without a script.
    Closed,
    /// A message that a link is over. Its script deletes what the browser stores for the link.
    Over,
}

/// What the footer of a page has beside the links of every page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foot {
    /// The id of the request that the page is about, for the link that reports it.
    pub request: Option<String>,
}

/// The languages of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Languages {
    /// English only, for developers.
    English,
    /// All languages; this one was chosen by the browser or by the person. A page whose scripts write times has a region.
    All(Locale, Option<Region>),
}

impl Languages {
    /// The language in which the page is rendered.
    pub fn chosen(self) -> Locale {
        match self {
            Self::English => Locale::English,
            Self::All(locale, _) => locale,
        }
    }

    /// The value of `<html lang>`, which is also the locale of times and numbers.
    fn tag(self) -> String {
        let tag = self.chosen().tag();
        match self {
            Self::All(_, Some(region)) => format!("{tag}-{region}"),
            Self::All(_, None) | Self::English => tag.to_owned(),
        }
    }
}

impl AssetUrls {
    fn island(&self, kind: Kind) -> Option<&IslandUrls> {
        match kind {
            Kind::Record => Some(&self.recorder),
            Kind::Home => Some(&self.console),
            Kind::Guide | Kind::Reference | Kind::Text | Kind::Closed | Kind::Over => None,
        }
    }

    fn scripts(&self, kind: Kind) -> Vec<&str> {
        match kind {
            Kind::Record => vec![&self.recorder.boot],
            Kind::Home => vec![&self.console.boot, &self.home, &self.code_blocks],
            Kind::Guide | Kind::Reference => vec![&self.code_blocks],
            Kind::Over => vec![&self.closed],
            Kind::Text | Kind::Closed => Vec::new(),
        }
    }

    fn style(&self, kind: Kind) -> &str {
        match kind {
            Kind::Record => &self.styles.record,
            Kind::Home => &self.styles.home,
            Kind::Guide | Kind::Reference | Kind::Text => &self.styles.docs,
            Kind::Closed | Kind::Over => &self.styles.closed,
        }
    }
}

/// The document.
#[component]
pub fn Shell(
    /// The title, for the tab and for the link preview of messengers.
    title: &'static str,
    languages: Languages,
    assets: Arc<AssetUrls>,
    kind: Kind,
    foot: Foot,
    children: Children,
) -> impl IntoView {
    // Only islands hydrate. Otherwise Leptos would add hydration markers to the whole page.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    let url = |name: &str| format!("/assets/{name}");
    let preloads = assets.island(kind).map(|island| {
        view! {
            <link rel="modulepreload" href=url(&island.glue)/>
            <link
                rel="preload"
                r#as="fetch"
                r#type="application/wasm"
                href=url(&island.wasm)
                crossorigin="anonymous"
            />
        }
    });
    let scripts = assets.scripts(kind).into_iter();
    let scripts = scripts.map(|name| view! { <script r#type="module" src=url(name)></script> });
    // Only pages about the service itself are for search engines.
    let noindex = matches!(kind, Kind::Record | Kind::Closed | Kind::Over)
        .then(|| view! { <meta name="robots" content="noindex"/> });
    let locale = languages.chosen();
    let title = format!("{title} · Vidence");
    let (menu, description) = match languages {
        Languages::English => (view! { <SiteMenu kind/> }.into_any(), DESCRIPTION),
        Languages::All(locale, _) => (
            view! { <LanguageSwitch locale/> }.into_any(),
            locale.text(Message::PageDescription),
        ),
    };
    let for_search_engines = noindex
        .is_none()
        .then(|| view! { <meta name="description" content=description/> });
    view! {
        <!DOCTYPE html>
        <html lang=languages.tag() dir=locale.direction()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                {noindex} {for_search_engines}
                <meta name="color-scheme" content="light dark"/>
                <meta {..custom_attribute("property", "og:title")} content=title.clone()/>
                <meta
                    {..custom_attribute("property", "og:description")}
                    content=description
                />
                <title>{title}</title>
                <link rel="icon" r#type="image/svg+xml" href=url(&assets.icon)/>
                <link rel="stylesheet" href=url(assets.style(kind))/>
                {preloads}
                {scripts.collect_view()}
            </head>
            <body>
                <header class="masthead">
                    <a class="wordmark" href="/">
                        "Vidence"
                    </a>
                    {menu}
                </header>
                {children()}
                <Footer locale foot opens_here=kind != Kind::Record/>
            </body>
        </html>
    }
}

/// Links to the pages for developers.
#[component]
fn SiteMenu(
    /// The kind of the page on which they are.
    kind: Kind,
) -> impl IntoView {
    let pages = [
        (Kind::Home, "/", "Home"),
        (Kind::Guide, "/docs/mcp", "Agents"),
        (Kind::Reference, "/docs", "API"),
    ];
    let links = pages.map(|(of, href, name)| {
        view! {
            <a href=href aria-current=(of == kind).then_some("page")>
                {name}
            </a>
        }
    });
    view! {
        <nav class="site-menu" aria-label="Vidence">
            {links.collect_view()}
        </nav>
    }
}

/// The links to the report form and to the legal texts.
#[component]
fn Footer(
    locale: Locale,
    foot: Foot,
    /// Whether links open in this tab. On the recording page that would end the recording.
    opens_here: bool,
) -> impl IntoView {
    let target = (!opens_here).then_some("_blank");
    let link = move |href: String, message: Message| {
        view! {
            <a href=href target=target rel="noreferrer">
                {locale.text(message)}
            </a>
        }
    };
    let report = foot.request.map(|request| {
        let form = format!("/r/{request}/report?lang={}", locale.code());
        link(form, Message::ReportHeading)
    });
    view! {
        <footer class="footer">
            {report} {link("/terms".to_owned(), Message::PageTerms)}
            {link("/privacy".to_owned(), Message::PagePrivacy)}
        </footer>
    }
}

/// Links to the page in the other languages.
#[component]
fn LanguageSwitch(locale: Locale) -> impl IntoView {
    let others = Locale::ALL.into_iter().map(|other| {
        view! {
            <li>
                <a
                    href=format!("?lang={}", other.code())
                    lang=other.tag()
                    aria-current=(other == locale).then_some("true")
                >
                    {other.native_name()}
                </a>
            </li>
        }
    });
    view! {
        <details class="languages">
            <summary>
                <span class="visually-hidden">{locale.text(Message::PageLanguage)} ": "</span>
                {locale.native_name()}
            </summary>
            <ul>{others.collect_view()}</ul>
        </details>
    }
}
