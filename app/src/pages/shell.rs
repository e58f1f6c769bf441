//! What every page has around it.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Deserialize;

/// File names of the assets below `/assets/`, each with a hash of its content in it.
#[derive(Clone, Debug, Deserialize)]
pub struct AssetUrls {
    /// Of the recording page.
    pub recorder: IslandUrls,
    /// Of the home page.
    pub console: IslandUrls,
    /// All styles.
    pub style: String,
    /// The icon in the tab.
    pub icon: String,
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

/// Which island a page has: it loads that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// None, and so no script.
    None,
    /// [`crate::recorder`].
    Recorder,
    /// [`crate::console`].
    Console,
}

impl AssetUrls {
    fn of(&self, scripts: Scripts) -> Option<&IslandUrls> {
        match scripts {
            Scripts::None => None,
            Scripts::Recorder => Some(&self.recorder),
            Scripts::Console => Some(&self.console),
        }
    }
}

/// A whole document: head, masthead, the page, a foot.
#[component]
pub fn Shell(
    /// For the tab; also the neutral preview that messengers show.
    title: &'static str,
    assets: Arc<AssetUrls>,
    scripts: Scripts,
    children: Children,
) -> impl IntoView {
    // The islands are all that hydrates; without this leptos marks up the whole page for it.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    let url = |name: &str| format!("/assets/{name}");
    let scripts = assets.of(scripts).map(|island| {
        view! {
            <link rel="modulepreload" href=url(&island.glue)/>
            <link
                rel="preload"
                r#as="fetch"
                r#type="application/wasm"
                href=url(&island.wasm)
                crossorigin="anonymous"
            />
            <script r#type="module" src=url(&island.boot)></script>
        }
    });
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="robots" content="noindex"/>
                <meta name="color-scheme" content="light dark"/>
                <title>{title}</title>
                <link rel="icon" r#type="image/svg+xml" href=url(&assets.icon)/>
                <link rel="stylesheet" href=url(&assets.style)/>
                {scripts}
            </head>
            <body>
                <header class="masthead">
                    <a class="wordmark" href="/">
                        "Vidence"
                    </a>
                </header>
                {children()}
            </body>
        </html>
    }
}
