//! A form is sent once, so its file stays as long as its submission may still succeed.

use reqwest::StatusCode;
use server::id::RequestId;

use super::form::{form, post};
use crate::support::{CLIP, Server, wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_fails_for_now_leaves_its_file_to_be_submitted() {
    let server = Server::sqlite().await;
    let app = &server.app;
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    server
        .execute_sql(
            "CREATE TRIGGER refuse BEFORE UPDATE OF take_id ON requests \
             WHEN NEW.take_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'away'); END",
        )
        .await;
    let take = async || app.db.takes_of(&request).await.expect("rows").pop();
    let is_sealed = async || match take().await {
        Some(take) => app.db.seal_get(&take.id).await.expect("rows").is_some(),
        None => false,
    };
    let end_retries = async {
        wait_until(is_sealed).await;
        // As when the server stops.
        app.shutdown.ended.cancel();
    };
    let body = form("video", "video/mp4", CLIP);
    let ((status, html), ()) = tokio::join!(post(&server, &creator, body), end_retries);
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{html}");
    server.execute_sql("DROP TRIGGER refuse").await;
    let take = take().await.expect("the only copy");
    let answer = creator.submit(take.id.as_str()).await;
    assert_eq!(answer.status(), StatusCode::OK);
}
