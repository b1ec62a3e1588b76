//! Migrations: forward only, by one process at a time.

use crate::{Error, Result};
use refinery_core::{Migration, Runner};
use tokio_postgres::Client;

/// Every file of `migrations/`, in order. A test compares this list with the folder, so that no file is
/// forgotten.
pub const FILES: &[(&str, &str)] = &[
    ("0001_identity", include_str!("../../../migrations/0001_identity.sql")),
    ("0002_content", include_str!("../../../migrations/0002_content.sql")),
    ("0003_queue", include_str!("../../../migrations/0003_queue.sql")),
    ("0004_reading", include_str!("../../../migrations/0004_reading.sql")),
    ("0005_datasources", include_str!("../../../migrations/0005_datasources.sql")),
    ("0006_assets", include_str!("../../../migrations/0006_assets.sql")),
    ("0007_imports", include_str!("../../../migrations/0007_imports.sql")),
    ("0008_webhooks", include_str!("../../../migrations/0008_webhooks.sql")),
    ("0009_schedulings", include_str!("../../../migrations/0009_schedulings.sql")),
    ("0010_mails", include_str!("../../../migrations/0010_mails.sql")),
    ("0011_one_time", include_str!("../../../migrations/0011_one_time.sql")),
    ("0012_factors", include_str!("../../../migrations/0012_factors.sql")),
    ("0013_passkeys", include_str!("../../../migrations/0013_passkeys.sql")),
    ("0014_imports_in_bulk", include_str!("../../../migrations/0014_imports_in_bulk.sql")),
    ("0015_import_events", include_str!("../../../migrations/0015_import_events.sql")),
    ("0016_import_memory", include_str!("../../../migrations/0016_import_memory.sql")),
    ("0017_dead_letters", include_str!("../../../migrations/0017_dead_letters.sql")),
    ("0018_import_names", include_str!("../../../migrations/0018_import_names.sql")),
    ("0019_delivery_token_scopes", include_str!("../../../migrations/0019_delivery_token_scopes.sql")),
    ("0020_attempts_under_way", include_str!("../../../migrations/0020_attempts_under_way.sql")),
    ("0021_lockout_counters", include_str!("../../../migrations/0021_lockout_counters.sql")),
    ("0022_signing_keys", include_str!("../../../migrations/0022_signing_keys.sql")),
    ("0023_clients", include_str!("../../../migrations/0023_clients.sql")),
    ("0024_oidc_grants", include_str!("../../../migrations/0024_oidc_grants.sql")),
    ("0025_client_receivers", include_str!("../../../migrations/0025_client_receivers.sql")),
    ("0026_oidc_denied_tokens", include_str!("../../../migrations/0026_oidc_denied_tokens.sql")),
    ("0027_dpop", include_str!("../../../migrations/0027_dpop.sql")),
    ("0028_account_audit_parties", include_str!("../../../migrations/0028_account_audit_parties.sql")),
    ("0029_account_list", include_str!("../../../migrations/0029_account_list.sql")),
    ("0030_provisioning", include_str!("../../../migrations/0030_provisioning.sql")),
    ("0031_device_codes", include_str!("../../../migrations/0031_device_codes.sql")),
    ("0032_account_audit_days", include_str!("../../../migrations/0032_account_audit_days.sql")),
    ("0033_queues", include_str!("../../../migrations/0033_queues.sql")),
    ("0034_spaces", include_str!("../../../migrations/0034_spaces.sql")),
    ("0036_silenced_receivers", include_str!("../../../migrations/0036_silenced_receivers.sql")),
    ("0038_short_searches", include_str!("../../../migrations/0038_short_searches.sql")),
    ("0039_receiver_owners", include_str!("../../../migrations/0039_receiver_owners.sql")),
    ("0040_operations", include_str!("../../../migrations/0040_operations.sql")),
    ("0041_published_translations", include_str!("../../../migrations/0041_published_translations.sql")),
    ("0042_client_resources", include_str!("../../../migrations/0042_client_resources.sql")),
    ("0043_image_results", include_str!("../../../migrations/0043_image_results.sql")),
    ("0044_shared_paths", include_str!("../../../migrations/0044_shared_paths.sql")),
    ("0045_list_orders", include_str!("../../../migrations/0045_list_orders.sql")),
    ("0046_sending", include_str!("../../../migrations/0046_sending.sql")),
    ("0048_shared_limits", include_str!("../../../migrations/0048_shared_limits.sql")),
    ("0049_timelines", include_str!("../../../migrations/0049_timelines.sql")),
    ("0050_session_proofs", include_str!("../../../migrations/0050_session_proofs.sql")),
    ("0052_remembered_consents", include_str!("../../../migrations/0052_remembered_consents.sql")),
    ("0056_refusal_turns", include_str!("../../../migrations/0056_refusal_turns.sql")),
    ("0058_content_marks", include_str!("../../../migrations/0058_content_marks.sql")),
    ("0059_marked_orders", include_str!("../../../migrations/0059_marked_orders.sql")),
    ("0060_account_audit_filters", include_str!("../../../migrations/0060_account_audit_filters.sql")),
    ("0063_failing_receivers", include_str!("../../../migrations/0063_failing_receivers.sql")),
    ("0064_marks_of_content", include_str!("../../../migrations/0064_marks_of_content.sql")),
    ("0065_circuits", include_str!("../../../migrations/0065_circuits.sql")),
    ("0066_remembered_sessions", include_str!("../../../migrations/0066_remembered_sessions.sql")),
    ("0067_space_members", include_str!("../../../migrations/0067_space_members.sql")),
    ("0068_invitations", include_str!("../../../migrations/0068_invitations.sql")),
    ("0069_valid_publishes", include_str!("../../../migrations/0069_valid_publishes.sql")),
    ("0070_story_revisions", include_str!("../../../migrations/0070_story_revisions.sql")),
    ("0071_previews", include_str!("../../../migrations/0071_previews.sql")),
    ("0072_asset_addresses", include_str!("../../../migrations/0072_asset_addresses.sql")),
    ("0073_plans_of_languages", include_str!("../../../migrations/0073_plans_of_languages.sql")),
    ("0074_story_translations", include_str!("../../../migrations/0074_story_translations.sql")),
    ("0075_asset_meta_fields", include_str!("../../../migrations/0075_asset_meta_fields.sql")),
    ("0076_translation_counts", include_str!("../../../migrations/0076_translation_counts.sql")),
];

