//! What attacks are aimed at, and what becomes of them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::honest::create_request;
use super::http::{Connection, header};

/// The beginning of a film that any bytes may follow.
pub const FILM: &[u8] = include_bytes!("../../../crates/test-support/fixtures/open_ended.mp4");

/// Of the video that is watched, in bytes: more than sockets hold.
const VIDEO_BYTES: usize = 16 << 20;

/// A server with a request that awaits a video, and one that has its own.
pub struct Stage {
    pub address: SocketAddr,
    /// The path of a link that awaits a video.
    pub link: String,
    /// Asks for a video: path and header.
    pub video: (String, String),
}

/// What an attack sent, and how the server ended it.
#[derive(Default)]
pub struct Outcome {
    pub bytes: u64,
    pub requests: u64,
    endings: BTreeMap<String, u64>,
    /// Answers that break a promise.
    pub wrong: Vec<String>,
}

impl Stage {
    pub fn prepare(address: SocketAddr) -> Result<Self> {
        let (awaiting, _) = create_request(Ipv4Addr::LOCALHOST, address)?;
        let (submitted, token) = create_request(Ipv4Addr::LOCALHOST, address)?;
        let stage = Self {
            address,
            link: format!("/r/{awaiting}"),
            video: (String::new(), format!("Authorization: Bearer {token}\r\n")),
        };
        let link = format!("/r/{submitted}");
        let mut film = FILM.to_vec();
        film.resize(VIDEO_BYTES, 0);
        let take = stage.begin_take(&link, "?1", &film)?;
        let take = take.context("the upload was refused")?;
        let id = take.rsplit('/').next().unwrap_or_default();
        let body = format!("{{\"take\":\"{id}\"}}");
        let mut connection = stage.connect()?;
        let json = "Content-Type: application/json\r\n";
        let submission = format!("{link}/submission");
        let answer = connection.ask("POST", &submission, json, body.as_bytes())?;
        ensure!(
            answer.status == 200,
            "the submission was answered {}",
            answer.status
        );
        let status = format!("/v1/requests/{submitted}");
        let answer = connection.ask("GET", &status, &stage.video.1, b"")?;
        let status: Value = serde_json::from_slice(&answer.body)?;
        let id = status["video"]["id"].as_str().context("no video")?;
        Ok(Self {
            video: (format!("/v1/videos/{id}"), stage.video.1),
            ..stage
        })
    }

    pub fn connect(&self) -> Result<Connection> {
        Connection::open(self.address)
    }

    /// Begins a take with its first bytes; its path. `None`: it was refused.
    pub fn begin_take(&self, link: &str, complete: &str, bytes: &[u8]) -> Result<Option<String>> {
        let headers = format!("Content-Type: video/mp4\r\nUpload-Complete: {complete}\r\n");
        let takes = format!("{link}/takes");
        let answer = self.connect()?.ask("POST", &takes, &headers, bytes)?;
        let location = header(&answer.head, "location").filter(|_| answer.status == 201);
        // It may be a whole URL.
        Ok(location.and_then(|it| it.find("/r/").map(|start| it[start..].to_owned())))
    }
}

impl Outcome {
    /// Counts one connection or request that ended so.
    pub fn ended(&mut self, how: impl Into<String>) {
        *self.endings.entry(how.into()).or_default() += 1;
    }

    pub fn merge(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.requests += other.requests;
        self.wrong.extend(other.wrong);
        for (how, count) in other.endings {
            *self.endings.entry(how).or_default() += count;
        }
    }

    /// `1.2 MB in 30 requests`
    pub fn sent(&self) -> String {
        format!(
            "{:.1} MB in {} requests",
            self.bytes as f64 / 1e6,
            self.requests
        )
    }

    /// `30 × 400, 2 × closed`
    pub fn endings(&self) -> String {
        let each = self
            .endings
            .iter()
            .map(|(how, count)| format!("{count} × {how}"));
        each.collect::<Vec<_>>().join(", ")
    }
}
