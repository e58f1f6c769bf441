//! Takes in many small pieces: what becomes of them, and how they are read.

use std::io::ErrorKind;

use reqwest::header::{HeaderMap, RANGE};
use reqwest::{Method, StatusCode};
use server::db::{CHUNK_WINDOW, Chunk};
use server::id::TakeId;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::commands::vidence;
use crate::support::{Creator, LIVE_MP4, LIVE_WEBM, Server, clip, journeys, wait_until};

journeys! {
    a_film_in_tiny_pieces_lies_in_few_objects_once_it_is_sealed
    a_large_take_is_rewritten_into_objects_of_eight_mebibytes_at_most
    a_take_in_large_pieces_is_left_as_it_came
    stalled_streams_stay_within_the_budget_and_others_get_through
}

/// Sends these bytes in appends of so many, the last one of which completes the take; its path.
async fn upload_in(creator: &Creator<'_>, bytes: &[u8], length: usize) -> String {
    let take = creator.begin().await;
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

/// The chunks of a take once it is sealed: at most those that are looked up in one go.
async fn sealed_chunks(server: &Server, take: &str) -> Vec<Chunk> {
    let id = take.rsplit('/').next().expect("an id");
    let (id, db) = (TakeId::parse(id).expect("an id"), &server.app.db);
    wait_until(async || db.seal_get(&id).await.expect("rows").is_some()).await;
    db.take_chunks(&id, 0..i64::MAX).await.expect("rows")
}

/// Submits the take; its video's path.
async fn submit(creator: &Creator<'_>, take: &str) -> String {
    assert_eq!(creator.submit(take).await.status(), StatusCode::OK);
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a video");
    let path = url.strip_prefix(&creator.server.base).expect("ours");
    path.to_owned()
}

async fn get(creator: &Creator<'_>, path: &str, range: Option<(usize, usize)>) -> Vec<u8> {
    let mut headers = HeaderMap::new();
    if let Some((from, to)) = range {
        let range = format!("bytes={from}-{}", to - 1);
        headers.insert(RANGE, range.parse().expect("a range"));
    }
    let answer = creator.ask_with(Method::GET, path, headers).await;
    let want = match range {
        Some(_) => StatusCode::PARTIAL_CONTENT,
        None => StatusCode::OK,
    };
    assert_eq!(answer.status(), want);
    answer.bytes().await.expect("bytes").to_vec()
}

/// Whether this object is in the store still.
fn is_there(server: &Server, chunk: &Chunk) -> bool {
    let objects = server.objects();
    objects.iter().any(|it| it.ends_with(&chunk.object))
}

async fn a_film_in_tiny_pieces_lies_in_few_objects_once_it_is_sealed(server: Server) {
    for film in [LIVE_WEBM, LIVE_MP4] {
        let creator = server.create().await;
        let take = upload_in(&creator, film, 64).await;
        let chunks = sealed_chunks(&server, &take).await;
        let [only] = chunks.as_slice() else {
            panic!("{} chunks", chunks.len());
        };
        assert_eq!(only.length.unsigned_abs(), film.len() as u64);
        assert!(is_there(&server, only));
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
        assert_eq!(seal.recording_sha256, Sha256::digest(film).to_vec());
        let path = submit(&creator, &take).await;
        let whole = get(&creator, &path, None).await;
        assert_eq!(seal.served_sha256, Sha256::digest(&whole).to_vec());
        assert!(whole.ends_with(film), "every byte as it came");
        let start = whole.len() - film.len();
        for (from, to) in [(0, 1), (start - 1, start + 65), (start + 63, whole.len())] {
            let part = get(&creator, &path, Some((from, to))).await;
            assert!(part == whole[from..to], "{from}-{to}");
        }
    }
    let (environment, words) = (server.environment(), ["check", "--deep"]);
    let said = vidence(&words, &environment).await.succeeded();
    assert!(said.ends_with("clean\n"), "{said}");
}

async fn a_large_take_is_rewritten_into_objects_of_eight_mebibytes_at_most(server: Server) {
    let creator = server.create().await;
    let film = clip(10_000_000);
    let take = upload_in(&creator, &film, 100_000).await;
    let chunks = sealed_chunks(&server, &take).await;
    let [first, second] = chunks.as_slice() else {
        panic!("{} chunks", chunks.len());
    };
    assert!(first.length <= 8 << 20, "{}", first.length);
    assert_eq!(first.length + second.length, 10_000_000);
    assert!(is_there(&server, first) && is_there(&server, second));
    assert_eq!(server.objects().len(), 2, "what they replace is gone");
    let path = submit(&creator, &take).await;
    assert!(get(&creator, &path, None).await == film);
    let at = usize::try_from(second.start).expect("small");
    let around = get(&creator, &path, Some((at - 1, at + 1))).await;
    assert!(around == film[at - 1..at + 1]);
}

/// More of them than are looked up at a time.
async fn a_take_in_large_pieces_is_left_as_it_came(server: Server) {
    let creator = server.create().await;
    let (length, pieces) = (270_000, 70);
    let film = clip(length * pieces);
    let take = upload_in(&creator, &film, length).await;
    let chunks = sealed_chunks(&server, &take).await;
    assert_eq!(chunks.len(), CHUNK_WINDOW, "and no more of them");
    assert!(
        chunks
            .iter()
            .all(|it| it.length.unsigned_abs() <= length as u64)
    );
    assert!(server.objects().len() >= pieces);
    let path = submit(&creator, &take).await;
    assert!(get(&creator, &path, None).await == film);
    for (from, to) in [
        (64 * length - 1, 64 * length + 1),
        (length + 5, 69 * length),
        (film.len() - 1, film.len()),
    ] {
        let part = get(&creator, &path, Some((from, to))).await;
        assert!(part == film[from..to], "{from}-{to}");
    }
}

const STALLED: usize = 200;

async fn stalled_streams_stay_within_the_budget_and_others_get_through(server: Server) {
    let creator = server.create().await;
    let film = clip(20_000_000);
    let path = creator.submit_video(&film).await;
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        stalled.push(ask(&creator, &path).await);
    }
    for stream in &stalled {
        wait_until(async || has_bytes(stream)).await;
    }
    assert!(get(&creator, &path, None).await == film);
    // Clients that have proven nothing take no more than half; what the other one took is given back.
    let memory = || server.app.blobs.stream_memory();
    assert_eq!(memory().limit, 32 << 20);
    wait_until(async || memory().used <= memory().limit / 2).await;
    drop(stalled);
    wait_until(async || server.app.blobs.stream_memory().used == 0).await;
}

/// Asks for a video, and reads nothing of the answer.
async fn ask(creator: &Creator<'_>, path: &str) -> TcpStream {
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
