//! Rows of the leased jobs, and of what they make: seals, stills, transcripts.

pub(super) mod jobs;
pub(super) mod leases;
pub(super) mod seals;
pub(super) mod stills;
pub(super) mod transcripts;
