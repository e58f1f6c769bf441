//! What the repository's documents promise, and the layers of the source.

mod layers;
mod promises;
mod readme;
