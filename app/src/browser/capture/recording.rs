//! `MediaRecorder`.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BlobEvent, MediaRecorder, MediaStreamTrack, RecordingState};

use super::tracks::same_track;
use super::{CaptureStream, TrackKind};
use crate::browser::blob::Piece;
use crate::browser::js::{get_field, object};
use crate::browser::listener::Listener;

/// The media type in WebKit: H.264 and AAC.
///
/// WebKitGTK's WebM is broken after a pause. Where a profile and level are named, WebKitGTK records nothing larger than
/// they allow.
const WEBKIT_TYPE: &str = "video/mp4";

/// The media types in other browsers, in order of preference; the empty type leaves the choice to the browser.
///
/// The WebM type names both codecs; a bare `video/mp4` may come as VP9 with Opus.
const OTHER_TYPES: [&str; 4] = ["video/webm;codecs=vp8,opus", "video/webm", "video/mp4", ""];

/// The timeslice. A crash loses at most what wasn't handed out yet.
const TIMESLICE_MS: i32 = 500;

/// The timeslice in WebKit, where each piece begins with a key frame: a shorter one would encode too many.
const WEBKIT_TIMESLICE_MS: i32 = KEY_FRAME_INTERVAL_MS;

/// How precisely the video can be sought.
const KEY_FRAME_INTERVAL_MS: i32 = 1000;

/// WebKit loses the end of the audio when it is stopped at once.
const WEBKIT_STOP_DELAY_MS: u32 = 200;

/// A camera that is muted for longer was taken away, by a call or by the lock screen.
const MAX_MUTE_MS: u32 = 1500;

/// Bits per second.
#[derive(Clone, Copy, Debug)]
pub struct Bitrates {
    /// Of the video.
    pub video: u32,
    /// Of the audio.
    pub audio: u32,
}

/// A `MediaRecorder` that was started; stopped and silenced when dropped.
pub struct Recording {
    recorder: MediaRecorder,
    is_webkit: bool,
    // The browser calls these for as long as it records.
    _on_piece: Closure<dyn FnMut(BlobEvent)>,
    _on_stop: Closure<dyn FnMut()>,
    _track_listeners: Vec<Listener>,
    /// The camera, which may be muted while the recorder is paused.
    camera: Option<MediaStreamTrack>,
}

impl Recording {
    /// Starts recording. `None`: the browser can't record this stream.
    ///
    /// `on_end` is called once, after the last piece, however the recording ends.
    pub fn start(
        stream: &CaptureStream,
        bitrates: Bitrates,
        on_piece: impl Fn(Piece) + 'static,
        on_end: impl FnOnce() + 'static,
    ) -> Option<Self> {
        let is_webkit = is_webkit();
        let timeslice_ms = if is_webkit {
            WEBKIT_TIMESLICE_MS
        } else {
            TIMESLICE_MS
        };
        let media_types = is_webkit.then_some(WEBKIT_TYPE).into_iter();
        // `isTypeSupported` is wrong on some machines; then `start` throws, and the next type is tried.
        let recorder = media_types
            .chain(OTHER_TYPES)
            .filter(|it| it.is_empty() || MediaRecorder::is_type_supported(it))
            .find_map(|it| start_recorder(stream, it, bitrates, timeslice_ms).ok())?;

        let on_piece = Closure::<dyn FnMut(BlobEvent)>::new(move |event: BlobEvent| {
            if let Some(blob) = event.data() {
                on_piece(Piece::new(blob));
            }
        });
        recorder.set_ondataavailable(Some(on_piece.as_ref().unchecked_ref()));

        // The end of an MP4 may come in two pieces, so only `stop` tells that the recording is complete.
        let on_end = RefCell::new(Some(on_end));
        let on_stop = Closure::<dyn FnMut()>::new(move || {
            if let Some(on_end) = on_end.borrow_mut().take() {
                on_end();
            }
        });
        recorder.set_onstop(Some(on_stop.as_ref().unchecked_ref()));

        let mut track_listeners = Vec::new();
        let video = stream.track(TrackKind::Video);
        if let Some(video) = &video {
            // The recorder would go on with the audio alone.
            let ended = recorder.clone();
            track_listeners.push(Listener::new(video, "ended", move |_| stop(&ended)));
            // The track of a screen on which nothing moves is muted too.
            if !stream.is_screen() {
                let (muted, track) = (recorder.clone(), same_track(video));
                let on_mute = move |_| stop_if_still_muted(&track, &muted);
                track_listeners.push(Listener::new(video, "mute", on_mute));
            }
        }
        Some(Self {
            recorder,
            is_webkit,
            _on_piece: on_piece,
            _on_stop: on_stop,
            _track_listeners: track_listeners,
            camera: video.filter(|_| !stream.is_screen()),
        })
    }

