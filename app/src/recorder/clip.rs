//! The take as the person looks at it, and saves it.

use leptos::task::spawn_local;

use super::bindings::{Element, Flag, Slot};
use super::controller::Recorder;
use super::spool::Recorded;
use crate::browser::{self, Clip};
use crate::format;

impl Recorder {
    /// All of it is here: it can be played.
    pub(super) fn finish_take(self) {
        let (name, pieces, length_ms) = {
            let take = self.take.borrow();
            let Some(take) = take.as_ref() else { return };
            let _ = take.recorded.unbounded_send(Recorded::End);
            // What a file says of its length is right.
            let length_ms = take.pieces.last().filter(|_| !take.kept.is_file);
            let length_ms = length_ms.map(|(_, until_ms)| *until_ms);
            let pieces: Vec<_> = take.pieces.iter().map(|(piece, _)| piece.clone()).collect();
            (take.kept.name.clone(), pieces, length_ms)
        };
        spawn_local(async move {
            let clip = Clip::new(pieces, length_ms).await;
            // The take may be gone meanwhile.
            if self.name() == name {
                self.show_clip(clip);
            }
        });
    }

    fn show_clip(self, clip: Option<Clip>) {
        self.flag(Flag::HasClip, clip.is_some());
        let url = clip.as_ref().map(|it| it.url().to_owned());
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.clip = clip;
        }
        for video in self.page.videos(Element::Review) {
            video.set_src(url.as_deref().unwrap_or_default());
        }
    }

    /// Only when it plays does a file say how long it is.
    pub(super) fn learn_length(self, seconds: f64) {
        if self.has(Flag::IsFile) && seconds.is_finite() {
            let length = format::duration(seconds * 1000.0);
            self.page.fill_in(Slot::Recorded, &length);
        }
    }

    /// Hands the take to the person, as a file.
    pub(super) fn save(self) {
        let take = self.take.borrow();
        let Some(take) = take.as_ref() else { return };
        if let (Some(clip), Some((first, _))) = (&take.clip, take.pieces.first()) {
            let media_type = first.media_type();
            let extension = match media_type.split(';').next() {
                Some("video/mp4") => "mp4",
                Some("video/quicktime") => "mov",
                Some("video/x-matroska") => "mkv",
                _ => "webm",
            };
            browser::save(clip.url(), &format!("video.{extension}"));
        }
    }
}
