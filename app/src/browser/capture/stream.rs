//! A stream of camera or screen, and of the microphone.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::{HtmlVideoElement, MediaDevices, MediaStream, MediaStreamTrack};

use super::constraints::{CaptureOptions, TrackKind};
use super::devices::media_devices;
use super::requests::{
    CaptureError, get_display_media, get_user_media, is_only_microphone_blocked,
};
use super::sound_mixer::SoundMixer;
use super::tracks::{is_ended, is_lost, same_track, tracks};
use crate::browser::js::{get_field, set_field};

/// An open `MediaStream`. Clones share it; the last one to be dropped stops its tracks.
#[derive(Clone)]
pub struct CaptureStream(Rc<OpenStream>);

struct OpenStream {
    /// What is recorded: one video track, and one audio track at most.
    stream: MediaStream,
    is_screen: bool,
    /// The sound of a shared screen, such as of a tab, if the person shares it.
    shared_sound: Option<MediaStream>,
    /// Mixes that sound with the microphone.
    mixer: RefCell<Option<SoundMixer>>,
}

impl CaptureStream {
    /// Opens a stream; the browser asks the person for permission, once for video and audio.
    pub async fn open(options: &CaptureOptions) -> Result<Self, CaptureError> {
        let devices = media_devices()?;
        if options.screen {
            return Self::open_screen(&devices, options).await;
        }
        let any_camera = options.with_any_camera();
        let any_audio = || options.with_any_microphone().audio_constraints();
        let mut last_error = CaptureError::Unsupported;
        // In order of preference: another microphone, no audio, another camera on the same side.
        for (video, audio) in [
            (options.video_constraints(), options.audio_constraints()),
            (options.video_constraints(), any_audio()),
            (options.video_constraints(), JsValue::FALSE),
            (any_camera.video_constraints(), any_audio()),
            (any_camera.video_constraints(), JsValue::FALSE),
        ] {
            match get_user_media(&devices, &video, &audio).await {
                Ok(stream) => return Ok(Self::new(stream, false)),
                // Where only the microphone is blocked for good, the video is recorded alone; the page says so.
                Err(CaptureError::NotAllowed)
                    if options.audio && is_only_microphone_blocked().await =>
                {
                    let video = options.video_constraints();
                    let stream = get_user_media(&devices, &video, &JsValue::FALSE).await?;
                    return Ok(Self::new(stream, false));
                }
                Err(CaptureError::NotAllowed) => return Err(CaptureError::NotAllowed),
                Err(error) => last_error = error,
            }
        }
        Err(last_error)
    }

    fn new(stream: MediaStream, is_screen: bool) -> Self {
        Self(Rc::new(OpenStream {
            // The microphone isn't open yet.
            shared_sound: is_screen.then(|| take_sound(&stream)).flatten(),
            stream,
            is_screen,
            mixer: RefCell::default(),
        }))
    }

    async fn open_screen(
        devices: &MediaDevices,
        options: &CaptureOptions,
    ) -> Result<Self, CaptureError> {
        let shared = Self::new(get_display_media(devices, options).await?, true);
        if options.audio {
            // Without the microphone the screen is still recorded; the page says that there is no audio.
            let _ = shared.replace_track(TrackKind::Audio, options).await;
        }
        Ok(shared)
    }

    /// Replaces one track by another device's, or removes the audio track if the options have no audio.
    /// The microphone is mixed with the sound of the screen, if that has one.
    ///
    /// The old track is stopped first: phones open one camera at a time.
    pub async fn replace_track(
        &self,
        kind: TrackKind,
        options: &CaptureOptions,
    ) -> Result<(), CaptureError> {
        self.remove_tracks(kind);
        let (video, audio) = match kind {
            TrackKind::Video => (options.video_constraints(), JsValue::FALSE),
            TrackKind::Audio if !options.audio => return Ok(()),
            TrackKind::Audio => (JsValue::FALSE, options.audio_constraints()),
        };
        if self.0.shared_sound.is_some() {
            // From the loudspeaker it would be recorded a second time.
            set_field(&audio, "echoCancellation", &JsValue::TRUE);
        }
        let mut opened = get_user_media(&media_devices()?, &video, &audio).await;
        if let (TrackKind::Audio, Some(shared)) = (kind, &self.0.shared_sound) {
            opened = self.mix(shared, opened);
        }
        for track in tracks(&opened?) {
            self.0.stream.add_track(&track);
        }
        Ok(())
    }

    /// Mixes the sound of the screen with the microphone, if that could be opened.
    fn mix(
        &self,
        shared: &MediaStream,
        microphone: Result<MediaStream, CaptureError>,
    ) -> Result<MediaStream, CaptureError> {
        let Some(mixer) = SoundMixer::new(shared, microphone.as_ref().ok()) else {
            return microphone;
        };
        let mixed = mixer.mixed();
        self.0.mixer.replace(Some(mixer));
        Ok(mixed)
    }

