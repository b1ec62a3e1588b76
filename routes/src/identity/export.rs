//! Everything that is known about an account, as one document (facts, section 5.7): for its owner, and for administrators. No hash, no token, no
//! secret is in it.

use super::{Identity, me::DeviceType, profile::Profile};
use domain::{
    identity::{Account, Passkey},
    shared::{Fault, PasskeyId, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use std::net::IpAddr;
use storage::{
    Connection,
    identity::{audit, passkeys, passwords},
};

/// How many entries of the audit trail are read at a time.
const PAGE: i64 = 1000;

/// The document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Export {
    meta: Meta,
    profile: ExportedProfile,
    password_credential: Option<PasswordCredential>,
    webauthn_credentials: Vec<WebauthnCredential>,
    audit_log: Vec<EntryView>,
    oidc_grants: [Never; 0],
    roles: [Never; 0],
}

/// What nobody can have yet: grants to clients and roles are not given by this version.
#[derive(Serialize)]
enum Never {}

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

/// A passkey. The kind of its authenticator is left to the list of passkeys, as the contract has it.
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
    fn from(it: Passkey) -> Self {
        Self {
            device_type: DeviceType::of(&it),
            id: it.id,
            name: it.name,
            created_at: it.created_at,
            last_used_at: it.last_used_at,
            transports: it.transports,
            backed_up: it.is_backed_up,
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

impl From<audit::Entry> for EntryView {
    fn from(it: audit::Entry) -> Self {
        Self { event: it.event, status: it.status, ip: it.ip, user_agent: it.user_agent, created_at: it.created_at }
    }
}

/// Collects it.
pub(super) async fn of(identity: &Identity, connection: &Connection, account: Account, at: Timestamp) -> Result<Export, Fault> {
    let user = account.id;
    let credential = passwords::credential(connection, user).await?;
    let password_credential = credential.map(|credential| PasswordCredential {
        algorithm: algorithm(&credential.hash).to_owned(),
        created_at: credential.created_at,
        updated_at: credential.changed_at,
    });
    let suspended_at = account.suspended_at;
    Ok(Export {
        meta: Meta { exported_at: at, version: 1, service: "identity", user_id: user },
        profile: ExportedProfile { profile: Profile::of(account, &identity.ctx.settings.locales), suspended_at },
        password_credential,
        webauthn_credentials: passkeys::list(connection, user).await?.into_iter().map(WebauthnCredential::from).collect(),
        audit_log: audit_log(connection, user).await?,
        oidc_grants: [],
        roles: [],
    })
}

/// All of it, the newest first.
async fn audit_log(connection: &Connection, user: UserId) -> Result<Vec<EntryView>, Fault> {
    let mut log: Vec<EntryView> = Vec::new();
    let mut before = None;
    loop {
        let page = audit::list(connection, user, before, PAGE).await?;
        let Some(last) = page.last() else { return Ok(log) };
        before = Some(last.id);
        log.extend(page.into_iter().map(EntryView::from));
    }
}

/// What a hash calls itself: `$argon2id$v=19$…` is `argon2id`, and the three letters of bcrypt are one.
fn algorithm(hash: &str) -> &str {
    match hash.split('$').nth(1).unwrap_or_default() {
        "2a" | "2b" | "2y" => "bcrypt",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::algorithm;

    #[test]
    fn only_the_name_of_a_hash_is_told() {
        for (hash, name) in [
            ("$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA", "argon2id"),
            ("$2y$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm", "bcrypt"),
            ("$pbkdf2-sha256$1000$LGbj$DXHV", "pbkdf2-sha256"),
            ("odd", ""),
        ] {
            assert_eq!(algorithm(hash), name);
        }
    }
}
