//! Stills of a submitted video.

use std::fs::{self, Permissions};
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use net::client_addr::ClientAddr;
use reqwest::{Method, StatusCode};
use server::db::{SealingState, SealingStatus};
use server::id::{AccessToken, RequestId, VideoId};
use server::service::Error;
use server::service::quota::{ReadPermit, permit_read};
use server::service::videos::metadata::{VideoDetails, contact_sheet, load, still};
use server::service::videos::picture::{DECODING_TIME, Moments, decode};
use server::service::videos::transcript::captions;
use server::service::workers::sweeper::sweep;
use stills::{Decoders, Size, TimeLimits};

use crate::support::sql::Blocker;
use crate::support::{
    Creator, HOUR, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM, last_segment, on_each_storage, take_id,
    wait_until,
};
use test_support::on_postgres_s3;

on_postgres_s3! {
    what_is_looked_up_while_its_video_expires_is_gone
    metadata_is_complete_or_gone
}

on_each_storage! {
    a_sealed_video_has_stills_that_are_removed_with_it
    a_video_without_a_decoder_is_submitted_without_stills
    a_still_is_not_found_once_its_request_is_being_deleted
    a_still_is_gone_with_its_expired_video
    a_lost_still_is_a_failure_of_the_store
    a_decoder_that_takes_too_long_is_no_failure_of_the_server
}

/// Uploads a take and waits for its stills job.
async fn sealed(
    server: &Server,
    creator: &Creator<'_>,
    recording: &[u8],
) -> (String, SealingStatus) {
    let path = creator.upload(recording).await;
    let take = take_id(&path);
    let sealing = async || {
        let sealing = server.app.db.sealing_get(&take).await.expect("rows");
        sealing.expect("work on a complete take")
    };
    wait_until(async || sealing().await.state == SealingState::Done).await;
    (path, sealing().await)
}

async fn a_sealed_video_has_stills_that_are_removed_with_it(server: Server) {
    for recording in [LIVE_WEBM, LIVE_MP4] {
        let creator = server.create_request().await;
        let (path, sealing) = sealed(&server, &creator, recording).await;
        assert_eq!(sealing.no_stills, None);
        let stills = server
            .app
            .db
            .stills_of(&take_id(&path))
            .await
            .expect("rows");
        assert!((1..=12).contains(&stills.len()), "{}", stills.len());
        assert_eq!(stills[0].at_ms, 0);
        assert!(stills.is_sorted_by_key(|still| still.at_ms));
        assert!(stills.iter().all(|it| it.width.max(it.height) <= 768));
        assert!(stills.iter().map(|it| it.length).sum::<u64>() <= 300_000);
        for still in &stills {
            assert!(
                server
                    .objects()
                    .iter()
                    .any(|it| it.ends_with(&still.object))
            );
        }

        let request = format!("/v1/requests/{}", creator.id());
        let deleted = creator.send_authorized(Method::DELETE, &request).await;
        assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
        assert!(server.objects().is_empty());
    }
}

async fn a_video_without_a_decoder_is_submitted_without_stills(server: Server) {
    let creator = server.create_request().await;
    let (path, sealing) = sealed(&server, &creator, VP9_WEBM).await;
    let why = sealing.no_stills.expect("a reason");
    assert!(why.contains("VP9"), "{why}");
    assert_eq!(creator.submit(&path).await.status(), StatusCode::OK);
}

/// Submits a video with stills, and opens it as a call does that is about to read them.
pub(super) async fn opened(creator: &Creator<'_>, recording: &[u8]) -> VideoDetails {
    let (take, _) = sealed(creator.server, creator, recording).await;
    let path = creator.submit_take(&take).await;
    let app = &creator.server.app;
    let (permit, token) = credentials(creator);
    let id = VideoId::parse(last_segment(&path)).expect("an id");
    let video = load(app, permit, token, &id).await.expect("a video");
    assert!(video.picture(app, 0).await.is_ok());
    video
}

/// What a call of the creator presents.
fn credentials(creator: &Creator<'_>) -> (ReadPermit, Option<AccessToken>) {
    let client = ClientAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let permit = permit_read(&creator.server.app, client).expect("no limit");
    let token = AccessToken::presented(&creator.created.access_token);
    (permit, Some(token))
}

async fn a_still_is_not_found_once_its_request_is_being_deleted(server: Server) {
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    let read = async || video.picture(&server.app, 0).await;
    let request = RequestId::parse(creator.id()).expect("an id");
    // Between the deletion of the rows and the removal of the objects.
    let lock = server.app.coordination.removal_locks.shared(&request).await;
    let reading = async {
        wait_until(async || read().await.is_err()).await;
        assert!(matches!(read().await, Err(Error::NotFound)));
        assert!(!server.objects().is_empty());
        drop(lock);
    };
    let (deleted, ()) = tokio::join!(creator.delete(), reading);
    assert_eq!(deleted, StatusCode::NO_CONTENT);
    assert!(server.objects().is_empty());
    assert!(matches!(read().await, Err(Error::NotFound)));
}

