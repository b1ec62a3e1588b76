//! The codes of imports that failed, as reports have them.

/// Why an import failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCode {
    /// The process ended again and again while it was at it.
    Crashed,
    /// The files of assets cannot be kept.
    FilesAway,
    /// The folder was changed meanwhile.
    FolderChanged,
    /// It would hold more than it may.
    ImportTooLarge,
    /// The token may not read the space.
    NoAccess,
    /// This server is not set up for imports.
    NoSources,
    /// There is no such region.
    RegionUnknown,
    /// The source has more pages than there can be.
    SourceEndless,
    /// The source failed again and again.
    SourceFailing,
    /// The source refused too often.
    SourceThrottled,
    /// The source sends more than an import takes.
    SourceTooLarge,
    /// The source sends what cannot be read.
    SourceUnreadable,
    /// The source has no such space, or the token may not know of it.
    SpaceNotFound,
    /// The token cannot be read any more.
    TokenLost,
    /// The source does not accept the token.
    TokenRejected,
}

impl EndCode {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crashed => "crashed",
            Self::FilesAway => "filesAway",
            Self::FolderChanged => "folderChanged",
            Self::ImportTooLarge => "importTooLarge",
            Self::NoAccess => "noAccess",
            Self::NoSources => "noSources",
            Self::RegionUnknown => "regionUnknown",
            Self::SourceEndless => "sourceEndless",
            Self::SourceFailing => "sourceFailing",
            Self::SourceThrottled => "sourceThrottled",
            Self::SourceTooLarge => "sourceTooLarge",
            Self::SourceUnreadable => "sourceUnreadable",
            Self::SpaceNotFound => "spaceNotFound",
            Self::TokenLost => "tokenLost",
            Self::TokenRejected => "tokenRejected",
        }
    }
}
