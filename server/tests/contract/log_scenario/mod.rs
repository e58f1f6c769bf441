//! A scenario that covers all operations, and the list of secrets that the log must not hold.

mod agent;
mod recorder;

use std::path::PathBuf;

use app::api::CreatedRequest;
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::json;

use test_support::clients::retrying_client::http_client;
use test_support::servers::release_server::{ReleaseServer, TRANSCRIBER_SECRETS};
use test_support::wait_until;

const PROMPT: &str = "Show the dent above Juniper Lane 7, please.";

/// The results of the scenario.
pub struct Scenario<'s> {
    server: &'s ReleaseServer,
    client: Client,
    secrets: Vec<(&'static str, String)>,
    /// Request id, status and body length of each answer.
    answers: Vec<(String, u16, usize)>,
}

/// Runs the scenario.
pub async fn run_scenario(server: &ReleaseServer) -> Scenario<'_> {
    let mut scenario = Scenario {
        server,
        client: http_client(),
        secrets: vec![
            ("the prompt", PROMPT.to_owned()),
            ("a part of it", "Juniper".to_owned()),
            ("the transcriber's key", TRANSCRIBER_SECRETS[0].to_owned()),
            ("the transcriber's path", TRANSCRIBER_SECRETS[1].to_owned()),
        ],
        answers: Vec::new(),
    };
    let created = scenario.create().await;
    scenario.open_link(&created).await;
    let take = scenario.upload(&created).await;
    scenario.fail_uploads(&created, &take).await;
    scenario.submit(&created, &take).await;
    let video = scenario.download(&created).await;
    scenario.use_tools(&created).await;
    scenario.send_a_form().await;
    scenario.send_invalid_requests(&created, &video).await;
    scenario.add_object_names();
    scenario.delete(&created).await;
    if let Some(url) = server.database_url() {
        scenario.expire(url).await;
    }
    scenario
}

impl Scenario<'_> {
    pub fn secrets(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.secrets
            .iter()
            .map(|(what, secret)| (*what, secret.as_str()))
    }

    pub fn answers(&self) -> &[(String, u16, usize)] {
        &self.answers
    }

    fn request(&self, method: &str, url: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let url = match url.starts_with('/') {
            true => format!("{}{url}", self.server.url()),
            false => url.to_owned(),
        };
        self.client.request(method, url)
    }

    /// Sends a request. Returns the status and body of the answer.
    async fn send(&mut self, request: RequestBuilder) -> (u16, String) {
        let answer = request.send().await.expect("an answer");
        self.read(answer).await
    }

    async fn read(&mut self, answer: Response) -> (u16, String) {
        let id = answer.headers()["x-request-id"]
            .to_str()
            .expect("text")
            .to_owned();
        let status = answer.status().as_u16();
        let body = answer.bytes().await.expect("a body");
        self.answers.push((id, status, body.len()));
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    async fn create(&mut self) -> CreatedRequest {
        let body = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
        let (status, body) = self
            .send(self.request("POST", "/v1/requests").json(&body))
            .await;
        assert_eq!(status, 201);
        let created: CreatedRequest = serde_json::from_str(&body).expect("a created request");
        self.add_secret("the request", &created.id);
        self.add_secret("the token", &created.access_token);
        created
    }

    fn add_secret(&mut self, what: &'static str, secret: &str) {
        self.secrets.push((what, secret.to_owned()));
    }

    /// Adds the names of all stored objects to the secrets, without the ids in their paths.
    fn add_object_names(&mut self) {
        let objects = self.server.objects();
        assert!(objects.len() > 3, "{objects:?}");
        for object in objects {
            let name = object.file_name().and_then(|it| it.to_str());
            self.add_secret("an object", name.expect("a name"));
        }
    }

    async fn delete(&mut self, created: &CreatedRequest) {
        let path = format!("/v1/requests/{}", created.id);
        for want in [204, 404] {
            let delete = self
                .request("DELETE", &path)
                .bearer_auth(&created.access_token);
            assert_eq!(self.send(delete).await.0, want);
        }
    }

    /// Backdates a request's expiry, and waits until its objects are removed.
    async fn expire(&mut self, database_url: &str) {
        let created = self.create().await;
        let take = self.upload(&created).await;
        self.submit(&created, &take).await;
        let mut connection = AsyncPgConnection::establish(database_url)
            .await
            .expect("PostgreSQL");
        let backdate = format!(
            "UPDATE requests SET expires_at = 1 WHERE id = '{}'",
            created.id
        );
        connection.batch_execute(&backdate).await.expect("a row");
        let path = format!("/v1/requests/{}", created.id);
        let poll = self
            .request("GET", &path)
            .bearer_auth(&created.access_token);
        let (status, view) = self.send(poll).await;
        assert!(status == 200 && view.contains("expired"), "{view}");
        assert_eq!(
            self.send(self.request("GET", &created.submission_url))
                .await
                .0,
            410
        );
        let is_of_it = |object: &PathBuf| object.to_string_lossy().contains(&created.id);
        wait_until(async || !self.server.objects().iter().any(is_of_it)).await;
    }
}
