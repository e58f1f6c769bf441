//! Rate limits and storage quotas of creators, networks and the whole server.

mod metering;
mod networks;
mod rates;
mod size_limits;
mod storage;
