//! Keeps the screen on.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::js::{call, get};
use super::listener::Listener;
use super::network::is_hidden;

/// The screen stays on until this is dropped. Where the browser can't, it does nothing.
pub struct Wake {
    sentinel: Sentinel,
    _back: Option<Listener>,
}

/// `None`: not now; the browser takes it away whenever the page is hidden.
type Sentinel = Rc<RefCell<Option<JsValue>>>;

impl Wake {
    /// From now on.
    pub fn new() -> Self {
        let sentinel = Sentinel::default();
        ask(sentinel.clone());
        let document = web_sys::window().and_then(|window| window.document());
        let again = sentinel.clone();
        let back = document.map(|document| {
            Listener::new(&document, "visibilitychange", move |_| {
                if !is_hidden() {
                    ask(again.clone());
                }
            })
        });
        Self {
            sentinel,
            _back: back,
        }
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        if let Some(sentinel) = self.sentinel.take() {
            spawn_local(async move {
                call(&sentinel, "release", &Array::new()).await;
            });
        }
    }
}

fn ask(sentinel: Sentinel) {
    let Some(window) = web_sys::window() else {
        return;
    };
    spawn_local(async move {
        let wake = get(&window.navigator(), "wakeLock");
        let given = call(&wake, "request", &Array::of1(&"screen".into())).await;
        // Given to somebody who is gone by now: released at once.
        if Rc::strong_count(&sentinel) > 1 {
            sentinel.replace(given);
        } else if let Some(given) = given {
            call(&given, "release", &Array::new()).await;
        }
    });
}
