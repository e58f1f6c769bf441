//! What a camera can do beyond delivering frames: light, zoom and focus.
//!
//! `MediaStreamTrack.getCapabilities`, `getSettings` and `applyConstraints`, by name: web-sys lacks these constraints,
//! and older browsers the methods. Chrome on Android and Safari since iOS 17 grant zoom with the camera; on a desktop
//! `zoom: true` in `getUserMedia` would ask for the permission to *move* the camera, so the page doesn't ask for it.

use js_sys::{Array, Promise};
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::devices::media_devices;
use super::{CaptureStream, TrackKind};
use crate::browser::js::{call_now, get_field, object};

/// What a camera can do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Abilities {
    /// Its light can be switched.
    pub torch: bool,
    /// Lowest and highest zoom, and the step between two values, in the browser's unit.
    pub zoom: Option<(f64, f64, f64)>,
    /// It can be told where to focus, in this `focusMode`.
    pub focus_mode: Option<&'static str>,
}

/// Settings of a camera; `None` is left as it is, or isn't known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjustment {
    /// Whether the light is on.
    pub torch: Option<bool>,
    /// The zoom, in the browser's unit.
    pub zoom: Option<f64>,
    /// Where to focus, from 0 to 1 from the left and from the top of the frame, and the `focusMode`.
    pub focus: Option<(f64, f64, &'static str)>,
}

impl CaptureStream {
    /// What the camera can do. A screen, and a camera that was just closed, can do nothing.
    pub fn abilities(&self) -> Abilities {
        let camera = self.track(TrackKind::Video).filter(|_| !self.is_screen());
        let capabilities = camera.and_then(|it| call_now(&it, "getCapabilities", &Array::new()));
        let Some(capabilities) = capabilities else {
            return Abilities::default();
        };
        Abilities {
            torch: offers(&get_field(&capabilities, "torch"), &JsValue::TRUE),
            zoom: zoom(&get_field(&capabilities, "zoom")),
            focus_mode: focus_mode(&capabilities),
        }
    }

    /// The current settings of light and zoom.
    pub fn adjustment(&self) -> Adjustment {
        let Some(camera) = self.track(TrackKind::Video) else {
            return Adjustment::default();
        };
        let settings = camera.get_settings();
        Adjustment {
            torch: get_field(&settings, "torch").as_bool(),
            zoom: get_field(&settings, "zoom").as_f64(),
            focus: None,
        }
    }

    /// Adjusts the camera at once, without waiting for it: the camera may be closed next.
    pub fn adjust_unawaited(&self, adjustment: Adjustment) {
        if let Some(promise) = self.call_apply(&adjustment_constraints(adjustment)) {
            // A rejected promise is an error of the page unless something waits for it.
            spawn_local(async move {
                let _ = JsFuture::from(promise).await;
            });
        }
    }

    /// Adjusts the camera.
    /// The caller reads [`Self::adjustment`] afterwards, as a browser may refuse silently.
    pub async fn adjust(&self, adjustment: Adjustment) {
        self.apply(&adjustment_constraints(adjustment)).await;
    }

    async fn apply(&self, constraints: &JsValue) {
        if let Some(promise) = self.call_apply(constraints) {
            // Rejected: the settings stay as they are.
            let _ = JsFuture::from(promise).await;
        }
    }

    fn call_apply(&self, constraints: &JsValue) -> Option<Promise> {
        let track = self.track(TrackKind::Video)?;
        let promise = call_now(&track, "applyConstraints", &Array::of1(constraints))?;
        promise.dyn_into().ok()
    }
}

/// Chrome refuses these beside others, such as a size, and takes them only as `advanced`.
fn adjustment_constraints(adjustment: Adjustment) -> JsValue {
    let Adjustment { torch, zoom, focus } = adjustment;
    let point = focus.map(|(x, y, _)| object(&[("x", x.into()), ("y", y.into())]));
    let optional = |value: Option<JsValue>| value.unwrap_or(JsValue::UNDEFINED);
    let set = object(&[
        ("torch", optional(torch.map(JsValue::from))),
        ("zoom", optional(zoom.map(JsValue::from))),
        (
            "pointsOfInterest",
            optional(point.map(|it| Array::of1(&it).into())),
        ),
        ("focusMode", optional(focus.map(|(_, _, mode)| mode.into()))),
    ]);
    object(&[("advanced", Array::of1(&set).into())])
}

/// Whether a capability is this value, or a list of values with it: browsers tell `torch` in both ways.
fn offers(capability: &JsValue, value: &JsValue) -> bool {
    capability == value || Array::is_array(capability) && Array::from(capability).includes(value, 0)
}

fn zoom(range: &JsValue) -> Option<(f64, f64, f64)> {
    let number = |name| get_field(range, name).as_f64();
    Some((
        number("min")?,
        number("max")?,
        number("step").unwrap_or_default(),
    ))
}

/// How to focus on a point, if that is possible.
/// Chrome lists `pointsOfInterest` among the constraints that it knows, and never among a track's capabilities, so
/// the track's modes decide. A camera that focuses continuously goes on to do so around the point.
fn focus_mode(capabilities: &JsValue) -> Option<&'static str> {
    let devices = media_devices().ok()?;
    let known = call_now(&devices, "getSupportedConstraints", &Array::new())?;
    if !get_field(&known, "pointsOfInterest").is_truthy() {
        return None;
    }
    let modes = get_field(capabilities, "focusMode");
    ["continuous", "single-shot"]
        .into_iter()
        .find(|it| offers(&modes, &JsValue::from(*it)))
}
