//! Where each table would stand in a database that is distributed by space. A new table goes into one of
//! these lists.

/// Where the rows of a table would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// The rows of a space on the node of the space.
    BySpace,
    /// A copy of all rows on every node: small, seldom written, read before the space is known or together
    /// with rows of a space.
    Reference,
    /// On one node, the coordinator: accounts, queues, the server's own state.
    Coordinator,
}

/// Everything of a space. `spaces` itself is distributed by `id`, the others by `space_id`.
pub(super) const BY_SPACE: &[&str] = &[
    "asset_addresses",
    "asset_folders",
    "asset_uploads",
    "assets",
    "audit_log",
    "component_groups",
    "component_versions",
    "components",
    "datasource_dimensions",
    "datasource_entries",
    "datasource_entry_values",
    "datasources",
    "deleted_components",
    "edition_counts",
    "edition_fields",
    "edition_tags",
    "editions",
    "fan_outs",
    "folder_counts",
    "image_results",
    "import_displaced_stories",
    "import_ids",
    "import_jobs",
    "internal_tags",
    "presets",
    "space_counters",
    "spaces",
    "stories",
    "story_events",
    "story_schedulings",
    "story_translations",
    "story_versions",
    "translated_slugs",
    "webhooks",
];

/// A token is what says which space a request is about, a member who may be in it; a timeline, whether a
/// replica may be read.
pub(super) const REFERENCE: &[&str] = &["delivery_tokens", "management_tokens", "space_invitations", "space_members", "timelines"];

/// The identity service; queues, whose workers serve all spaces; and the server's own state.
pub(super) const COORDINATOR: &[&str] = &[
    "account_audit",
    "account_audit_counts",
    "account_counts",
    "client_assertions",
    "client_receivers",
    "deliveries",
    "delivery_attempts",
    "delivery_queue",
    "dpop_proofs",
    "first_admin",
    "former_passwords",
    "image_usage",
    "jobs",
    "known_devices",
    "lockout_counters",
    "mails",
    "oidc_access_tokens",
    "oidc_consents",
    "oidc_denied_tokens",
    "oidc_device_codes",
    "oidc_grants",
    "oidc_refresh_tokens",
    "oidc_remembered_consents",
    "oidc_session_clients",
    "one_time",
    "passkeys",
    "rate_limits",
    "receivers",
    "refinery_schema_history",
    "refusal_turns",
    "role_assignments",
    "sending",
    "sessions",
    "signing_keys",
    "totp",
    "users",
];

/// Every table that is listed, with its placement.
pub(super) fn listed() -> impl Iterator<Item = (&'static str, Placement)> {
    let all = [(BY_SPACE, Placement::BySpace), (REFERENCE, Placement::Reference), (COORDINATOR, Placement::Coordinator)];
    all.into_iter().flat_map(|(tables, placement)| tables.iter().map(move |table| (*table, placement)))
}

/// The placement of a table; `None` for one that is in no list.
pub(super) fn placement(table: &str) -> Option<Placement> {
    listed().find(|(name, _)| *name == table).map(|(_, placement)| placement)
}

/// The column by which the rows of a table are distributed.
pub(super) fn key(table: &str) -> &'static str {
    if table == "spaces" { "id" } else { "space_id" }
}
