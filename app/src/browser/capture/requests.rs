//! Asks the browser for streams, by `getUserMedia` and `getDisplayMedia`, and for the permissions that the person gave.

use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{MediaDevices, MediaStream};

use super::constraints::CaptureOptions;
use crate::browser::js::{call_method, call_now, construct, get_field, object};

/// Why the browser gives no stream: the `DOMException` that it throws, or what it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureError {
    /// `NotAllowedError` or `SecurityError`.
    NotAllowed,
    /// `NotFoundError` or `OverconstrainedError`.
    NotFound,
    /// `NotReadableError` or `AbortError`: in use by another program, or broken.
    NotReadable,
    /// The page isn't a secure context.
    InsecureContext,
    /// The browser has no such API.
    Unsupported,
}

/// Opens camera and microphone.
pub(super) async fn get_user_media(
    devices: &MediaDevices,
    video: &JsValue,
    audio: &JsValue,
) -> Result<MediaStream, CaptureError> {
    let constraints = object(&[("video", video.clone()), ("audio", audio.clone())]);
    let promise = devices
        .get_user_media_with_constraints(constraints.unchecked_ref())
        .map_err(|error| capture_error(&error))?;
    await_stream(promise).await
}

/// Opens a screen with its sound.
pub(super) async fn get_display_media(
    devices: &MediaDevices,
    options: &CaptureOptions,
) -> Result<MediaStream, CaptureError> {
    let constraints = object(&[
        ("video", object(&[("frameRate", 30.into())])),
        // The name of a microphone would make the browser refuse.
        ("audio", options.with_any_microphone().audio_constraints()),
        ("systemAudio", "include".into()),
        ("controller", focus_keeper().unwrap_or_default()),
    ]);
    let promise = devices
        .get_display_media_with_constraints(constraints.unchecked_ref())
        .map_err(|error| capture_error(&error))?;
    await_stream(promise).await
}

/// Makes the focus stay with this page, for `getDisplayMedia`: the browser would give it to a tab that is shared, and the
/// person look for the way back. `None`: the browser lets no page choose.
fn focus_keeper() -> Option<JsValue> {
    let controller = construct("CaptureController", &Array::new())?;
    let arguments = Array::of1(&"no-focus-change".into());
    call_now(&controller, "setFocusBehavior", &arguments)?;
    Some(controller)
}

async fn await_stream(promise: Promise) -> Result<MediaStream, CaptureError> {
    let stream = JsFuture::from(promise).await;
    let stream = stream.map_err(|error| capture_error(&error))?;
    stream.dyn_into().map_err(|error| capture_error(&error))
}

/// Whether the browser opens any camera without asking the person.
/// Where it doesn't tell, the answer is no.
pub async fn is_camera_granted() -> bool {
    permission("camera").await.as_deref() == Some("granted")
}

/// Where the browser doesn't tell, the answer is no.
pub(super) async fn is_only_microphone_blocked() -> bool {
    permission("microphone").await.as_deref() == Some("denied")
        && permission("camera").await.is_some_and(|it| it != "denied")
}

/// Asks the Permissions API, which not every browser has, and not for every name.
async fn permission(name: &str) -> Option<String> {
    let permissions = get_field(&web_sys::window()?.navigator(), "permissions");
    let arguments = Array::of1(&object(&[("name", name.into())]));
    let status = call_method(&permissions, "query", &arguments).await?;
    get_field(&status, "state").as_string()
}

fn capture_error(error: &JsValue) -> CaptureError {
    // Browsers also throw objects that are no `DOMException`, so the name is read as a field.
    let name = get_field(error, "name").as_string().unwrap_or_default();
    match name.as_str() {
        "NotAllowedError" | "SecurityError" => CaptureError::NotAllowed,
        "NotFoundError" | "OverconstrainedError" => CaptureError::NotFound,
        "NotReadableError" | "AbortError" => CaptureError::NotReadable,
        _ => CaptureError::Unsupported,
    }
}