    /// Stops the recorder, which hands out the remaining pieces and then calls `on_end`.
    pub fn stop(&self) {
        let recorder = self.recorder.clone();
        if self.is_webkit {
            Timeout::new(WEBKIT_STOP_DELAY_MS, move || stop(&recorder)).forget();
        } else {
            stop(&recorder);
        }
    }

    /// Pauses the recorder. `false`: it isn't recording.
    pub fn pause(&self) -> bool {
        // A paused recorder hands out nothing, so what it holds would stay unsaved.
        self.request_piece();
        self.recorder.state() == RecordingState::Recording && self.recorder.pause().is_ok()
    }

    /// Resumes the recorder. `false`: it isn't paused.
    pub fn resume(&self) -> bool {
        let resumed =
            self.recorder.state() == RecordingState::Paused && self.recorder.resume().is_ok();
        // The camera may have been taken away during the pause, when its `mute` was ignored, or not be given back after
        // it.
        if let Some(camera) = self.camera.as_ref().filter(|_| resumed) {
            stop_if_still_muted(camera, &self.recorder);
        }
        resumed
    }

    /// Makes the recorder hand out what it holds, before the timeslice ends.
    pub fn request_piece(&self) {
        if self.recorder.state() == RecordingState::Recording {
            // Fails only for an inactive recorder.
            let _ = self.recorder.request_data();
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.recorder.set_ondataavailable(None);
        self.recorder.set_onstop(None);
        stop(&self.recorder);
    }
}

/// Stops a recorder that may have been stopped already, by the person or by the camera: a second `stop` throws.
fn stop(recorder: &MediaRecorder) {
    if recorder.state() != RecordingState::Inactive {
        // Fails only for an inactive recorder.
        let _ = recorder.stop();
    }
}

/// Stops the recorder if the camera is still muted after a moment.
/// While the recorder is paused that means nothing: WebKit mutes the tracks of a paused recorder itself.
fn stop_if_still_muted(camera: &MediaStreamTrack, recorder: &MediaRecorder) {
    let (camera, recorder) = (same_track(camera), recorder.clone());
    let check = move || {
        if recorder.state() == RecordingState::Recording && camera.muted() {
            stop(&recorder);
        }
    };
    Timeout::new(MAX_MUTE_MS, check).forget();
}

fn start_recorder(
    stream: &CaptureStream,
    media_type: &str,
    bitrates: Bitrates,
    timeslice_ms: i32,
) -> Result<MediaRecorder, JsValue> {
    // The empty type is the default.
    let options = object(&[
        ("mimeType", media_type.into()),
        ("videoBitsPerSecond", bitrates.video.into()),
        ("audioBitsPerSecond", bitrates.audio.into()),
        // Newer than the others; older browsers ignore it.
        (
            "videoKeyFrameIntervalDuration",
            KEY_FRAME_INTERVAL_MS.into(),
        ),
    ]);
    let recorder = MediaRecorder::new_with_media_stream_and_media_recorder_options(
        stream.stream(),
        options.unchecked_ref(),
    )?;
    recorder.start_with_time_slice(timeslice_ms)?;
    Ok(recorder)
}

fn is_webkit() -> bool {
    let vendor = web_sys::window().map(|window| get_field(&window.navigator(), "vendor"));
    let vendor = vendor.and_then(|it| it.as_string());
    vendor.is_some_and(|it| it.starts_with("Apple"))
}
