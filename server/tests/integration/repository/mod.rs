//! What the repository's documents promise, and the layers of the source.

mod configuration;
mod documents;
mod layers;
mod modules;
mod promises;
mod readme;
mod rooms;
