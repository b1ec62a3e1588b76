//! Applies records kind by kind: each is compared with what exists, and written if it differs.

pub mod assets;
mod components;
mod context;
mod datasources;
mod entries;
mod hierarchy;
mod outcome;
mod presets;
mod record;
pub mod stories;

pub use context::ApplyContext;
pub use outcome::ChunkOutcome;
use outcome::{Applied, AssetUrl};
pub use record::{AssetFile, PreparedContent, PreparedRecord};

use domain::content::import::{
    Finding, Phase,
    record::{AssetFolder, ComponentGroup},
};
use storage::Result;

/// Applies the records of a chunk. Problems of single records go to the report; an error concerns the whole
/// chunk.
pub async fn apply(phase: Phase, context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    if let Some(kind) = phase.kind() {
        for record in records {
            outcome.report.sum(kind, record.fingerprint);
            for repair in record.repairs() {
                outcome.warn(Finding::new("attributeOdd", kind, record.id(), record.label(), repair));
            }
        }
    }
    match phase {
        Phase::Space => Ok(()),
        Phase::AssetFolders => hierarchy::apply::<AssetFolder>(context, records, outcome).await,
        Phase::Assets => assets::apply(context, records, outcome).await,
        Phase::ComponentGroups => hierarchy::apply::<ComponentGroup>(context, records, outcome).await,
        Phase::Components => components::apply(context, records, outcome).await,
        Phase::Presets => presets::apply(context, records, outcome).await,
        Phase::Datasources => datasources::apply(context, records, outcome).await,
        Phase::DatasourceEntries => entries::apply(context, records, outcome).await,
        Phase::Folders | Phase::Stories => stories::apply(phase, context, records, outcome).await,
    }
}
