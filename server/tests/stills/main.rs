//! Stills of videos: the real child process, the real decoders, and misbehaving ones.

mod brightening;
mod confined;
mod exact;
mod fixtures;
mod hostile;
mod pictures;
