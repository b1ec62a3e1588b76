//! Errors of requests to the source.

use std::time::Duration;

/// An error of a request. It holds no URL, token or body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// 401: the token is unknown.
    #[error("the source does not accept the token")]
    Unauthorized,
    /// 403: the token has no right.
    #[error("the token may not read this")]
    Forbidden,
    /// 404: there is no such thing, or the token may not know of it.
    #[error("the source has no such thing")]
    NotFound,
    /// 429: too many requests.
    #[error("the source is asked too often")]
    Throttled {
        /// The value of `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// 5xx: the source failed.
    #[error("the source failed with status {0}")]
    Server(u16),
    /// Another status.
    #[error("the source answered with status {0}")]
    Refused(u16),
    /// No connection could be made.
    #[error("the source cannot be reached")]
    Unreachable,
    /// The connection was closed before the response was complete.
    #[error("the source broke off in the middle of an answer")]
    Interrupted,
    /// The deadline passed.
    #[error("the source did not answer in time")]
    Timeout,
    /// The response is no JSON, or not of the expected shape.
    #[error("the source answered with something that cannot be read")]
    Unreadable,
    /// The response is larger than any plausible one.
    #[error("the source answered with too much at once")]
    TooLarge,
}

impl Error {
    /// Whether the same request may succeed later. An unreadable response may have been truncated on the way.
    pub fn is_transient(self) -> bool {
        match self {
            Self::Throttled { .. } | Self::Server(_) | Self::Unreachable | Self::Interrupted | Self::Timeout | Self::Unreadable => {
                true
            }
            Self::Unauthorized | Self::Forbidden | Self::NotFound | Self::Refused(_) | Self::TooLarge => false,
        }
    }

    /// The code in metrics and reports.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Throttled { .. } => "throttled",
            Self::Server(_) => "server",
            Self::Refused(_) => "refused",
            Self::Unreachable => "unreachable",
            Self::Interrupted => "cut",
            Self::Timeout => "timeout",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
        }
    }
}
