//! The second form of a record: read, prepared and fetched, ready to be applied.

use super::ChunkOutcome;
use domain::content::{
    asset::Stored,
    import::{Finding, Fingerprint, Kind, Record, prepare, record},
};

/// A record that is ready to be applied.
#[derive(Debug)]
pub struct PreparedRecord {
    /// The record, prepared by kind.
    pub content: PreparedContent,
    /// The fingerprint of the text that it was read from.
    pub fingerprint: Fingerprint,
}

/// A record, prepared by kind.
#[derive(Debug)]
pub enum PreparedContent {
    /// A record of a kind that needs no preparation.
    Plain(Record),
    /// An asset with its file.
    Asset(Box<record::Asset>, AssetFile),
    /// A story or folder; the error says why it is invalid.
    Story(Result<Box<prepare::Story>, Finding>),
}

/// What is known about an asset's file before its row is written.
#[derive(Debug)]
pub enum AssetFile {
    /// It was fetched and stored.
    Stored(Box<Stored>),
    /// It was fetched in a dry run, which does not store it.
    Inspected(Box<Stored>),
    /// An earlier import stored it.
    Kept,
    /// It was not fetched, because the asset is in the trash here or at the source.
    NotWanted,
    /// It could not be fetched.
    Failed(String),
}

impl PreparedRecord {
    /// Its id at the source.
    pub fn id(&self) -> i64 {
        match &self.content {
            PreparedContent::Plain(record) => record.id(),
            PreparedContent::Asset(asset, _) => asset.id,
            PreparedContent::Story(Ok(story)) => story.source_id,
            PreparedContent::Story(Err(finding)) => finding.id,
        }
    }

    /// Its label in reports.
    pub fn label(&self) -> &str {
        match &self.content {
            PreparedContent::Plain(Record::Component(component)) => &component.name,
            PreparedContent::Plain(Record::Preset(preset)) => &preset.name,
            PreparedContent::Plain(_) => "",
            PreparedContent::Asset(asset, _) => &asset.filename,
            PreparedContent::Story(Ok(story)) => &story.slug,
            PreparedContent::Story(Err(finding)) => &finding.label,
        }
    }

    /// The repairs to report. Those of stories are among the warnings of the prepared story.
    pub(super) fn repairs(&self) -> &[String] {
        match &self.content {
            PreparedContent::Plain(record) => record.repairs(),
            PreparedContent::Asset(asset, _) => &asset.repairs,
            PreparedContent::Story(_) => &[],
        }
    }
}

/// Reports a record that is of no use where a record of this kind is expected: deleted at the source, or unreadable.
pub(super) fn report_unusable(kind: Kind, content: &PreparedContent, outcome: &mut ChunkOutcome) {
    if let PreparedContent::Plain(Record::Gone { id }) = content {
        return outcome.skip(Finding::new("gone", kind, *id, "", "it was removed at the source while the import was running"));
    }
    let (id, why) = match content {
        PreparedContent::Plain(Record::Unreadable { id, why }) => (*id, why.clone()),
        PreparedContent::Plain(other) => (other.id(), "it is of another kind".to_owned()),
        _ => (0, "it is of another kind".to_owned()),
    };
    outcome.fail(Finding::new("unreadable", kind, id, "", why));
}
