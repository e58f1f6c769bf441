//! As much of an HTTP/1.1 client as an attack needs: it writes any bytes, and reads how the server ends them.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use socket2::{Domain, Socket, Type};

/// The longest wait for an answer: longer than any timeout of the server's that an attack runs into.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

const RECEIVE_BUFFER: usize = 16 << 10;

/// A connection to the server.
pub struct Connection {
    pub stream: TcpStream,
    /// Received and not used yet.
    buffer: Vec<u8>,
}

/// An answer whose body has been read.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Result<Self> {
        Self::open_from(Ipv4Addr::LOCALHOST, address)
    }

    /// Opens a connection from another loopback address: to the server, from another client.
    pub fn open_from(client: Ipv4Addr, address: SocketAddr) -> Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        // Small: what a stalled client doesn't read should lie with the server.
        socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
        socket.bind(&SocketAddr::from((client, 0)).into())?;
        socket.connect_timeout(&address.into(), ANSWER_TIMEOUT)?;
        let stream = TcpStream::from(socket);
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        stream.set_write_timeout(Some(ANSWER_TIMEOUT))?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
        })
    }

    /// Sends a request with a body, and reads its answer.
    pub fn ask(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> Result<Answer> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        self.stream.write_all(&[head.as_bytes(), body].concat())?;
        self.answer()
    }

    /// Reads one answer.
    pub fn answer(&mut self) -> Result<Answer> {
        let end = loop {
            if let Some(end) = self.buffer.windows(4).position(|it| it == b"\r\n\r\n") {
                break end + 4;
            }
            self.fill()?;
        };
        let head: Vec<u8> = self.buffer.drain(..end).collect();
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        let status = status.context("no status")?;
        let length = header(&head, "content-length").and_then(|it| it.parse().ok());
        let mut body = Vec::new();
        if header(&head, "transfer-encoding") == Some("chunked") {
            // Text without such an end of its own: what the chunks hold is of no interest.
            while !self.buffer.ends_with(b"0\r\n\r\n") {
                self.fill()?;
            }
            self.buffer.clear();
        } else if let Some(length) = length.filter(|_| status != 204) {
            while self.buffer.len() < length {
                self.fill()?;
            }
            body = self.buffer.drain(..length).collect();
        }
        Ok(Answer { status, head, body })
    }

    fn fill(&mut self) -> Result<()> {
        let mut bytes = [0; 16 << 10];
        let read = self.stream.read(&mut bytes)?;
        ensure!(read > 0, "closed");
        self.buffer.extend_from_slice(&bytes[..read]);
        Ok(())
    }

    /// How the server ends what was sent: a status, or a closed connection. `None`: not until `deadline`.
    pub fn ending(&mut self, deadline: Instant) -> Option<String> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = left.max(Duration::from_millis(1));
        self.stream.set_read_timeout(Some(timeout)).ok()?;
        match self.answer() {
            Ok(answer) => Some(answer.status.to_string()),
            Err(error) => match error
                .downcast_ref::<std::io::Error>()
                .map(std::io::Error::kind)
            {
                Some(ErrorKind::WouldBlock | ErrorKind::TimedOut) => None,
                _ => Some("closed".to_owned()),
            },
        }
    }
}

/// A header's value in the text of a head.
pub fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(it, _)| it.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// `http://127.0.0.1:port`; anything but a loopback address is refused.
pub fn loopback(url: &str) -> Result<SocketAddr> {
    let address = url
        .strip_prefix("http://")
        .context("give it as http://127.0.0.1:port")?;
    let address = address
        .trim_end_matches('/')
        .replace("localhost", "127.0.0.1");
    let address: SocketAddr = address
        .parse()
        .context("give it as http://127.0.0.1:port")?;
    match address.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => Ok(address),
        _ => bail!(
            "{address} is not an IPv4 loopback address: only servers on this machine are tried"
        ),
    }
}
