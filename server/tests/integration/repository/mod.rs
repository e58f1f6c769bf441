//! What the repository's documents promise, the layers of the source, and the workflows.

mod configuration;
mod documents;
mod layers;
mod modules;
mod promises;
mod readme;
mod rooms;
mod workflows;
