//! The context of one HTTP request, passed through rmcp in its extensions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use net::client_addr::ClientAddr;

use super::client::ClientKind;
use super::evidence::attachments::Attachments;
use crate::service::quota::{self, ReadPermit};
use crate::service::{AppState, Error};
use crate::telemetry::logging::request::Inherited;

/// The context of one HTTP request, passed in its extensions.
#[derive(Clone)]
pub(super) struct CallContext {
    pub client_addr: ClientAddr,
    pub attachments: Attachments,
    /// The MCP client in which the agent runs.
    pub client: ClientKind,
    /// Whether the client's revision has links to resources.
    pub knows_links: bool,
    /// Whether the call asked to wait.
    pub waits: Arc<AtomicBool>,
    /// rmcp calls the tools in tasks of its own.
    pub logged: Inherited,
    counted: Result<ReadPermit, Duration>,
}

impl CallContext {
    /// Counts a request of this client against its rate limit.
    pub fn new(app: &AppState, client_addr: ClientAddr) -> Self {
        Self {
            client_addr,
            attachments: Attachments::default(),
            client: ClientKind::default(),
            knows_links: false,
            waits: Arc::default(),
            logged: Inherited::current(),
            counted: quota::permit_read(app, client_addr)
                .map_err(|error| error.wait().unwrap_or_default()),
        }
    }

    /// Whether the request is within the client's rate limit.
    pub fn admission(&self) -> Result<ReadPermit, Error> {
        self.counted.map_err(|wait| Error::TooOften { wait })
    }
}
