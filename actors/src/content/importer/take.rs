//! Taking records over, kind by kind: each is compared with what is here, and written when it differs.

pub(super) mod aside;
pub(super) mod assets;
mod components;
mod datasources;
mod entries;
mod hand;
mod hierarchy;
mod presets;
mod room;
mod stories;
mod story_update;
mod taken;

pub(super) use hand::Hand;
pub(super) use taken::Taken;

use super::memory::Memory;
use domain::{
    content::import::{Finding, Phase, Record, prepare, record},
    shared::{AssetFolderId, GroupId},
};
use storage::Result;

/// A record on its way.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) subject: Subject,
    /// The fingerprint of what it was read from.
    pub(super) print: [u8; 16],
}

impl Item {
    /// Its number at the source.
    pub(super) fn id(&self) -> i64 {
        match &self.subject {
            Subject::Record(record) => record.id(),
            Subject::Asset(asset, _) => asset.id,
            Subject::Story(Ok(story)) => story.source_id,
            Subject::Story(Err(finding)) => finding.id,
        }
    }

    /// What was wrong with it, and what was done. Stories tell it themselves.
    fn odd(&self) -> &[String] {
        match &self.subject {
            Subject::Record(record) => record.odd(),
            Subject::Asset(asset, _) => &asset.odd,
            Subject::Story(_) => &[],
        }
    }

    /// What a person knows it by.
    pub(super) fn label(&self) -> &str {
        match &self.subject {
            Subject::Record(Record::Component(it)) => &it.name,
            Subject::Record(Record::Preset(it)) => &it.name,
            Subject::Record(_) => "",
            Subject::Asset(asset, _) => &asset.filename,
            Subject::Story(Ok(story)) => &story.slug,
            Subject::Story(Err(finding)) => &finding.label,
        }
    }
}

/// What it is.
#[derive(Debug)]
pub(super) enum Subject {
    /// Anything but an asset or a story.
    Record(Record),
    /// An asset, and what became of its file.
    Asset(Box<record::Asset>, assets::File),
    /// A story or folder, prepared; or why it could not be.
    Story(std::result::Result<Box<prepare::Story>, Finding>),
}

/// Takes a page over. What goes wrong with single records is in the report; an error is about all of them.
pub(super) async fn page(phase: Phase, hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    if let Some(kind) = phase.kind() {
        for item in items {
            taken.report.sum(kind, item.print);
            for odd in item.odd() {
                taken.warn(Finding::new("attributeOdd", kind, item.id(), item.label(), odd));
            }
        }
    }
    match phase {
        Phase::Space => Ok(()),
        Phase::AssetFolders => hierarchy::take::<AssetFolderId>(hand, memory, items, taken).await,
        Phase::Assets => assets::take(hand, memory, items, taken).await,
        Phase::ComponentGroups => hierarchy::take::<GroupId>(hand, memory, items, taken).await,
        Phase::Components => components::take(hand, memory, items, taken).await,
        Phase::Presets => presets::take(hand, memory, items, taken).await,
        Phase::Datasources => datasources::take(hand, memory, items, taken).await,
        Phase::DatasourceEntries => entries::take(hand, memory, items, taken).await,
        Phase::Folders | Phase::Stories => stories::take(phase, hand, memory, items, taken).await,
    }
}

/// Gives every story of the source a number.
pub(super) async fn reserve(
    ctx: &crate::content::CommandContext<'_>,
    memory: &Memory,
    wanted: &[(i64, uuid::Uuid)],
    taken: &mut Taken,
) -> Result<()> {
    stories::reserve(ctx.tx, Some(ctx), ctx.space, memory, wanted, taken).await
}

/// The same in a dry run: the numbers are made up.
pub(super) async fn make_up(
    connection: &storage::Connection,
    space: domain::shared::SpaceId,
    memory: &Memory,
    wanted: &[(i64, uuid::Uuid)],
    taken: &mut Taken,
) -> Result<()> {
    stories::reserve(connection, None, space, memory, wanted, taken).await
}

/// A record that could not be read is a failure.
fn unreadable(kind: domain::content::import::Kind, subject: &Subject, taken: &mut Taken) {
    if let Subject::Record(Record::Gone { id }) = subject {
        return taken.skip(Finding::new("gone", kind, *id, "", "it was removed at the source while the import was running"));
    }
    let (id, why) = match subject {
        Subject::Record(Record::Unreadable { id, why }) => (*id, why.clone()),
        Subject::Record(other) => (other.id(), "it is of another kind".to_owned()),
        _ => (0, "it is of another kind".to_owned()),
    };
    taken.fail(Finding::new("unreadable", kind, id, "", why));
}
