//! How agents and programs ask for a video: the first steps over MCP, with curl and in Python.
//!
//! Styles alone show one of them, so it works without a script. The console has code of its own for a request that it
//! has created.

use leptos::either::Either;
use leptos::prelude::*;

/// The first steps, one way at a time. Their commands have the URL of this server.
#[component]
pub fn Programs(
    /// The URL of this server, without a slash at the end.
    public_url: String,
) -> impl IntoView {
    let by_curl = [
        (
            "Ask. The answer has submission_url, for the person, and id and access_token, for you.",
            format!(
                "curl -s {public_url}/v1/requests \\\n  -H 'Content-Type: application/json' \\\n  \
                 -d '{{\"prompt\": \"Show me the dent in the door.\", \"expires_in_hours\": 24}}'"
            ),
        ),
        (
            "Wait, up to 50 seconds a call. Once the status is submitted, the answer names the video.",
            format!(
                "curl -s {public_url}/v1/requests/$ID \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
                 -H 'Prefer: wait=50'"
            ),
        ),
        (
            "Watch: all of it, or a range.",
            format!(
                "curl -fsS {public_url}/v1/videos/$VIDEO \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
                 -o video.webm"
            ),
        ),
    ];
    let by_curl = by_curl.map(|(text, code)| view! { <p>{text}</p> <Code code/> });
    let python = python(&public_url);
    let mcp =
        format!("claude mcp add --transport http --scope user \\\n  vidence {public_url}/mcp");
    view! {
        <section class="programs" aria-labelledby="programs">
            <div class="programs__text">
                <h2 id="programs">"From your agent or program"</h2>
                <p class="quiet">
                    "The same in a few lines, without an API key. All of it is in "
                    <a href="/docs/mcp">"the guide for agents"</a> ", "
                    <a href="/docs">"the API reference"</a> ", the "
                    <a href="/v1/openapi.json">"OpenAPI document"</a> " and "
                    <a href="/llms.txt">"llms.txt"</a> "."
                </p>
            </div>
            <div class="choice" role="group" aria-label="Ways to ask">
                <Way name="MCP" is_first=true>
                    <p>"Add Vidence to Claude Code, in a terminal:"</p>
                    <Code code=mcp/>
                    <p>"Then say:"</p>
                    <Code code="Ask me for a video of the dent in my car door, and tell me what you see.".to_owned()/>
                    <p>
                        <a href="/docs/mcp#add-it-to-your-agent">
                            "Codex, Gemini, VS Code, Cursor, ChatGPT and others"
                        </a>
                    </p>
                </Way>
                <Way name="curl">{by_curl.collect_view()}</Way>
                <Way name="Python">
                    <p>"Ask, wait and save the video, with Python alone:"</p>
                    <Code code=python/>
                </Way>
            </div>
        </section>
    }
}

/// A way to choose, and what is shown of it.
#[component]
fn Way(name: &'static str, #[prop(optional)] is_first: bool, children: Children) -> impl IntoView {
    let id = format!("choose-{name}");
    let input = match is_first {
        true => Either::Left(view! { <input r#type="radio" name="way" id=id.clone() checked/> }),
        false => Either::Right(view! { <input r#type="radio" name="way" id=id.clone()/> }),
    };
    view! {
        {input}
        <label r#for=id>{name}</label>
        <section class="choice__panel" id=name aria-label=name>
            {children()}
        </section>
    }
}

/// Code to copy.
#[component]
fn Code(code: String) -> impl IntoView {
    view! {
        <div class="code-block">
            <pre class="code" tabindex="0">
                <code>{code}</code>
            </pre>
        </div>
    }
}

fn python(public_url: &str) -> String {
    format!(
        r#"import json, shutil, time, urllib.request

def call(path, token=None, body=None):
    headers = {{"Content-Type": "application/json", "Prefer": "wait=50"}}
    if token:
        headers["Authorization"] = f"Bearer {{token}}"
    data = body and json.dumps(body).encode()
    return urllib.request.urlopen(
        urllib.request.Request("{public_url}" + path, data, headers))

prompt = "Show me the dent in the door."
request = json.load(call("/v1/requests", None,
    {{"prompt": prompt, "expires_in_hours": 24}}))
print("Send this link:", request["submission_url"], flush=True)

token, now = request["access_token"], request
while now["status"] == "awaiting_submission":
    time.sleep(1)
    now = json.load(call(f"/v1/requests/{{request['id']}}", token))
if now["status"] != "submitted":
    raise SystemExit("No video came.")

with open("video.webm", "wb") as file:
    shutil.copyfileobj(call(f"/v1/videos/{{now['video']['id']}}", token), file)"#
    )
}
