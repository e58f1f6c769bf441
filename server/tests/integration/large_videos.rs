//! Videos of more than 4 GiB: what counts bytes in 32 bits anywhere between upload and range would show here.

use std::fs;
use std::ops::Range;

use app::video_metadata::{StillsStatus, VideoMetadata};
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RANGE};
use reqwest::{Method, StatusCode};
use server::blobs::ObjectKey;
use server::config::LimitArgs;
use server::db::{Addition, Chunk};
use server::id::{RequestId, TakeId};

use crate::players::{Sought, seek};
use crate::support::{
    Creator, LIVE_MP4, LIVE_WEBM, Server, assert_refused, generous, noise, wait_until,
};
use test_support::padding::PaddedRecording;

const FOUR_GIB: u64 = 1 << 32;

/// As long as the chunks of an upload become.
const CHUNK: u64 = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_webm_of_more_than_4_gib_comes_back_whole_and_seekable() {
    let recording = PaddedRecording::webm(LIVE_WEBM, FOUR_GIB);
    comes_back(LIVE_WEBM, recording).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mp4_of_more_than_4_gib_comes_back_whole_and_seekable() {
    let recording = PaddedRecording::mp4(LIVE_MP4, FOUR_GIB);
    comes_back(LIVE_MP4, recording).await;
}

/// Compares with the same film without its padding.
async fn comes_back(film: &[u8], recording: PaddedRecording) {
    let length = recording.length();
    let limits = LimitArgs {
        max_video_bytes: length,
        max_request_bytes: length,
        ..generous()
    };
    let server = Server::on_a_laptop().await.limited(limits).await;
    let plain = Video::of(&server, film).await;

    let creator = server.create().await;
    assert_refused(declare(&creator, length + 1).await, 413, "too_large").await;
    let take = upload(&creator, &recording).await;
    // Hashing 8 GiB may take longer than a submission waits: then its sender is told to ask again.
    loop {
        let answer = creator.submit(&take).await;
        if answer.status() == StatusCode::OK {
            break;
        }
        assert_refused(answer, 503, "still_sealing").await;
    }
    let video = Video::submitted(creator).await;

    let whole = video.ask(Method::HEAD, None).await;
    assert_eq!(whole.status(), StatusCode::OK);
    let total = video.facts.bytes;
    assert_eq!(whole.headers()["content-length"], total.to_string());
    assert!(total > length, "an index stands in front");
    let all = video.ask(Method::GET, None).await;
    assert_eq!(all.status(), StatusCode::OK);
    assert_eq!(all.headers()["content-length"], total.to_string());
    drop(all);

    let served = Served {
        index: video.range(0..total - length, total).await,
        padding: noise(usize::try_from(CHUNK).expect("small")),
        recording,
    };
    let tail = total - served.recording.tail.len() as u64;
    for range in [
        0..served.index.len() as u64 + 100,
        FOUR_GIB - 1..FOUR_GIB,
        FOUR_GIB..FOUR_GIB + 1,
        FOUR_GIB - 3..FOUR_GIB + 3,
        FOUR_GIB - CHUNK..FOUR_GIB + 1,
        tail - 5..tail + 5,
        tail..total,
        total - 1..total,
    ] {
        let want = served.bytes(range.clone());
        assert!(video.range(range.clone(), total).await == want, "{range:?}");
    }
    for open in [format!("bytes={}-", total - 3), "bytes=-3".to_owned()] {
        let part = video.ask(Method::GET, Some(&open)).await;
        let want = format!("bytes {}-{}/{total}", total - 3, total - 1);
        assert_eq!(part.headers()["content-range"], want);
        let want = served.bytes(total - 3..total);
        assert!(part.bytes().await.expect("bytes") == want, "{open}");
    }
    let behind = video
        .ask(Method::GET, Some(&format!("bytes={total}-")))
        .await;
    assert_eq!(
        behind.headers()["content-range"],
        format!("bytes */{total}")
    );
    assert_refused(behind, 416, "range_not_satisfiable").await;

    let [properties, plain_properties] =
        [&video, &plain].map(|it| it.facts.properties.clone().expect("sealed"));
    assert_eq!(properties.duration_ms, plain_properties.duration_ms);
    assert_eq!(properties.truncated, plain_properties.truncated);
    assert_eq!(video.facts.stills, plain.facts.stills);
    let stills = video.stills().await;
    assert!(stills.len() > 1, "from either side of the padding");
    assert!(stills == plain.stills().await, "the same pictures");

    let shown = video.seek().await;
    assert!(shown.read < CHUNK, "{} bytes to get there", shown.read);
    assert_eq!(shown.digest, plain.seek().await.digest);
}

/// Declares a take of this length.
async fn declare(creator: &Creator<'_>, length: u64) -> reqwest::Response {
    let request = creator
        .server
        .request(Method::POST, &creator.page("/takes"));
    let request = request.header(CONTENT_TYPE, "video/webm");
    let request = request.header("Upload-Complete", "?0");
    let request = request.header("Upload-Length", length);
    request.send().await.expect("an answer")
}

/// Sends head and tail; what lies between is in the store already when the tail comes. The path of the take.
async fn upload(creator: &Creator<'_>, recording: &PaddedRecording) -> String {
    let server = creator.server;
    let declared = declare(creator, recording.length()).await;
    assert_eq!(declared.status(), StatusCode::CREATED);
    let take = declared.headers()["location"]
        .to_str()
        .expect("text")
        .to_owned();
    let sent = creator
        .append(&take, 0, recording.head.clone(), false)
        .await;
    assert_eq!(sent.status(), StatusCode::NO_CONTENT);
    store_padding(creator, &take, recording).await;

    let stands = server.request(Method::HEAD, &take).send().await;
    let stands = stands.expect("an answer");
    let at = recording.tail_start();
    assert_eq!(stands.headers()["upload-offset"], at.to_string());
    let length = recording.length().to_string();
    assert_eq!(stands.headers()["upload-length"], length);
    assert_eq!(creator.state().await.takes[0].offset, at);
    // What a 32-bit offset would be.
    let wrong = creator.append(&take, at % FOUR_GIB, "x", false).await;
    assert_refused(wrong, 409, "offset_mismatch").await;
    let sent = creator
        .append(&take, at, recording.tail.clone(), true)
        .await;
    assert_eq!(sent.status(), StatusCode::NO_CONTENT);
    assert_eq!(sent.headers()["upload-offset"], length);
    take
}

/// Stores chunks that an upload of 4 GiB would leave. They have one content, and one file by many names: so they fit
/// into the machine's memory, and no disk is waited for.
async fn store_padding(creator: &Creator<'_>, take: &str, recording: &PaddedRecording) {
    let app = &creator.server.app;
    let (request, take) = (RequestId::parse(creator.id()).expect("an id"), id_of(take));
    let before: Vec<_> = creator.server.objects();
    let first = ObjectKey::random(&request, &take);
    let content = noise(usize::try_from(CHUNK).expect("small"));
    let stored = app.blobs.put(&first, vec![Bytes::from(content)]).await;
    stored.expect("room");
    let mut objects = creator.server.objects().into_iter();
    let file = objects.find(|it| !before.contains(it)).expect("a file");

    let from = i64::try_from(recording.head.len()).expect("small");
    let length = i64::try_from(CHUNK).expect("small");
    let mut chunks = Vec::new();
    for number in 0..i64::try_from(recording.padding / CHUNK).expect("few") {
        let key = ObjectKey::random(&request, &take);
        let name = key.as_str().rsplit('/').next().expect("a name").to_owned();
        fs::hard_link(&file, file.with_file_name(name)).expect("another name");
        chunks.push(Chunk {
            take_id: take.clone(),
            start: from + number * length,
            length,
            object: key.as_str().to_owned(),
        });
    }
    fs::remove_file(&file).expect("there are other names");
    let claim = app
        .db
        .take_claim(&request, &take, Some(from), None, &app.clock);
    let claim = claim.await.expect("rows").expect("an open take");
    let addition = Addition {
        from,
        chunks,
        complete: false,
        since: None,
        length: None,
        container: None,
    };
    let added = app.db.take_commit(&claim, addition, &app.clock).await;
    assert!(added.expect("rows"));
}

fn id_of(take: &str) -> TakeId {
    let id = take.rsplit('/').next().expect("an id");
    TakeId::parse(id).expect("an id")
}

/// What must be served.
struct Served {
    index: Bytes,
    /// Over and over, as often as it takes.
    padding: Vec<u8>,
    recording: PaddedRecording,
}

impl Served {
    fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        range.map(|at| self.byte(at)).collect()
    }

    fn byte(&self, at: u64) -> u8 {
        let PaddedRecording { head, tail, .. } = &self.recording;
        let at = match at.checked_sub(self.index.len() as u64) {
            None => return self.index[place(at)],
            Some(at) => at,
        };
        if at < head.len() as u64 {
            return head[place(at)];
        }
        match at.checked_sub(self.recording.tail_start()) {
            Some(at) => tail[place(at)],
            None => self.padding[place((at - head.len() as u64) % CHUNK)],
        }
    }
}

