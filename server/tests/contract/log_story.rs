//! Everything that anybody does with a server, and what of it must not be written down.

use std::time::Duration;

use app::api::{CreatedRequest, RequestView, Submission};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use futures_util::{StreamExt, stream};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::callers::client;
use crate::clips::LIVE_WEBM;
use crate::shipped::Shipped;
use crate::support::wait_until;

const PROMPT: &str = "Show the dent above Juniper Lane 7, please.";
const BOUNDARY: &str = "----boundary";

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
    story.visit(&created).await;
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

    async fn visit(&mut self, created: &CreatedRequest) {
        const VISIT: &str = "mXq-2bYv0Zr_8KcWvNd8sA";
        self.keep("the visit", VISIT);
        let link = &created.submission_url;
        for path in ["", "/state", "/qr.svg"] {
            let (status, _) = self
                .ask(self.request("GET", &format!("{link}{path}")))
                .await;
            assert_eq!(status, 200, "{path}");
        }
        let visit = self.request("PUT", &format!("{link}/visits/{VISIT}"));
        let (status, _) = self.ask(visit.json(&json!({ "doing": "recording" }))).await;
        assert_eq!(status, 200);
    }

    fn append(
        &self,
        take: &str,
        offset: usize,
        body: impl Into<Body>,
        last: &str,
    ) -> RequestBuilder {
        let append = self.request("PATCH", take).body(body);
        append
            .header(CONTENT_TYPE, "application/partial-upload")
            .header("Upload-Offset", offset)
            .header("Upload-Complete", last)
    }

    /// By the IETF's dialect, in two pieces, with whatever can go wrong in between.
    async fn record(&mut self, created: &CreatedRequest) -> String {
        let begin = self.request("POST", &format!("{}/takes", created.submission_url));
        let begun = begin
            .header("Upload-Complete", "?0")
            .send()
            .await
            .expect("an answer");
        let take = begun.headers()[LOCATION]
            .to_str()
            .expect("a path")
            .to_owned();
        self.read(begun).await;
        self.keep("the take", take.rsplit('/').next().expect("an id"));
        let (status, _) = self.ask(self.append(&take, 5, "early", "?0")).await;
        assert_eq!(status, 409);
        // Its sender is gone before the rest.
        let half = LIVE_WEBM.len() / 2;
        let first = stream::iter([Ok::<_, std::io::Error>(&LIVE_WEBM[..half])]);
        let body = Body::wrap_stream(first.chain(stream::pending()));
        let broken = timeout(
            Duration::from_millis(300),
            self.append(&take, 0, body, "?0").send(),
        );
        assert!(broken.await.is_err(), "it never ends");
        let offset = async || {
            let answer = self.request("HEAD", &take).send().await.expect("an answer");
            answer.headers()["upload-offset"]
                .to_str()
                .expect("text")
                .to_owned()
        };
        wait_until(async || offset().await == half.to_string()).await;
        let rest = self.append(&take, half, &LIVE_WEBM[half..], "?1");
        let (status, _) = self.ask(rest).await;
        assert_eq!(status, 204);
        take
    }

    /// By tus, what is no video, and what is thrown away.
    async fn fail_to_record(&mut self, created: &CreatedRequest, take: &str) {
        let takes = format!("{}/takes", created.submission_url);
        let begin = self
            .request("POST", &takes)
            .header("Tus-Resumable", "1.0.0");
        let begun = begin
            .header("Upload-Length", 1000)
            .send()
            .await
            .expect("an answer");
        let tus = begun.headers()[LOCATION]
            .to_str()
            .expect("a URL")
            .to_owned();
        self.read(begun).await;
        self.keep("the take by tus", tus.rsplit('/').next().expect("an id"));
        let patch = self.request("PATCH", &tus).header("Tus-Resumable", "1.0.0");
        let patch = patch.header(CONTENT_TYPE, "application/offset+octet-stream");
        let (status, _) = self
            .ask(patch.header("Upload-Offset", 0).body(&LIVE_WEBM[..500]))
            .await;
        assert_eq!(status, 204);
        let discard = self
            .request("DELETE", &tus)
            .header("Tus-Resumable", "1.0.0");
        assert_eq!(self.ask(discard).await.0, 204);
        let nonsense = "no video, but Juniper".repeat(400);
        let (status, _) = self.ask(self.request("POST", &takes).body(nonsense)).await;
        assert_eq!(status, 415);
        let (status, _) = self.ask(self.append(take, 0, "once more", "?1")).await;
        assert_eq!(status, 409);
        let unknown = take[..take.len() - 1].to_owned() + "_";
        assert_eq!(self.ask(self.append(&unknown, 0, "", "?1")).await.0, 404);
    }

    async fn submit(&mut self, created: &CreatedRequest, take: &str) {
        let take = take.rsplit('/').next().expect("an id").to_owned();
        let submission = format!("{}/submission", created.submission_url);
        for (take, want) in [("none", 404), (&*take, 200), (&*take, 409)] {
            let submission = self.request("POST", &submission);
            let take = take.to_owned();
            let (status, _) = self.ask(submission.json(&Submission { take })).await;
            assert_eq!(status, want);
        }
    }

    /// Asks, waits, streams in every way, and looks at pictures. The video's id.
    async fn watch(&mut self, created: &CreatedRequest) -> String {
        let token = &created.access_token;
        let get = |story: &Self, path: &str| story.request("GET", path).bearer_auth(token);
        let path = format!("/v1/requests/{}", created.id);
        let (_, view) = self.ask(get(self, &path).header("Prefer", "wait=1")).await;
        let view: RequestView = serde_json::from_str(&view).expect("a request");
        let video = view.video.expect("a video").id;
        self.keep("the video", &video);
        let path = format!("/v1/videos/{video}");
        let (status, whole) = self.ask(get(self, &path)).await;
        assert!(status == 200 && !whole.is_empty());
        for (range, want) in [("bytes=5-14", 206), ("bytes=99999999-", 416)] {
            let (status, _) = self.ask(get(self, &path).header("Range", range)).await;
            assert_eq!(status, want);
        }
        let facts = format!("/videos/{video}/facts");
        let made = async || {
            let facts = get(self, &facts).send().await.expect("an answer");
            let facts: Value = facts.json().await.expect("facts");
            facts["stills"]["state"] == "made"
        };
        wait_until(made).await;
        let (_, facts) = self.ask(get(self, &facts)).await;
        let facts: Value = serde_json::from_str(&facts).expect("facts");
        let at = &facts["stills"]["pictures"][0]["at_ms"];
        let (status, _) = self
            .ask(get(self, &format!("/videos/{video}/stills/{at}")))
            .await;
        assert_eq!(status, 200);
        // Waits in vain, and hangs up; by REST, as an agent would.
        let other = self.create().await;
        let path = format!("/v1/requests/{}", other.id);
        let wait = self.request("GET", &path).bearer_auth(&other.access_token);
        let wait = wait.header("Prefer", "wait=50").send();
        assert!(timeout(Duration::from_millis(300), wait).await.is_err());
        video
    }

    async fn ask_as_an_agent(&mut self, created: &CreatedRequest) {
        let keys = json!({ "request_id": created.id, "access_token": created.access_token });
        let (_, got) = self.call("get_video_evidence", &keys).await;
        let blocks = got["result"]["content"].as_array().expect("blocks");
        let embedded = blocks.iter().find(|it| it["type"] == "resource");
        let blob = embedded.expect("a video")["resource"]["blob"].as_str();
        let blob = blob.expect("base64")[..100].to_owned();
        self.keep("the answer's video", &blob);
        let wish = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
        let (_, made) = self.call("request_video_evidence", &wish).await;
        let made = made["result"]["structuredContent"].clone();
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        let (id, token) = (text("request_id"), text("access_token"));
        self.keep("the agent's request", &id);
        self.keep("the agent's token", &token);
        // One that isn't there, and what can't be understood.
        self.call("get_video", &keys).await;
        let mut strange = keys.clone();
        strange["wait_seconds"] = json!({ "access_token": token });
        self.call("get_video_evidence", &strange).await;
        let broken = format!("{{\"access_token\": \"{token}\", \"prompt\": \"{PROMPT}\"");
        let broken = self.request("POST", "/mcp").body(broken);
        self.ask(broken.header(CONTENT_TYPE, "application/json"))
            .await;
        let keys = json!({ "request_id": id, "access_token": token });
        self.call("delete_video_request", &keys).await;
    }

    async fn call(&mut self, tool: &str, arguments: &Value) -> (u16, Value) {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let (status, body) = self.ask(self.request("POST", "/mcp").json(&call)).await;
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    async fn send_a_form(&mut self) {
        let created = self.create().await;
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"video\"; filename=\"Juniper.webm\"\r\n\
             Content-Type: video/webm\r\n\r\n"
        );
        let tail = format!("\r\n--{BOUNDARY}--\r\n");
        let form = [head.as_bytes(), LIVE_WEBM, tail.as_bytes()].concat();
        let post = self.request("POST", &created.submission_url);
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let (status, _) = self
            .ask(post.header(CONTENT_TYPE, media_type).body(form))
            .await;
        assert_eq!(status, 200, "sent on to the page that says thank you");
    }

    /// Everything that callers can do wrong.
    async fn fail(&mut self, created: &CreatedRequest, video: &str) {
        let stranger = self.create().await;
        let path = format!("/v1/requests/{}", created.id);
        let wish = format!("{{\"prompt\": \"{PROMPT}\", \"expires_in_hours\": \"{PROMPT}\"}}");
        let wish = self.request("POST", "/v1/requests").body(wish);
        let wish = wish.header(CONTENT_TYPE, "application/json");
        let token = &created.access_token;
        for (request, want) in [
            (wish, 400),
            (self.request("GET", &path), 401),
            (self.request("GET", &path).bearer_auth("vidence_guess"), 401),
            (
                self.request("GET", &path)
                    .bearer_auth(&stranger.access_token),
                403,
            ),
            (
                self.request("GET", "/v1/requests/none").bearer_auth(token),
                404,
            ),
            (self.request("GET", &format!("/v1/{token}")), 404),
            (
                self.request("GET", &format!("/{}/{token}", created.id)),
                404,
            ),
            (self.request("PUT", &path).bearer_auth(token), 405),
            (self.request(token.split_at(8).1, &path), 405),
            (
                self.request("GET", &format!("/v1/videos/{video}?token={token}")),
                401,
            ),
        ] {
            let (status, body) = self.ask(request).await;
            assert_eq!(status, want, "{body}");
        }
        // Watches, and hangs up with the answer half-way.
        let path = format!("/v1/videos/{video}");
        let stream = self.request("GET", &path).bearer_auth(token).send().await;
        drop(stream.expect("an answer"));
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
