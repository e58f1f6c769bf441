//! What `vidence ask` has saved.

use app::video_metadata::VideoMetadata;

/// What was saved.
pub(super) struct Saved {
    /// The name of the video's file.
    pub video: String,
    /// The names of all files.
    pub files: Vec<String>,
    /// `None`: the server has no metadata, so it is another one of this interface.
    pub metadata: Option<VideoMetadata>,
    /// What the server is still making.
    pub pending: Vec<&'static str>,
    /// Why the receipt isn't valid for this video, if it isn't. `None`: there is no receipt.
    pub receipt: Option<Result<(), String>>,
    /// Whether the request ended before all was made.
    pub is_over: bool,
}
