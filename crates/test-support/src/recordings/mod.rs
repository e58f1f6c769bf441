//! Recordings of browsers, and generated ones of any length.

pub mod content;
pub mod fixtures;
pub mod padding;
pub mod speech;
pub mod three_hours;
