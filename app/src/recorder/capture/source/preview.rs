//! Shows the open source.

use leptos::task::spawn_local;

use crate::browser;
use crate::browser::capture::{CaptureStream, Devices};
use crate::browser::dom::element;
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::controller::Recorder;

/// Less storage than this, in bytes, is soon used up.
const LOW_STORAGE: f64 = 300e6;

impl Recorder {
    /// Shows whether sound is missing.
    pub(in crate::recorder::capture) fn show_sound(self, stream: &CaptureStream) {
        let has_audio = stream.has_audio();
        self.set_flag(Flag::NoAudio, !has_audio);
        self.set_flag(Flag::NoMicrophone, has_audio && !stream.has_microphone());
    }

    /// Shows the stream in the preview, and starts to monitor it.
    pub(super) fn show_preview(self) {
        {
            let stream = self.source.stream.borrow();
            let Some(stream) = stream.as_ref() else {
                return;
            };
            if let Some(video) = self.page.video(Element::Live) {
                stream.attach(&video);
                element::toggle_class(&video, "preview__video--mirrored", stream.faces_person());
            }
        }
        self.start_monitor();
        spawn_local(async move {
            let available = browser::storage::indexed_db::available_bytes().await;
            let is_low = available.is_some_and(|bytes| bytes < LOW_STORAGE);
            self.set_flag(Flag::LowStorage, is_low);
            self.show_devices(&Devices::list().await);
        });
    }

    /// Detaches the stream from the preview.
    /// Necessary before its tracks are stopped: WebKitGTK may hang where a `<video>` still plays one.
    pub(super) fn detach_preview(self) {
        if let Some(video) = self.page.video(Element::Live) {
            video.set_src_object(None);
        }
    }
}
