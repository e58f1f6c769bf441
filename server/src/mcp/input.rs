//! What the tools take. Their schemas tell agents; that they are kept to is checked here and in the service,
//! because rmcp doesn't.

use app::api::{CreateRequest, whole_number};
use rmcp::model::JsonObject;
use rmcp::schemars::{self, JsonSchema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::misfit;
use crate::service::Error;

/// Agents wait in pieces of this many seconds at most: some clients give up on a call after a minute.
pub(super) const LONGEST_WAIT: i64 = 45;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestVideo {
    /// What the person should record, in plain words for somebody who knows nothing about it: what to show,
    /// from where, and in which order. Shown to them as plain text.
    #[schemars(length(min = 1, max = 2000))]
    pub prompt: String,
    /// After so many hours the request and its video are gone. 24 is a good choice.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "i64", range(min = 1, max = 48))]
    pub expires_in_hours: i64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetEvidence {
    /// The request_id that request_video_evidence returned.
    #[schemars(length(min = 1, max = 100))]
    pub request_id: String,
    /// The access_token that request_video_evidence returned with it.
    #[schemars(length(min = 1, max = 100))]
    pub access_token: String,
    /// How to get the video. "auto" and "inline": within the answer if it is small enough, otherwise as a
    /// link. "link": as a link, with fewer pictures, for clients that cut long answers short.
    #[serde(default)]
    pub delivery: Delivery,
    /// Up to so many seconds the call waits for a submission, instead of answering at once that there is none.
    #[serde(default, deserialize_with = "whole_number")]
    #[schemars(with = "i64", range(min = 0, max = 45))]
    pub wait_seconds: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Delivery {
    #[default]
    Auto,
    Inline,
    Link,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteRequest {
    /// The request_id that request_video_evidence returned.
    #[schemars(length(min = 1, max = 100))]
    pub request_id: String,
    /// The access_token that request_video_evidence returned with it.
    #[schemars(length(min = 1, max = 100))]
    pub access_token: String,
}

impl From<RequestVideo> for CreateRequest {
    fn from(wish: RequestVideo) -> Self {
        Self {
            prompt: wish.prompt,
            expires_in_hours: wish.expires_in_hours,
        }
    }
}

/// Reads what a tool is called with. An agent can mend what it is told about, so this is for the tool to say
/// and no failure of the protocol (MCP 2025-11-25, Tools, section "Error Handling").
pub(super) fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, Error> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_path_to_error::deserialize(arguments)
        .map_err(|error| Error::Invalid(misfit::said(&error, "the arguments are")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: Value) -> Option<JsonObject> {
        value.as_object().cloned()
    }

    #[test]
    fn what_is_wrong_is_told_by_the_name_of_its_field() {
        for (given, named) in [
            (json!({"request_id": "a"}), "`access_token`"),
            (json!({"request_id": 1, "access_token": "b"}), "request_id "),
            (
                json!({"request_id": "a", "access_token": "b", "wait": 1}),
                "`wait`",
            ),
            (
                json!({"request_id": "a", "access_token": "b", "delivery": "blob"}),
                "delivery ",
            ),
            (
                json!({"request_id": "a", "access_token": "b", "wait_seconds": "5"}),
                "wait_seconds ",
            ),
        ] {
            let Err(Error::Invalid(said)) = read::<GetEvidence>(arguments(given.clone())) else {
                panic!("{given} was taken");
            };
            assert!(said.contains(named), "{said}");
        }
        assert!(read::<RequestVideo>(None).is_err());
    }

    #[test]
    fn numbers_may_be_written_as_agents_write_them() {
        let given = json!({"prompt": "a", "expires_in_hours": 24.0});
        let wish: RequestVideo = read(arguments(given)).expect("a wish");
        assert_eq!(wish.expires_in_hours, 24);
        let given = json!({"request_id": "a", "access_token": "b"});
        let wish: GetEvidence = read(arguments(given)).expect("a wish");
        assert_eq!((wish.wait_seconds, wish.delivery), (0, Delivery::Auto));
    }
}
