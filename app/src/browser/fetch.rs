//! `fetch`, by name: a crate for it would add kilobytes to the WASM.

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::AbortGuard;
use super::js::{call_method, call_now, get_field, object, set_field};

/// A request.
pub struct FetchRequest {
    url: String,
    init: JsValue,
    headers: JsValue,
}

/// A response, whose body may still be on its way.
pub struct FetchResponse(JsValue);

impl FetchRequest {
    /// A request with this method.
    pub fn new(method: &str, url: &str) -> Self {
        let headers = object(&[]);
        Self {
            url: url.to_owned(),
            init: object(&[("method", method.into()), ("headers", headers.clone())]),
            headers,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        set_field(&self.headers, name, &value.into());
        self
    }

    /// Adds the body.
    #[must_use]
    pub fn body(self, body: &JsValue) -> Self {
        set_field(&self.init, "body", body);
        self
    }

    /// Sends it. The guard aborts it, and the reading of the response. `None`: there was no response.
    pub async fn send(self, abort: &AbortGuard) -> Option<FetchResponse> {
        set_field(&self.init, "signal", &abort.signal().into());
        let arguments = Array::of2(&self.url.into(), &self.init);
        let window = JsValue::from(web_sys::window()?);
        let response = call_method(&window, "fetch", &arguments).await;
        response.map(FetchResponse)
    }
}

impl FetchResponse {
    /// The status code.
    pub fn status(&self) -> u16 {
        // A number of three digits.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let status = get_field(&self.0, "status").as_f64().unwrap_or_default() as u16;
        status
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<String> {
        let headers = get_field(&self.0, "headers");
        call_now(&headers, "get", &Array::of1(&name.into()))?.as_string()
    }

    /// Reads the body. `None`: it didn't arrive.
    pub async fn text(&self) -> Option<String> {
        call_method(&self.0, "text", &Array::new())
            .await?
            .as_string()
    }
}
