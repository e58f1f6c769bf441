//! What is recorded: camera or screen, and the microphone.

use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DisplayMediaStreamConstraints, HtmlVideoElement, MediaDeviceInfo, MediaDevices, MediaStream,
    MediaStreamConstraints, MediaStreamTrack, MediaStreamTrackState,
};

use super::js::{call, get, object};
use super::listener::Listener;

/// What the person wants recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureOptions {
    /// The screen instead of a camera.
    pub screen: bool,
    /// The camera that looks at the person. Phones list all their lenses; people know two.
    pub front: bool,
    /// With sound.
    pub sound: bool,
    /// A certain camera; empty: any.
    pub camera: String,
    /// A certain microphone; empty: any.
    pub microphone: String,
}

/// Why there is no picture, in the browser's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denial {
    /// `NotAllowedError`.
    NotAllowed,
    /// `NotFoundError`.
    NotFound,
    /// `NotReadableError`: in use elsewhere, or broken.
    NotReadable,
    /// The page has no secure context.
    Insecure,
    /// This browser has no such interface.
    Missing,
}

/// A camera or a screen that is on. Cheap to clone; dropping the last one switches it off.
#[derive(Clone, Debug)]
pub struct Camera(Rc<On>);

#[derive(Debug)]
struct On {
    stream: MediaStream,
    screen: bool,
}

/// A camera or a microphone that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// For [`Wish`].
    pub id: String,
    /// For people; empty before the browser was allowed to tell.
    pub label: String,
}

/// What this device has.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// Cameras.
    pub cameras: Vec<Device>,
    /// Microphones.
    pub microphones: Vec<Device>,
}

impl Camera {
    /// Switches on what is wished for; the browser asks the person first. One prompt for picture and sound.
    pub async fn open(wish: &CaptureOptions) -> Result<Self, Denial> {
        let devices = devices()?;
        if wish.screen {
            return Self::share(&devices, wish).await;
        }
        let mut denial = Denial::Missing;
        // From the best to the least: another microphone, no sound, another camera that looks the same way.
        let any = CaptureOptions {
            camera: String::new(),
            ..wish.clone()
        };
        let any_sound = || {
            sound(&CaptureOptions {
                microphone: String::new(),
                ..wish.clone()
            })
        };
        for (video, audio) in [
            (picture(wish), sound(wish)),
            (picture(wish), any_sound()),
            (picture(wish), JsValue::FALSE),
            (picture(&any), any_sound()),
            (picture(&any), JsValue::FALSE),
        ] {
            match ask(&devices, &video, &audio).await {
                Ok(stream) => {
                    return Ok(Self::on(stream, false));
                }
                // Where only the microphone is refused, for good: a picture without sound, and the page says so.
                Err(Denial::NotAllowed) if wish.sound && only_sound_is_refused().await => {
                    let silent = ask(&devices, &picture(wish), &JsValue::FALSE).await?;
                    return Ok(Self::on(silent, false));
                }
                Err(Denial::NotAllowed) => return Err(Denial::NotAllowed),
                Err(other) => denial = other,
            }
        }
        Err(denial)
    }

    fn on(stream: MediaStream, screen: bool) -> Self {
        Self(Rc::new(On { stream, screen }))
    }

    async fn share(devices: &MediaDevices, wish: &CaptureOptions) -> Result<Self, Denial> {
        let constraints = DisplayMediaStreamConstraints::new();
        constraints.set_video(&object([("frameRate", 30.into())]));
        // The microphone, if wished for, comes by itself: recorders take one track of sound.
        constraints.set_audio(&JsValue::FALSE);
        let asking = devices
            .get_display_media_with_constraints(&constraints)
            .map_err(|error| denial(&error))?;
        let shared = Self::on(stream(asking).await?, true);
        if wish.sound {
            // A screen without a voice is better than none; the page says that it is silent.
            let _ = shared.replace_sound(wish).await;
        }
        Ok(shared)
    }

    /// Takes the picture from another camera. The one before is switched off first: phones run one at a
    /// time.
    pub async fn replace_picture(&self, wish: &CaptureOptions) -> Result<(), Denial> {
        self.drop_tracks("video");
        let found = ask(&devices()?, &picture(wish), &JsValue::FALSE).await?;
        self.adopt(&found);
        Ok(())
    }

