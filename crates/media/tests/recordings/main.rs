//! Recordings by every browser and muxer that is available, complete and cut off: each is sealed or refused, and what
//! is sealed can be decoded and sought.

mod audio;
mod checks;
mod cuts;
mod ffmpeg;
mod fixtures;
mod large;
mod long;
mod whole;
