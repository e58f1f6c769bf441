//! Abuse reports, takedowns, and the operator's legal pages.

mod operator;
mod reports;
mod takedowns;
