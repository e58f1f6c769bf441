//! Where the request at hand stands. Pure.

use crate::api::{RequestStatus, RequestView};

/// One step after the other; the last three are ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// There is no request.
    Blank,
    /// It awaits its video.
    Waiting,
    /// It has one.
    Submitted {
        /// The video's id.
        video: String,
    },
    /// Its time is over.
    Expired,
    /// It was deleted: here, or by whoever else has the token.
    Deleted,
    /// The server doesn't accept the token.
    Refused {
        /// In the server's own words.
        message: String,
    },
}

impl Phase {
    /// What the server's answer makes of it. Nothing leaves an end: an answer may be late.
    pub fn after(&self, view: &RequestView) -> Option<Self> {
        if !self.is_open() {
            return None;
        }
        let next = match (view.status, &view.video) {
            (RequestStatus::Submitted, Some(video)) => Self::Submitted {
                video: video.id.clone(),
            },
            (RequestStatus::Expired, _) => Self::Expired,
            (RequestStatus::AwaitingSubmission, _) | (RequestStatus::Submitted, None) => {
                Self::Waiting
            }
        };
        (next != *self).then_some(next)
    }

    /// What a refusal makes of it, told by status and in words. `None`: it says nothing about the request.
    pub fn refused(&self, status: u16, message: &str) -> Option<Self> {
        if !self.is_open() {
            return None;
        }
        match status {
            401 | 403 => Some(Self::Refused {
                message: message.to_owned(),
            }),
            404 => Some(Self::Deleted),
            410 => Some(Self::Expired),
            _ => None,
        }
    }

    /// Whether the server may still have something to say.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Waiting | Self::Submitted { .. })
    }

    /// The video, as long as there is one.
    pub fn video(&self) -> Option<&str> {
        match self {
            Self::Submitted { video } => Some(video),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::VideoView;

    fn view(status: RequestStatus) -> RequestView {
        let video = (status == RequestStatus::Submitted).then(|| VideoView {
            id: "v".to_owned(),
            url: String::new(),
            expires_at: String::new(),
        });
        RequestView {
            id: "r".to_owned(),
            status,
            expires_at: String::new(),
            video,
        }
    }

    #[test]
    fn a_request_goes_on_and_never_back_from_an_end() {
        let submitted = Phase::Submitted {
            video: "v".to_owned(),
        };
        let ends = [
            Phase::Expired,
            Phase::Deleted,
            Phase::Refused {
                message: String::new(),
            },
        ];
        for (status, want) in [
            (RequestStatus::AwaitingSubmission, None),
            (RequestStatus::Submitted, Some(submitted.clone())),
            (RequestStatus::Expired, Some(Phase::Expired)),
        ] {
            assert_eq!(Phase::Waiting.after(&view(status)), want);
            assert!(ends.iter().all(|end| end.after(&view(status)).is_none()));
            assert_eq!(Phase::Blank.after(&view(status)), None);
        }
        assert_eq!(submitted.after(&view(RequestStatus::Submitted)), None);
        assert_eq!(submitted.video(), Some("v"));
    }

    #[test]
    fn refusals_end_it_only_when_they_are_about_it() {
        let refused = Phase::Refused {
            message: "no".to_owned(),
        };
        for (status, want) in [
            (401, Some(refused.clone())),
            (403, Some(refused)),
            (404, Some(Phase::Deleted)),
            (410, Some(Phase::Expired)),
            (429, None),
            (500, None),
        ] {
            assert_eq!(Phase::Waiting.refused(status, "no"), want, "{status}");
            assert_eq!(Phase::Deleted.refused(status, "no"), None, "{status}");
        }
    }
}
