//! `MediaRecorder`.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use js_sys::Reflect;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BlobEvent, MediaRecorder, MediaRecorderOptions, MediaStreamTrack, RecordingState};

use super::js::get;
use super::listener::Listener;
use super::{Camera, Piece};

/// H.264 and AAC, in WebKit alone. WebKitGTK's WebM is broken after a pause, and where a profile and level are named it
/// records nothing larger than they allow.
const WEBKIT: &str = "video/mp4";

/// Both codecs named: a bare `video/mp4` may come as VP9 with Opus. The empty one leaves it to the browser.
const OTHERS: [&str; 4] = ["video/webm;codecs=vp8,opus", "video/webm", "video/mp4", ""];

/// How often the browser hands out what it has. A crash loses what it has not.
const PIECE_MS: i32 = 500;

/// In WebKit each piece begins with a key frame, and so shorter ones would cost more of them than are wanted.
const WEBKIT_PIECE_MS: i32 = KEY_FRAME_MS;

/// How finely the video can be sought.
const KEY_FRAME_MS: i32 = 1000;

/// WebKit loses the end of the sound when it is stopped at once.
const WEBKIT_TAIL_MS: u32 = 200;

/// A camera that gives nothing for so long was taken away: by a call, or by the lock of the screen.
const LONGEST_MUTE_MS: u32 = 1500;

/// A recording under way.
pub struct Recording {
    recorder: MediaRecorder,
    webkit: bool,
    // The browser calls these for as long as it records.
    _on_piece: Closure<dyn FnMut(BlobEvent)>,
    _on_stop: Closure<dyn FnMut()>,
    _on_trouble: Vec<Listener>,
    /// The camera's, which may be muted while the recorder is paused.
    picture: Option<MediaStreamTrack>,
}

impl Recording {
    /// Starts recording, with so many bits a second. `on_end` is called once, after the last piece, however
    /// it ends; `on_silence` when the microphone is lost, and the picture goes on. `None`: the browser can't.
    pub fn start(
        camera: &Camera,
        (video_rate, audio_rate): (u32, u32),
        on_piece: impl Fn(Piece) + 'static,
        on_silence: impl Fn() + 'static,
        on_end: impl FnOnce() + 'static,
    ) -> Option<Self> {
        let webkit = is_webkit();
        let piece_ms = if webkit { WEBKIT_PIECE_MS } else { PIECE_MS };
        let wishes = webkit.then_some(WEBKIT).into_iter().chain(OTHERS);
        // `isTypeSupported` is wrong on some machines, and then `start` throws: on to the next.
        let recorder = wishes
            .filter(|wish| wish.is_empty() || MediaRecorder::is_type_supported(wish))
            .find_map(|wish| prepare(camera, wish, video_rate, audio_rate, piece_ms).ok())?;

        let on_piece = Closure::<dyn FnMut(BlobEvent)>::new(move |event: BlobEvent| {
            if let Some(blob) = event.data() {
                on_piece(Piece::new(blob));
            }
        });
        recorder.set_ondataavailable(Some(on_piece.as_ref().unchecked_ref()));

        // MP4 may come in two pieces at the end: `stop` is the only sign that it is over.
        let on_end = RefCell::new(Some(on_end));
        let on_stop = Closure::<dyn FnMut()>::new(move || {
            if let Some(on_end) = on_end.borrow_mut().take() {
                on_end();
            }
        });
        recorder.set_onstop(Some(on_stop.as_ref().unchecked_ref()));

        let mut on_trouble = Vec::new();
        let picture = camera.picture();
        if let Some(picture) = &picture {
            // A camera that is pulled leaves the sound recording: end it instead.
            let pulled = recorder.clone();
            on_trouble.push(Listener::new(picture, "ended", move |_| stop(&pulled)));
            // A screen on which nothing moves is muted too.
            if !camera.is_screen() {
                let (muted, track) = (recorder.clone(), picture.clone());
                let on_mute = move |_| end_if_muted(&track, &muted);
                on_trouble.push(Listener::new(picture, "mute", on_mute));
            }
        }
        if let Some(sound) = camera.sound() {
            on_trouble.push(Listener::new(&sound, "ended", move |_| on_silence()));
        }
        Some(Self {
            recorder,
            webkit,
            _on_piece: on_piece,
            _on_stop: on_stop,
            _on_trouble: on_trouble,
            picture: picture.filter(|_| !camera.is_screen()),
        })
    }

