//! Opens camera, screen and microphone, and changes between them.

use std::cell::{Cell, RefCell};

use leptos::task::spawn_local;

use super::bitrate::FrameSize;
use super::lens::{self, Lens};
use super::{options, resolution};
use crate::browser::capture::{
    CaptureError, CaptureOptions, CaptureStream, Device, Devices, TrackKind,
};
use crate::browser::dom::element;
use crate::browser::{self, Hardware};
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase};

/// Less storage than this, in bytes, is soon used up.
const LOW_STORAGE: f64 = 300e6;

/// What is recorded: camera or screen, and the microphone.
pub struct Source {
    /// The person's choice, which outlives the page.
    options: RefCell<CaptureOptions>,
    /// A handle of the browser's stream.
    pub(super) stream: RefCell<Option<CaptureStream>>,
    /// Numbers the attempts to open a source in all states.
    attempts: Cell<u32>,
    /// The `deviceId` of the back camera to open, the main one or the person's choice; empty: any. Not stored: some
    /// browsers give cameras other ids on every visit.
    lens: RefCell<String>,
    /// Whether the page knew the cameras' names before it opened one: then the browser doesn't ask for permission. `None`:
    /// it has opened none yet. Only phones need it.
    knows_cameras: Cell<Option<bool>>,
    /// The preview has dropped frames of 1920×1080.
    pub(super) stutters: Cell<bool>,
    /// The open camera was asked for 1920×1080.
    full_hd: Cell<bool>,
}

impl Source {
    /// Nothing is open.
    pub fn new(options: CaptureOptions) -> Self {
        Self {
            options: RefCell::new(options),
            stream: RefCell::default(),
            attempts: Cell::default(),
            lens: RefCell::default(),
            knows_cameras: Cell::default(),
            stutters: Cell::default(),
            full_hd: Cell::default(),
        }
    }
}

impl Recorder {
    /// Sets the flags for what this device can record.
    pub(in crate::recorder) fn detect_sources(self) {
        let (camera, screen) = browser::capture::capture_support();
        self.set_flag(Flag::HasCamera, camera);
        self.set_flag(Flag::HasScreen, screen);
        self.set_flag(Flag::IsHandheld, browser::is_handheld());
        let (is_screen, audio) = {
            let options = self.source.options.borrow();
            (options.screen && screen, options.audio)
        };
        self.set_flag(Flag::IsScreen, is_screen);
        self.show_audio_toggle(audio);
    }

    /// Shows in all toggles whether the microphone is recorded.
    pub(in crate::recorder) fn show_audio_toggle(self, on: bool) {
        self.page
            .elements(Element::AudioToggle)
            .for_each(|it| element::set_checked(it, on));
    }

    /// Changes the options and stores them.
    pub(in crate::recorder) fn update_options(self, change: impl FnOnce(&mut CaptureOptions)) {
        change(&mut self.source.options.borrow_mut());
        options::store(&self.source.options.borrow());
    }

    /// Opens the camera.
    pub(in crate::recorder) fn open_camera(self) {
        self.update_options(|options| options.screen = false);
        self.request_access();
    }

    /// Opens the screen.
    pub(in crate::recorder) fn share_screen(self) {
        self.update_options(|options| options.screen = true);
        self.request_access();
    }

    /// Requests access to the source that was chosen last.
    pub(in crate::recorder) fn request_access(self) {
        let attempt = self.source.attempts.get() + 1;
        self.source.attempts.set(attempt);
        self.try_dispatch(Event::RequestAccess { attempt });
    }

    /// Opens the source that was chosen last.
    pub(in crate::recorder) fn open_source(self) {
        let Phase::RequestingAccess { attempt } = self.phase() else {
            return;
        };
        self.clear_flags(&[Flag::Copied, Flag::Interrupted, Flag::Recovered]);
        let options = self.capture_options();
        self.set_flag(Flag::IsScreen, options.screen);
        if !browser::capture::can_record() {
            // Before the person is asked for access that would be of no use.
            return self.try_dispatch(Event::AccessFailed(Obstacle::Unsupported));
        }
        spawn_local(async move {
            let opened = self.open_stream(&options).await;
            // The person may have cancelled meanwhile; dropping the stream closes it.
            let is_awaited =
                matches!(self.phase(), Phase::RequestingAccess { attempt: it } if it == attempt);
            if !is_awaited {
                return;
            }
            match opened {
                Ok(stream) => {
                    self.source.stream.replace(Some(stream));
                    self.source.full_hd.set(options.full_hd);
                    self.reset_camera_tools();
                    self.show_preview();
                    self.try_dispatch(Event::AccessGranted);
                }
                Err(error) => {
                    let obstacle = obstacle(error, options.screen);
                    self.try_dispatch(Event::AccessFailed(obstacle));
                }
            }
        });
    }

    /// The person's choice, with the lens and the size for it.
    fn capture_options(self) -> CaptureOptions {
        let mut options = self.source.options.borrow().clone();
        if !options.front && options.camera.is_empty() {
            options.camera = self.source.lens.borrow().clone();
        }
        let size = resolution::choose(Hardware::detect(), self.throughput(), self.max_bytes);
        options.full_hd = size == FrameSize::FullHd && !self.source.stutters.get();
        options
    }

