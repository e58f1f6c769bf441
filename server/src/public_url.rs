//! Public address of the service, and the URLs below it.

use crate::id::{RequestId, VideoId};

/// Public address of the service, without a slash at the end.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Takes `https://host[:port]`.
    pub fn new(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// URL of the MCP endpoint for agents.
    pub fn mcp(&self) -> String {
        format!("{}/mcp", self.0)
    }

    /// URL of the page on which a person answers a request.
    pub fn submission(&self, id: &RequestId) -> String {
        format!("{}/r/{id}", self.0)
    }

    /// URL that streams a video.
    pub fn video(&self, id: &VideoId) -> String {
        format!("{}/v1/videos/{id}", self.0)
    }

    /// URL template of a video's stills; `{at_ms}` is the time of the still.
    pub fn stills(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/stills/{{at_ms}}", self.0)
    }
}
