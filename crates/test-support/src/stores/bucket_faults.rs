//! Ways in which a bucket misbehaves, switched on and off while it serves.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::header::CONTENT_LENGTH;
use http::{Method, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use s3s::service::S3Service;
use s3s::{Body, HttpError, HttpRequest, HttpResponse};
use tokio::sync::Notify;

/// How long an object is missing in lists that are late.
pub const LIST_DELAY: Duration = Duration::from_secs(300);

/// A way to misbehave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BucketFault {
    /// Everything is refused with 503 `SlowDown`.
    SlowDown,
    /// No object is stored as long as this lasts.
    SlowWrites,
    /// There is no such bucket.
    Missing,
    /// Calls of this method are forbidden.
    Forbidden(&'static Method),
    /// The next deletion happens, and its connection ends without an answer.
    LostDeletion,
    /// Objects are stored, and the connection ends without an answer.
    LostAnswers,
    /// Objects are stored, and the connection stays open without an answer, even when this is over.
    WithheldAnswers,
    /// Deletions happen, and are answered with 500.
    FailedDeletions,
    /// Lists lack what was stored less than [`LIST_DELAY`] ago.
    LateLists,
}

/// How a bucket misbehaves now.
#[derive(Default)]
pub struct BucketFaults {
    current: Mutex<Option<BucketFault>>,
    /// Notified when it misbehaves in another way, or no longer.
    ended: Notify,
    injected: AtomicU64,
    /// When each object was stored, by its path in URLs.
    stored: Mutex<HashMap<String, Instant>>,
}

impl BucketFaults {
    /// Misbehaves in this way from now on, or not at all.
    pub fn set(&self, fault: Option<BucketFault>) {
        *self.current.lock().expect("not poisoned") = fault;
        self.ended.notify_waiters();
    }

    /// Number of answers that were refused, lost or falsified.
    pub fn injected(&self) -> u64 {
        self.injected.load(Ordering::Relaxed)
    }

    /// Answers a request by `service`, or not.
    pub(super) async fn call(
        &self,
        service: &S3Service,
        request: http::Request<Incoming>,
    ) -> Result<HttpResponse, HttpError> {
        // Before the fault is looked at, so that its end isn't missed.
        let ended = self.ended.notified();
        let fault = *self.current.lock().expect("not poisoned");
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let query = request.uri().query().unwrap_or_default().to_owned();
        let request = request.map(Body::from);
        match fault {
            Some(BucketFault::SlowDown) => {
                return self
                    .refuse(request, StatusCode::SERVICE_UNAVAILABLE, "SlowDown")
                    .await;
            }
            Some(BucketFault::Missing) => {
                return self
                    .refuse(request, StatusCode::NOT_FOUND, "NoSuchBucket")
                    .await;
            }
            Some(BucketFault::Forbidden(forbidden)) if method == forbidden => {
                return self
                    .refuse(request, StatusCode::FORBIDDEN, "AccessDenied")
                    .await;
            }
            Some(BucketFault::SlowWrites) if method == Method::PUT => {
                self.count();
                ended.await;
            }
            _ => {}
        }
        let answer = service.call(request).await?;
        match (fault, &method) {
            (Some(BucketFault::LostAnswers), &Method::PUT) if answer.status().is_success() => {
                self.count();
                Err(HttpError::new("the answer is lost".into()))
            }
            (Some(BucketFault::WithheldAnswers), &Method::PUT) if answer.status().is_success() => {
                self.count();
                std::future::pending().await
            }
            (Some(BucketFault::LostDeletion), &Method::DELETE | &Method::POST) => {
                self.count();
                self.set(None);
                Err(HttpError::new("the answer is lost".into()))
            }
            (Some(BucketFault::FailedDeletions), &Method::DELETE | &Method::POST) => {
                self.count();
                Ok(error(StatusCode::INTERNAL_SERVER_ERROR, "InternalError"))
            }
            (Some(BucketFault::LateLists), &Method::GET) if query.contains("list-type") => {
                self.without_new_objects(answer).await
            }
            (_, &Method::PUT) => {
                let mut stored = self.stored.lock().expect("not poisoned");
                stored.insert(path, Instant::now());
                Ok(answer)
            }
            _ => Ok(answer),
        }
    }

    /// Reads the body first, because a client may see the answer only after it has sent that.
    async fn refuse(
        &self,
        request: HttpRequest,
        status: StatusCode,
        code: &str,
    ) -> Result<HttpResponse, HttpError> {
        self.count();
        let _ = request.into_body().collect().await;
        Ok(error(status, code))
    }

    /// Takes those objects out of a list that were stored lately.
    async fn without_new_objects(&self, answer: HttpResponse) -> Result<HttpResponse, HttpError> {
        const ENTRY: &str = "<Contents>";
        let (mut head, body) = answer.into_parts();
        let body = body.collect().await.map_err(HttpError::new)?.to_bytes();
        let text = String::from_utf8_lossy(&body).into_owned();
        let (start, entries) = text.split_once(ENTRY).unwrap_or((&text, ""));
        let mut list = start.to_owned();
        let (entries, end) = entries.rsplit_once("</Contents>").unwrap_or(("", entries));
        for entry in entries.split(ENTRY).filter(|it| !it.is_empty()) {
            let key = entry.split_once("<Key>").expect("a key").1;
            let key = key.split_once("</Key>").expect("a key").0;
            if self.is_new(key) {
                self.count();
                continue;
            }
            list.push_str(ENTRY);
            list.push_str(entry);
            if !entry.ends_with("</Contents>") {
                list.push_str("</Contents>");
            }
        }
        list.push_str(end);
        head.headers.remove(CONTENT_LENGTH);
        Ok(Response::from_parts(head, Body::from(list)))
    }

    fn is_new(&self, key: &str) -> bool {
        let stored = self.stored.lock().expect("not poisoned");
        let mut found = stored.iter().filter(|(path, _)| path.ends_with(key));
        found.any(|(_, at)| at.elapsed() < LIST_DELAY)
    }

    fn count(&self) {
        self.injected.fetch_add(1, Ordering::Relaxed);
    }
}

/// An error as S3 answers it.
fn error(status: StatusCode, code: &str) -> HttpResponse {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>");
    let mut answer = Response::new(Body::from(body));
    *answer.status_mut() = status;
    answer
}
