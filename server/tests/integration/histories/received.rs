//! Received responses, with the model's numbers for ids.

use std::collections::BTreeMap;

/// A received response, with the model's numbers for ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedResponse {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl ReceivedResponse {
    /// Stands for a transport error.
    pub fn none(error: &reqwest::Error) -> Self {
        let (status, headers) = (0, BTreeMap::new());
        let body = format!("{error:?}").into_bytes();
        Self {
            status,
            headers,
            body,
        }
    }

    /// A description for failure messages.
    pub fn summary(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        let media_type = self.headers.get("content-type");
        let body = if media_type.is_none_or(|it| it.ends_with("json")) {
            body.into_owned()
        } else {
            format!("{} bytes", self.body.len())
        };
        // Other headers are always the same.
        let told = ["content-range", "etag", "location", "upload-", "www-"];
        let headers = self.headers.iter();
        let headers = headers.filter(|(name, _)| told.iter().any(|it| name.starts_with(it)));
        let headers: Vec<String> = headers.map(|(name, it)| format!("{name}: {it}")).collect();
        format!("{} [{}] {body}", self.status, headers.join(", "))
    }
}
