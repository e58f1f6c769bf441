//! Settings of storage and memory limits: of a take, of a request, in total, and what they leave of a disk.

use clap::Args;

use super::units::{SIZE, positive_size, size};

/// The limits of storage and memory.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Storage limits")]
pub struct LimitArgs {
    /// Largest recording
    #[arg(long, env = "VIDENCE_MAX_VIDEO_BYTES", value_name = SIZE, value_parser = positive_size, default_value = "1GiB")]
    pub max_video_bytes: u64,

    /// Recordings that a request may hold until one is submitted
    #[arg(long, env = "VIDENCE_MAX_TAKES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_takes: u32,

    /// Largest sum of all recordings of a request
    #[arg(long, env = "VIDENCE_MAX_REQUEST_BYTES", value_name = SIZE, value_parser = positive_size, default_value = "2GiB")]
    pub max_request_bytes: u64,

    /// Largest sum of all stored objects; each object counts 4 KiB besides its content
    /// [default: 80 % of the disk; no limit with a bucket]
    #[arg(long, env = "VIDENCE_MAX_STORED_BYTES", value_name = SIZE, value_parser = size)]
    pub max_stored_bytes: Option<u64>,

    /// Disk space that uploads leave free
    #[arg(long, env = "VIDENCE_MIN_FREE_BYTES", value_name = SIZE, value_parser = size, default_value = "512MiB")]
    pub min_free_bytes: u64,

    /// Inodes that uploads leave free on the disk, at most a twentieth of its total
    #[arg(long, env = "VIDENCE_MIN_FREE_FILES", default_value_t = 10_000)]
    pub min_free_files: u64,

    /// Memory that all uploads together may buffer
    #[arg(long, env = "VIDENCE_UPLOAD_MEMORY", value_name = SIZE, value_parser = size, default_value = "256MiB")]
    pub upload_memory: u64,
}
