//! The OpenAPI document and the documentation made from it.

use expect_test::expect_file;
use reqwest::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use serde_json::Value;

use crate::support::{Server, on_each_storage};

on_each_storage! {
    the_served_openapi_document_equals_the_file_in_the_repository
    docs_and_llms_txt_describe_every_operation
}

/// The served document equals `openapi.json` in the repository. `UPDATE_EXPECT=1` updates the file.
async fn the_served_openapi_document_equals_the_file_in_the_repository(server: Server) {
    let answer = server.get("/v1/openapi.json").await;
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers()[CACHE_CONTROL], "public, max-age=300");
    let document = answer.text().await.expect("a document");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], server.base);
    let elsewhere = document
        .to_string()
        .replace(&server.base, "https://evidence.example.org");
    let document: Value = serde_json::from_str(&elsewhere).expect("JSON");
    let document = serde_json::to_string_pretty(&document).expect("JSON") + "\n";
    expect_file!["../../../openapi.json"].assert_eq(&document);
}

async fn docs_and_llms_txt_describe_every_operation(server: Server) {
    let document = server.get("/v1/openapi.json").await;
    let document: Value = document.json().await.expect("JSON");
    let page = server.get("/docs").await;
    assert!(page.headers().contains_key(CONTENT_SECURITY_POLICY));
    let page = page.text().await.expect("HTML");
    let llms = server.get("/llms.txt").await;
    assert_eq!(llms.headers()[CONTENT_TYPE], "text/markdown; charset=utf-8");
    let llms = llms.text().await.expect("text");
    assert!(llms.starts_with("# Vidence API\n"), "{llms}");
    for path in ["/v1/requests", "/v1/openapi.json", "/docs"] {
        assert!(llms.contains(&format!("{}{path}", server.base)), "{path}");
    }
    let paths = document["paths"].as_object().expect("paths");
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("methods") {
            let id = operation["operationId"].as_str().expect("an id");
            let section = page
                .split("<section")
                .find(|it| it.contains(&format!("id=\"{id}\"")));
            let section = section.unwrap_or_else(|| panic!("{method} {path} is missing"));
            for status in operation["responses"].as_object().expect("answers").keys() {
                assert!(section.contains(&format!(">{status}<")), "{status} of {id}");
            }
        }
    }
}
