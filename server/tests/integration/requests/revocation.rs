//! When a request ends, no further byte of it is sent: neither from a stream that its client doesn't read, nor from
//! buffers.

use std::time::Duration;

use reqwest::StatusCode;
use rustls::pki_types::ServerName;
use serde_json::json;
use server::id::RequestId;
use server::service::moderation::takedown::take_down;
use test_support::scale::TIMEOUT;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::certificate::CertificateFiles;
use crate::support::mcp_client::tool_call_message;
use crate::support::scrape::AdminServer;
use crate::support::{Creator, HOUR, Server, clip, on_each_storage, wait_until};

on_each_storage! {
    a_stalled_http1_stream_is_reset_by_a_deletion
    a_stalled_http1_stream_is_reset_by_an_expiry
    a_stalled_http1_stream_is_reset_by_a_takedown
    a_stalled_mcp_response_is_reset
}

/// More than the socket buffers of both sides hold.
pub const LARGE_VIDEO_BYTES: usize = 40_000_000;

/// Receive buffer of a client that reads nothing.
const SMALL_BUFFER: u32 = 8 << 10;

/// Bound of the bytes in flight to such a client.
const MAX_BUFFERED: usize = 1 << 20;

/// Bytes that the server's kernel buffers before a stream stalls.
const MAX_UNREAD: f64 = 262_144.0;

/// How a request ends.
#[derive(Clone, Copy)]
pub enum Revocation {
    Deletion,
    Expiry,
    Takedown,
}

impl Revocation {
    pub async fn apply(self, creator: &Creator<'_>) {
        match self {
            Self::Deletion => assert_eq!(creator.delete().await, StatusCode::NO_CONTENT),
            Self::Expiry => creator.server.advance_clock(HOUR),
            Self::Takedown => {
                let id = RequestId::parse(creator.id()).expect("an id");
                let taken_down = match creator.server.has_shared_stores() {
                    // As by the subcommand beside a server, which learns of it through the database.
                    true => take_down(&creator.server.passive_node().await, &id).await,
                    false => take_down(&creator.server.app, &id).await,
                };
                taken_down.expect("a takedown");
            }
        }
    }
}

/// A connection with a small receive buffer.
pub async fn connect_with_small_buffer(server: &Server) -> TcpStream {
    let address = server.base.strip_prefix("http://").expect("an address");
    let socket = TcpSocket::new_v4().expect("a socket");
    socket
        .set_recv_buffer_size(SMALL_BUFFER)
        .expect("a size of the buffer");
    let connecting = socket.connect(address.parse().expect("an address"));
    connecting.await.expect("a connection")
}

pub fn http1_request(creator: &Creator<'_>, path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        creator.created.access_token
    )
}

/// Sends a request and reads the head and the beginning of the body.
async fn start_download(connection: &mut (impl AsyncRead + AsyncWrite + Unpin), request: &str) {
    let written = connection.write_all(request.as_bytes()).await;
    written.expect("a connection");
    let mut beginning = vec![0; 4096];
    let read = connection.read_exact(&mut beginning).await;
    read.expect("a beginning");
    assert!(beginning.starts_with(b"HTTP/1.1 20"));
}

/// Waits for a reset without reading.
pub async fn wait_for_reset(connection: &TcpStream) {
    wait_until(async || connection.take_error().expect("a socket").is_some()).await;
}

/// Asserts that only bytes in flight still arrive.
pub async fn assert_ends_soon(mut connection: TcpStream) {
    let mut rest = Vec::new();
    let end = timeout(TIMEOUT, connection.read_to_end(&mut rest)).await;
    assert!(end.is_ok(), "it goes on");
    assert!(rest.len() < MAX_BUFFERED, "{}", rest.len());
}

async fn streamed_bytes(admin: &AdminServer<'_>) -> Option<f64> {
    let scrape = admin.scrape().await;
    scrape.value("vidence_streamed_bytes_total", &[])
}

/// Waits until all buffers of an unread stream are full.
pub async fn wait_until_stalled(admin: &AdminServer<'_>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(25));
    let (mut last, mut unchanged) = (None, 0);
    while unchanged < 40 {
        ticks.tick().await;
        let now = streamed_bytes(admin).await;
        let is_same = now == last && now > Some(MAX_UNREAD);
        unchanged = if is_same { unchanged + 1 } else { 0 };
        last = now;
    }
}

async fn stalled_http1_stream_is_reset(server: &Server, end: Revocation) {
    let creator = server.create_request().await;
    let video = creator.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let admin = AdminServer::start(server).await;
    let mut stalled = connect_with_small_buffer(server).await;
    start_download(&mut stalled, &http1_request(&creator, &video)).await;
    wait_until_stalled(&admin).await;
    let before = streamed_bytes(&admin).await;
    end.apply(&creator).await;
    wait_for_reset(&stalled).await;
    assert_ends_soon(stalled).await;
    assert_eq!(streamed_bytes(&admin).await, before);
}

async fn a_stalled_http1_stream_is_reset_by_a_deletion(server: Server) {
    stalled_http1_stream_is_reset(&server, Revocation::Deletion).await;
}

async fn a_stalled_http1_stream_is_reset_by_an_expiry(server: Server) {
    stalled_http1_stream_is_reset(&server, Revocation::Expiry).await;
}

async fn a_stalled_http1_stream_is_reset_by_a_takedown(server: Server) {
    stalled_http1_stream_is_reset(&server, Revocation::Takedown).await;
}

async fn a_stalled_mcp_response_is_reset(server: Server) {
    let creator = server.create_request().await;
    creator.submit_video(&clip(5_000_000)).await;
    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
        "wait_seconds": 0,
        "delivery": "inline",
    });
    let message = tool_call_message("get_video_evidence", &arguments).to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    let mut stalled = connect_with_small_buffer(&server).await;
    start_download(&mut stalled, &request).await;
    Revocation::Deletion.apply(&creator).await;
    wait_for_reset(&stalled).await;
    assert_ends_soon(stalled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_stream_over_tls_is_reset() {
    let files = CertificateFiles::new();
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let video = creator.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let request = http1_request(&creator, &video);
    let (id, token) = (
        creator.id().to_owned(),
        creator.created.access_token.clone(),
    );
    let server = server.with_serving_args(files.serving_args()).await;
    let tcp = connect_with_small_buffer(&server).await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let stalled = files.connector(b"http/1.1").connect(name, tcp).await;
    let mut stalled = stalled.expect("a handshake");
    start_download(&mut stalled, &request).await;
    let tls = server.base.replace("http://", "https://");
    let delete = files.client().delete(format!("{tls}/v1/requests/{id}"));
    let deleted = delete.bearer_auth(token).send().await.expect("an answer");
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    wait_for_reset(stalled.get_ref().0).await;
}
