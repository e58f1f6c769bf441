//! The target of an attack, and its outcome.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::honest::create_request;
use super::http::{Connection, header};

/// The beginning of an MP4 file that any bytes may follow.
pub const VIDEO_HEAD: &[u8] =
    include_bytes!("../../../crates/test-support/fixtures/open_ended.mp4");

/// Size of the video that attacks stream, in bytes: more than socket buffers hold.
const VIDEO_BYTES: usize = 16 << 20;

/// A server with a request that awaits a video, and one whose video was submitted.
pub struct Target {
    pub address: SocketAddr,
    /// The path of the link that awaits a video.
    pub link: String,
    /// The path of the request with a submitted video.
    pub request: String,
    /// The path of that video, and the header that authorizes streaming it.
    pub video: (String, String),
}

/// What an attack sent, and how the server ended it.
#[derive(Default)]
pub struct Outcome {
    pub bytes: u64,
    pub requests: u64,
    endings: BTreeMap<String, u64>,
    /// Responses that violate the protocol.
    pub violations: Vec<String>,
}

impl Target {
    pub fn prepare(address: SocketAddr) -> Result<Self> {
        let (awaiting, _) = create_request(Ipv4Addr::LOCALHOST, address)?;
        let (submitted, token) = create_request(Ipv4Addr::LOCALHOST, address)?;
        let target = Self {
            address,
            link: format!("/r/{awaiting}"),
            request: format!("/v1/requests/{submitted}"),
            video: (String::new(), format!("Authorization: Bearer {token}\r\n")),
        };
        let link = format!("/r/{submitted}");
        let mut video = VIDEO_HEAD.to_vec();
        video.resize(VIDEO_BYTES, 0);
        let take = target.begin_take(&link, "?1", &video)?;
        let take = take.context("the upload was refused")?;
        let id = take.rsplit('/').next().unwrap_or_default();
        let body = format!("{{\"take\":\"{id}\"}}");
        let mut connection = target.connect()?;
        let json = "Content-Type: application/json\r\n";
        let submission = format!("{link}/submission");
        let response = connection.ask("POST", &submission, json, body.as_bytes())?;
        ensure!(
            response.status == 200,
            "the submission was answered {}",
            response.status
        );
        let response = connection.ask("GET", &target.request, &target.video.1, b"")?;
        let status: Value = serde_json::from_slice(&response.body)?;
        let id = status["video"]["id"].as_str().context("no video")?;
        Ok(Self {
            video: (format!("/v1/videos/{id}"), target.video.1),
            ..target
        })
    }

    pub fn connect(&self) -> Result<Connection> {
        Connection::open(self.address)
    }

    /// Starts a take with its first bytes, and returns its path. `None`: it was refused.
    pub fn begin_take(&self, link: &str, complete: &str, bytes: &[u8]) -> Result<Option<String>> {
        let headers = format!("Content-Type: video/mp4\r\nUpload-Complete: {complete}\r\n");
        let takes = format!("{link}/takes");
        let response = self.connect()?.ask("POST", &takes, &headers, bytes)?;
        let location = header(&response.head, "location").filter(|_| response.status == 201);
        // It may be an absolute URL.
        Ok(location.and_then(|it| it.find("/r/").map(|start| it[start..].to_owned())))
    }
}

impl Outcome {
    /// Counts a connection or request by how the server ended it.
    pub fn add_ending(&mut self, how: impl Into<String>) {
        *self.endings.entry(how.into()).or_default() += 1;
    }

    pub fn merge(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.requests += other.requests;
        self.violations.extend(other.violations);
        for (how, count) in other.endings {
            *self.endings.entry(how).or_default() += count;
        }
    }

    /// Such as `1.2 MB in 30 requests`.
    pub fn sent(&self) -> String {
        format!(
            "{:.1} MB in {} requests",
            self.bytes as f64 / 1e6,
            self.requests
        )
    }

    /// Such as `30 × 400, 2 × closed`.
    pub fn endings(&self) -> String {
        let each = self
            .endings
            .iter()
            .map(|(how, count)| format!("{count} × {how}"));
        each.collect::<Vec<_>>().join(", ")
    }
}
