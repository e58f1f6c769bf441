//! The description of the interface, and what is made of it.

use expect_test::expect_file;
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::Value;

use crate::support::{Server, journeys};

journeys! {
    the_interface_is_described_as_it_was_agreed
}

/// What is served is what lies in the repository, where a change to it is seen. `UPDATE_EXPECT=1` takes a
/// change over.
async fn the_interface_is_described_as_it_was_agreed(server: Server) {
    let answer = server.get("/v1/openapi.json").await;
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers()[CACHE_CONTROL], "public, max-age=300");
    let document = answer.text().await.expect("a document");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["version"], "1.0.0");
    assert_eq!(document["servers"][0]["url"], server.base);
    let elsewhere = document
        .to_string()
        .replace(&server.base, "https://evidence.example.org");
    let document: Value = serde_json::from_str(&elsewhere).expect("JSON");
    let document = serde_json::to_string_pretty(&document).expect("JSON") + "\n";
    expect_file!["../../openapi.json"].assert_eq(&document);
}
