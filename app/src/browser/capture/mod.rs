//! Cameras, microphones and screens: which there are, streams of them, and their recording.

mod abilities;
mod audio_context;
mod audio_level;
mod constraints;
mod devices;
mod frame_sample;
mod recording;
mod requests;
mod sound_mixer;
mod stream;
mod tracks;

pub use abilities::{Abilities, Adjustment};
pub use audio_level::AudioLevelMeter;
pub use constraints::{CaptureOptions, TrackKind};
pub use devices::{Device, Devices, can_record, capture_support};
pub use frame_sample::{count_frames, sample_frame};
pub use recording::{Bitrates, Recording};
pub use requests::{CaptureError, is_camera_granted};
pub use stream::CaptureStream;
