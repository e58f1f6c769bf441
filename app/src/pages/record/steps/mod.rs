//! What the panel shows, in the order in which a person gets there: the sources, access to one, the recording, its
//! review, and the outcome.

pub(super) mod camera_tools;
pub(super) mod controls;
mod links;
pub(super) mod outcome;
pub(super) mod permissions;
pub(super) mod preview;
pub(super) mod review;
mod send_status;
pub(super) mod sources;
