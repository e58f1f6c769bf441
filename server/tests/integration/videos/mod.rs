//! Submitted videos: sealing, metadata, stills, downloads, stored objects.

mod compaction;
mod damaged;
mod downloads;
mod exact_pictures;
mod large_uploads;
mod large_videos;
mod long_videos;
mod metadata;
mod provenance;
mod receipts;
mod rotated;
mod sealing;
mod seeking;
mod stills;
