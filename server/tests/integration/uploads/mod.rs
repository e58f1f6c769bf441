//! Takes: uploads in both protocols and by form, their media types, and their submission.

mod abandoned_takes;
mod ended_meanwhile;
pub mod form;
mod form_retries;
mod media_type;
mod recorded_elsewhere;
mod refused_writes;
mod resumable;
mod resumed_takes;
mod submissions;
mod take_ids;
mod takes;
mod ticks;
pub mod tus;
mod tus_refusals;
