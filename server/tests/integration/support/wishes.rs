//! What journeys choose of a server's settings.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clap::Parser as _;
use server::Timeouts;
use server::blobs::ObjectKey;
use server::config::{Config, LimitArgs, QuotaArgs, ServingArgs};
use server::service::quota::RateLimit;

use super::certificate::CertificateFiles;

pub struct Wishes {
    pub limits: LimitArgs,
    pub quotas: QuotaArgs,
    pub serving: ServingArgs,
    pub timeouts: Timeouts,
    pub form_prefix_timeout: Option<Duration>,
    pub certificate: Option<Arc<CertificateFiles>>,
    /// What lies in its blob store before it looks there.
    pub objects: Vec<(ObjectKey, Bytes)>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            limits: generous(),
            quotas: unlimited(),
            serving: Config::parse_from(["vidence"]).serving,
            timeouts: Timeouts::default(),
            form_prefix_timeout: None,
            certificate: None,
            objects: Vec::new(),
        }
    }
}

/// Limits that no other journey meets, on whatever disk.
pub fn generous() -> LimitArgs {
    LimitArgs {
        max_video_bytes: 1 << 30,
        max_takes: 20,
        max_request_bytes: 1 << 30,
        max_stored_bytes: Some(1 << 40),
        min_free_bytes: 0,
        min_free_files: 0,
        upload_memory: 256 << 20,
    }
}

/// As often as one likes.
pub fn unlimited() -> QuotaArgs {
    QuotaArgs {
        create_limit: RateLimit(None),
        read_limit: RateLimit(None),
        report_limit: RateLimit(None),
        create_limit_for: Vec::new(),
        read_limit_for: Vec::new(),
        max_creator_bytes: 1 << 40,
        max_creator_bytes_for: Vec::new(),
        trusted_proxies: Vec::new(),
        proxy_hops: 1,
    }
}
