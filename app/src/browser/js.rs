//! Objects whose type web-sys doesn't know, or knows only behind a switch for all that is unstable.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// An object of these fields.
pub(super) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Fails for what is frozen, or no object.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// A field; undefined where there is none.
pub(super) fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Calls a method and waits for its promise. `None`: there is none, it throws, or the promise is broken.
pub(super) async fn call(object: &JsValue, name: &str, arguments: &Array) -> Option<JsValue> {
    let method: Function = get(object, name).dyn_into().ok()?;
    let promise: Promise = method.apply(object, arguments).ok()?.dyn_into().ok()?;
    JsFuture::from(promise).await.ok()
}

/// What another program wrote as JSON.
#[derive(Clone, Debug)]
pub struct Json(JsValue);

impl Json {
    /// `None`: it isn't.
    pub fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }

    /// A field; an empty one where there is none.
    pub fn get(&self, name: &str) -> Self {
        Self(get(&self.0, name))
    }

    /// As text.
    pub fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    /// As a number.
    pub fn number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    /// Whether it says anything but `false`, 0 or nothing.
    pub fn is_true(&self) -> bool {
        self.0.is_truthy()
    }
}
