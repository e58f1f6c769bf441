//! The browser's half: exports the islands, and nothing else.
#![cfg(target_arch = "wasm32")]

// The islands export themselves, as long as somebody links them.
use app as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares this page for its islands; `boot.js` then starts each.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
