//! Stills of videos: the real child process, the real decoders, and misbehaving ones.

mod brightening;
mod confined;
mod exact_pictures;
mod fixtures;
mod hostile;
mod pictures;
