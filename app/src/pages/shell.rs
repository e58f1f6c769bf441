//! What every page has around it.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use serde::Deserialize;

use crate::locale::{Locale, Message};

/// File names of the assets below `/assets/`, each with a hash of its content in it.
#[derive(Clone, Debug, Deserialize)]
pub struct AssetUrls {
    /// Of the recording page.
    pub recorder: IslandUrls,
    /// Of the home page.
    pub console: IslandUrls,
    /// The script of a page whose link is over.
    pub closed: String,
    /// What each kind of page looks like.
    pub styles: StyleUrls,
    /// The icon in the tab.
    pub icon: String,
    /// What pages show, by the names that the files have in `style/`.
    pub pictures: BTreeMap<String, String>,
}

/// File names of the styles: a page loads its own rules and no other page's.
#[derive(Clone, Debug, Deserialize)]
pub struct StyleUrls {
    /// Of the recording page.
    pub record: String,
    /// Of the home page, and of the player that it frames.
    pub home: String,
    /// Of the description of the interface.
    pub docs: String,
    /// Of pages that only say something.
    pub closed: String,
}

/// Likewise, of an island.
#[derive(Clone, Debug, Deserialize)]
pub struct IslandUrls {
    /// Starts it.
    pub boot: String,
    /// Binds the WASM to the browser.
    pub glue: String,
    /// The island.
    pub wasm: String,
}

/// What kind of page it is: it loads the style and the script of that kind, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// With [`crate::recorder`].
    Record,
    /// With [`crate::console`].
    Home,
    /// Without an island, and so without a script.
    Docs,
    /// Likewise: it only says something.
    Closed,
    /// It says that a link is over, and its script removes what the browser keeps for it.
    Over,
}

/// What stands at the foot of a page, beside what stands at every one's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foot {
    /// The id of a request that can be reported here.
    pub request: Option<String>,
}

/// In which languages a page can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Languages {
    /// English alone: what developers read.
    English,
    /// All of them; this one was chosen, by the browser or by hand.
    All(Locale),
}

impl Languages {
    /// That of the page.
    pub fn chosen(self) -> Locale {
        match self {
            Self::English => Locale::English,
            Self::All(locale) => locale,
        }
    }
}

impl AssetUrls {
    fn island(&self, kind: Kind) -> Option<&IslandUrls> {
        match kind {
            Kind::Record => Some(&self.recorder),
            Kind::Home => Some(&self.console),
            Kind::Docs | Kind::Closed | Kind::Over => None,
        }
    }

    fn script(&self, kind: Kind) -> Option<&str> {
        match kind {
            Kind::Record | Kind::Home => self.island(kind).map(|island| island.boot.as_str()),
            Kind::Over => Some(&self.closed),
            Kind::Docs | Kind::Closed => None,
        }
    }

    fn style(&self, kind: Kind) -> &str {
        match kind {
            Kind::Record => &self.styles.record,
            Kind::Home => &self.styles.home,
            Kind::Docs => &self.styles.docs,
            Kind::Closed | Kind::Over => &self.styles.closed,
        }
    }
}

/// A whole document: head, masthead, the page, a foot.
#[component]
pub fn Shell(
    /// For the tab; also the neutral preview that messengers show.
    title: &'static str,
    languages: Languages,
    assets: Arc<AssetUrls>,
    kind: Kind,
    foot: Foot,
    children: Children,
) -> impl IntoView {
    // The islands are all that hydrates; without this leptos marks up the whole page for it.
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
    let script = assets
        .script(kind)
        .map(|name| view! { <script r#type="module" src=url(name)></script> });
    // What explains this service may be found, and nothing else.
    let noindex = (!matches!(kind, Kind::Home | Kind::Docs))
        .then(|| view! { <meta name="robots" content="noindex"/> });
    let locale = languages.chosen();
    let title = format!("{title} · Vidence");
    let switch = (languages != Languages::English).then(|| view! { <Switch locale/> });
    view! {
        <!DOCTYPE html>
        <html lang=locale.tag() dir=locale.direction()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                {noindex}
                <meta name="color-scheme" content="light dark"/>
                <meta {..custom_attribute("property", "og:title")} content=title.clone()/>
                <meta
                    {..custom_attribute("property", "og:description")}
                    content=locale.text(Message::PageDescription)
                />
                <title>{title}</title>
                <link rel="icon" r#type="image/svg+xml" href=url(&assets.icon)/>
                <link rel="stylesheet" href=url(assets.style(kind))/>
                {preloads}
                {script}
            </head>
            <body>
                <header class="masthead">
                    <a class="wordmark" href="/">
                        "Vidence"
                    </a>
                    {switch}
                </header>
                {children()}
                <Footer locale foot leaves=kind != Kind::Record/>
            </body>
        </html>
    }
}

/// How to object, and on what terms all this is.
#[component]
fn Footer(
    locale: Locale,
    foot: Foot,
    /// Whether a link leaves the page. One that records is left open beside what it leads to.
    leaves: bool,
) -> impl IntoView {
    let target = (!leaves).then_some("_blank");
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
        <footer class="foot">
            {report} {link("/terms".to_owned(), Message::PageTerms)}
            {link("/privacy".to_owned(), Message::PagePrivacy)}
        </footer>
    }
}

/// The same page in another language. Links, so that it needs no script.
#[component]
fn Switch(locale: Locale) -> impl IntoView {
    let others = Locale::ALL.into_iter().map(|other| {
        view! {
            <li>
                <a
                    href=format!("?lang={}", other.code())
                    hreflang=other.tag()
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
