//! Event listeners.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Event, EventTarget};

/// An event listener, removed when dropped.
pub(super) struct Listener {
    target: EventTarget,
    name: &'static str,
    function: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub(super) fn new(
        target: &EventTarget,
        name: &'static str,
        callback: impl FnMut(Event) + 'static,
    ) -> Self {
        // Boxed here: the rest is compiled once, and not for each of the many callbacks.
        Self::add(target, name, Box::new(callback))
    }

    fn add(target: &EventTarget, name: &'static str, callback: Box<dyn FnMut(Event)>) -> Self {
        let function = Closure::wrap(callback);
        // It fails for no event.
        let _ = target.add_event_listener_with_callback(name, function.as_ref().unchecked_ref());
        Self {
            target: target.clone(),
            name,
            function,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.function.as_ref().unchecked_ref();
        let _ = self
            .target
            .remove_event_listener_with_callback(self.name, function);
    }
}
