//! Why a call of `vidence ask` failed, and whether it may succeed later.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use reqwest::StatusCode;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    #[error("the server can't be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("the server refused with {status}: {message}")]
    Refused {
        status: StatusCode,
        /// That of the envelope. `None`: the answer is that of a proxy, or of another server.
        code: Option<String>,
        message: String,
        retry_after: Option<Duration>,
    },
    #[error("this is no answer of Vidence; is the address right?")]
    Unreadable(#[source] serde_json::Error),
    #[error("the server's answer is longer than any of Vidence's")]
    TooLong,
    #[error("the server's answer has {0} that can't be used")]
    Unusable(&'static str),
    #[error("the deletion was answered with {0}, which isn't the server's answer")]
    NotDeleted(StatusCode),
    #[error(
        "the server's certificate isn't trusted: if it is your own, name its file in SSL_CERT_FILE"
    )]
    Untrusted(#[source] reqwest::Error),
}

impl ApiError {
    /// Whether the same call may succeed later.
    pub fn is_temporary(&self) -> bool {
        match self {
            // A laptop may be behind the page of a hotel for a while.
            Self::Unreachable(_) | Self::Untrusted(_) => true,
            Self::Refused { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Self::Unreadable(_) | Self::TooLong | Self::Unusable(_) | Self::NotDeleted(_) => false,
        }
    }

    /// Whether the server failed at it, and doesn't say when it might succeed: a damaged video stays damaged.
    pub fn is_internal(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                code: Some(_),
                retry_after: None,
                ..
            }
        )
    }

    /// Whether something else than the server has answered: a page, or an error without a code.
    pub fn is_of_a_proxy(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Refused { code: None, .. })
    }

    /// Whether the server itself says that there is no such thing: a proxy that answers 404 says nothing of it.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { code: Some(code), .. } if code == "not_found")
    }

    /// Whether the server itself says that its time is over.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Refused { code: Some(code), .. } if code == "gone")
    }

    /// Whether it is still being made.
    pub fn is_not_ready(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: StatusCode::CONFLICT,
                code: Some(_),
                ..
            }
        )
    }

    /// The error with its first cause, such as a name that doesn't resolve.
    pub fn with_cause(&self) -> String {
        let mut cause = None;
        let mut next = self.source();
        while let Some(it) = next {
            (cause, next) = (Some(it), it.source());
        }
        match cause {
            Some(cause) => format!("{self} ({cause})"),
            None => self.to_string(),
        }
    }

    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// The error of a connection.
pub(super) fn unreachable(error: reqwest::Error) -> ApiError {
    use rustls::CertificateError::UnknownIssuer;
    let mut cause = error.source();
    while let Some(it) = cause {
        // An `io::Error` hides the error in it: its source is that one's source.
        let inner = it.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let inner = inner.and_then(|it| it.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(UnknownIssuer)) =
            inner.or_else(|| it.downcast_ref())
        {
            return ApiError::Untrusted(error);
        }
        cause = it.source();
    }
    ApiError::Unreachable(error)
}
