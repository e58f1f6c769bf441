//! The WASM entry point of an island.
#![cfg(target_arch = "wasm32")]

// `app` exports its islands itself, but only if it is linked.
use app as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares the page for hydration; `boot.js` then hydrates each island.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
