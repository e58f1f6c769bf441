//! The device at hand.

use wasm_bindgen::JsCast;
use web_sys::{HtmlAnchorElement, Storage};

use super::js::get;

/// Whether it is held in a hand: its main pointer is a finger.
pub fn is_handheld() -> bool {
    let query =
        web_sys::window().and_then(|window| window.match_media("(pointer: coarse)").ok()?);
    query.is_some_and(|query| query.matches())
}

/// Bits a second that the line carries, as the browser guesses. Most don't.
pub fn line() -> Option<f64> {
    let connection = get(&web_sys::window()?.navigator(), "connection");
    const MEGABIT: f64 = 1e6;
    get(&connection, "downlink").as_f64().map(|it| it * MEGABIT)
}

/// What was remembered on this device by an earlier visit.
pub fn get_local(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Remembers it. Best effort: some browsers don't.
pub fn set_local(key: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, text);
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// The page's own address.
pub fn address() -> String {
    let location = web_sys::window().map(|window| window.location());
    location
        .and_then(|location| location.href().ok())
        .unwrap_or_default()
}

/// The language of the page.
pub fn language() -> String {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.and_then(|document| document.document_element());
    root.and_then(|root| root.get_attribute("lang"))
        .unwrap_or_default()
}

/// A name that nobody else makes up: 22 letters of 6 random bits each.
pub fn random_name() -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = [0; 22];
    let crypto = web_sys::window().and_then(|window| window.crypto().ok());
    if let Some(crypto) = crypto {
        // Fails for more than 64 KiB.
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    let letter = |byte| char::from(LETTERS[usize::from(byte % 64)]);
    bytes.into_iter().map(letter).collect()
}

/// Lets the person have a file from this page.
pub fn save(url: &str, name: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let anchor = document.and_then(|document| document.create_element("a").ok());
    let anchor = anchor.and_then(|anchor| anchor.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(anchor) = anchor {
        anchor.set_href(url);
        anchor.set_download(name);
        anchor.click();
    }
}
