//! A session with the tools, as `session.json` has it. A journey plays it to a server and compares, so what is
//! shown is what happens.

use app::pages::{Block, Call, Session, Step};
use serde_json::Value;

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
    Step {
        text: recorded["text"].as_str().unwrap_or_default().to_owned(),
        call: recorded["call"]["name"].as_str().map(|tool| Call {
            tool: tool.to_owned(),
            arguments: pretty(&recorded["call"]["arguments"]),
            answer: pretty(&said(&recorded["answer"])),
            blocks: blocks(&recorded["answer"], assets),
        }),
    }
}

/// What an answer says for programs: in its first text, where nothing else does.
fn said(answer: &Value) -> Value {
    match &answer["structuredContent"] {
        Value::Null => {
            let text = answer["content"][0]["text"].as_str();
            serde_json::from_str(text.unwrap_or_default()).unwrap_or_default()
        }
        structured => structured.clone(),
    }
}

/// What is in an answer beside that. That as text is left out.
fn blocks(answer: &Value, assets: &Assets) -> Vec<Block> {
    let said = said(answer);
    let moments = said["stills"]["at_ms"].as_array();
    let mut moments = moments.into_iter().flatten();
    let blocks = answer["content"].as_array().into_iter().flatten();
    let blocks = blocks.filter_map(|block| {
        let text = |pointer: &str| block.pointer(pointer).and_then(Value::as_str);
        match text("/type")? {
            "image" => {
                let moment = moments.next()?.as_f64()? / 1000.0;
                Some(Block::Picture {
                    url: assets.picture(text("/data/file")?)?,
                    width: block["data"]["width"].as_u64()?,
                    height: block["data"]["height"].as_u64()?,
                    moment: format!("at {moment:.2} s"),
                })
            }
            "resource" => {
                let media_type = text("/resource/mimeType")?;
                let words = format!("`resource`: the video, `{media_type}`, as base64");
                Some(Block::Other(words))
            }
            "resource_link" => {
                let (url, how) = (text("/uri")?, text("/description")?);
                Some(Block::Other(format!("`resource_link`: `{url}`. {how}")))
            }
            _ => None,
        }
    });
    blocks.collect()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
