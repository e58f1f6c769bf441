//! The camera and the microphone.

use js_sys::JSON;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DomException, HtmlVideoElement, MediaDevices, MediaStream, MediaStreamConstraints,
    MediaStreamTrack, MediaStreamTrackState,
};

/// Wishes, from the best to the least. `ideal` only, so that no camera is refused for what it can't do;
/// the rear camera, because what is asked for is mostly in front of the person. The last one is for
/// devices without a microphone.
const WISHES: [(&str, bool); 3] = [
    (
        r#"{"facingMode":{"ideal":"environment"},"width":{"ideal":1280},"height":{"ideal":720},"frameRate":{"ideal":30}}"#,
        true,
    ),
    ("true", true),
    ("true", false),
];

/// Why there is no camera, in the browser's terms.
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

/// A camera that is on. Dropping it switches it off.
#[derive(Debug)]
pub struct Camera {
    stream: MediaStream,
}

impl Camera {
    /// Switches it on; the browser asks the person first. One prompt for picture and sound.
    pub async fn open() -> Result<Self, Denial> {
        let window = web_sys::window().ok_or(Denial::Missing)?;
        if !window.is_secure_context() {
            return Err(Denial::Insecure);
        }
        let devices = window
            .navigator()
            .media_devices()
            .map_err(|_| Denial::Missing)?;
        // In-app browsers may leave it undefined, whatever its type says.
        if devices.is_undefined() {
            return Err(Denial::Missing);
        }
        let mut denial = Denial::Missing;
        for (video, sound) in WISHES {
            match ask(&devices, video, sound).await {
                Ok(stream) => return Ok(Self { stream }),
                Err(Denial::NotAllowed) => return Err(Denial::NotAllowed),
                Err(other) => denial = other,
            }
        }
        Err(denial)
    }

    /// Shows its picture.
    pub fn show_in(&self, video: &HtmlVideoElement) {
        video.set_src_object(Some(&self.stream));
    }

    /// Whether it looks at the person: then the preview is a mirror. A laptop's camera doesn't say.
    pub fn faces_person(&self) -> bool {
        let track = self
            .stream
            .get_video_tracks()
            .get(0)
            .dyn_into::<MediaStreamTrack>();
        let facing = track
            .ok()
            .and_then(|track| track.get_settings().get_facing_mode());
        facing.is_none_or(|facing| facing == "user")
    }

    /// Whether picture and sound still come: a camera may be unplugged or taken away at any time.
    pub fn is_live(&self) -> bool {
        self.tracks()
            .all(|track| track.ready_state() == MediaStreamTrackState::Live)
    }

    pub(super) fn stream(&self) -> &MediaStream {
        &self.stream
    }

    /// Picture and sound, each.
    pub(super) fn tracks(&self) -> impl Iterator<Item = MediaStreamTrack> {
        let tracks = self.stream.get_tracks();
        tracks
            .iter()
            .filter_map(|track| track.dyn_into().ok())
            .collect::<Vec<_>>()
            .into_iter()
    }
}

impl Drop for Camera {
    fn drop(&mut self) {
        self.tracks().for_each(|track| track.stop());
    }
}

async fn ask(devices: &MediaDevices, video: &str, sound: bool) -> Result<MediaStream, Denial> {
    let constraints = MediaStreamConstraints::new();
    constraints.set_video(&JSON::parse(video).map_err(denial)?);
    constraints.set_audio(&JsValue::from_bool(sound));
    let asking = devices
        .get_user_media_with_constraints(&constraints)
        .map_err(denial)?;
    JsFuture::from(asking)
        .await
        .map_err(denial)?
        .dyn_into()
        .map_err(denial)
}

fn denial(error: JsValue) -> Denial {
    let name = error
        .dyn_ref::<DomException>()
        .map(DomException::name)
        .unwrap_or_default();
    match name.as_str() {
        "NotAllowedError" | "SecurityError" => Denial::NotAllowed,
        "NotFoundError" => Denial::NotFound,
        "NotReadableError" | "AbortError" => Denial::NotReadable,
        _ => Denial::Missing,
    }
}
