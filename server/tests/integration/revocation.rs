//! When a request is over, no further byte of it leaves: not of a stream that its client doesn't read, and not of
//! what lies in buffers.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use rustls::pki_types::ServerName;
use serde_json::json;
use server::id::RequestId;
use server::service::moderation::takedown::take_down;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::agent::tool_call;
use crate::scrape::Admin;
use crate::support::certificate::CertificateFiles;
use crate::support::{CLIP, Creator, HOUR, LIVE_WEBM, Server, clip, journeys, wait_until};
use test_support::http2_frames::{self, CANCEL, INITIAL_WINDOW_SIZE};

journeys! {
    a_stalled_http1_stream_is_reset_by_a_deletion
    a_stalled_http1_stream_is_reset_by_an_expiry
    a_stalled_http1_stream_is_reset_by_a_takedown
    a_stalled_mcp_answer_is_reset
    a_stalled_http2_stream_is_reset_and_its_connection_lives
    an_http2_connection_that_takes_nothing_is_reset
    a_finished_response_leaves_its_connection_alone
}

/// More than the sockets of both sides hold.
const LARGE: usize = 40_000_000;

/// What a client's socket holds that doesn't want to hold much.
const SMALL_BUFFER: u32 = 8 << 10;

/// More than may have been on its way to a client with such a socket.
const ON_THE_WAY: usize = 1 << 20;

/// What the server's kernel takes of a stream before it takes no more.
const IN_THE_KERNEL: f64 = 262_144.0;

/// How a request ends.
#[derive(Clone, Copy)]
enum End {
    Deletion,
    Expiry,
    Takedown,
}

impl End {
    async fn come(self, creator: &Creator<'_>) {
        match self {
            Self::Deletion => assert_eq!(creator.delete().await, StatusCode::NO_CONTENT),
            Self::Expiry => creator.server.later(HOUR),
            Self::Takedown => {
                let id = RequestId::parse(creator.id()).expect("an id");
                let taken_down = match creator.server.is_in_a_cluster() {
                    // As by the command beside a server, which hears of it by its database.
                    true => take_down(&creator.server.silent_node().await, &id).await,
                    false => take_down(&creator.server.app, &id).await,
                };
                taken_down.expect("a takedown");
            }
        }
    }
}

/// A connection whose kernel takes little of what nobody reads.
async fn connect_with_small_buffer(server: &Server) -> TcpStream {
    let address = server.base.strip_prefix("http://").expect("an address");
    let socket = TcpSocket::new_v4().expect("a socket");
    socket
        .set_recv_buffer_size(SMALL_BUFFER)
        .expect("a size of the buffer");
    let connecting = socket.connect(address.parse().expect("an address"));
    connecting.await.expect("a connection")
}

fn get_by_http1(creator: &Creator<'_>, path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        creator.created.access_token
    )
}

/// Asks, and reads the head of the answer and the beginning of its body.
async fn begin_to_read(connection: &mut (impl AsyncRead + AsyncWrite + Unpin), request: &str) {
    let asked = connection.write_all(request.as_bytes()).await;
    asked.expect("a connection");
    let mut beginning = vec![0; 4096];
    let read = connection.read_exact(&mut beginning).await;
    read.expect("a beginning");
    assert!(beginning.starts_with(b"HTTP/1.1 20"));
}

/// Waits for a reset, without reading.
async fn is_reset(connection: &TcpStream) {
    wait_until(async || connection.take_error().expect("a socket").is_some()).await;
}

/// Checks that no more arrives than what was on its way.
async fn assert_little_is_left(mut connection: TcpStream) {
    let mut rest = Vec::new();
    let _ = connection.read_to_end(&mut rest).await;
    assert!(rest.len() < ON_THE_WAY, "{}", rest.len());
}

async fn streamed_bytes(admin: &Admin<'_>) -> Option<f64> {
    let scrape = admin.scrape().await;
    scrape.value("vidence_streamed_bytes_total", &[])
}

/// Waits until the server has filled all buffers of a stream that isn't read.
async fn is_stalled(admin: &Admin<'_>) {
    let mut pace = tokio::time::interval(Duration::from_millis(25));
    let (mut last, mut unchanged) = (None, 0);
    while unchanged < 40 {
        pace.tick().await;
        let now = streamed_bytes(admin).await;
        let is_same = now == last && now > Some(IN_THE_KERNEL);
        unchanged = if is_same { unchanged + 1 } else { 0 };
        last = now;
    }
}

async fn stalled_http1_stream_is_reset(server: &Server, end: End) {
    let creator = server.create().await;
    let video = creator.submit_video(&clip(LARGE)).await;
    let admin = Admin::of(server).await;
    let mut stalled = connect_with_small_buffer(server).await;
    begin_to_read(&mut stalled, &get_by_http1(&creator, &video)).await;
    is_stalled(&admin).await;
    let before = streamed_bytes(&admin).await;
    end.come(&creator).await;
    is_reset(&stalled).await;
    assert_little_is_left(stalled).await;
    assert_eq!(streamed_bytes(&admin).await, before);
}

async fn a_stalled_http1_stream_is_reset_by_a_deletion(server: Server) {
    stalled_http1_stream_is_reset(&server, End::Deletion).await;
}

async fn a_stalled_http1_stream_is_reset_by_an_expiry(server: Server) {
    stalled_http1_stream_is_reset(&server, End::Expiry).await;
}