async fn a_still_is_gone_with_its_expired_video(server: Server) {
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    server.advance_clock(HOUR);
    sweep(&server.app).await.expect("a sweep");
    server.wait_for_objects(0).await;
    let read = video.picture(&server.app, 0).await;
    assert!(matches!(read, Err(Error::Gone)));
}

/// Of queries for what belongs to one take.
const OF_TAKE: &str = "\"take_id\" = $1";

async fn what_is_looked_up_while_its_video_expires_is_gone() {
    const LOCK: &str = "LOCK TABLE stills, contact_sheets, transcripts";
    for removed in ["nothing", "objects", "rows"] {
        let server = Server::postgres_s3().await;
        let app = &server.app;
        let creator = server.create_request().await;
        let video = opened(&creator, LIVE_WEBM).await;
        let id = VideoId::parse(&video.metadata.id).expect("an id");
        let url = server.database_url().expect("PostgreSQL");
        // All calls have found the video, and wait for rows that belong to it.
        let statements = match removed {
            "rows" => format!("{LOCK}; DELETE FROM stills; DELETE FROM contact_sheets"),
            _ => LOCK.to_owned(),
        };
        let blocker = Blocker::begin(url, &statements).await;
        let expire = async {
            blocker.wait_for_blocked(4, OF_TAKE).await;
            server.advance_clock(HOUR);
            wait_until(async || video.picture(app, 0).await.is_err()).await;
            if removed == "objects" {
                for object in server.objects() {
                    fs::remove_file(object).expect("an object");
                }
            }
            blocker.commit().await;
        };
        let by = || credentials(&creator);
        let (one, sheet, details, texts, ()) = tokio::join!(
            async { still(app, by().0, by().1, &id, 0).await.map(drop) },
            async { contact_sheet(app, by().0, by().1, &id).await.map(drop) },
            async { load(app, by().0, by().1, &id).await.map(drop) },
            async { captions(app, by().0, by().1, &id).await.map(drop) },
            expire
        );
        for answer in [one, sheet, details, texts] {
            assert!(matches!(answer, Err(Error::Gone)), "{removed}: {answer:?}");
        }
    }
}

/// A removal by another node is noticed only later here.
async fn metadata_is_complete_or_gone() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    let id = VideoId::parse(&video.metadata.id).expect("an id");
    let url = server.database_url().expect("PostgreSQL");
    // The stills are read already.
    let statements = "LOCK TABLE contact_sheets; DELETE FROM contact_sheets";
    let blocker = Blocker::begin(url, statements).await;
    let expire = async {
        blocker.wait_for_blocked(1, OF_TAKE).await;
        server.advance_clock(HOUR);
        blocker.commit().await;
    };
    let (permit, token) = credentials(&creator);
    let (details, ()) = tokio::join!(load(&server.app, permit, token, &id), expire);
    assert!(matches!(details.map(drop), Err(Error::Gone)));
}

/// A sender can make a video whose decoding takes long, and send it again and again.
async fn a_decoder_that_takes_too_long_is_no_failure_of_the_server(server: Server) {
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    let folder = tempfile::tempdir().expect("a folder");
    let hanging = folder.path().join("hanging");
    fs::write(&hanging, "#!/bin/sh\nexec sleep 60\n").expect("a file");
    fs::set_permissions(&hanging, Permissions::from_mode(0o755)).expect("permissions");
    let limit = Duration::from_millis(100);
    let limits = TimeLimits {
        video: limit,
        child: limit,
        keyframe: limit,
        finish: Duration::ZERO,
    };
    let mut app = server.app.clone();
    app.decoders = Decoders::new(hanging, None).with_time_limits(limits);
    match decode(
        &app,
        &video.video,
        &Moments::At(0),
        Size::FULL,
        DECODING_TIME,
    )
    .await
    {
        Err(Error::NoPicture { why: Some(why), .. }) => {
            assert!(why.contains("too long"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

async fn a_lost_still_is_a_failure_of_the_store(server: Server) {
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    for object in server.objects() {
        fs::remove_file(object).expect("an object");
    }
    let read = video.picture(&server.app, 0).await;
    assert!(matches!(read, Err(Error::Blobs(_))));
    // Also where it is streamed: the first piece is read before the answer begins.
    let (permit, token) = credentials(&creator);
    let id = VideoId::parse(&video.metadata.id).expect("an id");
    let streamed = still(&server.app, permit, token, &id, 0).await;
    assert!(matches!(streamed.map(drop), Err(Error::Blobs(_))));
    let path = format!("/videos/{}/stills/0", video.metadata.id);
    let answer = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
}
