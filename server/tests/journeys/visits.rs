//! Who has a link open: devices know of each other, and nothing of it stays.

use app::api::{Doing, PageState, RequestStatus, Visit};
use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use server::db::{self, MOST_VISITS};
use server::id::{RequestId, VisitId};
use server::service::expiry::sweep;

use crate::backends::on_a_cluster;
use crate::support::{CLIP, Creator, HOUR, Server, assert_refused, journeys};

on_a_cluster! {
    devices_on_two_nodes_know_of_each_other
}

journeys! {
    two_devices_at_one_link_know_of_each_other
    who_is_silent_for_long_is_gone
    a_ninth_visit_takes_the_place_of_the_one_that_was_silent_for_longest
    however_many_come_at_once_few_are_remembered
    a_visit_that_cannot_be_understood_is_refused
    a_visit_learns_that_there_is_a_submission_and_is_forgotten
    a_visit_learns_that_it_is_over
    nothing_of_a_visit_outlives_its_request
}

const SECOND: i64 = 1000;

/// As a page would make them up.
const LAPTOP: &str = "mXq-2bYv0Zr_8KcWvNd8sA";
const PHONE: &str = "0123456789-_abcdefABCg";

async fn put(node: &Server, path: &str, doing: &str) -> Response {
    let request = node.request(Method::PUT, path);
    let request = request.json(&json!({ "doing": doing }));
    request.send().await.expect("an answer")
}

async fn visit(creator: &Creator<'_>, visit: &str, doing: &str) -> PageState {
    let path = creator.page(&format!("/visits/{visit}"));
    let answer = put(creator.server, &path, doing).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    answer.json().await.expect("a state")
}

fn doing(state: &PageState) -> Vec<Doing> {
    state.others.iter().map(|it| it.doing).collect()
}

/// Every row there is of a request, however old.
async fn rows(creator: &Creator<'_>) -> Vec<db::Visit> {
    let (app, id) = (&creator.server.app, RequestId::parse(creator.id()));
    let (ever, now) = (1000 * HOUR, app.clock.now());
    let rows = app.db.visits_of(&id.expect("an id"), ever, now).await;
    rows.expect("rows")
}

async fn two_devices_at_one_link_know_of_each_other(server: Server) {
    let (creator, stranger) = (server.create().await, server.create().await);
    visit(&stranger, "somebodyElsesLink12345", "recording").await;
    assert_eq!(visit(&creator, LAPTOP, "looking").await.others, []);
    let phone = visit(&creator, PHONE, "recording").await;
    assert_eq!(phone.status, RequestStatus::AwaitingSubmission);
    assert_eq!(doing(&phone), [Doing::Looking]);
    let laptop = visit(&creator, LAPTOP, "reviewing").await;
    assert_eq!(doing(&laptop), [Doing::Recording]);

    // Who has no visit is told of all.
    let all = creator.state().await;
    let both = [Doing::Recording, Doing::Reviewing];
    assert_eq!(doing(&all), both, "PHONE comes before LAPTOP in ASCII");
    let answer = server.get(&creator.page("/state")).await;
    let json: serde_json::Value = answer.json().await.expect("JSON");
    let others = json!([{ "doing": "recording" }, { "doing": "reviewing" }]);
    assert_eq!(json["others"], others, "and of nothing else");
}

async fn who_is_silent_for_long_is_gone(server: Server) {
    let creator = server.create().await;
    visit(&creator, PHONE, "recording").await;
    server.later(45 * SECOND - 1);
    let others = visit(&creator, LAPTOP, "looking").await.others;
    let phone = Visit {
        doing: Doing::Recording,
    };
    assert_eq!(others, [phone]);
    server.later(1);
    assert_eq!(visit(&creator, LAPTOP, "looking").await.others, []);
    assert_eq!(doing(&creator.state().await), [Doing::Looking]);
    // And back with the next sign of life.
    visit(&creator, PHONE, "reviewing").await;
    let others = visit(&creator, LAPTOP, "looking").await;
    assert_eq!(doing(&others), [Doing::Reviewing]);
    // A clock that was set back makes nobody stay for longer.
    server.later(-45 * SECOND);
    assert_eq!(creator.state().await.others, []);
}

async fn a_ninth_visit_takes_the_place_of_the_one_that_was_silent_for_longest(server: Server) {
    let creator = server.create().await;
    let name = |n: usize| format!("visit-number-00000000{n}");
    for n in 0..MOST_VISITS {
        visit(&creator, &name(n), "looking").await;
        server.later(SECOND);
    }
    // The first one goes on, so the second one is silent for longest.
    visit(&creator, &name(0), "recording").await;
    server.later(SECOND);
    let others = visit(&creator, &name(8), "reviewing").await.others;
    assert_eq!(others.len(), MOST_VISITS - 1);
    let left = rows(&creator).await;
    let left: Vec<_> = left.iter().map(|it| it.visit.to_string()).collect();
    let want: Vec<_> = (0..=8).filter(|it| *it != 1).map(name).collect();
    assert_eq!(left, want);
}

