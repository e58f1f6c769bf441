//! A minimal HTTP/1.1 client that can write any bytes and sees how the server ends a connection.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use socket2::{Domain, Socket, Type};

/// Maximum wait for a response: longer than any of the server's timeouts.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

const RECEIVE_BUFFER: usize = 16 << 10;

/// A connection to the server.
pub struct Connection {
    pub stream: TcpStream,
    /// Received bytes that have not been parsed.
    buffer: Vec<u8>,
}

/// A response with its body.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> Result<Self> {
        Self::open_from(Ipv4Addr::LOCALHOST, address)
    }

    /// Connects from another loopback address, which the server sees as another client.
    pub fn open_from(client: Ipv4Addr, address: SocketAddr) -> Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        // Small, so that bytes for a stalled client stay in the server.
        socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
        socket.bind(&SocketAddr::from((client, 0)).into())?;
        socket.connect_timeout(&address.into(), RESPONSE_TIMEOUT)?;
        let stream = TcpStream::from(socket);
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
        stream.set_write_timeout(Some(RESPONSE_TIMEOUT))?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
        })
    }

    /// Sends a request with a body, and reads the response.
    pub fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> Result<Response> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        self.stream.write_all(&[head.as_bytes(), body].concat())?;
        self.read_response()
    }

    /// Reads one response.
    pub fn read_response(&mut self) -> Result<Response> {
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
            // The body is dropped. Those that are chunked here don't contain such an end.
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
        Ok(Response { status, head, body })
    }

    fn fill(&mut self) -> Result<()> {
        let mut bytes = [0; 16 << 10];
        let read = self.stream.read(&mut bytes)?;
        ensure!(read > 0, "closed");
        self.buffer.extend_from_slice(&bytes[..read]);
        Ok(())
    }

    /// How the server ends a request: by a status, or by closing. `None`: not until `deadline`.
    pub fn ending(&mut self, deadline: Instant) -> Option<String> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = left.max(Duration::from_millis(1));
        self.stream.set_read_timeout(Some(timeout)).ok()?;
        match self.read_response() {
            Ok(response) => Some(response.status.to_string()),
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

/// The value of a header in the head of a response.
pub fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(it, _)| it.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// Parses `http://127.0.0.1:port`. Other than loopback addresses are refused.
pub fn parse_loopback_url(url: &str) -> Result<SocketAddr> {
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
            "{address} is not an IPv4 loopback address: only servers on this machine are attacked"
        ),
    }
}
