//! Attacks by many requests or many bytes over HTTP/1.1.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::http::Connection;
use super::in_parallel;
use super::target::{Outcome, Target, VIDEO_HEAD};

/// Number of connections that each send request after request.
const BUSY: usize = 16;

/// Number of connections with a form that never gets to its file, and the maximum that each sends.
const FORMS: usize = 32;
const FORM_BYTES: usize = 8 << 20;

/// Number of connections that stream a video and don't read it.
const STALLED: usize = 300;

/// Size of a chunk that is far too small, in bytes.
const TINY: usize = 64;

const BOUNDARY: &str = "----boundary";

/// The ending of a connection that is still open at the deadline.
const HELD: &str = "held";

pub fn unknown_pages(target: &Target, deadline: Instant) -> Result<Outcome> {
    repeat(target, deadline, "GET", "/nope", "", b"")
}

pub fn unknown_links(target: &Target, deadline: Instant) -> Result<Outcome> {
    repeat(
        target,
        deadline,
        "GET",
        "/r/AAAAAAAAAAAAAAAAAAAAAA",
        "",
        b"",
    )
}

pub fn openapi_description(target: &Target, deadline: Instant) -> Result<Outcome> {
    let headers = "Accept-Encoding: br\r\n";
    repeat(target, deadline, "GET", "/v1/openapi.json", headers, b"")
}

pub fn documentation(target: &Target, deadline: Instant) -> Result<Outcome> {
    repeat(
        target,
        deadline,
        "GET",
        "/docs",
        "Accept-Encoding: gzip\r\n",
        b"",
    )
}

pub fn guessed_tokens(target: &Target, deadline: Instant) -> Result<Outcome> {
    let headers = "Authorization: Bearer vidence_guess\r\n";
    let path = "/v1/requests/AAAAAAAAAAAAAAAAAAAAAA";
    repeat(target, deadline, "GET", path, headers, b"")
}

pub fn creations(target: &Target, deadline: Instant) -> Result<Outcome> {
    let body = br#"{"prompt":"Show the dent.","expires_in_hours":1}"#;
    let headers = "Content-Type: application/json\r\n";
    repeat(target, deadline, "POST", "/v1/requests", headers, body)
}

pub fn mcp_calls(target: &Target, deadline: Instant) -> Result<Outcome> {
    let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let headers =
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    repeat(target, deadline, "POST", "/mcp", headers, call)
}

/// Repeats a request on each connection as fast as it is answered.
fn repeat(
    target: &Target,
    deadline: Instant,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> Result<Outcome> {
    in_parallel(BUSY, |_| {
        let mut outcome = Outcome::default();
        let mut connection = target.connect()?;
        while Instant::now() < deadline {
            outcome.requests += 1;
            outcome.bytes += (method.len() + path.len() + headers.len() + body.len()) as u64;
            match connection.ask(method, path, headers, body) {
                Ok(response) => outcome.add_ending(response.status.to_string()),
                Err(_) => {
                    outcome.add_ending("closed");
                    connection = target.connect()?;
                }
            }
        }
        Ok(outcome)
    })
}

pub fn form_preamble(target: &Target, deadline: Instant) -> Result<Outcome> {
    form(target, deadline, &target.link, b"")
}

pub fn form_header(target: &Target, deadline: Instant) -> Result<Outcome> {
    let beginning = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"");
    form(target, deadline, &target.link, beginning.as_bytes())
}

pub fn form_for_unknown_link(target: &Target, deadline: Instant) -> Result<Outcome> {
    form(target, deadline, "/r/AAAAAAAAAAAAAAAAAAAAAA", b"")
}

/// Sends a form that never gets to its file.
fn form(target: &Target, deadline: Instant, link: &str, beginning: &[u8]) -> Result<Outcome> {
    in_parallel(FORMS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = target.connect()?;
        let head = format!(
            "POST {link} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1073741824\r\n\
             Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
        );
        connection.stream.write_all(head.as_bytes())?;
        connection.stream.write_all(beginning)?;
        let filler = [b'x'; 64 << 10];
        let mut sent = 0;
        while sent < FORM_BYTES && Instant::now() < deadline {
            if connection.stream.write_all(&filler).is_err() {
                break;
            }
            sent += filler.len();
        }
        outcome.requests = 1;
        outcome.bytes = sent as u64;
        let ending = connection.ending(deadline.max(Instant::now() + Duration::from_secs(1)));
        outcome.add_ending(ending.unwrap_or_else(|| HELD.to_owned()));
        Ok(outcome)
    })
}

