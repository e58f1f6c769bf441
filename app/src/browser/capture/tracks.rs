//! The tracks of a stream.

use wasm_bindgen::JsCast;
use web_sys::{MediaStream, MediaStreamTrack, MediaStreamTrackState};

/// Another handle of a track.
/// Its method `clone` is JavaScript's, which makes a second track: that one would keep the camera on when this one
/// has stopped.
pub(super) fn same_track(track: &MediaStreamTrack) -> MediaStreamTrack {
    Clone::clone(track)
}

/// Whether a track of sound has ended, or gives silence: iPhones mute the microphone during a call or for Siri.
pub(super) fn is_lost(track: &MediaStreamTrack) -> bool {
    is_ended(track) || track.muted()
}

pub(super) fn is_ended(track: &MediaStreamTrack) -> bool {
    track.ready_state() == MediaStreamTrackState::Ended
}

pub(super) fn tracks(stream: &MediaStream) -> impl Iterator<Item = MediaStreamTrack> + use<> {
    let tracks = stream.get_tracks().to_vec().into_iter();
    tracks.filter_map(|track| track.dyn_into().ok())
}
