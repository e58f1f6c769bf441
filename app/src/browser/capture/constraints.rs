//! What the person wants to record, and the `MediaStreamConstraints` for it.

use wasm_bindgen::JsValue;

use crate::browser::js::object;

/// What the person wants to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureOptions {
    /// The screen instead of a camera.
    pub screen: bool,
    /// The camera that faces the person. Phones list all their lenses; people tell two sides apart.
    pub front: bool,
    /// Whether to record the microphone.
    pub audio: bool,
    /// `deviceId` of a camera; empty: any.
    pub camera: String,
    /// `deviceId` of a microphone; empty: any.
    pub microphone: String,
    /// Whether to ask for 1920×1080 instead of 1280×720.
    pub full_hd: bool,
}

/// One of the two tracks of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// The camera or the screen.
    Video,
    /// The microphone.
    Audio,
}

impl TrackKind {
    /// `MediaStreamTrack.kind`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Audio => "audio",
        }
    }
}

impl CaptureOptions {
    /// The same with any camera.
    pub(super) fn with_any_camera(&self) -> Self {
        Self {
            camera: String::new(),
            ..self.clone()
        }
    }

    /// The same with any microphone.
    pub(super) fn with_any_microphone(&self) -> Self {
        Self {
            microphone: String::new(),
            ..self.clone()
        }
    }

    /// Constraints of the video.
    /// Resolution and frame rate are `ideal` only, so that no camera is refused for lacking them.
    pub(super) fn video_constraints(&self) -> JsValue {
        let ideal = |value: JsValue| object(&[("ideal", value)]);
        let source = if self.camera.is_empty() {
            let facing = if self.front { "user" } else { "environment" };
            ("facingMode", ideal(facing.into()))
        } else {
            (
                "deviceId",
                object(&[("exact", self.camera.as_str().into())]),
            )
        };
        let (width, height) = if self.full_hd {
            (1920, 1080)
        } else {
            (1280, 720)
        };
        object(&[
            source,
            ("width", ideal(width.into())),
            ("height", ideal(height.into())),
            ("frameRate", ideal(30.into())),
        ])
    }

    /// Constraints of the audio, which is recorded unprocessed: the browser's processing for calls removes the rattle
    /// of a machine, or the voice from a loudspeaker.
    pub(super) fn audio_constraints(&self) -> JsValue {
        if !self.audio {
            return JsValue::FALSE;
        }
        let device = match self.microphone.as_str() {
            "" => JsValue::UNDEFINED,
            microphone => object(&[("exact", microphone.into())]),
        };
        object(&[
            ("deviceId", device),
            ("noiseSuppression", false.into()),
            ("echoCancellation", false.into()),
        ])
    }
}
