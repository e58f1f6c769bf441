//! What a live recording becomes: an index in front of every byte that came, digests, facts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{HeaderMap, RANGE};
use reqwest::{Method, Response, StatusCode};
use server::db::{Db, Seal, SealingState};
use server::id::{RequestId, TakeId};
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::sweep;
use sha2::{Digest, Sha256};

use crate::support::{
    BEGINNING, CLIP, Creator, HOUR, LIVE_MP4, LIVE_WEBM, LOCATED, SOUND, Server, WEBM,
    assert_refused, journeys, wait_until,
};
use test_support::on_a_cluster;

on_a_cluster! {
    a_dead_nodes_sealing_is_taken_over
}

journeys! {
    a_live_recording_comes_back_seekable_and_whole
    ranges_reach_across_the_index
    what_can_be_sought_already_is_served_as_it_is
    what_is_no_video_is_refused_and_another_take_may_follow
    a_recording_that_was_cut_off_is_served_to_its_last_whole_element
    an_index_is_no_orphan_and_goes_with_its_request
    a_rejected_take_takes_its_index_along
    the_page_knows_what_became_of_each_take
}

fn id_of(take: &str) -> TakeId {
    let id = take.rsplit('/').next().expect("an id");
    TakeId::parse(id).expect("an id")
}

async fn seal_of(db: &Db, take: &str) -> Option<Seal> {
    db.seal_get(&id_of(take)).await.expect("rows")
}

/// Uploads, and waits until it is sealed.
async fn sealed(server: &Server, creator: &Creator<'_>, film: &[u8]) -> (String, Seal) {
    let take = creator.upload(film).await;
    wait_until(async || seal_of(&server.app.db, &take).await.is_some()).await;
    let seal = seal_of(&server.app.db, &take).await.expect("a seal");
    (take, seal)
}

async fn part(creator: &Creator<'_>, path: &str, range: &str) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(RANGE, range.parse().expect("a range"));
    creator.ask_with(Method::GET, path, headers).await
}