/// Uploads a recording in far too many chunks.
pub fn tiny_chunks(target: &Target, deadline: Instant) -> Result<Outcome> {
    let Some(take) = target.begin_take(&target.link, "?0", VIDEO_HEAD)? else {
        let mut outcome = Outcome::default();
        outcome.add_ending("refused");
        return Ok(outcome);
    };
    let mut outcome = in_parallel(1, |_| {
        let (mut outcome, mut connection) = (Outcome::default(), target.connect()?);
        let mut offset = VIDEO_HEAD.len();
        while Instant::now() < deadline {
            let headers = format!(
                "Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
                 Upload-Offset: {offset}\r\n"
            );
            let response = connection.ask("PATCH", &take, &headers, &[0; TINY])?;
            outcome.add_ending(response.status.to_string());
            outcome.requests += 1;
            outcome.bytes += TINY as u64;
            if response.status != 204 {
                break;
            }
            offset += TINY;
        }
        Ok(outcome)
    })?;
    let removed = target.connect()?.ask("DELETE", &take, "", b"")?;
    if removed.status != 204 {
        let status = removed.status;
        outcome
            .violations
            .push(format!("its removal was answered {status}"));
    }
    Ok(outcome)
}

/// Starts and abandons takes, which must not use up the link for the person that it was meant for.
pub fn abandoned_takes(target: &Target, _: Instant) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut takes = Vec::new();
    for _ in 0..20 {
        outcome.requests += 1;
        match target.begin_take(&target.link, "?0", b"")? {
            Some(take) => {
                outcome.add_ending("201");
                takes.push(take);
            }
            None => outcome.add_ending("refused"),
        }
    }
    let mut connection = target.connect()?;
    for take in takes {
        connection.ask("DELETE", &take, "", b"")?;
    }
    Ok(outcome)
}

/// Sends bytes whose Content-Digest can be checked only at an end that never comes.
pub fn bytes_awaiting_a_digest(target: &Target, deadline: Instant) -> Result<Outcome> {
    const TAKES: usize = 4;
    const BYTES: usize = 24 << 20;
    let mut takes = Vec::new();
    for _ in 0..TAKES {
        takes.extend(target.begin_take(&target.link, "?0", b"")?);
    }
    let outcome = in_parallel(takes.len(), |number| {
        let mut outcome = Outcome::default();
        let mut connection = target.connect()?;
        let digest = "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=";
        let head = format!(
            "PATCH {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\
             Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
             Upload-Offset: 0\r\nContent-Digest: sha-256=:{digest}:\r\n\r\n",
            takes[number]
        );
        connection.stream.write_all(head.as_bytes())?;
        connection.stream.write_all(VIDEO_HEAD)?;
        let filler = [0; 64 << 10];
        let mut sent = VIDEO_HEAD.len();
        while sent < BYTES && Instant::now() < deadline {
            connection.stream.write_all(&filler)?;
            sent += filler.len();
        }
        outcome.requests = 1;
        outcome.bytes = sent as u64;
        let ending = connection.ending(deadline);
        outcome.add_ending(ending.unwrap_or_else(|| HELD.to_owned()));
        Ok(outcome)
    })?;
    let mut connection = target.connect()?;
    for take in takes {
        connection.ask("DELETE", &take, "", b"")?;
    }
    Ok(outcome)
}

/// Streams videos without reading them.
pub fn stalled_streams(target: &Target, deadline: Instant) -> Result<Outcome> {
    let (path, authorization) = &target.video;
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{authorization}\r\n");
    hold(target, deadline, STALLED, request.as_bytes())
}

/// Sends request heads that never end.
pub fn slow_heads(target: &Target, deadline: Instant) -> Result<Outcome> {
    hold(
        target,
        deadline,
        STALLED,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    )
}

/// Holds connections on which only these bytes are sent.
fn hold(target: &Target, deadline: Instant, connections: usize, sent: &[u8]) -> Result<Outcome> {
    in_parallel(1, |_| {
        let mut outcome = Outcome::default();
        let mut held: Vec<Connection> = Vec::new();
        for _ in 0..connections {
            let mut connection = target.connect()?;
            connection.stream.write_all(sent)?;
            outcome.requests += 1;
            outcome.bytes += sent.len() as u64;
            held.push(connection);
        }
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        for connection in held {
            connection.stream.set_nonblocking(true)?;
            let ended = matches!(connection.stream.peek(&mut [0]), Ok(0));
            outcome.add_ending(if ended { "closed" } else { HELD });
        }
        Ok(outcome)
    })
}
