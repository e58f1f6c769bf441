//! Everything that anybody does with a server, and what of it must not be written down.

mod agent;
mod recorder;

use app::api::CreatedRequest;
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::json;

use test_support::callers::client;
use test_support::shipped::Shipped;
use test_support::wait_until;

const PROMPT: &str = "Show the dent above Juniper Lane 7, please.";

/// What was done.
pub struct Story<'s> {
    shipped: &'s Shipped,
    client: Client,
    secrets: Vec<(&'static str, String)>,
    /// Request id, status, bytes.
    answers: Vec<(String, u16, usize)>,
}

/// Does it.
pub async fn tell(shipped: &Shipped) -> Story<'_> {
    let mut story = Story {
        shipped,
        client: client(),
        secrets: vec![
            ("the prompt", PROMPT.to_owned()),
            ("a part of it", "Juniper".to_owned()),
        ],
        answers: Vec::new(),
    };
    let created = story.create().await;
    story.open_page(&created).await;
    let take = story.record(&created).await;
    story.fail_to_record(&created, &take).await;
    story.submit(&created, &take).await;
    let video = story.watch(&created).await;
    story.ask_as_an_agent(&created).await;
    story.send_a_form().await;
    story.fail(&created, &video).await;
    story.note_objects();
    story.delete(&created).await;
    if let Some(url) = shipped.database_url() {
        story.expire(url).await;
    }
    story
}

impl Story<'_> {
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
            true => format!("{}{url}", self.shipped.url()),
            false => url.to_owned(),
        };
        self.client.request(method, url)
    }

    /// Sends it and reads the answer to its end: status and text.
    async fn ask(&mut self, request: RequestBuilder) -> (u16, String) {
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
        let wish = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
        let (status, body) = self
            .ask(self.request("POST", "/v1/requests").json(&wish))
            .await;
        assert_eq!(status, 201);
        let created: CreatedRequest = serde_json::from_str(&body).expect("a created request");
        self.keep("the request", &created.id);
        self.keep("the token", &created.access_token);
        created
    }

    fn keep(&mut self, what: &'static str, secret: &str) {
        self.secrets.push((what, secret.to_owned()));
    }

    /// The names of all objects that there are now, without the ids that they lie under.
    fn note_objects(&mut self) {
        let objects = self.shipped.objects();
        assert!(objects.len() > 3, "{objects:?}");
        for object in objects {
            let name = object.file_name().and_then(|it| it.to_str());
            self.keep("an object", name.expect("a name"));
        }
    }

    async fn delete(&mut self, created: &CreatedRequest) {
        let path = format!("/v1/requests/{}", created.id);
        for want in [204, 404] {
            let delete = self
                .request("DELETE", &path)
                .bearer_auth(&created.access_token);
            assert_eq!(self.ask(delete).await.0, want);
        }
    }

    /// Lets a request's time be over, and waits until its bytes are gone.
    async fn expire(&mut self, database_url: &str) {
        let created = self.create().await;
        let take = self.record(&created).await;
        self.submit(&created, &take).await;
        let before = self.shipped.objects().len();
        let mut connection = AsyncPgConnection::establish(database_url)
            .await
            .expect("PostgreSQL");
        let over = format!(
            "UPDATE requests SET expires_at = 1 WHERE id = '{}'",
            created.id
        );
        connection.batch_execute(&over).await.expect("a row");
        let path = format!("/v1/requests/{}", created.id);
        let look = self
            .request("GET", &path)
            .bearer_auth(&created.access_token);
        let (status, view) = self.ask(look).await;
        assert!(status == 200 && view.contains("expired"), "{view}");
        assert_eq!(
            self.ask(self.request("GET", &created.submission_url))
                .await
                .0,
            410
        );
        wait_until(async || self.shipped.objects().len() < before).await;
    }
}
