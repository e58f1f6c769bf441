//! Times and numbers as a language writes them.
//! The browser knows how, so that the WASM carries no text.

use js_sys::{Date, JSON};
use wasm_bindgen::prelude::*;

#[cfg(feature = "recorder")]
use crate::format;

/// Weekday, date and time, in words.
const TIME: &str =
    r#"{"weekday":"long","day":"numeric","month":"long","hour":"numeric","minute":"2-digit"}"#;

#[cfg(feature = "recorder")]
const MEGABYTES: &str =
    r#"{"style":"unit","unit":"megabyte","minimumFractionDigits":1,"maximumFractionDigits":1}"#;

#[cfg(feature = "recorder")]
const PERCENT: &str = r#"{"style":"percent"}"#;

#[wasm_bindgen]
extern "C" {
    /// A `Date` or a number.
    type Localizable;

    /// ECMA-402, sections 20.2.1 and 20.4.1.
    ///
    /// Throws for what the browser doesn't know: units in Safari 14.0, or what an extension took for a language.
    #[wasm_bindgen(method, catch, js_name = toLocaleString)]
    fn localize(this: &Localizable, locale: &str, options: &JsValue) -> Result<String, JsValue>;
}

/// Formats a time in milliseconds since 1970, in the device's time zone.
/// `None`: it isn't a time, or that isn't a locale.
pub fn format_local_time(millis: f64, locale: &str) -> Option<String> {
    let date = (!millis.is_nan()).then(|| Date::new(&millis.into()))?;
    localize(date.into(), locale, TIME)
}

/// Formats a size in megabytes, rounded up to a tenth: `0.3 MB`, `0,3 Mo`.
#[cfg(feature = "recorder")]
pub fn format_megabytes(bytes: u64, locale: &str) -> String {
    // Exact up to 2⁵³.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let megabytes = bytes.div_ceil(100_000) as f64 / 10.0;
    let text = localize(megabytes.into(), locale, MEGABYTES);
    text.unwrap_or_else(|| format::megabytes(bytes))
}

/// Formats a fraction from 0 to 1 as a percentage: `38%`, `%38`. Empty: that isn't a locale.
#[cfg(feature = "recorder")]
pub fn format_percent(fraction: f64, locale: &str) -> String {
    localize(fraction.into(), locale, PERCENT).unwrap_or_default()
}

/// Formats a factor: `1.5×`, `1,5×`. Empty: that isn't a locale.
#[cfg(feature = "recorder")]
pub fn format_factor(factor: f64, locale: &str) -> String {
    let number = localize(factor.into(), locale, "{}");
    number.unwrap_or_default() + "×"
}

fn localize(value: JsValue, locale: &str, options: &str) -> Option<String> {
    let options = JSON::parse(options).ok()?;
    let value: Localizable = value.unchecked_into();
    value.localize(locale, &options).ok()
}
