//! Listens to the fields of the page, to files that are dropped on it, and to the videos of the review.

use leptos::task::spawn_local;

use crate::browser;
use crate::browser::blob::ChosenFile;
use crate::browser::capture::{Devices, TrackKind};
use crate::browser::dom::element;
use crate::browser::dom::{FileDrop, HtmlElement, on_file_drop};
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::controller::Recorder;
use crate::recorder::state::Phase;

impl Recorder {
    /// Starts listening.
    pub(in crate::recorder) fn listen_to_inputs(self) {
        Devices::on_change(move || {
            if matches!(self.phase(), Phase::Preview { .. }) {
                spawn_local(async move { self.show_devices(&Devices::list().await) });
            }
        });
        self.on_change(Element::Cameras, |it, field| {
            it.update_options(|options| options.camera = element::selected_value(field));
            it.replace_track(TrackKind::Video);
        });
        self.on_change(Element::Lenses, |it, field| {
            it.choose_lens(element::selected_value(field));
        });
        self.on_change(Element::Microphones, |it, field| {
            it.update_options(|options| options.microphone = element::selected_value(field));
            it.replace_track(TrackKind::Audio);
        });
        self.on_change(Element::AudioToggle, |it, field| {
            it.update_options(|options| options.audio = element::is_checked(field));
            it.show_audio_toggle(element::is_checked(field));
            it.replace_track(TrackKind::Audio);
        });
        self.on_change(Element::FileInput, |it, field| {
            it.load_files(ChosenFile::take_from_input(field));
        });
        on_file_drop(move |drop| {
            let takes = self.takes_files();
            self.set_flag(Flag::Dropping, takes && matches!(drop, FileDrop::Over));
            if let FileDrop::Given(files) = drop {
                self.load_files(files);
            }
            takes
        });
        self.listen_to_camera_tools();
        self.listen_to_review();
    }

    fn on_change(self, name: Element, act: fn(Self, &HtmlElement)) {
        for field in self.page.elements(name) {
            let changed = field.clone();
            element::on_change(field, move || act(self, &changed));
        }
    }

    fn listen_to_review(self) {
        for video in self.page.videos(Element::Review) {
            let review = video.clone();
            element::listen(video, "loadedmetadata", move |_| {
                browser::blob::probe_duration(&review);
                self.set_flag(Flag::NotPlayable, false);
                if !browser::blob::has_frames(&review) {
                    self.note_not_playable();
                }
            });
            element::listen(video, "error", move |_| self.note_not_playable());
            let review = video.clone();
            element::listen(video, "durationchange", move |_| {
                browser::blob::show_first_frame(&review);
                self.show_file_duration(review.duration());
            });
        }
    }
}