    /// The size of a stream's frames. Larger ones than were asked for are no reason for a higher bitrate: instead of
    /// 1280×720 some cameras deliver 1280×960.
    pub(super) fn frame_size(self, stream: &CaptureStream) -> FrameSize {
        if stream.is_screen() || !self.source.full_hd.get() {
            return FrameSize::Hd;
        }
        let (width, height) = stream.frame_size();
        FrameSize::of(width, height)
    }

    /// Opens a stream. Among several back cameras it is the main one, unless the person chose another.
    async fn open_stream(self, options: &CaptureOptions) -> Result<CaptureStream, CaptureError> {
        let is_first = self.source.knows_cameras.get().is_none();
        if is_first && !options.screen && self.has_flag(Flag::IsHandheld) {
            let devices = Devices::list().await;
            let is_named = |it: &Device| !it.label.is_empty();
            let knows = devices.cameras.iter().any(is_named);
            self.source.knows_cameras.set(Some(knows));
        }
        let stream = CaptureStream::open(options).await?;
        if self.use_main_lens(&stream, options).await.is_ok() {
            return Ok(stream);
        }
        stream.stop();
        CaptureStream::open(options).await
    }

    /// Replaces the back camera that the browser has opened by the main one, unless the person chose a camera. An error:
    /// now none is open.
    async fn use_main_lens(
        self,
        stream: &CaptureStream,
        options: &CaptureOptions,
    ) -> Result<(), CaptureError> {
        let is_chosen = options.screen || options.front || !options.camera.is_empty();
        if is_chosen || !self.has_flag(Flag::IsHandheld) {
            return Ok(());
        }
        // Only now, as browsers give the names only after access was granted.
        let devices = Devices::list().await;
        let (opened, _) = stream.device_ids();
        let Some(main) = lens::main_camera(&devices.cameras, &opened) else {
            return Ok(());
        };
        // Firefox on Android would ask for permission again, as it asks for each camera.
        let is_asked = self.source.knows_cameras.get() != Some(true)
            && !browser::capture::is_camera_granted().await;
        if is_asked {
            return Ok(());
        }
        let main = CaptureOptions {
            camera: main.to_owned(),
            ..options.clone()
        };
        stream.replace_track(TrackKind::Video, &main).await?;
        self.source.lens.replace(main.camera);
        Ok(())
    }

    /// Changes to a back camera, for as long as the page is open.
    pub(in crate::recorder) fn choose_lens(self, camera: String) {
        self.change_track(TrackKind::Video, Some(camera));
    }

    /// Changes between front and back camera.
    pub(in crate::recorder) fn flip_camera(self) {
        self.update_options(|options| {
            options.front = !options.front;
            options.camera.clear();
        });
        self.replace_track(TrackKind::Video);
    }

    /// Replaces a track of the preview by that of the chosen device.
    pub(in crate::recorder) fn replace_track(self, kind: TrackKind) {
        self.change_track(kind, None);
    }

    /// The same; the video is that of the back camera `lens`, if that is given. If it can't be opened, the one before is
    /// opened again.
    fn change_track(self, kind: TrackKind, lens: Option<String>) {
        let Some(stream) = self.source.stream.borrow().clone() else {
            return;
        };
        if !self.dispatch(Event::ReplaceTrack) {
            return;
        }
        let lens_before = lens.map(|it| self.source.lens.replace(it));
        let options = self.capture_options();
        if kind == TrackKind::Video {
            self.switch_torch_off();
        }
        self.detach_preview();
        spawn_local(async move {
            let mut replaced = stream.replace_track(kind, &options).await;
            let must_reopen = match (&replaced, lens_before) {
                (Ok(()), _) => {
                    kind == TrackKind::Video && self.use_main_lens(&stream, &options).await.is_err()
                }
                (Err(_), Some(lens)) => {
                    self.source.lens.replace(lens);
                    true
                }
                (Err(_), None) => false,
            };
            // The preview may have been closed meanwhile, and another one be open.
            let is_open = || {
                let current = self.source.stream.borrow();
                current.as_ref().is_some_and(|it| it.is_same(&stream))
            };
            if must_reopen && is_open() {
                replaced = stream.replace_track(kind, &self.capture_options()).await;
            }
            if !is_open() {
                return stream.stop();
            }
            self.try_dispatch(Event::TrackReplaced);
            match replaced {
                Ok(()) => {
                    if kind == TrackKind::Video {
                        self.source.full_hd.set(options.full_hd);
                        self.reset_camera_tools();
                    }
                    self.show_preview();
                }
                // The video is kept without audio.
                Err(_) if kind == TrackKind::Audio => {
                    self.show_audio_toggle(false);
                    self.show_preview();
                }
                Err(error) => self.try_dispatch(Event::AccessFailed(obstacle(error, false))),
            }
        });
    }

