//! Clocks and times of the person's device, and numbers as its language writes them.

use js_sys::{Array, Date, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};

/// `Intl.DateTimeFormat` options: weekday, date and time, in words.
const FORMAT: &str =
    r#"{"weekday":"long","day":"numeric","month":"long","hour":"numeric","minute":"2-digit"}"#;

/// The device's clock, in milliseconds since 1970.
pub fn unix_now() -> f64 {
    Date::now()
}

/// Milliseconds since the page was opened, on the monotonic clock that also stamps events.
#[cfg(feature = "recorder")]
pub fn performance_now() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.map(|it| it.now()).unwrap_or_default()
}

/// Parses a time to milliseconds since 1970; NaN if it isn't one.
#[cfg(feature = "recorder")]
pub fn parse_time(rfc3339: &str) -> f64 {
    Date::parse(rfc3339)
}

/// Formats a time in the device's time zone, in this language. `None`: it isn't a time.
pub fn format_local_time(rfc3339: &str, language: &str) -> Option<String> {
    let date = Date::new(&JsValue::from_str(rfc3339));
    let options: Object = JSON::parse(FORMAT).ok()?.dyn_into().ok()?;
    let format = js_sys::Intl::DateTimeFormat::new(&Array::of1(&language.into()), &options);
    // Throws for an invalid date.
    let text = format.format().call1(&JsValue::UNDEFINED, &date);
    text.ok()?.as_string()
}

/// Formats a factor as a language writes it: `1.5×`, `1,5×`.
#[cfg(feature = "recorder")]
pub fn format_factor(factor: f64, language: &str) -> String {
    let number = js_sys::Number::from(factor).to_locale_string(language);
    format!("{}×", String::from(number))
}
