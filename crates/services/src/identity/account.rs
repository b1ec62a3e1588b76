//! What people do with their own accounts as a whole: change the profile, export everything that is stored,
//! delete it.

use super::{
    IdentityContext, RequestContext, acting_tokens, administrators,
    password::find_own,
    reauth::{self, Credential},
    session_end,
};
use domain::{
    identity::{Account, Passkey, ProfileChange, ProfileRequest, oidc::client_notice::Deleter},
    shared::{Fault, UserId},
};
use jiff::Timestamp;
use storage::{
    Connection,
    identity::{
        AuditOutcome, accounts,
        audit::{self, TrailEntry},
        oidc::grants::{self, ListedGrant},
        passkeys, passwords,
        role_assignments::{self, RoleAssignment},
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// Changes names and locale. Answers the account as it is then; 400 for invalid fields, 401 when the account
/// was deleted.
pub async fn update_profile(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    changes: ProfileRequest,
) -> Result<Account, Fault> {
    let change = &changes.validate(&ctx.settings.locales)?;
    transact!(ctx, "account.change_profile", async |tx| {
        let Some(account) = accounts::set_profile(tx, user, change, request.source.at).await? else { return Ok(None) };
        if *change != ProfileChange::default() {
            audit::record(tx, audit::Event::AccountUpdated, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(Some(account))
    })
    .await?
    .ok_or_else(Fault::unauthorized)
}

/// How many entries of the audit trail are read at a time.
const AUDIT_PAGE: i64 = 1000;

/// The data of an account.
pub struct AccountExport {
    /// When the data was read.
    pub exported_at: Timestamp,
    pub account: Account,
    /// The password, if there is one.
    pub password: Option<PasswordInfo>,
    pub passkeys: Vec<Passkey>,
    /// Every entry of the audit trail, the newest first.
    pub audit_log: Vec<TrailEntry>,
    /// What it has granted to clients.
    pub grants: Vec<ListedGrant>,
    /// The roles that are assigned to it.
    pub roles: Vec<RoleAssignment>,
}

/// What may be shown of a password.
pub struct PasswordInfo {
    /// The algorithm of its hash, such as `argon2id`.
    pub algorithm: String,
    /// When the account got a password.
    pub created_at: Timestamp,
    /// When the password was changed last.
    pub changed_at: Timestamp,
}

/// Exports an account, and records that in its audit trail. 429 when it was exported too often, 401 when it
/// was deleted.
pub async fn export_account(ctx: &IdentityContext, request: &RequestContext, user: UserId) -> Result<AccountExport, Fault> {
    ctx.limits.export(&ctx.store, user).await?;
    transact!(ctx, "account.record_export", async |tx| {
        audit::record(tx, audit::Event::AccountExported, AuditOutcome::Success, request.source.attempt(Some(user))).await
    })
    .await?;
    read_account(ctx, request, user).await?.ok_or_else(Fault::unauthorized)
}

/// Reads everything that is stored about an account; `None` without such an account.
pub(super) async fn read_account(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
) -> Result<Option<AccountExport>, Fault> {
    let connection = ctx.store.connection("account.export").await?;
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(None) };
    let password = passwords::credential(&connection, user).await?.map(|credential| PasswordInfo {
        algorithm: algorithm(&credential.hash).to_owned(),
        created_at: credential.created_at,
        changed_at: credential.changed_at,
    });
    let passkeys = passkeys::list(&connection, user).await?;
    let audit_log = audit_log(&connection, user).await?;
    let grants = grants::list_active(&connection, user, request.at(), grants::NEWEST).await?.items;
    let roles = role_assignments::list(&connection, user).await?;
    Ok(Some(AccountExport { exported_at: request.at(), account, password, passkeys, audit_log, grants, roles }))
}

async fn audit_log(connection: &Connection, user: UserId) -> Result<Vec<TrailEntry>, Fault> {
    let mut log = Vec::new();
    let mut before = None;
    loop {
        let page = audit::list(connection, user, before, AUDIT_PAGE).await?;
        let Some(last) = page.last() else { return Ok(log) };
        before = Some(last.id);
        log.extend(page);
    }
}

/// The algorithm of a PHC string: `$argon2id$v=19$…` is `argon2id`. The three version prefixes of bcrypt
/// count as one.
fn algorithm(hash: &str) -> &str {
    match hash.split('$').nth(1).unwrap_or_default() {
        "2a" | "2b" | "2y" => "bcrypt",
        name => name,
    }
}

/// The audit event of a deleted account.
const DELETED: audit::Event = audit::Event::AccountDeleted;

/// Deletes the account of a signed-in person, after a re-authentication. `credential` reads the credential
/// that was sent; its argument is whether the account has a password. 409 `lastAdmin` for the only
/// administrator, or what a re-authentication refuses.
pub async fn delete_account(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    credential: impl FnOnce(bool) -> Result<Credential, Fault> + Send,
) -> Result<(), Fault> {
    let stored = find_own(ctx, owner.user).await?;
    let credential = credential(stored.account.has_password)?;
    let passkey = &reauth::reauthenticate(ctx, request, owner, &stored, credential, DELETED).await?;
    let deleted = transact!(ctx, "account.delete", async |tx| {
        let user = owner.user;
        administrators::keep_another_than(tx, user, ctx.mail_queue.is_on()).await?;
        sessions::lock_signed_in(tx, owner, request.source.at).await?;
        let attempt = request.source.attempt(Some(user));
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        let by = acting_tokens::by(user, "member", &request.source);
        acting_tokens::leave_all(ctx, tx, user, &by).await?;
        session_end::delete_account(tx, user, Deleter::User, request.source.at).await?;
        audit::record(tx, DELETED, AuditOutcome::Success, attempt).await.map(Ok)
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, deleted, DELETED).await
}

#[cfg(test)]
mod tests {
    use super::algorithm;

    #[test]
    fn the_algorithm_is_the_name_in_the_hash() {
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
