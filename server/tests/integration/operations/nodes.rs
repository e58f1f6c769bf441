//! Several nodes of one service: each sees what the others did.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Backend, HOUR, Server, assert_refused, clip};
use server::clock::Clock;
use server::service::workers::sweeper::sweep;
use test_support::{on_postgres_s3, wait_until};

on_postgres_s3! {
    a_request_is_usable_on_every_node
    an_append_on_another_node_supersedes_the_older_one
    concurrent_sweeps_of_several_nodes_succeed
    more_concurrent_deletions_than_database_connections_succeed
    a_nodes_clock_follows_the_database_servers
}

/// Appends on this node.
async fn append(node: &Server, take: &str, at: usize, bytes: &[u8], last: bool) -> StatusCode {
    let request = node.request(Method::PATCH, take).body(bytes.to_vec());
    let answer = request
        .header("Content-Type", "application/partial-upload")
        .header("Upload-Offset", at)
        .header("Upload-Complete", if last { "?1" } else { "?0" })
        .send()
        .await;
    answer.expect("an answer").status()
}

async fn a_request_is_usable_on_every_node() {
    let a = Server::postgres_s3().await;
    let b = a.another_node().await;
    let creator = a.create_request().await;
    let take = creator.create_take().await;

    let video = clip(1_000_000);
    let pieces: Vec<_> = video.chunks(100_000).collect();
    for (count, piece) in pieces.iter().enumerate() {
        let node = if count % 2 == 0 { &b } else { &a };
        let last = count + 1 == pieces.len();
        let status = append(node, &take, count * 100_000, piece, last).await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{count}");
    }

    let id = take.rsplit('/').next().expect("an id");
    let submitted = b
        .post(&creator.link_path("/submission"), &json!({ "take": id }))
        .await;
    assert_eq!(submitted.status(), StatusCode::OK);
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a video");
    let path = url.strip_prefix(&a.base).expect("a URL of this node");
    let streamed = creator.send_authorized(Method::GET, path).await;
    assert!(streamed.bytes().await.expect("bytes") == video);

    let token = &creator.created.access_token;
    let request = format!("/v1/requests/{}", creator.id());
    let send = |node: &Server, method: Method, path: &str| {
        node.request(method, path).bearer_auth(token).send()
    };
    let deleted = send(&b, Method::DELETE, &request).await.expect("an answer");
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert!(a.objects().is_empty());
    for path in [path, &request] {
        let answer_after_deletion = send(&a, Method::GET, path).await.expect("an answer");
        assert_refused(answer_after_deletion, 404, "not_found").await;
    }
    for node in [&a, &b] {
        let folder = &node.config().store.data_dir;
        assert!(!folder.exists(), "nothing lies in {}", folder.display());
    }
}

async fn an_append_on_another_node_supersedes_the_older_one() {
    let a = Server::postgres_s3().await;
    let b = a.another_node().await;
    let video = clip(1000);
    for (is_last, code, objects) in [(false, "superseded", 3), (true, "take_complete", 6)] {
        let creator = a.create_request().await;
        let take = creator.create_take().await;
        let status = append(&b, &take, 0, &video, false).await;
        assert_eq!(status, StatusCode::NO_CONTENT);

        // On node A an append is still running; on node B the client has resumed already.
        let (body, end) = crate::support::body_in_two_pieces(b"first", b"second");
        let older = crate::support::during(creator.append(&take, 1000, body, true), async {
            wait_until(async || creator.page_state().await.takes[0].offset == 1005).await;
            let status = append(&b, &take, 1005, b"newer", is_last).await;
            assert_eq!(status, StatusCode::NO_CONTENT);
            end.send(()).expect("an upload under way");
        })
        .await;
        assert_eq!(older.headers()["upload-offset"], "1010");
        assert_refused(older, 409, code).await;
        if !is_last {
            let status = append(&b, &take, 1010, b"", true).await;
            assert_eq!(status, StatusCode::NO_CONTENT);
        }
        let sent = creator.submit_and_download(&take).await;
        assert!(sent == [&video, &b"first"[..], b"newer"].concat(), "{code}");
        // The loser's object is gone.
        a.wait_for_objects(objects).await;
    }
}

async fn concurrent_sweeps_of_several_nodes_succeed() {
    let a = Server::postgres_s3().await;
    let b = a.another_node().await;
    for _ in 0..5 {
        a.create_request().await.submit_video(&clip(1000)).await;
    }
    a.advance_clock(HOUR);
    let young = a.create_request().await;
    let kept = young.submit_video(&clip(1000)).await;
    let reports = tokio::join!(sweep(&a.app), sweep(&b.app), sweep(&a.app), sweep(&b.app));
    for report in [reports.0, reports.1, reports.2, reports.3] {
        assert_eq!(report.expect("a sweep").failed, 0);
    }
    assert_eq!(a.objects().len(), 1);
    assert_eq!(
        young.send_authorized(Method::GET, &kept).await.status(),
        StatusCode::OK
    );
}

async fn more_concurrent_deletions_than_database_connections_succeed() {
    const CREATORS: usize = 150;
    let server = Server::postgres_s3().await;
    let creators =
        futures_util::future::join_all((0..CREATORS).map(|_| server.create_request())).await;
    for creator in &creators {
        creator.upload(&clip(20)).await;
    }
    let deletions = creators.iter().map(|it| it.delete());
    for status in futures_util::future::join_all(deletions).await {
        assert_eq!(status, StatusCode::NO_CONTENT);
    }
    assert!(server.objects().is_empty());
}

async fn a_nodes_clock_follows_the_database_servers() {
    let behind = Clock::anchored(Clock::System.now() - HOUR);
    let backend = Backend::postgres_s3().await;
    let node = Server::on_existing_stores(backend, Vec::new(), behind).await;
    let is_right = async || {
        let off = node.app.clock.now() - Clock::System.now();
        off.abs() < HOUR / 2
    };
    wait_until(is_right).await;
    // Not only when it starts.
    node.app.clock.anchor(Clock::System.now() - HOUR);
    wait_until(is_right).await;
}
