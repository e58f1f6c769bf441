//! Stills of videos: the real child process, the real decoders, and misbehaving ones.

mod confined;
mod fixtures;
mod hostile;
mod pictures;
