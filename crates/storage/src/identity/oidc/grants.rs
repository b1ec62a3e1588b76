//! Grants: the table `oidc_grants`, what a client may do for a person since one authorization request.

use super::person;
use crate::{Executor, Result, Tx, expiry::Expiring, row};
use domain::{
    identity::{
        oidc::{ClaimsRequest, Scope, user_claims::Person},
        one_time::Kind,
    },
    shared::{Page, PageRequest, SessionId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// A grant.
#[derive(Debug, Clone)]
pub struct Grant {
    pub id: Uuid,
    pub client_id: String,
    pub user: UserId,
    /// The session in which it was given, as long as that has a row.
    pub session: Option<SessionId>,
    pub scope: Scope,
    /// The resources that tokens may be issued for.
    pub resources: Vec<String>,
    /// The claims that were asked for by name.
    pub claims: ClaimsRequest,
    /// The `nonce` of the request.
    pub nonce: Option<String>,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// How (RFC 8176).
    pub methods: Vec<String>,
    /// Whether it outlives the session.
    pub is_offline: bool,
    /// When it was given.
    pub created_at: Timestamp,
    /// When its last token expires.
    pub expires_at: Timestamp,
}

/// A grant with the person it is about, as both are now.
#[derive(Debug, Clone)]
pub struct LiveGrant {
    pub grant: Grant,
    pub person: Person,
    /// The roles that are assigned to the person, each with its group.
    pub assigned_roles: Vec<(String, String)>,
}

impl LiveGrant {
    /// The roles that are assigned in a group.
    pub fn roles_in(&self, group: &str) -> Vec<String> {
        person::roles_in(&self.assigned_roles, group)
    }
}

/// The columns of a grant, as [`read`] reads them.
macro_rules! grant {
    () => {
        "g.id, g.client_id, g.user_id, g.session_id, g.scope, g.resources, g.claims, g.nonce, g.auth_at, g.amr, g.is_offline,
         g.created_at as granted_at, g.expires_at as grant_expires_at"
    };
}
pub(super) use grant;

/// Inserts a grant.
pub async fn insert(tx: &Tx<'_>, grant: &Grant) -> Result<()> {
    tx.execute_one(
        "oidc_grants.insert",
        "insert into oidc_grants (id, client_id, user_id, session_id, scope, resources, claims, nonce, auth_at, amr, is_offline,
                                  created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        &[
            /* id */ &grant.id,
            /* client_id */ &grant.client_id,
            /* user_id */ &grant.user,
            /* session_id */ &grant.session,
            /* scope */ &grant.scope.names(),
            /* resources */ &grant.resources,
            /* claims */ &row::to_json(&grant.claims)?,
            /* nonce */ &grant.nonce,
            /* auth_at */ &grant.auth_at,
            /* amr */ &grant.methods,
            /* is_offline */ &grant.is_offline,
            /* created_at */ &grant.created_at,
            /* expires_at */ &grant.expires_at,
        ],
    )
    .await
}

/// Remembers that a session signed in to a client.
pub async fn note_session_client(tx: &Tx<'_>, session: SessionId, client_id: &str, at: Timestamp) -> Result<()> {
    tx.execute(
        "insert into oidc_session_clients (session_id, client_id, first_used_at) values ($1, $2, $3) on conflict do nothing",
        &[/* session_id */ &session, /* client_id */ &client_id, /* first_used_at */ &at],
    )
    .await
    .map(|_| ())
}

/// The grant of an authorization code, whether the code was used or not. `None` when it is not valid any
/// more: it was revoked, the person is suspended or gone, or the session in which the code was issued has
/// ended.
pub async fn find_by_code(executor: &impl Executor, hash: &[u8; 32]) -> Result<Option<LiveGrant>> {
    let found = executor
        .row_opt(
            concat!(
                "select ",
                grant!(),
                ", ",
                person::columns!(),
                " from one_time
                  join oidc_grants g on g.id = one_time.id
                  join users on users.id = g.user_id
                  join sessions on sessions.id = g.session_id
                  where one_time.kind = $1 and one_time.hash = $2 and g.revoked_at is null and users.suspended_at is null
                    and sessions.revoked_at is null and sessions.token_version = users.token_version"
            ),
            &[/* kind */ &Kind::AuthorizationCode.into_str(), /* hash */ &hash.as_slice()],
        )
        .await?;
    found.as_ref().map(read_live).transpose()
}

/// The grant that a person gave a device. `None` when there is none, or it is not valid any more, as with
/// [`find_by_code`].
pub async fn find_in_session(executor: &impl Executor, id: Uuid) -> Result<Option<LiveGrant>> {
    let found = executor
        .row_opt(
            concat!(
                "select ",
                grant!(),
                ", ",
                person::columns!(),
                " from oidc_grants g
                  join users on users.id = g.user_id
                  join sessions on sessions.id = g.session_id
                  where g.id = $1 and g.revoked_at is null and users.suspended_at is null
                    and sessions.revoked_at is null and sessions.token_version = users.token_version"
            ),
            &[/* id */ &id],
        )
        .await?;
    found.as_ref().map(read_live).transpose()
}

/// Revokes a grant, and with it every token of it. Answers the person; `None` when it was revoked before.
pub async fn revoke(tx: &Tx<'_>, id: Uuid, at: Timestamp) -> Result<Option<UserId>> {
    let revoked = tx
        .row_opt(
            "update oidc_grants set revoked_at = $2 where id = $1 and revoked_at is null returning user_id",
            &[/* id */ &id, /* revoked_at */ &at],
        )
        .await?;
    revoked.as_ref().map(|revoked| row::get(revoked, "user_id")).transpose()
}

/// The same, if the grant was given to this client.
pub async fn revoke_given_to(tx: &Tx<'_>, id: Uuid, client_id: &str, at: Timestamp) -> Result<Option<UserId>> {
    let revoked = tx
        .row_opt(
            "update oidc_grants set revoked_at = $3 where id = $1 and client_id = $2 and revoked_at is null returning user_id",
            &[/* id */ &id, /* client_id */ &client_id, /* revoked_at */ &at],
        )
        .await?;
    revoked.as_ref().map(|revoked| row::get(revoked, "user_id")).transpose()
}

/// Revokes the grants of a session that do not outlive it.
pub async fn revoke_of_session(tx: &Tx<'_>, session: SessionId, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update oidc_grants set revoked_at = $2 where session_id = $1 and not is_offline and revoked_at is null",
        &[/* session_id */ &session, /* revoked_at */ &at],
    )
    .await
}

/// Revokes the grants of an account that do not outlive their sessions, but for those of a session that is
/// kept.
pub async fn revoke_of_sessions(tx: &Tx<'_>, user: UserId, kept: Option<SessionId>, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update oidc_grants set revoked_at = $3
         where user_id = $1 and ($2::uuid is null or session_id is distinct from $2) and not is_offline and revoked_at is null",
        &[/* user_id */ &user, /* kept */ &kept, /* revoked_at */ &at],
    )
    .await
}

