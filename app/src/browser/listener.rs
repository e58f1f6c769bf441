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
        let function = Closure::<dyn FnMut(Event)>::new(callback);
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
