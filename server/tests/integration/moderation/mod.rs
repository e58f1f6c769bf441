//! Abuse reports, takedowns, and the operator's legal pages.

mod operator;
mod report_limits;
mod report_listing;
mod reports;
mod takedowns;