/// Revokes every grant of an account.
pub async fn revoke_of_user(tx: &Tx<'_>, user: UserId, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update oidc_grants set revoked_at = $2 where user_id = $1 and revoked_at is null",
        &[/* user_id */ &user, /* revoked_at */ &at],
    )
    .await
}

/// Revokes every grant that an account has given to a client.
pub async fn revoke_of_client(tx: &Tx<'_>, user: UserId, client_id: &str, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update oidc_grants set revoked_at = $3 where user_id = $1 and client_id = $2 and revoked_at is null",
        &[/* user_id */ &user, /* client_id */ &client_id, /* revoked_at */ &at],
    )
    .await
}

/// What an account has granted to one client, for its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedGrant {
    pub client_id: String,
    /// The scope of the grant.
    pub scope: Scope,
    /// When it was given.
    pub created_at: Timestamp,
}

/// The newest grants, as many as a list shows that has one page.
pub const NEWEST: PageRequest = PageRequest { page: 1, per_page: 200 };

/// The grants of an account that are valid.
const ACTIVE: &str = "from oidc_grants where user_id = $1 and revoked_at is null and expires_at > $2";

/// A page of the grants of an account that are valid, the newest first.
pub async fn list_active(executor: &impl Executor, user: UserId, now: Timestamp, page: PageRequest) -> Result<Page<ListedGrant>> {
    let sql = format!(
        "select client_id, scope, created_at, count(*) over () as total {ACTIVE} order by created_at desc, id limit $3 offset $4"
    );
    let rows =
        executor.rows(&sql, &[/* user_id */ &user, /* now */ &now, /* limit */ &page.limit(), /* offset */ &page.offset()]).await?;
    let total = match rows.first() {
        Some(row) => row::get(row, "total")?,
        None if page.page == 1 => 0,
        // The page is behind the end.
        None => {
            let sql = format!("select count(*) as total {ACTIVE}");
            row::get(&executor.row(&sql, &[/* user_id */ &user, /* now */ &now]).await?, "total")?
        }
    };
    let listed = |row| {
        Ok(ListedGrant {
            client_id: row::get(row, "client_id")?,
            scope: Scope::of(row::get::<Vec<String>>(row, "scope")?),
            created_at: row::get(row, "created_at")?,
        })
    };
    Ok(Page { items: rows.iter().map(listed).collect::<Result<_>>()?, total })
}

/// The clients that an account has granted something that is valid, each once.
pub async fn list_clients(executor: &impl Executor, user: UserId, now: Timestamp) -> Result<Vec<String>> {
    let sql = format!("select distinct client_id {ACTIVE} order by client_id");
    let rows = executor.rows(&sql, &[/* user_id */ &user, /* now */ &now]).await?;
    rows.iter().map(|row| row::get(row, "client_id")).collect()
}

/// Deletes grants that expired before a time, with their tokens, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_grants", key: "id", at: "expires_at" }.delete_batch(executor, until, limit).await
}

/// Reads a grant with its person.
pub(super) fn read_live(row: &Row) -> Result<LiveGrant> {
    Ok(LiveGrant { grant: read(row)?, person: person::read(row)?, assigned_roles: person::read_roles(row)? })
}

fn read(row: &Row) -> Result<Grant> {
    Ok(row::read!(row => Grant {
        id, client_id, resources, nonce, auth_at, is_offline;
        user: row::get(row, "user_id")?,
        session: row::get(row, "session_id")?,
        scope: Scope::of(row::get::<Vec<String>>(row, "scope")?),
        claims: row::json(row, "claims")?,
        methods: row::get(row, "amr")?,
        created_at: row::get(row, "granted_at")?,
        expires_at: row::get(row, "grant_expires_at")?,
    }))
}
