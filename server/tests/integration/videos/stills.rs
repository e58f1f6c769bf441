//! Stills of a submitted video.

use reqwest::{Method, StatusCode};
use server::db::{SealingState, SealingStatus};

use crate::support::{
    Creator, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM, on_each_storage, take_id, wait_until,
};

on_each_storage! {
    a_sealed_video_has_stills_that_are_removed_with_it
    a_video_without_a_decoder_is_submitted_without_stills
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
