//! A session with the tools, as `session.json` has it. A journey plays it to a server and compares, so what is
//! shown is what happens.

use app::pages::{Block, Session, Step};
use serde_json::{Value, json};

use crate::http::Assets;
use crate::service::PublicUrl;

const RECORDED: &str = include_str!("session.json");

/// As it goes on this server. In its stead the record has `{public_url}`.
pub(super) fn session(url: &PublicUrl, assets: &Assets) -> Session {
    let here = RECORDED.replace("{public_url}", url.as_str());
    // A test reads it, and a public URL holds nothing that JSON would escape.
    let recorded: Value = serde_json::from_str(&here).expect("a session");
    let steps = recorded["steps"].as_array().into_iter().flatten();
    Session {
        steps: steps.map(|it| step(it, assets)).collect(),
    }
}

fn step(recorded: &Value, assets: &Assets) -> Step {
    let call = &recorded["call"];
    let answer = &recorded["answer"]["structuredContent"];
    let mut shown = answer["pictures"]["shown"].as_array().into_iter().flatten();
    let blocks = recorded["answer"]["content"].as_array();
    let blocks = blocks.into_iter().flatten().filter_map(|block| {
        let text = |pointer: &str| block.pointer(pointer).and_then(Value::as_str);
        Some(match text("/type")? {
            "image" => {
                let picture = shown.next()?;
                let at = picture["at_ms"].as_u64()?;
                Block::Picture {
                    url: assets.picture(text("/data")?)?,
                    width: picture["width"].as_u64()?,
                    height: picture["height"].as_u64()?,
                    moment: format!("at {}.{} s", at / 1000, at % 1000 / 100),
                }
            }
            "resource" => Block::Other(format!(
                "`resource`: the video, `{}`, as base64",
                text("/resource/mimeType")?
            )),
            "resource_link" => Block::Other(format!(
                "`resource_link`: `{}`. {}",
                text("/uri")?,
                text("/description")?
            )),
            _ => Block::Other(
                "`text`: the same as JSON, for clients that read nothing else".to_owned(),
            ),
        })
    });
    Step {
        text: recorded["text"].as_str().unwrap_or_default().to_owned(),
        call: call
            .is_object()
            .then(|| pretty(&json!({ "method": "tools/call", "params": call }))),
        answer: pretty(answer),
        blocks: blocks.collect(),
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
