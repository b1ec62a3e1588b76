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
            PreparedContent::Asset(asset, _) => asset.id.number(),
            PreparedContent::Story(Ok(story)) => story.source_id.number(),
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

/// Reports a record that is of no use where a record of this kind is expected: deleted at the source, or
/// unreadable.
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

#[cfg(test)]
mod tests {
    use super::{AssetFile, PreparedContent, PreparedRecord, report_unusable};
    use crate::content::import::{apply::ChunkOutcome, state::ImportState};
    use domain::content::import::{Finding, Kind, Record, Report};

    #[test]
    fn a_record_is_named_by_its_id_and_what_people_know_it_by() {
        let plain =
            |kind, text: &str| PreparedRecord { content: PreparedContent::Plain(Record::read(kind, text)), fingerprint: [0; 16] };
        let component = plain(Kind::Component, r#"{"id":3,"name":"teaser","created_at":5}"#);
        assert_eq!((component.id(), component.label()), (3, "teaser"));
        assert_eq!(
            (plain(Kind::Preset, r#"{"id":4,"name":"Big"}"#).id(), plain(Kind::Preset, r#"{"id":4,"name":"Big"}"#).label()),
            (4, "Big")
        );
        assert_eq!(plain(Kind::Datasource, r#"{"id":5,"name":"Colours"}"#).label(), "");
        let Record::Asset(asset) = Record::read(Kind::Asset, r#"{"id":6,"filename":"https://a.example/x.png"}"#) else { panic!() };
        let asset = PreparedRecord { content: PreparedContent::Asset(asset, AssetFile::Kept), fingerprint: [0; 16] };
        assert_eq!((asset.id(), asset.label(), asset.repairs().len()), (6, "https://a.example/x.png", 0));
        let invalid = Finding::new("invalid", Kind::Story, 7, "a/b", "is wrong");
        let story = PreparedRecord { content: PreparedContent::Story(Err(invalid)), fingerprint: [0; 16] };
        assert_eq!((story.id(), story.label(), story.repairs().len()), (7, "a/b", 0));
    }

    #[test]
    fn repairs_of_a_record_are_told() {
        let record = Record::read(Kind::Component, r#"{"id":3,"name":"teaser","is_root":"perhaps"}"#);
        let repairs = record.repairs().to_vec();
        assert_eq!(repairs.len(), 1);
        let prepared = PreparedRecord { content: PreparedContent::Plain(record), fingerprint: [0; 16] };
        assert_eq!(prepared.repairs(), repairs);
    }

    #[test]
    fn a_record_of_another_kind_is_of_no_use() {
        let told = |content: &PreparedContent| {
            let mut outcome = ChunkOutcome::new(Report::default(), &ImportState::default());
            report_unusable(Kind::Asset, content, &mut outcome);
            let found = [outcome.report.failures.items, outcome.report.warnings.items].concat();
            found.into_iter().map(|finding| (finding.code, finding.id, finding.message)).collect::<Vec<_>>()
        };
        let other = |id, why: &str| vec![("unreadable".to_owned(), id, why.to_owned())];
        let preset = PreparedContent::Plain(Record::read(Kind::Preset, r#"{"id":4}"#));
        assert_eq!(told(&preset), other(4, "it is of another kind"));
        let unreadable = PreparedContent::Plain(Record::Unreadable { id: 5, why: "no JSON".into() });
        assert_eq!(told(&unreadable), other(5, "no JSON"));
        let story = PreparedContent::Story(Err(Finding::new("invalid", Kind::Story, 7, "a", "is wrong")));
        assert_eq!(told(&story), other(0, "it is of another kind"));
        assert_eq!(told(&PreparedContent::Plain(Record::Gone { id: 6 }))[0].0, "gone");
    }
}
