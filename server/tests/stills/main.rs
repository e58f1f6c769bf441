//! Pictures of videos: the real child, the real decoders, and decoders that misbehave.

mod confined;
mod fixtures;
mod hostile;
mod pictures;
