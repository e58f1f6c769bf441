//! Recordings by every browser and muxer that can be had, whole and cut off: each is sealed, or refused with
//! a reason, and what is sealed decodes and can be sought.

mod cuts;
mod ffmpeg;
mod films;
mod large;
mod laws;
mod long;
mod whole;
