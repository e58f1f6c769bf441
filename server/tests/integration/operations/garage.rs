//! The whole story on Garage, an S3 server that shares no code with that of the other tests.

use app::api::CreatedRequest;
use futures_util::StreamExt;
use futures_util::future::join_all;
use reqwest::header::{AUTHORIZATION, HeaderMap, LOCATION, RANGE};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use server::blobs::Blobs;
use server::config::BlobUrl;

use crate::support::binary::vidence;
use crate::support::process::ServerProcess;
use crate::support::{LIVE_WEBM, last_segment, wait_until};
use test_support::stores::garage::Garage;

/// Requests at the same time.
const REQUESTS: usize = 8;

/// Length of an append.
const APPEND: usize = 4000;

/// A server with its rows in a file and its objects in Garage.
struct OnGarage {
    base: String,
    client: Client,
    environment: Vec<(&'static str, String)>,
    _server: ServerProcess,
    garage: Garage,
}

/// A request with a submitted video.
struct Submitted {
    created: CreatedRequest,
    video: String,
}

impl OnGarage {
    async fn start() -> Self {
        let garage = Garage::start();
        let url = garage.url();
        let flags = ["--listen", "127.0.0.1:0", "--blob-url", &url];
        let limits = ["--create-limit", "off", "--read-limit", "off"];
        let flags = [&flags[..], &limits].concat();
        let mut server = ServerProcess::start_with(&flags, &garage.env());
        let base = server.address().await;
        let data_dir = server.data_dir().display().to_string();
        let mut environment = Vec::from(garage.env());
        environment.extend([("VIDENCE_DATA_DIR", data_dir), ("VIDENCE_BLOB_URL", url)]);
        Self {
            base,
            client: Client::new(),
            environment,
            _server: server,
            garage,
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Creates a request, and uploads and submits a recording in pieces.
    async fn submit(&self) -> Submitted {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let created = self.request(Method::POST, "/v1/requests").json(&body);
        let created = created.send().await.expect("an answer");
        let created: CreatedRequest = created.json().await.expect("a request");
        let link = format!("/r/{}", created.id);
        let begin = self.request(Method::POST, &format!("{link}/takes"));
        let begin = begin.header("Content-Type", "video/webm");
        let begun = begin.header("Upload-Complete", "?0").send().await;
        let begun = begun.expect("an answer");
        let take = begun.headers()[LOCATION].to_str().expect("a path");
        for (count, piece) in LIVE_WEBM.chunks(APPEND).enumerate() {
            let offset = count * APPEND;
            let is_last = offset + piece.len() == LIVE_WEBM.len();
            let append = self.request(Method::PATCH, take).body(piece);
            let answer = append
                .header("Content-Type", "application/partial-upload")
                .header("Upload-Offset", offset)
                .header("Upload-Complete", if is_last { "?1" } else { "?0" })
                .send()
                .await;
            assert_eq!(answer.expect("an answer").status(), StatusCode::NO_CONTENT);
        }
        let submission = json!({ "take": last_segment(take) });
        let submit = self.request(Method::POST, &format!("{link}/submission"));
        let submitted = submit.json(&submission).send().await.expect("an answer");
        assert_eq!(submitted.status(), StatusCode::OK);
        let path = format!("/v1/requests/{}", created.id);
        let status = self.read(&created, &path).await;
        let status: Value = serde_json::from_slice(&status).expect("JSON");
        let video = status["video"]["id"].as_str().expect("a video").to_owned();
        Submitted { created, video }
    }

    async fn read(&self, created: &CreatedRequest, path: &str) -> Vec<u8> {
        let get = self.request(Method::GET, path);
        let answer = get.bearer_auth(&created.access_token).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.bytes().await.expect("bytes").to_vec()
    }

    async fn read_range(&self, it: &Submitted, first: usize, last: usize) -> Vec<u8> {
        let mut headers = HeaderMap::new();
        let authorization = format!("Bearer {}", it.created.access_token);
        headers.insert(AUTHORIZATION, authorization.parse().expect("a header"));
        let range = format!("bytes={first}-{last}");
        headers.insert(RANGE, range.parse().expect("a header"));
        let get = self.request(Method::GET, &format!("/v1/videos/{}", it.video));
        let answer = get.headers(headers).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
        answer.bytes().await.expect("bytes").to_vec()
    }

    /// Waits until its stills are made.
    async fn wait_for_stills(&self, it: &Submitted) {
        let path = format!("/videos/{}/metadata", it.video);
        wait_until(async || {
            let metadata = self.read(&it.created, &path).await;
            let metadata: Value = serde_json::from_slice(&metadata).expect("JSON");
            metadata["stills"]["status"] == "ready"
        })
        .await;
    }

    /// How many objects the bucket lists.
    async fn stored_objects(&self) -> usize {
        let Ok(BlobUrl::Bucket(location)) = self.garage.url().parse() else {
            panic!("a bucket");
        };
        let access = self.garage.env().into_iter().collect();
        let blobs = Blobs::open_bucket(&location, &access).await;
        blobs.expect("a bucket").list().count().await
    }

    /// What `check --deep` finds in a clean store.
    async fn check(&self) -> Value {
        let checked = vidence(&["check", "--deep", "--json"], &self.environment).await;
        serde_json::from_str(&checked.success()).expect("JSON")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_step_works_with_a_bucket_of_garage() {
    let server = OnGarage::start().await;
    let submitted = join_all((0..REQUESTS).map(|_| server.submit())).await;
    for it in &submitted {
        server.wait_for_stills(it).await;
        let path = format!("/v1/videos/{}", it.video);
        let video = server.read(&it.created, &path).await;
        assert!(video.len() > LIVE_WEBM.len());
        for (first, last) in [(0, 0), (100, 9999), (video.len() - 7, video.len() - 1)] {
            let range = server.read_range(it, first, last).await;
            assert!(range == video[first..=last], "{first} to {last}");
        }
    }
    let checked = server.check().await;
    assert_eq!(checked["videos_read"], REQUESTS);
    assert_eq!(checked["objects"], server.stored_objects().await);

    for it in &submitted {
        let delete = server.request(Method::DELETE, &format!("/v1/requests/{}", it.created.id));
        let deleted = delete.bearer_auth(&it.created.access_token).send().await;
        let status = deleted.expect("an answer").status();
        assert_eq!(status, StatusCode::NO_CONTENT);
    }
    assert_eq!(server.check().await["objects"], 0);
    assert_eq!(server.stored_objects().await, 0);
}
