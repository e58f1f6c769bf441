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
    let chunked = "Transfer-Encoding: chunked";
    // `/mcp` refuses these bodies, each as one, and answers the next request of the connection.
    for request in [
        post(&fits, SMUGGLED_REQUEST),
        post(&format!("{fits}\r\n{fits}"), SMUGGLED_REQUEST),
        post(chunked, &chunk),
    ] {
        assert_answers(&server, &request, &[400, 200]).await;
    }
    // After these it closes the connection.
    for lines in [
        // Two lengths, in any order, and a list of them.
        &format!("{fits}\r\nContent-Length: 0"),
        &format!("Content-Length: 0\r\n{fits}"),
        &format!("{fits}, 0"),
        "Content-Length: -1",
        "Content-Length: +1",
        "Content-Length: 0x2f",
        "Content-Length: 18446744073709551616",
    ] {
        let request = post(lines, SMUGGLED_REQUEST);
        assert_answers(&server, &request, &[400]).await;
    }
    for lines in [
        // RFC 9112, section 6.3: the chunks count.
        &format!("{fits}\r\n{chunked}"),
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\r\n chunked",
        "Transfer-Encoding: \u{b}chunked",
        "X: a\rTransfer-Encoding: chunked",
    ] {
        assert_answers(&server, &post(lines, &chunk), &[400]).await;
    }
    for body in ["-1", "0x2f", "10000000000000000", "0;a\n\r\n"] {
        let request = post(chunked, &format!("{body}\r\n{SMUGGLED_REQUEST}"));
        assert_answers(&server, &request, &[400]).await;
    }
    let no_chunk = format!("0\r\n\r\n{SMUGGLED_REQUEST}");
    let with_length = post(&format!("{fits}\r\n{chunked}"), &no_chunk);
    assert_answers(&server, &with_length, &[400]).await;
    let of_1_0 = post(chunked, &chunk).replacen("HTTP/1.1", "HTTP/1.0", 1);
    assert_answers(&server, &of_1_0, &[400]).await;
}

/// Asserts the statuses of the responses to this request and to [`LAST`] behind it.
async fn assert_answers(server: &Server, request: &str, statuses_expected: &[u16]) {
    let bytes = format!("{request}{LAST}");
    let answers = statuses(server.connect().await, bytes.as_bytes()).await;
    assert_eq!(answers, statuses_expected, "{request:?}");
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
