//! What an authorization request has to know of a signed-in person, in one query.

use super::person;
use crate::{
    Executor, Result,
    identity::one_time::Hash,
    row,
    shared::sessions::{SessionClaims, idle_since},
};
use domain::identity::oidc::{Scope, policy::SessionFacts};
use jiff::Timestamp;

/// A session that is active.
#[derive(Debug, Clone)]
pub struct SignedInPerson {
    /// What decides about the request. Its roles are those that are assigned in the client's group.
    pub facts: SessionFacts,
    /// The name that the person is called by, for pages.
    pub name: String,
    /// Whether the account knows the browser, by its device cookie.
    pub is_browser_known: bool,
    /// When the session was last seen, as exact as [`crate::shared::sessions::SEEN_EVERY`] says.
    pub last_seen_at: Timestamp,
}

/// The person of a session, if it is active; with what is known of the person and a client. `device` is the
/// hash of the browser's device cookie, if it has one.
pub async fn find_person(
    executor: &impl Executor,
    claimed: SessionClaims,
    device: Option<&Hash>,
    client_id: &str,
    role_group: &str,
    now: Timestamp,
) -> Result<Option<SignedInPerson>> {
    let found = executor
        .row_opt(
            concat!(
                "select ",
                person::columns!(),
                ", sessions.auth_at, sessions.amr, sessions.last_seen_at,
                   exists (select 1 from totp where totp.user_id = users.id and totp.secret is not null) as has_totp,
                   exists (select 1 from passkeys where passkeys.user_id = users.id) as has_passkey,
                   (select scope from oidc_consents where oidc_consents.user_id = users.id and client_id = $6) as consented,
                   known_devices.id is not null as is_browser_known,
                   (select scope from oidc_remembered_consents
                    where device_id = known_devices.id and client_id = $6 and oidc_remembered_consents.expires_at > $4) as remembered
                 from sessions join users on users.id = sessions.user_id
                 left join known_devices on known_devices.user_id = users.id and known_devices.hash = $7
                 where sessions.id = $1 and sessions.user_id = $2 and sessions.token_version = $3
                   and users.token_version = sessions.token_version and users.suspended_at is null
                   and sessions.revoked_at is null and sessions.expires_at > $4 and sessions.last_seen_at > $5"
            ),
            &[
                /* id */ &claimed.session,
                /* user_id */ &claimed.user,
                /* token_version */ &claimed.token_version,
                /* now */ &now,
                /* idle_since */ &idle_since(now),
                /* client_id */ &client_id,
                /* device */ &device.map(<[u8; 32]>::as_slice),
            ],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let person = person::read(&found)?;
    let roles = person::roles_in(&person::read_roles(&found)?, role_group);
    Ok(Some(SignedInPerson {
        name: person.name(),
        facts: SessionFacts {
            user: person.id,
            email: person.email,
            auth_at: row::get(&found, "auth_at")?,
            methods: row::get(&found, "amr")?,
            has_totp: row::get(&found, "has_totp")?,
            has_passkey: row::get(&found, "has_passkey")?,
            roles,
            consented: Scope::of(row::get::<Option<Vec<String>>>(&found, "consented")?.unwrap_or_default()),
            remembered: Scope::of(row::get::<Option<Vec<String>>>(&found, "remembered")?.unwrap_or_default()),
        },
        is_browser_known: row::get(&found, "is_browser_known")?,
        last_seen_at: row::get(&found, "last_seen_at")?,
    }))
}