/// The key of the advisory lock for which processes that start at the same time queue: «lectern» in ASCII.
const LOCK: i64 = 0x006c_6563_7465_726e;

/// Applies the files that were not applied yet, and returns how many they were.
///
/// A second process that starts at the same time waits for the first. A file that was changed after it was
/// applied is an error.
pub async fn run(client: &mut Client) -> Result<usize> {
    client.execute("select pg_advisory_lock($1)", &[&LOCK]).await?;
    let outcome = apply(client).await;
    client.execute("select pg_advisory_unlock($1)", &[&LOCK]).await?;
    outcome
}

/// Whether exactly the migrations of this version are applied.
pub(crate) async fn is_current(client: &Client) -> Result<bool> {
    let applied: i64 = client.query_one("select count(*) from refinery_schema_history", &[]).await?.get(0);
    Ok(usize::try_from(applied).is_ok_and(|applied| applied == FILES.len()))
}

async fn apply(client: &mut Client) -> Result<usize> {
    let migrations = FILES
        .iter()
        .map(|(name, sql)| Migration::unapplied(&format!("V{name}").replacen('_', "__", 1), sql))
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(|error| Error::Internal(error.to_string()))?;
    let report =
        Runner::new(&migrations).run_async(client).await.map_err(|error| Error::Internal(format!("migration: {error:#}")))?;
    Ok(report.applied_migrations().len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_applied() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        let found: BTreeSet<String> =
            std::fs::read_dir(folder).unwrap().map(|dir| dir.unwrap().file_name().into_string().unwrap()).collect();
        let listed: BTreeSet<String> = super::FILES.iter().map(|(name, _)| format!("{name}.sql")).collect();
        assert_eq!(found, listed);
    }
}
