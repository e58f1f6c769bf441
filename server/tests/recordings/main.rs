//! Recordings by every browser and muxer that can be had, whole and cut off: each is sealed, or refused with
//! a reason, and what is sealed decodes and can be sought.

mod cuts;
mod ffmpeg;
mod films;
#[path = "../hours/mod.rs"]
mod hours;
mod large;
mod laws;
mod long;
#[path = "../padding/mod.rs"]
mod padding;
mod whole;
