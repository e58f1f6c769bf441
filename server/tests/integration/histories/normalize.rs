//! Replaces a server's ids with the model's numbers, so that responses of two servers are comparable.

use std::collections::BTreeMap;

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::driver::{Driver, RequestIds};
use super::received::ReceivedResponse;

/// Headers that differ in each response.
const VOLATILE_HEADERS: [&str; 2] = ["date", "x-request-id"];

impl Driver {
    pub(super) async fn read_status(
        &mut self,
        request: usize,
        answer: Response,
    ) -> ReceivedResponse {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        let view: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let (Some(id), Some(it)) = (view["video"]["id"].as_str(), self.requests.get_mut(request))
        {
            it.video = Some(id.to_owned());
        }
        self.received(status.as_u16(), &headers, &body)
    }

    pub(super) async fn read_creation(&mut self, answer: Response) -> ReceivedResponse {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        let created: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let (Some(id), Some(token)) = (created["id"].as_str(), created["access_token"].as_str())
        {
            self.requests.push(RequestIds {
                id: id.to_owned(),
                token: token.to_owned(),
                video: None,
            });
        }
        self.received(status.as_u16(), &headers, &body)
    }

    pub(super) async fn read(&self, answer: Response) -> ReceivedResponse {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.expect("a body");
        self.received(status.as_u16(), &headers, &body)
    }

    fn received(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ReceivedResponse {
        let is_json = |it: &str| it.ends_with("json");
        let named = headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), self.replace_ids(&value))
        });
        let named = named.filter(|(name, _)| !VOLATILE_HEADERS.contains(&name.as_str()));
        let mut headers: BTreeMap<_, _> = named.collect();
        let mut body = body.to_vec();
        if headers.get("content-type").is_some_and(|it| is_json(it)) {
            // URLs and ids differ in length from numbers.
            headers.remove("content-length");
            body = self.replace_ids(&String::from_utf8_lossy(&body)).into();
            body = sort_takes(body);
        }
        ReceivedResponse {
            status,
            headers,
            body,
        }
    }

    pub(super) fn replace_ids(&self, text: &str) -> String {
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

/// Sorts takes, whose order depends on their random ids.
fn sort_takes(body: Vec<u8>) -> Vec<u8> {
    let Ok(mut json) = serde_json::from_slice::<Value>(&body) else {
        return body;
    };
    if let Some(takes) = json.get_mut("takes").and_then(Value::as_array_mut) {
        takes.sort_by_key(Value::to_string);
    }
    json.to_string().into()
}
