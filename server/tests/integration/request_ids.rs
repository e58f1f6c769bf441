//! Each answer names its request, so that a report of it can be found in the log.

use std::collections::BTreeSet;

use reqwest::{Method, Response};
use server::config::QuotaArgs;

use crate::support::{CLIP, Server, journeys, unlimited};

journeys! {
    every_answer_names_its_request
    only_a_trusted_proxy_says_what_a_request_is_called
    pages_of_other_origins_may_read_it
}

const GIVEN: &str = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn name(answer: &Response) -> String {
    let name = answer.headers().get("x-request-id");
    let name = name.unwrap_or_else(|| panic!("{} has none", answer.url()));
    name.to_str().expect("text").to_owned()
}

async fn every_answer_names_its_request(server: Server) {
    let creator = server.create().await;
    let video = creator.submit_video(CLIP).await;
    let mut names = BTreeSet::new();
    let mut answers = Vec::new();
    for path in [
        "/",
        "/docs",
        "/nothing",
        "/v1/none",
        "/v1/requests/none",
        "/healthz",
        "/readyz",
        "/mcp",
    ] {
        answers.push(server.get(path).await);
    }
    answers.push(creator.ask(Method::GET, &video).await);
    answers.push(creator.ask(Method::HEAD, &video).await);
    answers.push(creator.ask(Method::PUT, &video).await);
    answers.push(creator.ask(Method::OPTIONS, &creator.page("/takes")).await);
    answers.push(server.get(&creator.page("")).await);
    let count = answers.len();
    for answer in answers {
        let name = name(&answer);
        assert_eq!(name.len(), 32, "{name}");
        assert!(name.bytes().all(|it| it.is_ascii_hexdigit()), "{name}");
        names.insert(name);
    }
    assert_eq!(names.len(), count, "each has its own");
}

async fn ask(server: &Server, header: &str, value: &str) -> String {
    let asked = server
        .request(Method::GET, "/healthz")
        .header(header, value);
    name(&asked.send().await.expect("an answer"))
}

async fn only_a_trusted_proxy_says_what_a_request_is_called(server: Server) {
    let traceparent = format!("00-{TRACE}-b7ad6b7169203331-01");
    assert_ne!(ask(&server, "x-request-id", GIVEN).await, GIVEN);
    assert_ne!(ask(&server, "traceparent", &traceparent).await, TRACE);
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    assert_eq!(ask(&server, "x-request-id", GIVEN).await, GIVEN);
    assert_eq!(ask(&server, "traceparent", &traceparent).await, TRACE);
    let token = server.create().await.created.access_token;
    for strange in [
        token.as_str(),
        "short",
        "a line\tbroken in two",
        &"a".repeat(65),
    ] {
        let name = ask(&server, "x-request-id", strange).await;
        assert_eq!(name.len(), 32, "{name} for {strange}");
    }
}

async fn pages_of_other_origins_may_read_it(server: Server) {
    let creator = server.create().await;
    for path in ["/v1/requests/none", &creator.page("/state")] {
        let asked = server
            .request(Method::GET, path)
            .header("origin", "https://example.org");
        let answer = asked.send().await.expect("an answer");
        let exposed = &answer.headers()["access-control-expose-headers"];
        let exposed = exposed.to_str().expect("text").to_ascii_lowercase();
        assert!(
            exposed.split(',').any(|it| it.trim() == "x-request-id"),
            "{path}"
        );
    }
}
