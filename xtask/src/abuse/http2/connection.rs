//! An HTTP/2 connection: its preface, its flow-control windows, and how the server ends it.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use http2_frames::{GOAWAY, INITIAL_WINDOW_SIZE, PREFACE, SETTINGS, WINDOW_UPDATE, settings};

use crate::abuse::http::Connection;
use crate::abuse::target::Target;

/// Opens a connection whose streams have this initial window.
pub fn open(target: &Target, window: u32) -> Result<Connection> {
    let mut connection = target.connect()?;
    let settings = settings(&[(INITIAL_WINDOW_SIZE, window)]);
    connection
        .stream
        .write_all(&[PREFACE, &settings].concat())?;
    Ok(connection)
}

/// The server's initial flow-control windows: of the connection, and of a stream.
pub fn read_windows(connection: &mut Connection) -> (usize, usize) {
    let (mut connection_window, mut stream_window) = (65_535, 65_535);
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
                stream_window = window.map_or(stream_window, |it| number(&it[2..]));
            }
            WINDOW_UPDATE => connection_window += number(payload),
            _ => {}
        }
        rest = next;
    }
    (connection_window, stream_window)
}

/// How the server ends the connection until the deadline, or `held`.
pub fn ending(connection: &mut Connection, deadline: Instant) -> String {
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
                return match find_goaway(&all) {
                    Some(code) => format!("GOAWAY {code}"),
                    None if timed_out => "held".to_owned(),
                    None => "closed".to_owned(),
                };
            }
        }
    }
}

/// The error code (RFC 9113, section 7) of the last GOAWAY frame in what was received.
pub fn find_goaway(received: &[u8]) -> Option<&'static str> {
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
