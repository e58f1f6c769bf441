//! A take's id is the secret of whoever sends it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{CLIP, CLIP_LENGTH, Server, journeys, wait_until};

/// No take's id.
const UNKNOWN: &str = "mXq-2bYv0Zr_8KcWvNd8sA";

journeys! {
    a_stranger_with_the_link_learns_no_takes_id
    who_knows_a_takes_id_is_told_of_that_take_alone
}

fn id_in(take: &str) -> &str {
    take.rsplit('/').next().expect("an id")
}

async fn a_stranger_with_the_link_learns_no_takes_id(server: Server) {
    let creator = server.create().await;
    let (open, complete) = (creator.begin().await, creator.upload(CLIP).await);
    let learns_none = async || {
        let answers = [
            server.get(&creator.page("")).await,
            server.get(&creator.page("/state")).await,
            server.get(&creator.page("/state?take=")).await,
            server.get(&creator.page("/takes")).await,
            server
                .get(&creator.page(&format!("/state?take={UNKNOWN}")))
                .await,
            server
                .post(&creator.page("/submission"), &json!({ "take": UNKNOWN }))
                .await,
            creator
                .ask(Method::GET, &format!("/v1/requests/{}", creator.id()))
                .await,
        ];
        for answer in answers {
            let url = answer.url().clone();
            let said = format!("{:?}", answer.headers()) + &answer.text().await.expect("text");
            for take in [&open, &complete] {
                assert!(!said.contains(id_in(take)), "{url}: {said}");
            }
        }
    };
    learns_none().await;
    assert_eq!(
        creator.state().await.takes.len(),
        2,
        "but that there are two"
    );
    assert_eq!(creator.submit(&complete).await.status(), StatusCode::OK);
    learns_none().await;
}

async fn who_knows_a_takes_id_is_told_of_that_take_alone(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    let (mine, foreign) = (creator.upload(CLIP).await, other.begin().await);
    let second = creator.begin().await;
    // Not between two looks at it.
    wait_until(async || creator.state().await.takes.iter().any(|it| it.sealed)).await;
    let told = async |take: &str| {
        let path = creator.page(&format!("/state?lang=en&take={take}"));
        let state = server.get(&path).await;
        assert_eq!(state.status(), StatusCode::OK, "{take}");
        let state: Value = state.json().await.expect("JSON");
        state.get("take").cloned()
    };
    let of_mine = told(id_in(&mine)).await.expect("the first take");
    assert_eq!(
        (&of_mine["offset"], &of_mine["complete"]),
        (&json!(CLIP_LENGTH), &json!(true))
    );
    let empty = json!({ "offset": 0, "complete": false, "sealed": false, "refused": false, "has_location": false });
    assert_eq!(told(id_in(&second)).await, Some(empty));
    for nothing in [id_in(&foreign), UNKNOWN, "short", "", "%00"] {
        assert_eq!(told(nothing).await, None, "{nothing}");
    }

    let submitted: Value = creator.submit(&mine).await.json().await.expect("JSON");
    assert_eq!(submitted["status"], "submitted");
    for take in [&mine, &second] {
        assert_eq!(told(id_in(take)).await, None, "the link tells no more");
    }
}
