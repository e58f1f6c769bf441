//! Reads a server's answers in the numbers of the model, so that those of two servers are the same.

use std::collections::BTreeMap;

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::expected::Reply;
use super::player::{Named, Player};

/// What is another one in each answer.
const FLEETING: [&str; 2] = ["date", "x-request-id"];

impl Player {
    pub(super) async fn note_video(&mut self, request: usize, answer: Response) -> Reply {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        let view: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let (Some(id), Some(it)) = (view["video"]["id"].as_str(), self.requests.get_mut(request))
        {
            it.video = Some(id.to_owned());
        }
        self.reply(status.as_u16(), &headers, &body)
    }

    pub(super) async fn note_request(&mut self, answer: Response) -> Reply {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        let created: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let (Some(id), Some(token)) = (created["id"].as_str(), created["access_token"].as_str())
        {
            self.requests.push(Named {
                id: id.to_owned(),
                token: token.to_owned(),
                video: None,
            });
        }
        self.reply(status.as_u16(), &headers, &body)
    }

    pub(super) async fn read(&self, answer: Response) -> Reply {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        self.reply(status.as_u16(), &headers, &body)
    }

    fn reply(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> Reply {
        let is_json = |it: &str| it.ends_with("json");
        let named = headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), self.in_numbers(&value))
        });
        let named = named.filter(|(name, _)| !FLEETING.contains(&name.as_str()));
        let mut headers: BTreeMap<_, _> = named.collect();
        let mut body = body.to_vec();
        if headers.get("content-type").is_some_and(|it| is_json(it)) {
            // Addresses and ids are of another length than numbers.
            headers.remove("content-length");
            body = self.in_numbers(&String::from_utf8_lossy(&body)).into();
            body = sorted(body);
        }
        Reply {
            status,
            headers,
            body,
        }
    }

    pub(super) fn in_numbers(&self, text: &str) -> String {
        let mut text = text.replace(&self.server().base, "");
        for (number, it) in self.requests.iter().enumerate() {
            text = text.replace(&it.id, &format!("request-{number}"));
            text = text.replace(&it.token, &format!("token-{number}"));
            if let Some(video) = &it.video {
                text = text.replace(video, &format!("video-{number}"));
            }
        }
        for (number, it) in self.takes.iter().enumerate() {
            text = text.replace(&it.id, &format!("take-{number}"));
        }
        text
    }
}

/// With takes in an order that doesn't follow from their ids.
fn sorted(body: Vec<u8>) -> Vec<u8> {
    let Ok(mut json) = serde_json::from_slice::<Value>(&body) else {
        return body;
    };
    if let Some(takes) = json.get_mut("takes").and_then(Value::as_array_mut) {
        takes.sort_by_key(Value::to_string);
    }
    json.to_string().into()
}
