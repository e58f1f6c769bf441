//! What the device is made of, and its vibration.

use js_sys::Array;
use wasm_bindgen::JsValue;

use crate::browser::is_handheld;
use crate::browser::js::{call_now, get_field};

/// What encodes a video.
#[derive(Clone, Copy, Debug)]
pub struct Hardware {
    /// Whether the device is held in a hand.
    pub is_handheld: bool,
    /// Apple's devices have an encoder that browsers use.
    pub has_apple_encoder: bool,
    /// Cores of the processor.
    pub cores: f64,
    /// Memory in gigabytes, of which browsers report at most 8; most report none.
    pub memory: Option<f64>,
}

impl Hardware {
    /// The hardware of this device, as far as the browser reports it.
    pub fn detect() -> Self {
        let navigator = navigator();
        let text = |name| get_field(&navigator, name).as_string().unwrap_or_default();
        let number = |name| get_field(&navigator, name).as_f64();
        Self {
            is_handheld: is_handheld(),
            // WebKit on Linux has the same vendor.
            has_apple_encoder: text("vendor").starts_with("Apple")
                && !text("platform").starts_with("Linux"),
            cores: number("hardwareConcurrency").unwrap_or_default(),
            memory: number("deviceMemory"),
        }
    }
}

/// Vibrates for this long, where the device can.
pub fn vibrate(milliseconds: u32) {
    call_now(&navigator(), "vibrate", &Array::of1(&milliseconds.into()));
}

fn navigator() -> JsValue {
    web_sys::window().map_or(JsValue::UNDEFINED, |window| window.navigator().into())
}