    /// Ends it. The rest comes as pieces, and then `on_end`.
    pub fn stop(&self) {
        let recorder = self.recorder.clone();
        if self.webkit {
            Timeout::new(WEBKIT_TAIL_MS, move || stop(&recorder)).forget();
        } else {
            stop(&recorder);
        }
    }

    /// Holds it. `false`: it can't be held now.
    pub fn pause(&self) -> bool {
        // What there is up to now is handed out, so that it is safe while nothing comes.
        self.flush();
        self.recorder.state() == RecordingState::Recording && self.recorder.pause().is_ok()
    }

    /// Goes on with it. `false`: it can't go on.
    pub fn resume(&self) -> bool {
        let goes_on =
            self.recorder.state() == RecordingState::Paused && self.recorder.resume().is_ok();
        // The camera may have been taken away meanwhile, or not be given back.
        if let Some(picture) = self.picture.as_ref().filter(|_| goes_on) {
            end_if_muted(picture, &self.recorder);
        }
        goes_on
    }

    /// Hands out what there is right now.
    pub fn flush(&self) {
        if self.recorder.state() == RecordingState::Recording {
            // Only an inactive recorder refuses.
            let _ = self.recorder.request_data();
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // Whoever lets go of it hears no more of it.
        self.recorder.set_ondataavailable(None);
        self.recorder.set_onstop(None);
        stop(&self.recorder);
    }
}

/// Whether this browser has a recorder at all.
pub fn can_record() -> bool {
    web_sys::window().is_some_and(|window| !get(&window, "MediaRecorder").is_undefined())
}

/// Stopping twice throws, and the person and the camera may both want to.
fn stop(recorder: &MediaRecorder) {
    if recorder.state() != RecordingState::Inactive {
        // Only an inactive recorder refuses.
        let _ = recorder.stop();
    }
}

/// Stops if the camera still gives nothing after a moment. While the recorder is paused that means nothing: WebKit mutes
/// the tracks of a paused recorder itself.
fn end_if_muted(picture: &MediaStreamTrack, recorder: &MediaRecorder) {
    let (picture, recorder) = (picture.clone(), recorder.clone());
    let judge = move || {
        if recorder.state() == RecordingState::Recording && picture.muted() {
            stop(&recorder);
        }
    };
    Timeout::new(LONGEST_MUTE_MS, judge).forget();
}

fn prepare(
    camera: &Camera,
    media_type: &str,
    video_rate: u32,
    audio_rate: u32,
    piece_ms: i32,
) -> Result<MediaRecorder, JsValue> {
    let options = MediaRecorderOptions::new();
    if !media_type.is_empty() {
        options.set_mime_type(media_type);
    }
    options.set_video_bits_per_second(video_rate);
    options.set_audio_bits_per_second(audio_rate);
    // Newer than web-sys; older browsers ignore it.
    Reflect::set(
        &options,
        &"videoKeyFrameIntervalDuration".into(),
        &KEY_FRAME_MS.into(),
    )?;
    let stream = camera.stream();
    let recorder =
        MediaRecorder::new_with_media_stream_and_media_recorder_options(stream, &options)?;
    recorder.start_with_time_slice(piece_ms)?;
    Ok(recorder)
}

fn is_webkit() -> bool {
    let vendor = web_sys::window().map(|window| get(&window.navigator(), "vendor"));
    let vendor = vendor.and_then(|it| it.as_string());
    vendor.is_some_and(|it| it.starts_with("Apple"))
}
