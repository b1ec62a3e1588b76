//! Tokens as the introspection and revocation endpoints see them, whatever kind they are: one query for each.

use crate::{Executor, Result, row};
use domain::{
    identity::oidc::Scope,
    shared::{SessionId, UserId},
};
use jiff::Timestamp;
use strum::EnumString;
use tokio_postgres::Row;
use uuid::Uuid;

/// The kind of a stored token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum TokenKind {
    /// An opaque access token.
    Access,
    Refresh,
}

/// The person behind a token.
#[derive(Debug, Clone)]
pub struct TokenPerson {
    pub id: UserId,
    pub email: String,
    /// The session in which the grant was given, as long as that has a row.
    pub session: Option<SessionId>,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// How (RFC 8176).
    pub methods: Vec<String>,
}

/// A stored token that is valid.
#[derive(Debug, Clone)]
pub struct ActiveToken {
    pub kind: TokenKind,
    /// The client that it was issued to.
    pub client_id: String,
    pub scope: Scope,
    /// When it was issued.
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
    /// The thumbprint of the key that it is bound to (RFC 9449), if any.
    pub dpop_jkt: Option<String>,
    /// The person; `None` when the client acts for itself.
    pub person: Option<TokenPerson>,
}

/// The token of a hash, if it can be used now: not expired, not used up, its grant not revoked, its person
/// not suspended.
pub async fn find_active(executor: &impl Executor, hash: &[u8; 32], now: Timestamp) -> Result<Option<ActiveToken>> {
    let found = executor
        .row_opt(
            "select t.kind, coalesce(t.client_id, g.client_id) as client_id, t.scope, t.issued_at, t.expires_at, t.dpop_jkt, g.user_id, g.session_id, g.auth_at, g.amr, users.email
             from (
                 select 'access' as kind, client_id, scope, issued_at, expires_at, dpop_jkt, grant_id
                 from oidc_access_tokens where hash = $1
                 union all
                 select 'refresh', null, scope, issued_at, expires_at, dpop_jkt, grant_id
                 from oidc_refresh_tokens where hash = $1 and used_at is null and superseded_at is null
             ) t
             left join oidc_grants g on g.id = t.grant_id
             left join users on users.id = g.user_id
             where t.expires_at > $2 and (t.grant_id is null or g.revoked_at is null and users.suspended_at is null)",
            &[/* hash */ &hash.as_slice(), /* now */ &now],
        )
        .await?;
    found.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Result<ActiveToken> {
    let user: Option<Uuid> = row::get(row, "user_id")?;
    Ok(row::read!(row => ActiveToken {
        client_id, issued_at, expires_at, dpop_jkt;
        kind: row::named(row, "kind")?,
        scope: Scope::of(row::get::<Vec<String>>(row, "scope")?),
        person: user.map(|user| person(row, user)).transpose()?,
    }))
}

fn person(row: &Row, user: Uuid) -> Result<TokenPerson> {
    Ok(TokenPerson {
        id: UserId(user),
        email: row::get(row, "email")?,
        session: row::get(row, "session_id")?,
        auth_at: row::get(row, "auth_at")?,
        methods: row::get(row, "amr")?,
    })
}

/// What is stored about a JWT access token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwtState {
    /// Whether it was not revoked, nor its grant, and the person is not suspended.
    pub is_valid: bool,
    /// The mail address of the person, if there is one.
    pub email: Option<String>,
}

/// The state of a JWT access token; `grant` is `None` when the client acts for itself.
pub async fn find_jwt_state(executor: &impl Executor, jti: &str, grant: Option<Uuid>) -> Result<JwtState> {
    let found = executor
        .row(
            "select not exists (select from oidc_denied_tokens where jti = $1)
                 and ($2::uuid is null or g.revoked_at is null and users.suspended_at is null and users.id is not null) as is_valid,
                 users.email
             from (select) always
             left join oidc_grants g on g.id = $2
             left join users on users.id = g.user_id",
            &[/* jti */ &jti, /* grant_id */ &grant],
        )
        .await?;
    Ok(JwtState { is_valid: row::get(&found, "is_valid")?, email: row::get(&found, "email")? })
}

/// Whom a stored token belongs to.
#[derive(Debug, Clone)]
pub struct TokenOwner {
    pub kind: TokenKind,
    /// The client that it was issued to.
    pub client_id: String,
    /// Its grant; `None` when the client acts for itself.
    pub grant: Option<Uuid>,
}

/// Whom the token of a hash belongs to, valid or not.
pub async fn find_owner(executor: &impl Executor, hash: &[u8; 32]) -> Result<Option<TokenOwner>> {
    let found = executor
        .row_opt(
            "select 'access' as kind, client_id, grant_id from oidc_access_tokens where hash = $1
             union all
             select 'refresh', g.client_id, g.id from oidc_refresh_tokens t join oidc_grants g on g.id = t.grant_id where t.hash = $1",
            &[/* hash */ &hash.as_slice()],
        )
        .await?;
    let owner = |row: &Row| {
        Ok(TokenOwner { kind: row::named(row, "kind")?, client_id: row::get(row, "client_id")?, grant: row::get(row, "grant_id")? })
    };
    found.as_ref().map(owner).transpose()
}
