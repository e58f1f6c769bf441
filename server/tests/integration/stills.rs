//! Pictures of a video, for those who can't watch it.

use reqwest::{Method, StatusCode};
use server::db::{Sealing, SealingState};
use server::id::TakeId;

use crate::support::{Creator, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM, journeys, wait_until};

journeys! {
    a_sealed_video_gets_stills_that_go_with_it
    a_video_that_nothing_here_decodes_is_submitted_without_stills
}

/// Uploads, and waits until there is nothing left to do.
async fn done(server: &Server, creator: &Creator<'_>, film: &[u8]) -> (String, Sealing) {
    let path = creator.upload(film).await;
    let take = id_of(&path);
    let sealing = async || {
        let sealing = server.app.db.sealing_get(&take).await.expect("rows");
        sealing.expect("work on a complete take")
    };
    wait_until(async || sealing().await.state == SealingState::Done).await;
    (path, sealing().await)
}

fn id_of(take: &str) -> TakeId {
    let id = take.rsplit('/').next().expect("an id");
    TakeId::parse(id).expect("an id")
}

async fn a_sealed_video_gets_stills_that_go_with_it(server: Server) {
    for film in [LIVE_WEBM, LIVE_MP4] {
        let creator = server.create().await;
        let (path, sealing) = done(&server, &creator, film).await;
        assert_eq!(sealing.no_stills, None);
        let stills = server.app.db.stills_of(&id_of(&path)).await.expect("rows");
        assert!((1..=12).contains(&stills.len()), "{}", stills.len());
        assert_eq!(stills[0].at_ms, 0);
        assert!(stills.is_sorted_by_key(|still| still.at_ms));
        assert!(stills.iter().all(|it| it.width.max(it.height) <= 768));
        assert!(stills.iter().map(|it| it.length).sum::<i64>() <= 300_000);
        for still in &stills {
            assert!(
                server
                    .objects()
                    .iter()
                    .any(|it| it.ends_with(&still.object))
            );
        }

        let request = format!("/v1/requests/{}", creator.id());
        let deleted = creator.ask(Method::DELETE, &request).await;
        assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
        assert!(server.objects().is_empty());
    }
}

async fn a_video_that_nothing_here_decodes_is_submitted_without_stills(server: Server) {
    let creator = server.create().await;
    let (path, sealing) = done(&server, &creator, VP9_WEBM).await;
    let why = sealing.no_stills.expect("it is said why");
    assert!(why.contains("VP9"), "{why}");
    assert_eq!(creator.submit(&path).await.status(), StatusCode::OK);
}
