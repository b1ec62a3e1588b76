//! Applies records kind by kind: each is compared with what exists, and written if it differs.

pub mod assets;
mod components;
mod datasources;
mod entries;
mod hierarchy;
mod mode;
mod outcome;
mod presets;
mod record;
pub mod stories;

pub use mode::ApplyMode;
pub use outcome::ChunkOutcome;
use outcome::{Applied, AssetUrl};
pub use record::{AssetFile, PreparedContent, PreparedRecord};

use super::state::ImportState;
use domain::content::import::{
    Finding, Phase,
    record::{AssetFolder, ComponentGroup},
};
use storage::Result;

/// Applies the records of a chunk. Problems of single records go to the report; an error concerns the whole chunk.
pub async fn apply(
    phase: Phase,
    mode: &ApplyMode<'_>,
    state: &ImportState,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
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
        Phase::AssetFolders => hierarchy::apply::<AssetFolder>(mode, state, records, outcome).await,
        Phase::Assets => assets::apply(mode, state, records, outcome).await,
        Phase::ComponentGroups => hierarchy::apply::<ComponentGroup>(mode, state, records, outcome).await,
        Phase::Components => components::apply(mode, state, records, outcome).await,
        Phase::Presets => presets::apply(mode, state, records, outcome).await,
        Phase::Datasources => datasources::apply(mode, state, records, outcome).await,
        Phase::DatasourceEntries => entries::apply(mode, state, records, outcome).await,
        Phase::Folders | Phase::Stories => stories::apply(phase, mode, state, records, outcome).await,
    }
}
