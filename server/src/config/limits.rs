//! How much may be stored.

use clap::Args;

use crate::service::Limits;

/// How much may be stored.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Bytes that one recording may have
    #[arg(long, env = "VIDENCE_MAX_VIDEO_BYTES", default_value_t = 1 << 30)]
    pub max_video_bytes: u64,

    /// Recordings that a request may have before one is submitted
    #[arg(long, env = "VIDENCE_MAX_TAKES", default_value_t = 10)]
    pub max_takes: u32,

    /// Bytes that all recordings of a request may have
    #[arg(long, env = "VIDENCE_MAX_REQUEST_BYTES", default_value_t = 2 << 30)]
    pub max_request_bytes: u64,

    /// Bytes that may be stored in all [default: 80 % of the disk]
    #[arg(long, env = "VIDENCE_MAX_STORED_BYTES")]
    pub max_stored_bytes: Option<u64>,

    /// Bytes that must stay free on the disk
    #[arg(long, env = "VIDENCE_MIN_FREE_BYTES", default_value_t = 512 << 20)]
    pub min_free_bytes: u64,

    /// Files that the disk must still be able to take; never more than a twentieth of what it can hold
    #[arg(long, env = "VIDENCE_MIN_FREE_FILES", default_value_t = 10_000)]
    pub min_free_files: u64,

    /// Bytes of memory that uploads may hold, all together
    #[arg(long, env = "VIDENCE_UPLOAD_MEMORY", default_value_t = 256 << 20)]
    pub upload_memory: u64,
}

impl From<&LimitArgs> for Limits {
    fn from(args: &LimitArgs) -> Self {
        Self {
            video_bytes: args.max_video_bytes,
            takes: args.max_takes,
            request_bytes: args.max_request_bytes,
            stored_bytes: args.max_stored_bytes,
            free_bytes: args.min_free_bytes,
            free_files: args.min_free_files,
        }
    }
}
