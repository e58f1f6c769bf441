//! Takes in many small pieces: compaction, and reading across objects.

use std::io::ErrorKind;

use reqwest::header::{HeaderMap, RANGE};
use reqwest::{Method, StatusCode};
use server::db::{CHUNK_WINDOW, Chunk};
use server::id::TakeId;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::binary::vidence;
use crate::support::{Creator, LIVE_MP4, LIVE_WEBM, Server, clip, on_each_storage, wait_until};

on_each_storage! {
    sealing_compacts_tiny_chunks
    compacted_objects_have_at_most_eight_mebibytes
    large_chunks_are_not_compacted
    stalled_streams_stay_within_the_stream_memory
}

/// Uploads in appends of `length` bytes, the last of which completes the take. Returns the take's path.
async fn upload_in_pieces(creator: &Creator<'_>, bytes: &[u8], length: usize) -> String {
    let take = creator.create_take().await;
    for (index, piece) in bytes.chunks(length).enumerate() {
        let offset = index * length;
        let last = offset + piece.len() == bytes.len();
        let answer = creator
            .append(&take, offset as u64, piece.to_vec(), last)
            .await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "at {offset}");
    }
    take
}

/// The chunks of a take once it is sealed, up to one lookup window.
async fn sealed_chunks(server: &Server, take: &str) -> Vec<Chunk> {
    let id = take.rsplit('/').next().expect("an id");
    let (id, db) = (TakeId::parse(id).expect("an id"), &server.app.db);
    wait_until(async || db.seal_get(&id).await.expect("rows").is_some()).await;
    db.take_chunks(&id, 0..u64::MAX).await.expect("rows")
}

async fn get(creator: &Creator<'_>, path: &str, range: Option<(usize, usize)>) -> Vec<u8> {
    let mut headers = HeaderMap::new();
    if let Some((from, to)) = range {
        let range = format!("bytes={from}-{}", to - 1);
        headers.insert(RANGE, range.parse().expect("a range"));
    }
    let answer = creator.send_with_headers(Method::GET, path, headers).await;
    let want = match range {
        Some(_) => StatusCode::PARTIAL_CONTENT,
        None => StatusCode::OK,
    };
    assert_eq!(answer.status(), want);
    answer.bytes().await.expect("bytes").to_vec()
}

/// Whether this object is still stored.
fn is_stored(server: &Server, chunk: &Chunk) -> bool {
    let objects = server.objects();
    objects.iter().any(|it| it.ends_with(&chunk.object))
}

async fn sealing_compacts_tiny_chunks(server: Server) {
    for recording in [LIVE_WEBM, LIVE_MP4] {
        let creator = server.create_request().await;
        let take = upload_in_pieces(&creator, recording, 64).await;
        let chunks = sealed_chunks(&server, &take).await;
        let [only] = chunks.as_slice() else {
            panic!("{} chunks", chunks.len());
        };
        assert_eq!(only.length, recording.len() as u64);
        assert!(is_stored(&server, only));
        let id = take.rsplit('/').next().expect("an id");
        let of_take = server.objects().into_iter();
        let of_take = of_take
            .filter(|it| it.iter().any(|part| part == id))
            .count();
        // With an index and a few stills.
        assert!(of_take <= 16, "{of_take} objects");

        let id = TakeId::parse(id).expect("an id");
        let seal = server.app.db.seal_get(&id).await;
        let seal = seal.expect("rows").expect("a seal");
        assert_eq!(seal.recording_sha256, Sha256::digest(recording).to_vec());
        let path = creator.submit_take(&take).await;
        let whole = get(&creator, &path, None).await;
        assert_eq!(seal.served_sha256, Sha256::digest(&whole).to_vec());
        assert!(whole.ends_with(recording), "every byte as it came");
        let start = whole.len() - recording.len();
        for (from, to) in [(0, 1), (start - 1, start + 65), (start + 63, whole.len())] {
            let part = get(&creator, &path, Some((from, to))).await;
            assert!(part == whole[from..to], "{from}-{to}");
        }
    }
    let (environment, arguments) = (server.environment(), ["check", "--deep"]);
    let report = vidence(&arguments, &environment).await.success();
    assert!(report.ends_with("clean\n"), "{report}");
}

async fn compacted_objects_have_at_most_eight_mebibytes(server: Server) {
    let creator = server.create_request().await;
    let recording = clip(10_000_000);
    let take = upload_in_pieces(&creator, &recording, 100_000).await;
    let chunks = sealed_chunks(&server, &take).await;
    let [first, second] = chunks.as_slice() else {
        panic!("{} chunks", chunks.len());
    };
    assert!(first.length <= 8 << 20, "{}", first.length);
    assert_eq!(first.length + second.length, 10_000_000);
    assert!(is_stored(&server, first) && is_stored(&server, second));
    assert_eq!(server.objects().len(), 2, "replaced objects remain");
    let path = creator.submit_take(&take).await;
    assert!(get(&creator, &path, None).await == recording);
    let at = usize::try_from(second.start).expect("small");
    let around = get(&creator, &path, Some((at - 1, at + 1))).await;
    assert!(around == recording[at - 1..at + 1]);
}

/// More chunks than one lookup window.
async fn large_chunks_are_not_compacted(server: Server) {
    let creator = server.create_request().await;
    let (length, pieces) = (270_000, 70);
    let recording = clip(length * pieces);
    let take = upload_in_pieces(&creator, &recording, length).await;
    let chunks = sealed_chunks(&server, &take).await;
    assert_eq!(chunks.len(), CHUNK_WINDOW, "and no more of them");
    assert!(chunks.iter().all(|it| it.length <= length as u64));
    assert!(server.objects().len() >= pieces);
    let path = creator.submit_take(&take).await;
    assert!(get(&creator, &path, None).await == recording);
    for (from, to) in [
        (CHUNK_WINDOW * length - 1, CHUNK_WINDOW * length + 1),
        (length + 5, 69 * length),
        (recording.len() - 1, recording.len()),
    ] {
        let part = get(&creator, &path, Some((from, to))).await;
        assert!(part == recording[from..to], "{from}-{to}");
    }
}

const STALLED: usize = 200;

async fn stalled_streams_stay_within_the_stream_memory(server: Server) {
    let creator = server.create_request().await;
    let recording = clip(20_000_000);
    let path = creator.submit_video(&recording).await;
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        stalled.push(start_download(&creator, &path).await);
    }
    for stream in &stalled {
        wait_until(async || has_bytes(stream)).await;
    }
    assert!(get(&creator, &path, None).await == recording);
    // Streams without progress get at most half of the budget; the other client has given back its share.
    let memory = || server.app.blobs.stream_memory();
    assert_eq!(memory().limit, 32 << 20);
    wait_until(async || memory().used <= memory().limit / 2).await;
    drop(stalled);
    wait_until(async || server.app.blobs.stream_memory().used == 0).await;
}

/// Requests a video without reading the response.
async fn start_download(creator: &Creator<'_>, path: &str) -> TcpStream {
    let mut stream = creator.server.connect().await;
    let token = &creator.created.access_token;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n");
    let sent = stream.write_all(request.as_bytes()).await;
    sent.expect("a connection");
    stream
}

fn has_bytes(stream: &TcpStream) -> bool {
    match stream.try_read(&mut [0; 1]) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        read => read.expect("a connection") > 0,
    }
}