fn place(at: u64) -> usize {
    usize::try_from(at).expect("within memory")
}

/// A submitted video, and all that there is to know about it.
struct Video<'s> {
    creator: Creator<'s>,
    path: String,
    facts: VideoMetadata,
}

impl<'s> Video<'s> {
    async fn of(server: &'s Server, film: &[u8]) -> Self {
        let creator = server.create().await;
        creator.submit_video(film).await;
        Self::submitted(creator).await
    }

    async fn submitted(creator: Creator<'s>) -> Self {
        let status = creator.status().await;
        let url = status["video"]["url"].as_str().expect("a video");
        let path = url
            .strip_prefix(&creator.server.base)
            .expect("ours")
            .to_owned();
        let about = path.replace("/v1", "") + "/metadata";
        let facts = async || -> VideoMetadata {
            let answer = creator.ask(Method::GET, &about).await;
            answer.json().await.expect("facts")
        };
        wait_until(async || facts().await.stills.status != StillsStatus::Pending).await;
        let facts = facts().await;
        Self {
            creator,
            path,
            facts,
        }
    }

    async fn ask(&self, method: Method, range: Option<&str>) -> reqwest::Response {
        let range = range.map(|it| (RANGE, HeaderValue::try_from(it).expect("a value")));
        let headers: HeaderMap = range.into_iter().collect();
        self.creator.ask_with(method, &self.path, headers).await
    }