    /// Takes the sound from another microphone, or from none.
    pub async fn replace_sound(&self, wish: &CaptureOptions) -> Result<(), Denial> {
        self.drop_tracks("audio");
        if wish.sound {
            let found = ask(&devices()?, &JsValue::FALSE, &sound(wish)).await?;
            self.adopt(&found);
        }
        Ok(())
    }

    fn drop_tracks(&self, kind: &str) {
        for track in self.tracks().filter(|track| track.kind() == kind) {
            track.stop();
            self.0.stream.remove_track(&track);
        }
    }

    fn adopt(&self, found: &MediaStream) {
        for track in tracks(found) {
            self.0.stream.add_track(&track);
        }
    }

    /// Shows its picture.
    pub fn show_in(&self, video: &HtmlVideoElement) {
        video.set_src_object(Some(&self.0.stream));
    }

    /// Whether it looks at the person: then the preview is a mirror. A laptop's camera doesn't say.
    pub fn faces_person(&self) -> bool {
        let facing = self.setting("video", "facingMode");
        !self.0.screen && facing.is_none_or(|facing| facing == "user")
    }

    /// Which camera and which microphone these are.
    pub fn chosen(&self) -> (String, String) {
        let id = |kind| self.setting(kind, "deviceId").unwrap_or_default();
        (id("video"), id("audio"))
    }

    fn setting(&self, kind: &str, name: &str) -> Option<String> {
        let track = self.tracks().find(|track| track.kind() == kind)?;
        get(&track.get_settings(), name).as_string()
    }

    /// Whether it is a screen.
    pub fn is_screen(&self) -> bool {
        self.0.screen
    }

    /// Whether it has no sound.
    pub fn is_silent(&self) -> bool {
        let sound = self.sound();
        sound.is_none_or(|it| it.ready_state() == MediaStreamTrackState::Ended)
    }

    /// Whether its picture still comes: a camera may be unplugged or taken away at any time.
    pub fn is_live(&self) -> bool {
        let picture = self.picture();
        picture.is_some_and(|it| it.ready_state() == MediaStreamTrackState::Live)
    }

    /// Whether the device gives no picture for now, such as by a switch of its own. A screen on which nothing moves does
    /// the same.
    pub fn is_muted(&self) -> bool {
        !self.0.screen && self.picture().is_some_and(|it| it.muted())
    }

    /// Switches it off, whoever else has a hand on it.
    pub fn switch_off(&self) {
        self.tracks().for_each(|track| track.stop());
    }

    pub(super) fn stream(&self) -> &MediaStream {
        &self.0.stream
    }

    pub(super) fn picture(&self) -> Option<MediaStreamTrack> {
        self.tracks().find(|track| track.kind() == "video")
    }

    pub(super) fn sound(&self) -> Option<MediaStreamTrack> {
        self.tracks().find(|track| track.kind() == "audio")
    }

    fn tracks(&self) -> impl Iterator<Item = MediaStreamTrack> + use<> {
        tracks(&self.0.stream)
    }
}

impl Drop for On {
    fn drop(&mut self) {
        tracks(&self.stream).for_each(|track| track.stop());
    }
}

impl Devices {
    /// Calls this whenever one comes or goes, for as long as the page lives.
    pub fn on_change(hear: impl Fn() + 'static) {
        if let Ok(devices) = devices() {
            std::mem::forget(Listener::new(&devices, "devicechange", move |_| hear()));
        }
    }

    /// Those that are there now.
    pub async fn list() -> Self {
        let mut found = Self::default();
        let Ok(Ok(asking)) = devices().map(|devices| devices.enumerate_devices()) else {
            return found;
        };
        let Ok(list) = JsFuture::from(asking).await else {
            return found;
        };
        for info in list.unchecked_into::<Array>().iter() {
            let info: MediaDeviceInfo = info.unchecked_into();
            let device = Device {
                id: info.device_id(),
                label: info.label(),
            };
            match get(&info, "kind").as_string().as_deref() {
                Some("videoinput") => found.cameras.push(device),
                Some("audioinput") => found.microphones.push(device),
                _ => {}
            }
        }
        found
    }
}

