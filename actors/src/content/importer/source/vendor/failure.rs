//! Translates failures of Storyblok's API into errors of a source.

use crate::content::importer::source::SourceError;
use egress::vendor::Error;

/// The code when the import would hold more than it may.
pub(super) const OVER_MEMORY: &str = "importTooLarge";

/// Translates a failure of the source for the report.
pub(super) fn failure(error: Error) -> SourceError {
    match error {
        Error::Unauthorized => SourceError::new("tokenRejected", "The source does not accept the token"),
        Error::Forbidden => SourceError::new("noAccess", "The token may not read this space at the source"),
        Error::NotFound => SourceError::new("spaceNotFound", "The source has no such space, or the token may not know of it"),
        Error::Throttled { .. } => SourceError::new("sourceThrottled", "The source refused too often: too many requests"),
        Error::TooLarge | Error::RecordTooLarge | Error::TooDeep | Error::Encoded | Error::Endless | Error::OverMemory => {
            failure_of("answer", error)
        }
        other => SourceError::new("sourceFailing", format!("It was tried again and again: {other}")),
    }
}

/// The same for a failure while this was read: it is named where the source sends what cannot be taken.
pub(super) fn failure_of(what: &str, error: Error) -> SourceError {
    let code = match error {
        Error::TooLarge | Error::RecordTooLarge => "sourceTooLarge",
        Error::Endless => "sourceEndless",
        Error::TooDeep | Error::Encoded => "sourceUnreadable",
        Error::OverMemory => OVER_MEMORY,
        other => return failure(other),
    };
    SourceError::new(code, format!("The {what} of the source cannot be imported: {error}"))
}
