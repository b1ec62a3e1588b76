//! The JSON document of an exported account, as a file.

use super::{me::DeviceType, profile::Profile};
use crate::web::ApiResponse;
use domain::{
    identity::{Locales, Passkey},
    shared::{Fault, PasskeyId, UserId, timestamp},
};
use http::{HeaderValue, header};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::account::AccountExport;
use std::net::IpAddr;
use storage::identity::{audit, oidc::grants::ListedGrant, role_assignments::RoleAssignment};

/// 200 with the document, to be saved as a file.
pub(crate) fn respond(export: AccountExport, locales: &Locales) -> Result<ApiResponse, Fault> {
    let name = format!("account-export-{}-{}.json", export.account.id, export.exported_at.strftime("%Y-%m-%d"));
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        .map_err(|error| Fault::internal(format!("name of an export: {error}")))?;
    Ok(ApiResponse::ok(&ExportDocument::new(export, locales))?.with(header::CONTENT_DISPOSITION, disposition))
}

/// The document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportDocument {
    meta: Meta,
    profile: ExportedProfile,
    password_credential: Option<PasswordCredential>,
    webauthn_credentials: Vec<WebauthnCredential>,
    audit_log: Vec<EntryView>,
    oidc_grants: Vec<GrantView>,
    roles: Vec<RoleView>,
}

/// What the person has granted to a client. Tokens are not part of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GrantView {
    client_id: String,
    scope: String,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
}

impl From<ListedGrant> for GrantView {
    fn from(grant: ListedGrant) -> Self {
        Self { client_id: grant.client_id, scope: grant.scope.to_string(), created_at: grant.created_at }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    #[serde(serialize_with = "timestamp::serialize")]
    exported_at: Timestamp,
    version: u32,
    service: &'static str,
    user_id: UserId,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedProfile {
    #[serde(flatten)]
    profile: Profile,
    legacy_sub: Option<String>,
    #[serde(serialize_with = "timestamp::option::serialize")]
    suspended_at: Option<Timestamp>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PasswordCredential {
    algorithm: String,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

/// A passkey. Unlike the list of passkeys it does not name the authenticator.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WebauthnCredential {
    id: PasskeyId,
    name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_used_at: Option<Timestamp>,
    transports: Vec<String>,
    device_type: DeviceType,
    backed_up: bool,
}

impl From<Passkey> for WebauthnCredential {
    fn from(passkey: Passkey) -> Self {
        Self {
            device_type: DeviceType::of(&passkey),
            id: passkey.id,
            name: passkey.name,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
            transports: passkey.transports,
            backed_up: passkey.is_backed_up,
        }
    }
}

/// An entry of the audit trail as the account's owner sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryView {
    event: String,
    status: String,
    ip: Option<IpAddr>,
    user_agent: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
}

impl From<audit::TrailEntry> for EntryView {
    fn from(entry: audit::TrailEntry) -> Self {
        Self { event: entry.event, status: entry.status, ip: entry.ip, user_agent: entry.user_agent, created_at: entry.created_at }
    }
}

/// A role of the account.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RoleView {
    role_group: String,
    role: String,
}

impl From<RoleAssignment> for RoleView {
    fn from(assignment: RoleAssignment) -> Self {
        Self { role_group: assignment.role_group, role: assignment.role }
    }
}

impl ExportDocument {
    fn new(export: AccountExport, locales: &Locales) -> Self {
        let AccountExport { exported_at, account, password, passkeys, audit_log, grants, roles } = export;
        let (user_id, suspended_at, legacy_sub) = (account.id, account.suspended_at, account.legacy_sub.clone());
        Self {
            meta: Meta { exported_at, version: 1, service: "identity", user_id },
            profile: ExportedProfile { profile: Profile::of(account, locales), legacy_sub, suspended_at },
            password_credential: password.map(|password| PasswordCredential {
                algorithm: password.algorithm,
                created_at: password.created_at,
                updated_at: password.changed_at,
            }),
            webauthn_credentials: passkeys.into_iter().map(WebauthnCredential::from).collect(),
            audit_log: audit_log.into_iter().map(EntryView::from).collect(),
            oidc_grants: grants.into_iter().map(GrantView::from).collect(),
            roles: roles.into_iter().map(RoleView::from).collect(),
        }
    }
}
