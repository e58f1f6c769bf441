//! Attacks by many requests or many bytes over HTTP/1.1.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::http::Connection;
use super::in_parallel;
use super::stage::{FILM, Outcome, Stage};

/// Connections of an attack that keeps each of them busy.
const BUSY: usize = 16;

/// Connections of a form that never gets to its file, and what each sends at most.
const FORMS: usize = 32;
const FORM_BYTES: usize = 8 << 20;

/// Connections that ask for a video and don't read it.
const STALLED: usize = 300;

/// Bytes of a piece that is far too small.
const TINY: usize = 64;

const BOUNDARY: &str = "----boundary";

/// What holds a connection until the attack is over.
const HELD: &str = "held";

pub fn unknown_pages(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    repeat(stage, deadline, "GET", "/nope", "", b"")
}

pub fn unknown_links(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    repeat(stage, deadline, "GET", "/r/AAAAAAAAAAAAAAAAAAAAAA", "", b"")
}

pub fn interface_description(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let headers = "Accept-Encoding: br\r\n";
    repeat(stage, deadline, "GET", "/v1/openapi.json", headers, b"")
}

pub fn documentation(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    repeat(
        stage,
        deadline,
        "GET",
        "/docs",
        "Accept-Encoding: gzip\r\n",
        b"",
    )
}

pub fn guessed_tokens(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let headers = "Authorization: Bearer vidence_guess\r\n";
    let path = "/v1/requests/AAAAAAAAAAAAAAAAAAAAAA";
    repeat(stage, deadline, "GET", path, headers, b"")
}

pub fn creations(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let wish = br#"{"prompt":"Show the dent.","expires_in_hours":1}"#;
    let headers = "Content-Type: application/json\r\n";
    repeat(stage, deadline, "POST", "/v1/requests", headers, wish)
}

pub fn agents(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let headers =
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    repeat(stage, deadline, "POST", "/mcp", headers, call)
}

/// The same request again and again, on each connection as fast as it is answered.
fn repeat(
    stage: &Stage,
    deadline: Instant,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> Result<Outcome> {
    in_parallel(BUSY, |_| {
        let mut outcome = Outcome::default();
        let mut connection = stage.connect()?;
        while Instant::now() < deadline {
            outcome.requests += 1;
            outcome.bytes += (method.len() + path.len() + headers.len() + body.len()) as u64;
            match connection.ask(method, path, headers, body) {
                Ok(answer) => outcome.ended(answer.status.to_string()),
                Err(_) => {
                    outcome.ended("closed");
                    connection = stage.connect()?;
                }
            }
        }
        Ok(outcome)
    })
}

pub fn form_preamble(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    form(stage, deadline, &stage.link, b"")
}

pub fn form_header(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let beginning = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"");
    form(stage, deadline, &stage.link, beginning.as_bytes())
}

pub fn form_for_unknown_link(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    form(stage, deadline, "/r/AAAAAAAAAAAAAAAAAAAAAA", b"")
}

/// A form that never gets to its file.
fn form(stage: &Stage, deadline: Instant, link: &str, beginning: &[u8]) -> Result<Outcome> {
    in_parallel(FORMS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = stage.connect()?;
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
        outcome.ended(ending.unwrap_or_else(|| HELD.to_owned()));
        Ok(outcome)
    })
}

/// One recording in far too many pieces.
pub fn tiny_pieces(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let Some(take) = stage.begin_take(&stage.link, "?0", FILM)? else {
        let mut outcome = Outcome::default();
        outcome.ended("refused");
        return Ok(outcome);
    };
    let mut outcome = in_parallel(1, |_| {
        let (mut outcome, mut connection) = (Outcome::default(), stage.connect()?);
        let mut offset = FILM.len();
        while Instant::now() < deadline {
            let headers = format!(
                "Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
                 Upload-Offset: {offset}\r\n"
            );
            let answer = connection.ask("PATCH", &take, &headers, &[0; TINY])?;
            outcome.ended(answer.status.to_string());
            outcome.requests += 1;
            outcome.bytes += TINY as u64;
            if answer.status != 204 {
                break;
            }
            offset += TINY;
        }
        Ok(outcome)
    })?;
    let removed = stage.connect()?.ask("DELETE", &take, "", b"")?;
    if removed.status != 204 {
        outcome
            .wrong
            .push(format!("its removal was answered {}", removed.status));
    }
    Ok(outcome)
}

/// Recordings that are begun and abandoned: they must not close the link to the person it was meant for.
pub fn abandoned_takes(stage: &Stage, _: Instant) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut takes = Vec::new();
    for _ in 0..20 {
        outcome.requests += 1;
        match stage.begin_take(&stage.link, "?0", b"")? {
            Some(take) => {
                outcome.ended("201");
                takes.push(take);
            }
            None => outcome.ended("refused"),
        }
    }
    let mut connection = stage.connect()?;
    for take in takes {
        connection.ask("DELETE", &take, "", b"")?;
    }
    Ok(outcome)
}

/// Bytes that wait for a digest which never comes.
pub fn bytes_awaiting_a_digest(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    const TAKES: usize = 4;
    const BYTES: usize = 24 << 20;
    let mut takes = Vec::new();
    for _ in 0..TAKES {
        takes.extend(stage.begin_take(&stage.link, "?0", b"")?);
    }
    let outcome = in_parallel(takes.len(), |number| {
        let mut outcome = Outcome::default();
        let mut connection = stage.connect()?;
        let digest = "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=";
        let head = format!(
            "PATCH {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\
             Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
             Upload-Offset: 0\r\nContent-Digest: sha-256=:{digest}:\r\n\r\n",
            takes[number]
        );
        connection.stream.write_all(head.as_bytes())?;
        connection.stream.write_all(FILM)?;
        let filler = [0; 64 << 10];
        let mut sent = FILM.len();
        while sent < BYTES && Instant::now() < deadline {
            connection.stream.write_all(&filler)?;
            sent += filler.len();
        }
        outcome.requests = 1;
        outcome.bytes = sent as u64;
        let ending = connection.ending(deadline);
        outcome.ended(ending.unwrap_or_else(|| HELD.to_owned()));
        Ok(outcome)
    })?;
    let mut connection = stage.connect()?;
    for take in takes {
        connection.ask("DELETE", &take, "", b"")?;
    }
    Ok(outcome)
}

/// Videos that are asked for and not read.
pub fn stalled_streams(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let (path, authorization) = &stage.video;
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{authorization}\r\n");
    hold(stage, deadline, STALLED, request.as_bytes())
}

/// Heads that never end.
pub fn slow_heads(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    hold(
        stage,
        deadline,
        STALLED,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    )
}

/// Connections that say this, and nothing more.
fn hold(stage: &Stage, deadline: Instant, connections: usize, said: &[u8]) -> Result<Outcome> {
    in_parallel(1, |_| {
        let mut outcome = Outcome::default();
        let mut held: Vec<Connection> = Vec::new();
        for _ in 0..connections {
            let mut connection = stage.connect()?;
            connection.stream.write_all(said)?;
            outcome.requests += 1;
            outcome.bytes += said.len() as u64;
            held.push(connection);
        }
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        for connection in held {
            connection.stream.set_nonblocking(true)?;
            let ended = matches!(connection.stream.peek(&mut [0]), Ok(0));
            outcome.ended(if ended { "closed" } else { HELD });
        }
        Ok(outcome)
    })
}
