//! Gestures on a picture: taps, and pinches by two fingers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Event, HtmlElement};

use super::element::listen;
use crate::browser::js::{call_now, get_field};

/// Two taps within this time are a double tap.
const DOUBLE_TAP_MS: f64 = 350.0;

/// Two taps farther apart, in pixels, aren't.
const DOUBLE_TAP_DISTANCE: f64 = 40.0;

/// A gesture.
#[derive(Clone, Copy, Debug)]
pub enum Gesture {
    /// A tap or a click.
    Tap {
        /// From the left edge of the element, in pixels.
        x: f64,
        /// From its top edge.
        y: f64,
        /// It is the second one of a double tap.
        is_second: bool,
    },
    /// Two fingers were put down.
    PinchStart,
    /// Their distance is now this many times that at the start.
    Pinch(f64),
}

/// Calls back on gestures, for the lifetime of the page.
/// Returns `true` where the gesture has a meaning: then the browser doesn't scroll or zoom the page by it.
pub fn on_gesture(element: &HtmlElement, callback: impl Fn(Gesture) -> bool + 'static) {
    let callback = Rc::new(callback);
    listen_to_taps(element, callback.clone());
    let start = Rc::new(Cell::new(None));
    for name in ["touchstart", "touchmove", "touchend", "touchcancel"] {
        let (callback, start) = (callback.clone(), start.clone());
        listen(element, name, move |event| {
            let Some(distance) = distance_of_fingers(&event) else {
                return start.set(None);
            };
            let gesture = match start.get() {
                Some(start) => Gesture::Pinch(distance / start),
                None => Gesture::PinchStart,
            };
            if callback(gesture) {
                start.set(start.get().or(Some(distance)));
                event.prevent_default();
            }
        });
    }
}

fn listen_to_taps(element: &HtmlElement, callback: Rc<impl Fn(Gesture) -> bool + 'static>) {
    let tapped = element.clone();
    let previous: RefCell<Option<(f64, f64, f64)>> = RefCell::default();
    listen(element, "click", move |event| {
        let (left, top) = position(&tapped);
        let (x, y) = (
            number(&event, "clientX") - left,
            number(&event, "clientY") - top,
        );
        let at = event.time_stamp();
        let is_second = previous.take().is_some_and(|(before, x_before, y_before)| {
            at - before < DOUBLE_TAP_MS
                && distance(x - x_before, y - y_before) < DOUBLE_TAP_DISTANCE
        });
        if !is_second {
            previous.replace(Some((at, x, y)));
        }
        callback(Gesture::Tap { x, y, is_second });
    });
}

/// The distance of two fingers in pixels; `None` unless there are exactly two.
fn distance_of_fingers(event: &Event) -> Option<f64> {
    let touches = Array::from(&get_field(event, "touches"));
    if touches.length() != 2 {
        return None;
    }
    let difference = |name| number(&touches.get(0), name) - number(&touches.get(1), name);
    let distance = distance(difference("clientX"), difference("clientY"));
    Some(distance.max(1.0))
}

fn distance(x: f64, y: f64) -> f64 {
    // `hypot` is more code, for numbers that are larger than a screen.
    (x * x + y * y).sqrt()
}

fn position(element: &HtmlElement) -> (f64, f64) {
    let edges = call_now(element, "getBoundingClientRect", &Array::new()).unwrap_or_default();
    (number(&edges, "left"), number(&edges, "top"))
}

fn number(object: &JsValue, name: &str) -> f64 {
    get_field(object, name).as_f64().unwrap_or_default()
}
