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
    #[error("the source answered with status {0}")]
    Refused(u16),
    /// No connection could be made.
    #[error("the source cannot be reached")]
    Unreachable,
    /// The connection was closed before the response was complete.
    #[error("the source broke off in the middle of an answer")]
    Interrupted,
    #[error("the source did not answer in time")]
    Timeout,
    /// The response is no JSON, or not of the expected shape.
    #[error("the source answered with something that cannot be read")]
    Unreadable,
    /// The response is larger than any plausible one.
    #[error("the source answered with more than 64 MB at once")]
    TooLarge,
    /// A record is larger than any plausible one, or consists of too many values.
    #[error("a record is too large, or consists of too many values")]
    RecordTooLarge,
    /// A value nests deeper than can be read.
    #[error("a value nests deeper than 127 levels")]
    TooDeep,
    /// The response has a content coding, which was not asked for; decoded, a small one could be endless.
    #[error("the source answered with a content coding that it was not asked for")]
    Encoded,
    /// A list goes on far beyond the number of records that the source says it has.
    #[error("the list does not end: it goes on far beyond what the source said that it has")]
    Endless,
    /// The import would hold more than it may.
    #[error("it is more than an import may hold in memory (APP_IMPORT_MEMORY_MB)")]
    OverMemory,
}

impl Error {
    /// Whether the same request may succeed later. An unreadable response may have been truncated on the way.
    pub fn is_transient(self) -> bool {
        match self {
            Self::Throttled { .. } | Self::Server(_) | Self::Unreachable | Self::Interrupted | Self::Timeout | Self::Unreadable => {
                true
            }
            Self::Unauthorized
            | Self::Forbidden
            | Self::NotFound
            | Self::Refused(_)
            | Self::TooLarge
            | Self::RecordTooLarge
            | Self::TooDeep
            | Self::Encoded
            | Self::Endless
            | Self::OverMemory => false,
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
            Self::RecordTooLarge => "record_too_large",
            Self::TooDeep => "too_deep",
            Self::Encoded => "encoded",
            Self::Endless => "endless",
            Self::OverMemory => "over_memory",
        }
    }
}
