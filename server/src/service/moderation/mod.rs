//! Reports, takedowns, and the operator's contact and legal texts.

pub mod operator;
pub mod reports;
pub mod takedown;
