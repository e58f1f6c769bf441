//! A take's id is a secret of its uploader.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{CLIP, CLIP_LENGTH, Server, last_segment, on_each_storage, wait_until};

/// A well-formed id that was never issued.
const UNKNOWN_TAKE: &str = "mXq-2bYv0Zr_8KcWvNd8sA";

on_each_storage! {
    the_link_reveals_no_take_ids
    a_take_id_reveals_its_own_take_only
}

async fn the_link_reveals_no_take_ids(server: Server) {
    let creator = server.create_request().await;
    let (open, complete) = (creator.create_take().await, creator.upload(CLIP).await);
    let cases = async || {
        let answers = [
            server.get(&creator.link_path("")).await,
            server.get(&creator.link_path("/state")).await,
            server.get(&creator.link_path("/state?take=")).await,
            server.get(&creator.link_path("/takes")).await,
            server
                .get(&creator.link_path(&format!("/state?take={UNKNOWN_TAKE}")))
                .await,
            server
                .post(
                    &creator.link_path("/submission"),
                    &json!({ "take": UNKNOWN_TAKE }),
                )
                .await,
            creator
                .send_authorized(Method::GET, &format!("/v1/requests/{}", creator.id()))
                .await,
        ];
        for answer in answers {
            let url = answer.url().clone();
            let visible = format!("{:?}", answer.headers()) + &answer.text().await.expect("text");
            for take in [&open, &complete] {
                assert!(!visible.contains(last_segment(take)), "{url}: {visible}");
            }
        }
    };
    cases().await;
    assert_eq!(
        creator.page_state().await.takes.len(),
        2,
        "the number of takes"
    );
    assert_eq!(creator.submit(&complete).await.status(), StatusCode::OK);
    cases().await;
}

async fn a_take_id_reveals_its_own_take_only(server: Server) {
    let (creator, other) = (server.create_request().await, server.create_request().await);
    let (own_take, other_take) = (creator.upload(CLIP).await, other.create_take().await);
    let second = creator.create_take().await;
    // The seal must not change the state between two requests.
    wait_until(async || creator.page_state().await.takes.iter().any(|it| it.sealed)).await;
    let named_take = async |take: &str| {
        let path = creator.link_path(&format!("/state?lang=en&take={take}"));
        let state = server.get(&path).await;
        assert_eq!(state.status(), StatusCode::OK, "{take}");
        let state: Value = state.json().await.expect("JSON");
        state.get("take").cloned()
    };
    let own = named_take(last_segment(&own_take))
        .await
        .expect("the first take");
    assert_eq!(
        (&own["offset"], &own["complete"]),
        (&json!(CLIP_LENGTH), &json!(true))
    );
    let empty = json!({ "offset": 0, "complete": false, "sealed": false, "refused": false, "has_location": false });
    assert_eq!(named_take(last_segment(&second)).await, Some(empty));
    for unknown in [last_segment(&other_take), UNKNOWN_TAKE, "short", "", "%00"] {
        assert_eq!(named_take(unknown).await, None, "{unknown}");
    }

    let submitted: Value = creator.submit(&own_take).await.json().await.expect("JSON");
    assert_eq!(submitted["status"], "submitted");
    for take in [&own_take, &second] {
        assert_eq!(
            named_take(last_segment(take)).await,
            None,
            "the link reveals nothing else"
        );
    }
}
