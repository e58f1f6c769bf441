//! What was acknowledged is there after a restart; the data folder has one owner.

use std::os::unix::fs::PermissionsExt;

use app::api::CreatedRequest;
use reqwest::{Method, StatusCode};
use server::clock::Clock;
use server::service::PublicUrl;
use server::{StartError, open};

use crate::support::{Server, journeys, noise};

journeys! {
    everything_acknowledged_survives_a_restart
    a_data_folder_serves_one_server_and_one_user
}

async fn everything_acknowledged_survives_a_restart(server: Server) {
    let bytes = noise(300_000);
    let (video, submitted, take, awaiting): (String, CreatedRequest, String, CreatedRequest) = {
        let (submitted, awaiting) = (server.create().await, server.create().await);
        let video = submitted.submit_video(&bytes).await;
        let take = awaiting.begin().await;
        awaiting.append(&take, 0, "abc", false).await;
        (video, submitted.created, take, awaiting.created)
    };
    let server = server.restart().await;

    let request = server
        .request(Method::GET, &video)
        .bearer_auth(&submitted.access_token);
    let answer = request.send().await.expect("an answer");
    assert!(answer.bytes().await.expect("bytes") == bytes);
    let answer = server
        .request(Method::HEAD, &take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.headers()["upload-offset"], "3");
    let page = server.get(&format!("/r/{}", awaiting.id)).await;
    assert_eq!(page.status(), StatusCode::OK);
}

async fn a_data_folder_serves_one_server_and_one_user(server: Server) {
    let second = open(
        server.config(),
        Clock::System,
        PublicUrl::new("http://localhost"),
    )
    .await;
    assert!(matches!(second.map(drop), Err(StartError::Locked(_))));
    let metadata = std::fs::metadata(&server.config().data_dir).expect("a folder");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o700);
}
