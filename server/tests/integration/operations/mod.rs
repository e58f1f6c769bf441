//! Starting, stopping and checking a server or several nodes, and the commands beside it.

mod ask;
mod bucket;
mod check;
mod commands;
mod garage;
mod nodes;
mod pgbouncer;
mod restart;
mod setting_errors;
mod shutdown;
mod startup;
mod store_tls;
mod systemd;
