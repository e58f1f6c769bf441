//! Requests to a test server.

use app::api::CreatedRequest;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::creator::Creator;
use super::test_server::Server;

impl Server {
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path)
            .send()
            .await
            .expect("an answer")
    }

    /// A raw connection.
    pub async fn connect(&self) -> TcpStream {
        let address = self.base.strip_prefix("http://").expect("an address");
        TcpStream::connect(address).await.expect("a connection")
    }

    pub async fn create_request(&self) -> Creator<'_> {
        self.send_creation(self.creation_call()).await
    }

    pub async fn create_request_with_prompt(&self, prompt: &str) -> Creator<'_> {
        let body = json!({ "prompt": prompt, "expires_in_hours": 1 });
        let creation_call = self.request(Method::POST, "/v1/requests").json(&body);
        self.send_creation(creation_call).await
    }

    /// Creates a request as a client with this address; the server must trust this one as a proxy.
    pub async fn create_request_from(&self, address: &str) -> Creator<'_> {
        let creation_call = self.creation_call().header("X-Forwarded-For", address);
        self.send_creation(creation_call).await
    }

    fn creation_call(&self) -> RequestBuilder {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        self.request(Method::POST, "/v1/requests").json(&body)
    }

    async fn send_creation(&self, creation_call: RequestBuilder) -> Creator<'_> {
        let answer = creation_call.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        self.creator(&answer.json().await.expect("a created request"))
    }

    /// The creator of this request, which another node or an earlier start may have created.
    pub fn creator(&self, created: &CreatedRequest) -> Creator<'_> {
        Creator {
            server: self,
            created: created.clone(),
        }
    }

    /// The creator of a request of which no more is known than this.
    pub fn creator_of(&self, id: &str, access_token: &str) -> Creator<'_> {
        let created = json!({
            "id": id, "access_token": access_token, "status": "awaiting_submission",
            "submission_url": "", "expires_at": "",
        });
        self.creator(&serde_json::from_value(created).expect("a created request"))
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path)
            .json(body)
            .send()
            .await
            .expect("an answer")
    }
}
