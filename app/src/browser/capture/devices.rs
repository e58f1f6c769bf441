//! Which cameras and microphones the device has: `navigator.mediaDevices`.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MediaDeviceInfo, MediaDevices};

use super::requests::CaptureError;
use crate::browser::js::{call_now, get_field};
use crate::browser::listener::Listener;

/// A camera or a microphone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// `deviceId`, for [`super::CaptureOptions`].
    pub id: String,
    /// Its name, for people; empty before the person has given permission.
    pub label: String,
    /// The side of a camera, `user` or `environment`; empty: the browser doesn't tell.
    pub facing: String,
}

/// The cameras and microphones of this device.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// `videoinput`.
    pub cameras: Vec<Device>,
    /// `audioinput`.
    pub microphones: Vec<Device>,
}

impl Devices {
    /// Calls back whenever a device is connected or removed, for the lifetime of the page.
    pub fn on_change(callback: impl Fn() + 'static) {
        if let Ok(devices) = media_devices() {
            std::mem::forget(Listener::new(&devices, "devicechange", move |_| callback()));
        }
    }

    /// Lists the devices that are connected now.
    pub async fn list() -> Self {
        let mut listed = Self::default();
        let Ok(Ok(promise)) = media_devices().map(|devices| devices.enumerate_devices()) else {
            return listed;
        };
        let Ok(list) = JsFuture::from(promise).await else {
            return listed;
        };
        for info in list.unchecked_into::<Array>().iter() {
            let info: MediaDeviceInfo = info.unchecked_into();
            let device = Device {
                id: info.device_id(),
                label: info.label(),
                facing: facing(&info),
            };
            match get_field(&info, "kind").as_string().as_deref() {
                Some("videoinput") => listed.cameras.push(device),
                Some("audioinput") => listed.microphones.push(device),
                _ => {}
            }
        }
        listed
    }
}

/// The first of a camera's `facingMode`s. `InputDeviceInfo` is newer than `MediaDeviceInfo`.
fn facing(info: &MediaDeviceInfo) -> String {
    let capabilities = call_now(info, "getCapabilities", &Array::new());
    let modes = capabilities.map(|it| get_field(&it, "facingMode"));
    let mode = modes
        .filter(Array::is_array)
        .map(|it| Array::from(&it).get(0));
    mode.and_then(|it| it.as_string()).unwrap_or_default()
}

/// Whether this browser can record a camera, and whether it can record the screen, which phones can't.
pub fn capture_support() -> (bool, bool) {
    let devices = media_devices();
    let screen = devices
        .as_ref()
        .is_ok_and(|it| !get_field(it, "getDisplayMedia").is_undefined());
    (devices.is_ok() && can_record(), screen && can_record())
}

/// Whether this browser has `MediaRecorder`.
pub fn can_record() -> bool {
    web_sys::window().is_some_and(|window| !get_field(&window, "MediaRecorder").is_undefined())
}

pub(super) fn media_devices() -> Result<MediaDevices, CaptureError> {
    let window = web_sys::window().ok_or(CaptureError::Unsupported)?;
    if !window.is_secure_context() {
        return Err(CaptureError::InsecureContext);
    }
    let devices = window.navigator().media_devices();
    // In-app browsers may leave it undefined, although its type doesn't allow that.
    devices
        .ok()
        .filter(|devices| !devices.is_undefined())
        .ok_or(CaptureError::Unsupported)
}
