//! Numbers for the operator, as Prometheus reads them.
//!
//! What happens is counted where it happens, through the `metrics` facade, by the names of [`names`]; what stands
//! somewhere is looked up when somebody asks, and written by [`Exposition`]. Where nobody asks nothing is
//! installed, and the facade's calls lead nowhere. Below everything else, like `clock`: it knows no request.

mod exposition;
pub mod names;
mod process;
mod recorder;

pub use exposition::Exposition;
pub use recorder::{Recorder, is_on};

/// On an answer whose caller asked to wait for something to happen: how long that took says nothing about us.
#[derive(Clone, Copy)]
pub struct AskedToWait;
