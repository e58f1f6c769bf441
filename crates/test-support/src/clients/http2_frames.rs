//! HTTP/2 connections that are driven frame by frame, for sequences that no client sends.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

pub use ::http2_frames::*;

/// Opens a connection with these settings and the largest connection window.
pub async fn send_preface(
    connection: &mut (impl AsyncWrite + Unpin),
    client_settings: &[(u16, u32)],
) -> io::Result<()> {
    let window = window_update(0, MAX_WINDOW_SIZE - 65_535);
    let preface = [
        PREFACE,
        &settings(client_settings),
        &frame(SETTINGS, ACK, 0, &[]),
        &window,
    ]
    .concat();
    connection.write_all(&preface).await
}

/// Reads one frame.
pub async fn read(connection: &mut (impl AsyncRead + Unpin)) -> io::Result<Frame> {
    let mut head = [0; 9];
    connection.read_exact(&mut head).await?;
    let [high, middle, low, kind, flags, stream @ ..] = head;
    let mut payload = vec![0; u32::from_be_bytes([0, high, middle, low]) as usize];
    connection.read_exact(&mut payload).await?;
    Ok(Frame {
        kind,
        flags,
        stream: u32::from_be_bytes(stream),
        payload,
    })
}

/// Reads frames until one satisfies `is_wanted`.
pub async fn read_until(
    connection: &mut (impl AsyncRead + Unpin),
    is_wanted: impl Fn(&Frame) -> bool,
) -> io::Result<Frame> {
    loop {
        let frame = read(connection).await?;
        if is_wanted(&frame) {
            return Ok(frame);
        }
    }
}
