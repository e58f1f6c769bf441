//! The home page: what Vidence is, the console, and the same steps with curl.

use leptos::prelude::*;

use crate::console::Console;

/// The home page. Its curl commands have the URL of this server.
#[component]
pub fn Home(
    /// The URL of this server, without a slash at the end.
    public_url: String,
) -> impl IntoView {
    let create = format!(
        "curl -s {public_url}/v1/requests \\\n  -H 'Content-Type: application/json' \\\n  \
         -d '{{\"prompt\": \"Show me the dent in the door.\", \"expires_in_hours\": 24}}'"
    );
    let status =
        format!("curl -s {public_url}/v1/requests/$ID \\\n  -H \"Authorization: Bearer $TOKEN\"");
    let video = format!(
        "curl -s {public_url}/v1/videos/$VIDEO \\\n  -H \"Authorization: Bearer $TOKEN\" -o video.webm"
    );
    let delete = format!(
        "curl -s -X DELETE {public_url}/v1/requests/$ID \\\n  -H \"Authorization: Bearer $TOKEN\""
    );
    view! {
        <main class="page page--home">
            <section class="hero">
                <h1>"Ask a human for video evidence"</h1>
                <p class="lead">
                    "An agent or a program asks for a video and gets a link. A person opens the link \
                     in any browser, records and sends: no app, no account. The agent watches, and \
                     after 1 to 48 hours everything is gone."
                </p>
            </section>
            <Console public_url=public_url.clone()/>
            <p class="notice notice--bad cannot-start cannot-start--waiting" id="cannot-start">
                "The console could not start in this browser. Reload the page, or go on with curl: it does \
                 the same."
            </p>
            <section aria-labelledby="walk">
                <h2 id="walk">"The same with curl"</h2>
                <ol class="walkthrough">
                    <Step
                        title="Ask"
                        text="The answer holds an id, a link for the human and an access token for \
                              you. The token is shown only this once."
                        code=create
                    />
                    <Step
                        title="Send the link"
                        text="Give submission_url to the person who should record, or open it \
                              yourself. Keep the token."
                    />
                    <Step
                        title="Look"
                        text="Poll until the status is submitted. The answer then names the video."
                        code=status
                    />
                    <Step
                        title="Watch"
                        text="Stream it, all or a range, with the same token."
                        code=video
                    />
                    <Step
                        title="Delete"
                        text="Or don’t: after its time the request and its video vanish by themselves."
                        code=delete
                    />
                </ol>
                <p class="quiet">
                    "Everything else: "
                    <a href="/docs">"the interface"</a>
                    ", "
                    <a href="/v1/openapi.json">"OpenAPI document"</a>
                    "; for agents "
                    <a href="/docs/mcp">"MCP"</a>
                    " and "
                    <a href="/llms.txt">"llms.txt"</a>
                    "."
                </p>
            </section>
        </main>
    }
}

#[component]
fn Step(title: &'static str, text: &'static str, #[prop(optional)] code: String) -> impl IntoView {
    let code = (!code.is_empty()).then(|| {
        view! {
            <pre class="code" tabindex="0">
                <code>{code}</code>
            </pre>
        }
    });
    view! {
        <li class="step">
            <h3>{title}</h3>
            <p>{text}</p>
            {code}
        </li>
    }
}
