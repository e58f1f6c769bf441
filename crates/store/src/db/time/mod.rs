//! What the database knows of time: the latest that a node has confirmed, and transactions that end late.

mod confirmed_time;
mod late_commits;
