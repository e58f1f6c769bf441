//! What a server tells its operator while it runs: metrics, readiness, refusals and the ids of requests.

mod dashboards;
mod metrics;
mod outcome_metrics;
mod readiness;
mod refusal_log;
mod request_ids;
mod request_metrics;
mod top;
