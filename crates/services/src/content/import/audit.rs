//! Audit entries about imports.

use domain::content::{
    Changes,
    import::{Import, SourceRef},
};
use serde_json::Value;

/// One audit entry about an import, labelled with its source.
pub(super) fn audited(action: &'static str, import: &Import, meta: Value) -> Changes {
    let label = match &import.source {
        SourceRef::Vendor { region, space_id } => format!("{region} {space_id}"),
        SourceRef::Directory { .. } => "folder".to_owned(),
    };
    Changes::default().and_audit(action, "import", import.id, label, meta)
}
