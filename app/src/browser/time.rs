//! Time as the person's device tells it.

use js_sys::{Array, Date, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};

/// What to show of a moment: nothing that a person would have to decode.
const FORMAT: &str =
    r#"{"weekday":"long","day":"numeric","month":"long","hour":"numeric","minute":"2-digit"}"#;

/// Milliseconds since 1970.
pub fn now() -> f64 {
    Date::now()
}

/// Milliseconds since the page began: the time of events.
#[cfg(feature = "recorder")]
pub fn page_time() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map(|it| it.now()).unwrap_or_default()
}

/// A moment, in [`now`]'s time. NaN: no moment.
#[cfg(feature = "recorder")]
pub fn moment(rfc3339: &str) -> f64 {
    Date::parse(rfc3339)
}

/// A moment in the person's own time zone, in this language. `None`: no moment.
pub fn local_time(rfc3339: &str, language: &str) -> Option<String> {
    let date = Date::new(&JsValue::from_str(rfc3339));
    let options: Object = JSON::parse(FORMAT).ok()?.dyn_into().ok()?;
    let format = js_sys::Intl::DateTimeFormat::new(&Array::of1(&language.into()), &options);
    let text = format.format().call1(&JsValue::UNDEFINED, &date);
    // Throws for what is no moment.
    text.ok()?.as_string()
}
