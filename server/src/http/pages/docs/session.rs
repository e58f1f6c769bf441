//! Renders a recorded session with the MCP tools as Markdown, from `session.json`.
//!
//! An integration test runs the session against a server and compares, so the page shows the actual behaviour.

use serde_json::Value;

use crate::config::public_url::PublicUrl;
use crate::http::Assets;

const RECORDED: &str = include_str!("session.json");

/// Renders a list item for each step of the session.
///
/// In the record `{public_url}` stands for the address of this server.
pub fn session(url: &PublicUrl, assets: &Assets) -> String {
    let recorded = RECORDED.replace("{public_url}", url.as_str());
    // A public URL holds no characters that JSON would escape.
    let recorded: Value = serde_json::from_str(&recorded).expect("JSON that a test reads");
    let steps = recorded["steps"].as_array().into_iter().flatten();
    let items = steps.zip(1..).map(|(it, number)| {
        let step = step(it, assets).replace('\n', "\n   ");
        format!("{number}. {step}")
    });
    items.collect::<Vec<_>>().join("\n\n")
}

fn step(recorded: &Value, assets: &Assets) -> String {
    let text = recorded["text"].as_str().unwrap_or_default();
    let Some(tool) = recorded["call"]["name"].as_str() else {
        return text.to_owned();
    };
    let answer = &recorded["answer"];
    let (stills, others) = blocks(answer, assets);
    let parts = [
        text.to_owned(),
        stills,
        format!("<details><summary><code>{tool}</code></summary>"),
        json(&recorded["call"]["arguments"]),
        json(&data(answer)),
        others,
        "</details>".to_owned(),
    ];
    let parts = parts.iter().map(|it| it.trim_end());
    let parts = parts.filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The data of a tool result: its structured content, or else its first text.
fn data(answer: &Value) -> Value {
    match &answer["structuredContent"] {
        Value::Null => {
            let text = answer["content"][0]["text"].as_str();
            serde_json::from_str(text.unwrap_or_default()).unwrap_or_default()
        }
        structured => structured.clone(),
    }
}

/// The content blocks of a tool result other than text: a list of the stills, and one of the rest.
fn blocks(answer: &Value, assets: &Assets) -> (String, String) {
    let data = data(answer);
    let moments = data["stills"]["at_ms"].as_array();
    let mut moments = moments.into_iter().flatten();
    let (mut stills, mut others) = (String::new(), String::new());
    for block in answer["content"].as_array().into_iter().flatten() {
        let text = |pointer: &str| {
            let text = block.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default()
        };
        match text("/type") {
            "image" => {
                let moment = moments.next().and_then(Value::as_f64).unwrap_or_default() / 1000.0;
                let url = assets.picture(text("/data/file")).unwrap_or_default();
                stills += &format!("* ![Still at {moment:.2} s]({url}) at {moment:.2} s\n");
            }
            "resource" => {
                let media_type = text("/resource/mimeType");
                others += &format!("- `resource`: the video, `{media_type}`, as base64\n");
            }
            "resource_link" => {
                let (url, how) = (text("/uri"), text("/description"));
                others += &format!("- `resource_link`: `{url}`. {how}\n");
            }
            _ => {}
        }
    }
    (stills, others)
}

fn json(value: &Value) -> String {
    format!("```json\n{value:#}\n```")
}
