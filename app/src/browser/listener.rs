//! Events, heard for a while.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Event, EventTarget};

/// Listens to an event until it is dropped.
pub(super) struct Listener {
    target: EventTarget,
    name: &'static str,
    function: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub(super) fn new(
        target: &EventTarget,
        name: &'static str,
        hear: impl FnMut(Event) + 'static,
    ) -> Self {
        let function = Closure::<dyn FnMut(Event)>::new(hear);
        // Fails for no event that there is.
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