async fn a_stalled_http1_stream_is_reset_by_a_takedown(server: Server) {
    stalled_http1_stream_is_reset(&server, End::Takedown).await;
}

async fn a_stalled_mcp_answer_is_reset(server: Server) {
    let creator = server.create().await;
    creator.submit_video(&clip(5_000_000)).await;
    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
        "wait_seconds": 0,
        "delivery": "inline",
    });
    let message = tool_call("get_video_evidence", &arguments).to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    let mut stalled = connect_with_small_buffer(&server).await;
    begin_to_read(&mut stalled, &request).await;
    End::Deletion.come(&creator).await;
    is_reset(&stalled).await;
    assert_little_is_left(stalled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_stream_over_tls_is_reset() {
    let files = CertificateFiles::new();
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let video = creator.submit_video(&clip(LARGE)).await;
    let request = get_by_http1(&creator, &video);
    let (id, token) = (
        creator.id().to_owned(),
        creator.created.access_token.clone(),
    );
    let server = server.serving(files.args()).await;
    let tcp = connect_with_small_buffer(&server).await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let stalled = files.connector(b"http/1.1").connect(name, tcp).await;
    let mut stalled = stalled.expect("a handshake");
    begin_to_read(&mut stalled, &request).await;
    let secure = server.base.replace("http://", "https://");
    let delete = files.client().delete(format!("{secure}/v1/requests/{id}"));
    let deleted = delete.bearer_auth(token).send().await.expect("an answer");
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    is_reset(stalled.get_ref().0).await;
}

/// Asks for these paths by HTTP/2, one stream each, and reads the heads of the answers.
async fn ask_by_http2(
    server: &Server,
    creator: &Creator<'_>,
    window: u32,
    paths: &[&str],
) -> TcpStream {
    let mut connection = connect_with_small_buffer(server).await;
    let settings = [(INITIAL_WINDOW_SIZE, window)];
    http2_frames::begin(&mut connection, &settings)
        .await
        .expect("a connection");
    for (stream, path) in (1..).step_by(2).zip(paths) {
        let get = http2_frames::get(stream, path, &creator.created.access_token);
        connection.write_all(&get).await.expect("a request");
    }
    for _ in paths {
        let is_head = |it: &http2_frames::Frame| it.kind == http2_frames::HEADERS;
        let head = http2_frames::read_until(&mut connection, is_head).await;
        head.expect("a head");
    }
    connection
}

async fn a_stalled_http2_stream_is_reset_and_its_connection_lives(server: Server) {
    // Nothing of the one, and less than one frame of the other.
    for window in [0, 1000] {
        let creator = server.create().await;
        let video = creator.submit_video(LIVE_WEBM).await;
        let id = video.rsplit('/').next().expect("an id").to_owned();
        let facts = format!("/videos/{id}/metadata");
        let still = format!("/videos/{id}/stills/0");
        let is_seen = async || {
            let facts = creator.ask(Method::GET, &facts).await.text().await;
            facts.expect("facts").contains("at_ms")
        };
        wait_until(is_seen).await;
        let mut stalled = ask_by_http2(&server, &creator, window, &[&video, &still]).await;
        End::Deletion.come(&creator).await;
        for _ in 0..2 {
            let is_reset = |it: &http2_frames::Frame| it.kind == http2_frames::RST_STREAM;
            let reset = http2_frames::read_until(&mut stalled, is_reset).await;
            assert_eq!(reset.expect("a reset").error_code(), Some(CANCEL));
        }
        // With as large a window as it likes it gets nothing more of them, and whatever else it asks for.
        let asked = [
            http2_frames::window_update(1, 1 << 20),
            http2_frames::window_update(3, 1 << 20),
            http2_frames::settings(&[(INITIAL_WINDOW_SIZE, 1 << 20)]),
            http2_frames::get(5, "/healthz", ""),
        ];
        stalled.write_all(&asked.concat()).await.expect("a request");
        let answer = http2_frames::read_until(&mut stalled, |it| {
            assert!(
                it.kind != http2_frames::DATA || it.stream == 5,
                "{}",
                it.stream
            );
            it.kind == http2_frames::DATA
        });
        assert_eq!(answer.await.expect("an answer").payload, b"ok\n");
    }
}

async fn an_http2_connection_that_takes_nothing_is_reset(server: Server) {
    let creator = server.create().await;
    let video = creator.submit_video(&clip(LARGE)).await;
    let admin = Admin::of(&server).await;
    let stalled = ask_by_http2(&server, &creator, http2_frames::LARGEST_WINDOW, &[&video]).await;
    is_stalled(&admin).await;
    End::Deletion.come(&creator).await;
    is_reset(&stalled).await;
    assert_little_is_left(stalled).await;
}

async fn a_finished_response_leaves_its_connection_alone(server: Server) {
    let creator = server.create().await;
    let video = creator.submit_video(CLIP).await;
    let mut connection = server.connect().await;
    let get = get_by_http1(&creator, &video);
    connection
        .write_all(get.as_bytes())
        .await
        .expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(CLIP) {
        answer.push(connection.read_u8().await.expect("an answer"));
    }
    End::Deletion.come(&creator).await;
    // On the same connection, whose bytes are all where they should be.
    connection
        .write_all(get.as_bytes())
        .await
        .expect("a request");
    let mut status = [0; 12];
    connection.read_exact(&mut status).await.expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 404");
}
