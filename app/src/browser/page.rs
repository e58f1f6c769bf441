//! The page and the device that shows it.

use js_sys::Array;
use web_sys::{Blob, Url};

use super::listener::Listener;
use super::sharing::save_file;

/// Whether the device is held in a hand: its main pointer is a finger.
pub fn is_handheld() -> bool {
    let query =
        web_sys::window().and_then(|window| window.match_media("(pointer: coarse)").ok()?);
    query.is_some_and(|query| query.matches())
}

/// Lets the browser ask whether to leave the page wherever `must_ask` says so, for the lifetime of the page.
pub fn on_before_unload(must_ask: impl Fn() -> bool + 'static) {
    if let Some(window) = web_sys::window() {
        let listener = Listener::new(&window, "beforeunload", move |event| {
            if must_ask() {
                event.prevent_default();
            }
        });
        std::mem::forget(listener);
    }
}

/// The URL of the page.
pub fn page_url() -> String {
    let location = web_sys::window().map(|window| window.location());
    location
        .and_then(|location| location.href().ok())
        .unwrap_or_default()
}

/// The locale of the page, for `Intl`: its `<html lang>`, with the digits 0 to 9.
///
/// In Arabic others are the default, in some browsers. Timers and all that the server renders have these ones, which
/// readers of Arabic know as well; with both, a page would show one number in two ways.
pub fn page_locale() -> String {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.and_then(|document| document.document_element());
    let language = root.and_then(|root| root.get_attribute("lang"));
    language.unwrap_or_default() + "-u-nu-latn"
}

/// A random name of 22 letters with 6 random bits each.
pub fn random_name() -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = [0; 22];
    let crypto = web_sys::window().and_then(|window| window.crypto().ok());
    if let Some(crypto) = crypto {
        // Fails only for more than 64 KiB.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let letter = |byte| char::from(LETTERS[usize::from(byte % 64)]);
    bytes.into_iter().map(letter).collect()
}

/// Saves a text as a file in the person's downloads.
pub fn save_text(text: &str, name: &str) {
    if let Ok(blob) = Blob::new_with_str_sequence(&Array::of1(&text.into()))
        && let Ok(url) = Url::create_object_url_with_blob(&blob)
    {
        // It isn't revoked: browsers read it at some later moment, and it is small.
        save_file(&url, name);
    }
}
