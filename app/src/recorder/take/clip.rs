//! The take as the person plays and saves it.

use std::time::Duration;

use leptos::task::spawn_local;

use super::SpoolMessage;
use crate::browser;
use crate::browser::blob::Clip;
use crate::format;
use crate::recorder::bindings::{Element, Flag, Slot};
use crate::recorder::controller::Recorder;

/// How long a browser may take to load the head of a clip that is on this device.
const STUCK_AFTER: Duration = Duration::from_secs(5);

impl Recorder {
    /// Ends the take after its last piece, and shows it in the review.
    pub(in crate::recorder) fn finish_take(self) {
        let (name, pieces, duration_ms) = {
            let take = self.take.borrow();
            let Some(take) = take.as_ref() else { return };
            let _ = take.spool.unbounded_send(SpoolMessage::End);
            // The duration in a chosen file is right already.
            let last = take.pieces.last().filter(|_| !take.record.is_file);
            let duration_ms = last.map(|it| it.end_ms);
            let pieces: Vec<_> = take.pieces.iter().map(|it| it.piece.clone()).collect();
            (take.record.name.clone(), pieces, duration_ms)
        };
        spawn_local(async move {
            let clip = Clip::new(pieces, duration_ms).await;
            // The take may have been discarded meanwhile.
            if self.take_name() != name {
                return;
            }
            self.show_clip(clip);
            browser::sleep(STUCK_AFTER).await;
            if self.take_name() == name {
                self.note_stuck_clip();
            }
        });
    }

    /// Notes a clip that the browser has neither loaded nor refused: WebKitGTK does neither with about every sixth file
    /// that it can't play.
    fn note_stuck_clip(self) {
        // The first one plays it. What is shown once it is sent loads nothing before.
        let review = self.page.videos(Element::Review).next();
        if review.is_some_and(|it| it.duration().is_nan()) {
            self.note_not_playable();
        }
    }

    fn show_clip(self, clip: Option<Clip>) {
        self.set_flag(Flag::HasClip, clip.is_some());
        let url = clip.as_ref().map(|it| it.url().to_owned());
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.clip = clip;
        }
        for video in self.page.videos(Element::Review) {
            video.set_src(url.as_deref().unwrap_or_default());
        }
    }

    /// Shows the duration of a chosen file, which is known once the review has loaded it.
    pub(in crate::recorder) fn show_file_duration(self, seconds: f64) {
        if self.has_flag(Flag::IsFile) && seconds.is_finite() {
            let duration = format::duration(seconds * 1000.0);
            self.page.fill_slot(Slot::Recorded, &duration);
        }
    }

    /// The review can't play the take. A recording is played by the browser that made it.
    pub(in crate::recorder) fn note_not_playable(self) {
        self.set_flag(Flag::NotPlayable, self.has_flag(Flag::IsFile));
    }

    /// Saves the take as a file on this device.
    pub(in crate::recorder) fn save_clip(self) {
        let take = self.take.borrow();
        let Some(take) = take.as_ref() else { return };
        if let (Some(clip), Some(first)) = (&take.clip, take.pieces.first()) {
            let mut name = take.record.file_name.clone();
            if name.is_empty() {
                let media_type = first.piece.media_type();
                let media_type = media_type.split(';').next();
                name = "video.".to_owned();
                name += format::video_extension(media_type.unwrap_or_default());
            }
            browser::save_file(clip.url(), &name);
        }
    }
}