    /// Shows the stream in the preview, and starts to monitor it.
    fn show_preview(self) {
        {
            let stream = self.source.stream.borrow();
            let Some(stream) = stream.as_ref() else {
                return;
            };
            if let Some(video) = self.page.video(Element::Live) {
                stream.attach(&video);
                element::toggle_class(&video, "preview__video--mirrored", stream.faces_person());
            }
            self.set_flag(Flag::NoAudio, !stream.has_audio());
        }
        self.start_monitor();
        spawn_local(async move {
            let available = browser::storage::indexed_db::available_bytes().await;
            let is_low = available.is_some_and(|bytes| bytes < LOW_STORAGE);
            self.set_flag(Flag::LowStorage, is_low);
            self.show_devices(&Devices::list().await);
        });
    }

    /// Shows the cameras and microphones to choose from. Browsers give their names only after access was granted.
    pub(in crate::recorder) fn show_devices(self, devices: &Devices) {
        let stream = self.source.stream.borrow().clone();
        let ids = stream.as_ref().map(CaptureStream::device_ids);
        let (camera, microphone) = ids.unwrap_or_default();
        let several = |devices: &[Device]| devices.len() > 1;
        let handheld = self.has_flag(Flag::IsHandheld);
        let screen = self.has_flag(Flag::IsScreen);
        let several_cameras = !screen && several(&devices.cameras);
        self.set_flag(Flag::HasFrontAndBack, handheld && several_cameras);
        let cameras = !handheld && several_cameras;
        let microphones = several(&devices.microphones);
        self.set_flag(Flag::HasDeviceChoice, cameras || microphones);
        self.show_lenses(&devices.cameras, &camera);
        for (name, devices, selected, visible) in [
            (Element::Cameras, &devices.cameras, camera, cameras),
            (
                Element::Microphones,
                &devices.microphones,
                microphone,
                microphones,
            ),
        ] {
            for field in self.page.elements(name) {
                let options = devices.iter().map(|it| (&*it.id, &*it.label));
                element::set_options(field, options, &selected);
                element::set_field_visible(field, visible);
            }
        }
    }

    /// Shows the back cameras to choose from, if one of them is open.
    fn show_lenses(self, cameras: &[Device], opened: &str) {
        let is_camera = self.has_flag(Flag::IsHandheld) && !self.has_flag(Flag::IsScreen);
        let zooms = self.camera_tools.zooms_over_lenses();
        let lenses = match is_camera {
            true => lens::choices(cameras, opened, zooms),
            false => Vec::new(),
        };
        for field in self.page.elements(Element::Lenses) {
            let name = |lens: &Lens| match lens {
                Lens::Wide => element::data(field, "wide"),
                Lens::Main | Lens::Several => element::data(field, "main"),
                Lens::Tele => element::data(field, "tele"),
                Lens::Numbered(number) => {
                    format!("{} {number}", element::data(field, "numbered"))
                }
            };
            let names: Vec<_> = lenses.iter().map(|(id, lens)| (*id, name(lens))).collect();
            let options = names.iter().map(|(id, name)| (*id, name.as_str()));
            element::set_options(field, options, opened);
        }
        self.set_flag(Flag::HasLenses, !lenses.is_empty());
    }

    /// Closes the stream with its recording and its monitor.
    pub(in crate::recorder) fn close_stream(self) {
        self.switch_torch_off();
        self.monitor.replace(None);
        self.recording.replace(None);
        self.detach_preview();
        if let Some(stream) = self.source.stream.take() {
            // Explicitly, because clones of it may exist.
            stream.stop();
        }
        self.reset_camera_tools();
        self.clear_flags(&[Flag::Silent, Flag::Dark, Flag::Muted, Flag::LastMinute]);
    }

    /// Detaches the stream from the preview. Necessary before its tracks are stopped: WebKitGTK may hang where a
    /// `<video>` still plays one.
    fn detach_preview(self) {
        if let Some(video) = self.page.video(Element::Live) {
            video.set_src_object(None);
        }
    }
}

fn obstacle(error: CaptureError, is_screen: bool) -> Obstacle {
    match error {
        // To cancel the choice of a screen blocks nothing.
        CaptureError::NotAllowed | CaptureError::NotFound | CaptureError::NotReadable
            if is_screen =>
        {
            Obstacle::NoScreen
        }
        CaptureError::NotAllowed => Obstacle::Denied,
        CaptureError::NotFound => Obstacle::NoCamera,
        CaptureError::NotReadable => Obstacle::Busy,
        CaptureError::InsecureContext => Obstacle::Insecure,
        CaptureError::Unsupported => Obstacle::Unsupported,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_choice_of_a_screen_does_not_block_the_camera() {
        for (error, of_camera, of_screen) in [
            (
                CaptureError::NotAllowed,
                Obstacle::Denied,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::NotFound,
                Obstacle::NoCamera,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::NotReadable,
                Obstacle::Busy,
                Obstacle::NoScreen,
            ),
            (
                CaptureError::InsecureContext,
                Obstacle::Insecure,
                Obstacle::Insecure,
            ),
            (
                CaptureError::Unsupported,
                Obstacle::Unsupported,
                Obstacle::Unsupported,
            ),
        ] {
            assert_eq!(obstacle(error, false), of_camera);
            assert_eq!(obstacle(error, true), of_screen);
        }
    }
}