async fn however_many_come_at_once_few_are_remembered(server: Server) {
    let creator = server.create().await;
    let id = RequestId::parse(creator.id()).expect("an id");
    let one = |n: usize| {
        let (app, id) = (server.app.clone(), id.clone());
        // Each of them twice.
        let visit = VisitId::parse(&format!("visit-number-{:09}", n / 2)).expect("an id");
        async move {
            let doing = db::Doing::Looking;
            app.db.visit_heard(&id, &visit, doing, &app.clock).await
        }
    };
    for noted in futures_util::future::join_all((0..40).map(one)).await {
        noted.expect("rows");
    }
    assert_eq!(rows(&creator).await.len(), MOST_VISITS);
}

async fn a_visit_that_cannot_be_understood_is_refused(server: Server) {
    let creator = server.create().await;
    for visit in ["short", "mXq.2bYv0Zr_8KcWvNd8sA", "mXq-2bYv0Zr_8KcWvNd8sAA"] {
        let path = creator.page(&format!("/visits/{visit}"));
        let refused = put(&server, &path, "looking").await;
        assert_refused(refused, 400, "bad_request").await;
    }
    let path = creator.page(&format!("/visits/{LAPTOP}"));
    let large = format!("{{\"doing\":\"looking\"{}}}", " ".repeat(64 << 10));
    for body in [
        "{}",
        r#"{"doing":"sleeping"}"#,
        r#"{"doing":null}"#,
        r#"{"doing":"looking","name":"A"}"#,
        r#"{"doing":"looking","take":1}"#,
        r#"["looking"]"#,
        r#"{"doing":"looking"} {}"#,
        "",
        &large,
    ] {
        let request = server.request(Method::PUT, &path);
        let request = request.header("content-type", "application/json");
        let refused = request.body(body.to_owned()).send().await;
        assert_refused(refused.expect("an answer"), 400, "bad_request").await;
    }
    let untyped = server
        .request(Method::PUT, &path)
        .body(r#"{"doing":"looking"}"#);
    let untyped = untyped.send().await.expect("an answer");
    assert_refused(untyped, 400, "bad_request").await;
    let looked = server.get(&path).await;
    assert_refused(looked, 405, "method_not_allowed").await;
    let nowhere = put(&server, &format!("/r/{LAPTOP}/visits/{LAPTOP}"), "looking").await;
    assert_refused(nowhere, 404, "not_found").await;
    assert!(rows(&creator).await.is_empty());

    let preflight = server.request(Method::OPTIONS, &path).send().await;
    let preflight = preflight.expect("an answer");
    assert_eq!(preflight.status(), StatusCode::NO_CONTENT);
    assert_eq!(preflight.headers()["allow"], "OPTIONS, PUT");
}

async fn a_visit_learns_that_there_is_a_submission_and_is_forgotten(server: Server) {
    let creator = server.create().await;
    visit(&creator, PHONE, "reviewing").await;
    visit(&creator, LAPTOP, "looking").await;
    creator.submit_video(CLIP).await;
    assert!(rows(&creator).await.is_empty());
    let laptop = visit(&creator, LAPTOP, "looking").await;
    assert_eq!(laptop.status, RequestStatus::Submitted);
    assert!(laptop.takes.is_empty());
    assert_eq!(laptop.others, []);
    assert!(rows(&creator).await.is_empty(), "nor is a new one noted");
}

async fn a_visit_learns_that_it_is_over(server: Server) {
    let (deleted, expired) = (server.create().await, server.create().await);
    assert_eq!(deleted.delete().await, StatusCode::NO_CONTENT);
    server.later(HOUR);
    for (creator, status, code) in [(deleted, 404, "not_found"), (expired, 410, "gone")] {
        let path = creator.page(&format!("/visits/{PHONE}"));
        let refused = put(&server, &path, "looking").await;
        assert_refused(refused, status, code).await;
        assert!(rows(&creator).await.is_empty());
    }
}

async fn nothing_of_a_visit_outlives_its_request(server: Server) {
    let (deleted, expired) = (server.create().await, server.create().await);
    for creator in [&deleted, &expired] {
        visit(creator, PHONE, "recording").await;
        assert_eq!(rows(creator).await.len(), 1);
    }
    assert_eq!(deleted.delete().await, StatusCode::NO_CONTENT);
    server.later(HOUR);
    sweep(&server.app).await.expect("a sweep");
    for creator in [&deleted, &expired] {
        assert!(rows(creator).await.is_empty());
        // As a heartbeat would that looked before, and writes after.
        let id = RequestId::parse(creator.id()).expect("an id");
        let phone = VisitId::parse(PHONE).expect("an id");
        let (db, clock) = (&server.app.db, &server.app.clock);
        let late = db.visit_heard(&id, &phone, db::Doing::Looking, clock).await;
        late.expect("rows");
        assert!(rows(creator).await.is_empty());
    }
}

async fn devices_on_two_nodes_know_of_each_other() {
    let a = Server::in_a_cluster().await;
    let b = a.another_node().await;
    let creator = a.create().await;
    visit(&creator, LAPTOP, "looking").await;
    let path = creator.page(&format!("/visits/{PHONE}"));
    let phone = put(&b, &path, "recording").await;
    let phone: PageState = phone.json().await.expect("a state");
    assert_eq!(doing(&phone), [Doing::Looking]);
    let laptop = visit(&creator, LAPTOP, "looking").await;
    assert_eq!(doing(&laptop), [Doing::Recording]);
}
