//! Starting, stopping, checking and monitoring a server or several nodes.

mod ask;
mod ask_guards;
mod bucket;
mod check;
mod commands;
mod dashboards;
mod garage;
mod metrics;
mod nodes;
mod outcome_metrics;
mod pgbouncer;
mod readiness;
mod refusal_log;
mod request_ids;
mod request_metrics;
mod restart;
mod shutdown;
mod startup;
mod store_tls;
mod systemd;
mod top;
