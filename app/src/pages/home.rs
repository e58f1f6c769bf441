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
                // A browser that translates pages takes texts out of the hands of what changes them.
                <div class="welcome__console" translate="no">
                    <Console public_url=public_url.clone()/>
                    <p class="card form-error cannot-start cannot-start--waiting" id="cannot-start">
                        "The console could not start in this browser. Reload the page, or go on with curl: \
                         it does the same."
                    </p>
                    <Reopen/>
                </div>
            </section>
            <Programs public_url/>
        </main>
    }
}

/// The form that opens a request again, of which a person has kept link and token.
/// `frontend/home.js` shows it, and does what it says.
#[component]
fn Reopen() -> impl IntoView {
    view! {
        <details class="reopen" id="reopen" hidden>
            <summary>"Open a request that you have made before"</summary>
            <form class="card">
                <div class="field">
                    <label for="reopen-link">"Its link"</label>
                    <input id="reopen-link" name="link" inputmode="url" required autocomplete="off"/>
                </div>
                <div class="field">
                    <label for="reopen-token">"Its token"</label>
                    <input id="reopen-token" name="token" r#type="password" required autocomplete="off"/>
                </div>
                <button class="button" r#type="submit">
                    "Open it"
                </button>
                <p class="form-error" role="alert"></p>
            </form>
        </details>
    }
}
