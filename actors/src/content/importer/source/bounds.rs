//! The codes of sources that send more than an import takes.

use egress::vendor::Error;

/// The code when the import would hold more than it may.
pub(super) const OVER_MEMORY: &str = "importTooLarge";

/// The code of what is over a bound; none for other errors.
pub(super) fn code(error: Error) -> Option<&'static str> {
    Some(match error {
        Error::TooLarge | Error::RecordTooLarge => "sourceTooLarge",
        Error::Endless => "sourceEndless",
        Error::TooDeep | Error::Encoded => "sourceUnreadable",
        Error::OverMemory => OVER_MEMORY,
        _ => return None,
    })
}
