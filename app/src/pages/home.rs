//! The home page: what Vidence is, the console, and the same from agents and programs.

use leptos::prelude::*;

use super::programs::Programs;
use super::scene::Scene;
use crate::console::Console;

/// The home page. Its commands have the URL of this server.
#[component]
pub fn Home(
    /// The URL of this server, without a slash at the end.
    public_url: String,
) -> impl IntoView {
    view! {
        <main class="page page--home">
            <section class="welcome">
                <div class="welcome__text">
                    <h1>"Ask a human for video evidence"</h1>
                    <p class="lead">
                        "Your agent sends a link, a person films in any browser, and the agent sees it: no \
                         app, no account."
                    </p>
                </div>
                <Scene/>
                <div class="welcome__console">
                    <Console public_url=public_url.clone()/>
                    <p class="notice notice--bad cannot-start cannot-start--waiting" id="cannot-start">
                        "The console could not start in this browser. Reload the page, or go on with curl: \
                         it does the same."
                    </p>
                </div>
            </section>
            <Programs public_url/>
        </main>
    }
}
