//! JavaScript objects whose type web-sys doesn't have, has only behind its switch for unstable APIs, or has at a weight that isn't
//! worth it.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Builds an object of these fields.
pub(super) fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        set_field(&object, name, value);
    }
    object.into()
}

/// Sets a field.
pub(super) fn set_field(object: &JsValue, name: &str, value: &JsValue) {
    // Fails only for a frozen object, or for what isn't one.
    let _ = Reflect::set(object, &name.into(), value);
}

/// Reads a field; undefined if there is none.
pub(super) fn get_field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Makes an object of a class of the browser's. `None`: there is no such class, or it throws.
pub(super) fn construct(class: &str, arguments: &Array) -> Option<JsValue> {
    let class: Function = get_field(&js_sys::global(), class).dyn_into().ok()?;
    Reflect::construct(&class, arguments).ok()
}

/// Calls a method. `None`: there is no such method, or it throws.
pub(super) fn call_now(object: &JsValue, name: &str, arguments: &Array) -> Option<JsValue> {
    let method: Function = get_field(object, name).dyn_into().ok()?;
    method.apply(object, arguments).ok()
}

/// Calls a method and awaits its promise.
/// `None`: there is no such method, it throws, or the promise is rejected.
pub(super) async fn call_method(
    object: &JsValue,
    name: &str,
    arguments: &Array,
) -> Option<JsValue> {
    let promise: Promise = call_now(object, name, arguments)?.dyn_into().ok()?;
    JsFuture::from(promise).await.ok()
}

/// A JSON value, parsed by the browser.
#[derive(Clone, Debug)]
pub struct Json(JsValue);

impl Json {
    /// `None`: the text isn't JSON.
    pub fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }

    /// Reads a field; an undefined value if there is none.
    pub fn get(&self, name: &str) -> Self {
        Self(get_field(&self.0, name))
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<String> {
        self.0.as_string()
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    /// Whether it is truthy: neither `false` nor 0, null, undefined or empty.
    pub fn is_truthy(&self) -> bool {
        self.0.is_truthy()
    }
}