    fn remove_tracks(&self, kind: TrackKind) {
        for track in self.tracks().filter(|track| track.kind() == kind.name()) {
            track.stop();
            self.0.stream.remove_track(&track);
        }
        if kind == TrackKind::Audio {
            self.0.mixer.replace(None);
        }
    }

    /// Whether both are clones of one stream.
    pub fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Plays the stream in a `<video>`.
    pub fn attach(&self, video: &HtmlVideoElement) {
        video.set_src_object(Some(&self.0.stream));
    }

    /// Whether the camera faces the person, so that the preview is mirrored.
    /// A laptop's camera reports no `facingMode`.
    pub fn faces_person(&self) -> bool {
        let facing = setting(self.track(TrackKind::Video), "facingMode");
        !self.0.is_screen && facing.is_none_or(|facing| facing == "user")
    }

    /// The `deviceId` of the camera and of the microphone.
    pub fn device_ids(&self) -> (String, String) {
        let id = |track| setting(track, "deviceId").unwrap_or_default();
        (id(self.track(TrackKind::Video)), id(self.microphone()))
    }

    /// Width and height of the frames, as far as the browser knows them; else 0.
    pub fn frame_size(&self) -> (u32, u32) {
        let settings = self.track(TrackKind::Video).map(|it| it.get_settings());
        let settings = settings.map(JsValue::from).unwrap_or_default();
        // Whole numbers.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let number = |name| get_field(&settings, name).as_f64().unwrap_or_default() as u32;
        (number("width"), number("height"))
    }

    /// Whether it shows a screen.
    pub fn is_screen(&self) -> bool {
        self.0.is_screen
    }

    /// Whether it has an audio track that hasn't ended.
    pub fn has_audio(&self) -> bool {
        self.has_live_track(TrackKind::Audio)
    }

    /// Whether sound that should be recorded isn't any more: a microphone is unplugged or taken by a call, a tab's sound
    /// ends.
    pub fn has_lost_sound(&self) -> bool {
        match self.0.mixer.borrow().as_ref() {
            Some(mixer) => mixer.has_lost_sound(),
            None => self.track(TrackKind::Audio).as_ref().is_some_and(is_lost),
        }
    }

    /// Whether the microphone could be opened.
    pub fn has_microphone(&self) -> bool {
        self.microphone().is_some()
    }

    /// Whether its video track hasn't ended: a camera may be unplugged, or taken by another program, at any time.
    pub fn is_live(&self) -> bool {
        self.has_live_track(TrackKind::Video)
    }

    fn has_live_track(&self, kind: TrackKind) -> bool {
        self.track(kind).is_some_and(|it| !is_ended(&it))
    }

    /// Whether the camera gives no frames for now, for example because of a switch on the device.
    /// The track of a screen on which nothing moves is muted too, so a screen never counts.
    pub fn is_muted(&self) -> bool {
        let video = self.track(TrackKind::Video);
        !self.0.is_screen && video.is_some_and(|it| it.muted())
    }

    /// Stops all tracks, also for the clones.
    pub fn stop(&self) {
        self.0.stop();
    }

    pub(super) fn stream(&self) -> &MediaStream {
        &self.0.stream
    }

    pub(super) fn track(&self, kind: TrackKind) -> Option<MediaStreamTrack> {
        self.tracks().find(|track| track.kind() == kind.name())
    }

    /// The track of the microphone, which isn't always the one that is recorded.
    fn microphone(&self) -> Option<MediaStreamTrack> {
        let mixer = self.0.mixer.borrow();
        match mixer.as_ref() {
            Some(mixer) => mixer.microphone().map(same_track),
            None => self.track(TrackKind::Audio),
        }
    }

    fn tracks(&self) -> impl Iterator<Item = MediaStreamTrack> + use<> {
        tracks(&self.0.stream)
    }
}

impl OpenStream {
    fn stop(&self) {
        tracks(&self.stream)
            .chain(self.shared_sound.iter().flat_map(tracks))
            .for_each(|track| track.stop());
        self.mixer.replace(None);
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Takes the audio out of a stream, as a stream of its own. `None`: there is none.
fn take_sound(stream: &MediaStream) -> Option<MediaStream> {
    let sound = MediaStream::new_with_tracks(&stream.get_audio_tracks()).ok()?;
    tracks(&sound).for_each(|track| stream.remove_track(&track));
    Some(sound).filter(MediaStream::active)
}

fn setting(track: Option<MediaStreamTrack>, name: &str) -> Option<String> {
    get_field(&track?.get_settings(), name).as_string()
}
