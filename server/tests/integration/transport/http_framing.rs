//! Requests whose start or end two parties could parse differently, sent byte by byte: none is parsed as two.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::Server;

/// Longer than the server's own timeouts.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A body that is a request of its own if a body ends too early: the server answers it with 404.
const SMUGGLED_REQUEST: &str = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Ends the conversation; answered only if the connection was left open.
const LAST: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Sends bytes. Returns the statuses of all responses until the server closes the connection.
pub async fn statuses(mut connection: TcpStream, bytes: &[u8]) -> Vec<u16> {
    // The server may close the connection before it has read everything.
    let _ = connection.write_all(bytes).await;
    let mut answers = Vec::new();
    let read = timeout(TIMEOUT, connection.read_to_end(&mut answers)).await;
    // A close with unread bytes is a reset.
    let _ = read.expect("an end");
    let answers = String::from_utf8_lossy(&answers).into_owned();
    let heads = answers.split("HTTP/1.").skip(1);
    heads
        .map(|it| it[2..5].parse().expect("a status"))
        .collect()
}

/// A POST to `/mcp`, which reads bodies, with these header lines and this body.
fn post(lines: &str, body: &str) -> String {
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n\r\n{body}")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_smuggled_within_another() {
    let server = Server::sqlite().await;
    let length = SMUGGLED_REQUEST.len();
    let chunk = format!("{length:x}\r\n{SMUGGLED_REQUEST}\r\n0\r\n\r\n");
    let fits = format!("Content-Length: {length}");
    // `/mcp` refuses this body. Statuses of the responses to the request alone; with `true` the connection stays
    // open, and its next request is answered.
    for (name, request, answers, stays) in [
        (
            "one length",
            post(&fits, SMUGGLED_REQUEST),
            &[400][..],
            true,
        ),
        (
            "chunks",
            post("Transfer-Encoding: chunked", &chunk),
            &[400],
            true,
        ),
        (
            "the same length twice",
            post(&format!("{fits}\r\n{fits}"), SMUGGLED_REQUEST),
            &[400],
            true,
        ),
        (
            "two lengths",
            post(&format!("{fits}\r\nContent-Length: 0"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "two lengths, the other way round",
            post(&format!("Content-Length: 0\r\n{fits}"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a list of lengths",
            post(&format!("{fits}, 0"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        // RFC 9112, section 6.3: the chunks count, and the connection is closed.
        (
            "a length and chunks",
            post(&format!("{fits}\r\nTransfer-Encoding: chunked"), &chunk),
            &[400],
            false,
        ),
        (
            "a length and no chunk",
            post(
                &format!("{fits}\r\nTransfer-Encoding: chunked"),
                &format!("0\r\n\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a negative length",
            post("Content-Length: -1", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length with a sign",
            post("Content-Length: +1", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length in hexadecimal",
            post("Content-Length: 0x2f", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length beyond all numbers",
            post("Content-Length: 18446744073709551616", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "an unknown coding",
            post("Transfer-Encoding: xchunked", &chunk),
            &[400],
            false,
        ),
        (
            "a coding behind the chunks",
            post("Transfer-Encoding: chunked, identity", &chunk),
            &[400],
            false,
        ),
        (
            "a coding on the next line",
            post(
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                &chunk,
            ),
            &[400],
            false,
        ),
        (
            "a coding of HTTP/1.0",
            post("Transfer-Encoding: chunked", &chunk).replace(
                "HTTP/1.1\r\nHost: localhost\r\nT",
                "HTTP/1.0\r\nHost: localhost\r\nT",
            ),
            &[400],
            false,
        ),
        (
            "a space before the colon",
            post("Transfer-Encoding : chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a folded line",
            post("Transfer-Encoding:\r\n chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a control character",
            post("Transfer-Encoding: \u{b}chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a carriage return alone",
            post("X: a\rTransfer-Encoding: chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a chunk of a negative size",
            post(
                "Transfer-Encoding: chunked",
                &format!("-1\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk of a size with a prefix",
            post(
                "Transfer-Encoding: chunked",
                &format!("0x2f\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk of a size beyond all numbers",
            post(
                "Transfer-Encoding: chunked",
                &format!("10000000000000000\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk's extension with a bare line feed",
            post(
                "Transfer-Encoding: chunked",
                &format!("0;a\n\r\n\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
    ] {
        let bytes = format!("{request}{LAST}");
        let statuses_received = statuses(server.connect().await, bytes.as_bytes()).await;
        let want: Vec<u16> = answers
            .iter()
            .copied()
            .chain(stays.then_some(200))
            .collect();
        assert_eq!(statuses_received, want, "{name}");
    }
}

/// A proxy that decodes it would see another body than the server does.
#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_coding_but_chunked_is_400() {
    let server = Server::sqlite().await;
    let json = "{\"prompt\":\"x\",\"expires_in_hours\":1}";
    let chunk = format!("{:x}\r\n{json}\r\n0\r\n\r\n", json.len());
    for (coding, status) in [
        ("chunked", 201),
        ("Chunked", 201),
        ("gzip, chunked", 400),
        ("chunked, chunked", 400),
        ("gzip\r\nTransfer-Encoding: chunked", 400),
    ] {
        let request = format!(
            "POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: {coding}\r\n\r\n{chunk}{LAST}"
        );
        let received = statuses(server.connect().await, request.as_bytes()).await;
        assert_eq!(received[0], status, "{coding}");
    }
}