/// Whether this browser can film, and whether it can share the screen. Phones can't do the latter.
pub fn can_capture() -> (bool, bool) {
    let found = devices();
    let screen = found
        .as_ref()
        .is_ok_and(|it| !get(it, "getDisplayMedia").is_undefined());
    (
        found.is_ok() && super::can_record(),
        screen && super::can_record(),
    )
}

/// What the browser remembers of earlier answers; where it doesn't tell, nothing is known.
async fn only_sound_is_refused() -> bool {
    async fn is_refused(name: &str) -> Option<bool> {
        let permissions = get(&web_sys::window()?.navigator(), "permissions");
        let asked = Array::of1(&object([("name", name.into())]));
        let status = call(&permissions, "query", &asked).await?;
        Some(get(&status, "state").as_string()? == "denied")
    }
    is_refused("microphone").await == Some(true) && is_refused("camera").await == Some(false)
}

fn devices() -> Result<MediaDevices, Denial> {
    let window = web_sys::window().ok_or(Denial::Missing)?;
    if !window.is_secure_context() {
        return Err(Denial::Insecure);
    }
    let devices = window.navigator().media_devices();
    // In-app browsers may leave it undefined, whatever its type says.
    devices
        .ok()
        .filter(|devices| !devices.is_undefined())
        .ok_or(Denial::Missing)
}

/// `ideal` only, so that no camera is refused for what it can't do.
fn picture(wish: &CaptureOptions) -> JsValue {
    let ideal = |value: JsValue| object([("ideal", value)]);
    if !wish.camera.is_empty() {
        return object([
            ("deviceId", object([("exact", wish.camera.as_str().into())])),
            ("width", ideal(1280.into())),
            ("height", ideal(720.into())),
            ("frameRate", ideal(30.into())),
        ]);
    }
    let facing = if wish.front { "user" } else { "environment" };
    object([
        ("facingMode", ideal(facing.into())),
        ("width", ideal(1280.into())),
        ("height", ideal(720.into())),
        ("frameRate", ideal(30.into())),
    ])
}

/// As it is: what browsers do for calls removes a machine's rattle, or the voice from a loudspeaker.
fn sound(wish: &CaptureOptions) -> JsValue {
    if !wish.sound {
        return JsValue::FALSE;
    }
    let device = match wish.microphone.as_str() {
        "" => JsValue::UNDEFINED,
        microphone => object([("exact", microphone.into())]),
    };
    object([
        ("deviceId", device),
        ("noiseSuppression", false.into()),
        ("echoCancellation", false.into()),
    ])
}

async fn ask(
    devices: &MediaDevices,
    video: &JsValue,
    audio: &JsValue,
) -> Result<MediaStream, Denial> {
    let constraints = MediaStreamConstraints::new();
    constraints.set_video(video);
    constraints.set_audio(audio);
    let asking = devices
        .get_user_media_with_constraints(&constraints)
        .map_err(|error| denial(&error))?;
    stream(asking).await
}

async fn stream(asking: js_sys::Promise) -> Result<MediaStream, Denial> {
    let stream = JsFuture::from(asking).await;
    let stream = stream.map_err(|error| denial(&error))?;
    stream.dyn_into().map_err(|error| denial(&error))
}

fn tracks(stream: &MediaStream) -> impl Iterator<Item = MediaStreamTrack> + use<> {
    let tracks = stream.get_tracks().to_vec().into_iter();
    tracks.filter_map(|track| track.dyn_into().ok())
}

fn denial(error: &JsValue) -> Denial {
    // Not all that browsers throw here are a `DOMException`.
    let name = get(error, "name").as_string().unwrap_or_default();
    match name.as_str() {
        "NotAllowedError" | "SecurityError" => Denial::NotAllowed,
        "NotFoundError" | "OverconstrainedError" => Denial::NotFound,
        "NotReadableError" | "AbortError" => Denial::NotReadable,
        _ => Denial::Missing,
    }
}
