//! How a call of the source can fail.

use std::time::Duration;

/// What happened. Nothing here holds a URL, a token or a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// 401: the token is not known.
    #[error("the source does not accept the token")]
    Unauthorized,
    /// 403: the token may not.
    #[error("the token may not read this")]
    Forbidden,
    /// 404: there is no such thing, or the token may not know of it.
    #[error("the source has no such thing")]
    NotFound,
    /// 429: too many requests.
    #[error("the source is asked too often")]
    Throttled {
        /// How long to wait, if it says.
        retry_after: Option<Duration>,
    },
    /// 5xx: its fault.
    #[error("the source failed with status {0}")]
    Server(u16),
    /// Another status: it refuses the request.
    #[error("the source answered with status {0}")]
    Refused(u16),
    /// Nobody can be reached there.
    #[error("the source cannot be reached")]
    Unreachable,
    /// The connection ended before the answer did.
    #[error("the source broke off in the middle of an answer")]
    Cut,
    /// It took too long.
    #[error("the source did not answer in time")]
    Timeout,
    /// The answer is no JSON, or not of the shape that it should have.
    #[error("the source answered with something that cannot be read")]
    Unreadable,
    /// The answer is larger than any that makes sense.
    #[error("the source answered with too much at once")]
    TooLarge,
}

impl Error {
    /// Whether the same request may do better in a while. What cannot be read may have been cut by something in between.
    pub fn is_passing(self) -> bool {
        match self {
            Self::Throttled { .. } | Self::Server(_) | Self::Unreachable | Self::Cut | Self::Timeout | Self::Unreadable => true,
            Self::Unauthorized | Self::Forbidden | Self::NotFound | Self::Refused(_) | Self::TooLarge => false,
        }
    }

    /// A word for it: labels and reports.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Throttled { .. } => "throttled",
            Self::Server(_) => "server",
            Self::Refused(_) => "refused",
            Self::Unreachable => "unreachable",
            Self::Cut => "cut",
            Self::Timeout => "timeout",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
        }
    }
}
