//! Settings of a test server.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use clap::Parser as _;
use server::Timeouts;
use server::blobs::ObjectKey;
use server::config::{Config, LimitArgs, QuotaArgs, RateLimit, ServingArgs, TranscriptArgs};

use super::certificate::CertificateFiles;

pub struct Overrides {
    pub limits: LimitArgs,
    pub quotas: QuotaArgs,
    pub serving: ServingArgs,
    pub transcripts: TranscriptArgs,
    /// Time that a call of the transcriber may take besides that for its audio.
    pub transcriber_timeout: Option<Duration>,
    pub timeouts: Timeouts,
    pub form_prefix_timeout: Option<Duration>,
    pub certificate: Option<Arc<CertificateFiles>>,
    /// Objects that are stored before the server is used.
    pub objects: Vec<(ObjectKey, Bytes)>,
}

impl Default for Overrides {
    fn default() -> Self {
        Self {
            limits: generous_limits(),
            quotas: unlimited_quotas(),
            serving: Config::parse_from(["vidence"]).serving,
            transcripts: Config::parse_from(["vidence"]).transcripts,
            transcriber_timeout: None,
            timeouts: Timeouts::default(),
            form_prefix_timeout: None,
            certificate: None,
            objects: Vec::new(),
        }
    }
}

/// Limits that no test reaches unintentionally, on any disk.
pub fn generous_limits() -> LimitArgs {
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

/// Quotas without rate limits.
pub fn unlimited_quotas() -> QuotaArgs {
    QuotaArgs {
        create_limit: RateLimit(None),
        read_limit: RateLimit(None),
        report_limit: RateLimit(None),
        create_limit_for: Vec::new(),
        refuse_creations_from: Vec::new(),
        read_limit_for: Vec::new(),
        max_creator_bytes: 1 << 40,
        max_creator_bytes_for: Vec::new(),
        trusted_proxies: Vec::new(),
        proxy_hops: 1,
    }
}