    /// The bytes of a range of a video that is `total` long.
    async fn range(&self, range: Range<u64>, total: u64) -> Bytes {
        let (first, last) = (range.start, range.end - 1);
        let asked = format!("bytes={first}-{last}");
        let part = self.ask(Method::GET, Some(&asked)).await;
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT, "{asked}");
        let said = format!("bytes {first}-{last}/{total}");
        assert_eq!(part.headers()["content-range"], said);
        let length = (range.end - range.start).to_string();
        assert_eq!(part.headers()["content-length"], length);
        part.bytes().await.expect("bytes")
    }

    /// What a player shows behind the padding.
    async fn seek(&self) -> Sought {
        let url = format!("{}{}", self.creator.server.base, self.path);
        let token = &self.creator.created.access_token;
        let header = format!("Authorization: Bearer {token}\r\n");
        let seeking = move || {
            let folder = tempfile::tempdir().expect("a folder");
            // With more of it ffmpeg reads on through the padding, to learn more of the tracks.
            let beginning = ["-probesize", "4500", "-analyzeduration", "1"];
            let input = ["-headers", &header, "-i", &url];
            seek(folder.path(), &[beginning, input].concat(), "1.2")
        };
        let sought = tokio::task::spawn_blocking(seeking).await;
        sought.expect("a picture")
    }

    /// All pictures of it.
    async fn stills(&self) -> Vec<Bytes> {
        let mut stills = Vec::new();
        for still in &self.facts.stills.pictures {
            let path = self.path.replace("/v1", "");
            let path = format!("{path}/stills/{}", still.at_ms);
            let answer = self.creator.ask(Method::GET, &path).await;
            assert_eq!(answer.status(), StatusCode::OK);
            stills.push(answer.bytes().await.expect("a picture"));
        }
        stills
    }
}
