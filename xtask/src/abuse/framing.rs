//! Request smuggling: requests whose length or host is ambiguous.
//!
//! RFC 9112, sections 3.2 (Host), 6.1 to 6.3 (message body length) and 7.1 (chunked transfer coding).

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::target::{Outcome, Target};

/// Follows each of them on its connection, and must not be answered as a request of its own.
const SMUGGLED: &str = "GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

/// The heads of the ambiguous requests, with a description.
const HEADS: [(&str, &str); 12] = [
    (
        "two Host lines",
        "GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    ),
    (
        "the same Host twice",
        "GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
    ),
    ("no Host", "GET /robots.txt HTTP/1.1\r\n\r\n"),
    (
        "an invalid Host",
        "GET /robots.txt HTTP/1.1\r\nHost: a b\r\n\r\n",
    ),
    (
        "two lengths",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n",
    ),
    (
        "a length and chunks",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
    ),
    (
        "chunks that are not the last coding",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
    ),
    (
        "an unknown coding",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
    ),
    (
        "a negative length",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    ),
    (
        "a signed length",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: +4\r\n\r\n",
    ),
    (
        "a space before the colon",
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length : 4\r\n\r\n",
    ),
    (
        "a folded line",
        "GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n c\r\n\r\n",
    ),
];

pub fn ambiguous_requests(target: &Target, _: Instant) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for (what, head) in HEADS {
        let mut connection = target.connect()?;
        let sent = [head, SMUGGLED].concat();
        connection.stream.write_all(sent.as_bytes())?;
        outcome.requests += 1;
        outcome.bytes += sent.len() as u64;
        let deadline = Instant::now() + Duration::from_secs(5);
        let ending = connection
            .ending(deadline)
            .unwrap_or_else(|| "no response".to_owned());
        // 429: the rate limit is checked first.
        if !["400", "429", "closed"].contains(&ending.as_str()) {
            outcome
                .violations
                .push(format!("{what} was answered {ending}"));
        }
        outcome.add_ending(ending);
    }
    Ok(outcome)
}
