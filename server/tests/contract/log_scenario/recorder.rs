//! The browser's part of the scenario.

use std::time::Duration;

use app::api::{CreatedRequest, Submission};
use futures_util::{StreamExt, stream};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, RequestBuilder};
use tokio::time::timeout;

use super::Scenario;
use test_support::recordings::fixtures::LIVE_WEBM;
use test_support::wait_until;

const BOUNDARY: &str = "----boundary";

impl Scenario<'_> {
    pub(super) async fn open_link(&mut self, created: &CreatedRequest) {
        let link = &created.submission_url;
        for path in ["", "/state", "/qr.svg"] {
            let (status, _) = self
                .send(self.request("GET", &format!("{link}{path}")))
                .await;
            assert_eq!(status, 200, "{path}");
        }
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

    /// Uploads in the IETF's dialect in two pieces, with an offset mismatch and an interruption.
    pub(super) async fn upload(&mut self, created: &CreatedRequest) -> String {
        let create = self.request("POST", &format!("{}/takes", created.submission_url));
        let created_take = create
            .header("Upload-Complete", "?0")
            .send()
            .await
            .expect("an answer");
        let take = created_take.headers()[LOCATION]
            .to_str()
            .expect("a path")
            .to_owned();
        self.read(created_take).await;
        self.add_secret("the take", take.rsplit('/').next().expect("an id"));
        let (status, _) = self.send(self.append(&take, 5, "early", "?0")).await;
        assert_eq!(status, 409);
        // The client disconnects before the rest.
        const DISCONNECTED: &str = "the client disconnected during an upload";
        let before = self.server.log().matches(DISCONNECTED).count();
        let half = LIVE_WEBM.len() / 2;
        let first = stream::iter([Ok::<_, std::io::Error>(&LIVE_WEBM[..half])]);
        let body = Body::wrap_stream(first.chain(stream::pending()));
        let interrupted = timeout(
            Duration::from_secs(3),
            self.append(&take, 0, body, "?0").send(),
        );
        assert!(interrupted.await.is_err(), "it never ends");
        // An earlier HEAD would preempt the append, and the server would log that instead.
        wait_until(async || self.server.log().matches(DISCONNECTED).count() > before).await;
        let offset = async || {
            let answer = self.request("HEAD", &take).send().await.expect("an answer");
            answer.headers()["upload-offset"]
                .to_str()
                .expect("text")
                .to_owned()
        };
        wait_until(async || offset().await == half.to_string()).await;
        let rest = self.append(&take, half, &LIVE_WEBM[half..], "?1");
        let (status, _) = self.send(rest).await;
        assert_eq!(status, 204);
        take
    }

    /// A tus upload that is discarded, a file that is no video, and appends that are refused.
    pub(super) async fn fail_uploads(&mut self, created: &CreatedRequest, take: &str) {
        let takes = format!("{}/takes", created.submission_url);
        let create = self
            .request("POST", &takes)
            .header("Tus-Resumable", "1.0.0");
        let created_take = create
            .header("Upload-Length", 1000)
            .send()
            .await
            .expect("an answer");
        let tus = created_take.headers()[LOCATION]
            .to_str()
            .expect("a URL")
            .to_owned();
        self.read(created_take).await;
        self.add_secret("the take by tus", tus.rsplit('/').next().expect("an id"));
        let patch = self.request("PATCH", &tus).header("Tus-Resumable", "1.0.0");
        let patch = patch.header(CONTENT_TYPE, "application/offset+octet-stream");
        let (status, _) = self
            .send(patch.header("Upload-Offset", 0).body(&LIVE_WEBM[..500]))
            .await;
        assert_eq!(status, 204);
        let discard = self
            .request("DELETE", &tus)
            .header("Tus-Resumable", "1.0.0");
        assert_eq!(self.send(discard).await.0, 204);
        let nonsense = "no video, but Juniper".repeat(400);
        let (status, _) = self.send(self.request("POST", &takes).body(nonsense)).await;
        assert_eq!(status, 415);
        let (status, _) = self.send(self.append(take, 0, "once more", "?1")).await;
        assert_eq!(status, 409);
        let unknown = take[..take.len() - 1].to_owned() + "_";
        assert_eq!(self.send(self.append(&unknown, 0, "", "?1")).await.0, 404);
    }

    pub(super) async fn submit(&mut self, created: &CreatedRequest, take: &str) {
        let take = take.rsplit('/').next().expect("an id").to_owned();
        let submission = format!("{}/submission", created.submission_url);
        for (take, want) in [("none", 404), (&*take, 200), (&*take, 409)] {
            let submission = self.request("POST", &submission);
            let mut body = Submission::of(take.to_owned());
            body.may_transcribe = true;
            let (status, _) = self.send(submission.json(&body)).await;
            assert_eq!(status, want);
        }
    }

    pub(super) async fn send_a_form(&mut self) {
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
            .send(post.header(CONTENT_TYPE, media_type).body(form))
            .await;
        assert_eq!(status, 200, "the confirmation page, behind a redirect");
    }
}