async fn a_live_recording_comes_back_seekable_and_whole(server: Server) {
    for (film, media_type, extension) in [
        (LIVE_WEBM, "video/webm", "webm"),
        (LIVE_MP4, "video/mp4", "mp4"),
    ] {
        let creator = server.create().await;
        let path = creator.submit_video(film).await;
        let answer = creator.ask(Method::GET, &path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let headers = answer.headers().clone();
        let served = answer.bytes().await.expect("bytes");
        assert!(served.ends_with(film), "every recorded byte is there");
        assert!(served.len() > film.len(), "behind an index");

        assert_eq!(headers["content-type"], media_type);
        assert_eq!(headers["content-length"], served.len().to_string());
        let digest = STANDARD.encode(Sha256::digest(&served));
        assert_eq!(headers["repr-digest"], format!("sha-256=:{digest}:"));
        let id = path.rsplit('/').next().expect("an id");
        let name = format!("inline; filename=\"{id}.{extension}\"");
        assert_eq!(headers["content-disposition"], name);
        assert!(
            headers["last-modified"]
                .to_str()
                .expect("text")
                .ends_with("GMT")
        );
        assert!(headers["etag"].to_str().expect("text").starts_with('"'));
        assert!(seconds(&served) > 0.0);
    }
}

/// What a player would show: from the index alone, which stands in front.
fn seconds(served: &[u8]) -> f64 {
    let container = match media::sniff(served) {
        media::Sniffed::Known(container) => container,
        other => panic!("{other:?}"),
    };
    let mut reader = media::Reader::new(container);
    reader.feed(served);
    let sealed = reader.finish().expect("a video");
    assert!(sealed.index.is_empty(), "it can be sought already");
    sealed.facts.duration.as_secs_f64()
}

async fn ranges_reach_across_the_index(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let whole = creator.ask(Method::GET, &path).await;
    let whole = whole.bytes().await.expect("bytes");
    let (seam, length) = (whole.len() - LIVE_WEBM.len(), whole.len());
    for (from, to) in [
        (0, 1),
        (seam - 1, seam),
        (seam, seam + 1),
        (seam - 3, seam + 4),
        (0, length),
        (length - 1, length),
    ] {
        let answer = part(&creator, &path, &format!("bytes={from}-{}", to - 1)).await;
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
        // Of the whole, whichever part is sent: RFC 9530, section 3.
        assert!(answer.headers().contains_key("repr-digest"));
        assert!(
            answer.bytes().await.expect("bytes") == whole[from..to],
            "{from}-{to}"
        );
    }
}

async fn what_can_be_sought_already_is_served_as_it_is(server: Server) {
    for film in [CLIP, WEBM] {
        let creator = server.create().await;
        let (take, seal) = sealed(&server, &creator, film).await;
        assert!(seal.index_object.is_none());
        assert_eq!(seal.recording_sha256, seal.served_sha256);
        assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
        let status = creator.status().await;
        let url = status["video"]["url"].as_str().expect("a video");
        let path = url.strip_prefix(&server.base).expect("ours");
        let answer = creator.ask(Method::GET, path).await;
        assert!(answer.bytes().await.expect("bytes") == film);
    }
}

async fn what_is_no_video_is_refused_and_another_take_may_follow(server: Server) {
    let creator = server.create().await;
    for (file, code) in [(BEGINNING, "unreadable"), (SOUND, "no_video")] {
        let take = creator.upload(file).await;
        assert_refused(creator.submit(&take).await, 422, code).await;
        assert_refused(creator.submit(&take).await, 422, code).await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
    creator.submit_video(LIVE_WEBM).await;
    assert_eq!(creator.status().await["status"], "submitted");
}

async fn a_recording_that_was_cut_off_is_served_to_its_last_whole_element(server: Server) {
    let creator = server.create().await;
    let film = &LIVE_WEBM[..LIVE_WEBM.len() * 2 / 3];
    let (take, seal) = sealed(&server, &creator, film).await;
    let kept = usize::try_from(seal.recording_length).expect("small");
    assert!(kept < film.len() && kept > film.len() / 2, "{kept}");
    assert_eq!(seal.recording_sha256, Sha256::digest(film).to_vec());
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a video");
    let path = url.strip_prefix(&server.base).expect("ours");
    let served = creator.ask(Method::GET, path).await;
    let served = served.bytes().await.expect("bytes");
    assert!(served.ends_with(&film[..kept]));
    assert_eq!(seal.served_sha256, Sha256::digest(&served).to_vec());
}

async fn an_index_is_no_orphan_and_goes_with_its_request(server: Server) {
    let creator = server.create().await;
    let (take, seal) = sealed(&server, &creator, LIVE_WEBM).await;
    let index = seal.index_object.expect("an index");
    assert!(server.objects().iter().any(|it| it.ends_with(&index)));
    server.later(HOUR / 2);
    orphan_gc::remove(&server.app).await.expect("a search");
    assert!(server.objects().iter().any(|it| it.ends_with(&index)));
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    server.later(HOUR);
    sweep(&server.app).await.expect("a sweep");
    assert!(server.objects().is_empty());
}

async fn a_rejected_take_takes_its_index_along(server: Server) {
    let creator = server.create().await;
    let (_rejected, _) = sealed(&server, &creator, LIVE_WEBM).await;
    let path = creator.submit_video(CLIP).await;
    assert_eq!(server.objects().len(), 1);
    let answer = creator.ask(Method::GET, &path).await;
    assert!(answer.bytes().await.expect("bytes") == CLIP);
}

/// A node that opened the store and serves nobody: it can take a lease and die.
async fn a_dead_nodes_sealing_is_taken_over() {
    let server = Server::in_a_cluster().await;
    let dead = server.silent_node().await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let link = RequestId::parse(creator.id()).expect("an id");
    append_by(&dead, link.as_str(), id_of(&take).as_str(), LIVE_WEBM).await;
    let clock = &server.app.clock;
    let due = SealingState::Due;
    let lease = dead
        .db
        .sealing_claim(&id_of(&take), due, 15_000, clock)
        .await;
    let lease = lease.expect("rows").expect("nobody else was told of it");

    let submission = creator.submit(&take);
    let answer = crate::support::during(submission, async {
        assert!(seal_of(&server.app.db, &take).await.is_none());
        server.later(15_000);
    })
    .await;
    assert_eq!(answer.status(), StatusCode::OK);

    // The dead one comes back, too late.
    let late = dead.db.sealing_renew(&lease, 15_000, clock).await;
    assert!(!late.expect("rows"));
}

pub async fn append_by(
    node: &server::service::AppState,
    link: &str,
    take: &str,
    film: &'static [u8],
) {
    use server::service::uploads::takes::{Append, End, append};
    let piece = Append {
        offset: 0,
        end: End::Here,
        length: None,
        checksum: None,
    };
    let body = futures_util::stream::iter([Ok::<_, std::io::Error>(film.into())]);
    append(node, link, take, piece, body).await.expect("room");
}

async fn the_page_knows_what_became_of_each_take(server: Server) {
    let creator = server.create().await;
    creator.begin().await;
    let mute = creator.upload(SOUND).await;
    wait_until(async || {
        let sealing = server.app.db.sealing_get(&id_of(&mute)).await;
        let sealing = sealing.expect("rows");
        sealing.is_some_and(|it| it.state == SealingState::Refused)
    })
    .await;
    sealed(&server, &creator, LIVE_WEBM).await;
    let (located, _) = sealed(&server, &creator, LOCATED).await;

    let state = creator.state().await;
    // The clock stands still, so they come in any order. The one that says where is the smaller film.
    let mut takes: Vec<_> = state.takes.iter().collect();
    takes.sort_by_key(|it| it.offset);
    let seen = takes
        .iter()
        .map(|it| (it.complete, it.sealed, it.has_location));
    let want = [
        (false, false, false),
        (true, false, false),
        (true, true, true),
        (true, true, false),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), want);
    let submitted: app::api::PageState = creator.submit(&located).await.json().await.expect("JSON");
    assert_eq!(submitted.status, app::api::RequestStatus::Submitted);
    assert!(submitted.takes.is_empty() && submitted.take.is_none());
}
