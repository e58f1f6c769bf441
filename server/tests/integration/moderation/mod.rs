//! Abuse reports, takedowns, and the operator's legal pages.

mod operator;
mod report_limits;
mod report_listing;
mod report_webhook;
mod reports;
mod takedowns;
