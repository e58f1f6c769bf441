//! Clocks of the person's device.

use js_sys::Date;

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
pub fn parse_time(rfc3339: &str) -> f64 {
    Date::parse(rfc3339)
}
