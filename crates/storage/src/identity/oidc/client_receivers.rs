//! The receivers of what clients are told: `client_receivers`. They follow the configuration of clients; see
//! [`crate::shared::receivers`] for the rest.

use crate::{Executor, Result, Tx, row};
use domain::{
    identity::oidc::{LogoutNotice, NoticeKind},
    shared::{DeliveryId, ReceiverId, SessionId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::{Row, types::ToSql};
use uuid::Uuid;

/// A receiver of a client.
#[derive(Debug, Clone)]
pub struct ClientReceiver {
    pub client_id: String,
    /// What it is told there.
    pub kind: NoticeKind,
    pub receiver: ReceiverId,
    pub url: String,
    /// Its sealed secret, if deliveries are signed.
    pub secret: Option<Vec<u8>>,
}

/// All receivers of clients, locked: of processes that start at the same time each waits for the one before.
pub async fn lock_all(tx: &Tx<'_>) -> Result<Vec<ClientReceiver>> {
    tx.execute("lock table client_receivers in share row exclusive mode", &[]).await?;
    let rows = tx
        .rows(
            "select target.client_id, target.kind, target.receiver_id, receiver.url, receiver.secret
             from client_receivers target join receivers receiver on receiver.id = target.receiver_id
             order by target.client_id, target.kind",
            &[],
        )
        .await?;
    let read = |row: &Row| {
        Ok(ClientReceiver {
            client_id: row::get(row, "client_id")?,
            kind: row::named(row, "kind")?,
            receiver: row::get(row, "receiver_id")?,
            url: row::get(row, "url")?,
            secret: row::get(row, "secret")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Gives a client a receiver.
pub async fn insert(tx: &Tx<'_>, client_id: &str, kind: NoticeKind, receiver: ReceiverId) -> Result<()> {
    tx.execute_one(
        "client_receiver.insert",
        "insert into client_receivers (client_id, kind, receiver_id) values ($1, $2, $3)",
        &[/* client_id */ &client_id, /* kind */ &kind.into_str(), /* receiver_id */ &receiver],
    )
    .await
}

/// Takes a client's receiver away.
pub async fn remove(tx: &Tx<'_>, receiver: ReceiverId) -> Result<()> {
    tx.execute_one("client_receiver.delete", "delete from client_receivers where receiver_id = $1", &[/* receiver_id */ &receiver])
        .await
}

/// A client to be told of a deleted account, with a new id for the delivery.
#[derive(Debug, Clone)]
pub struct AccountTarget {
    pub client_id: String,
    pub receiver: ReceiverId,
    pub delivery: DeliveryId,
}

/// The clients that are told of deleted accounts.
pub async fn list_for_accounts(executor: &impl Executor) -> Result<Vec<AccountTarget>> {
    let rows = executor
        .rows(
            "select gen_random_uuid() as delivery, client_id, receiver_id from client_receivers where kind = $1 order by client_id",
            &[/* kind */ &NoticeKind::Account.into_str()],
        )
        .await?;
    let read = |row: &Row| {
        Ok(AccountTarget {
            client_id: row::get(row, "client_id")?,
            receiver: row::get(row, "receiver_id")?,
            delivery: row::get(row, "delivery")?,
        })
    };
    rows.iter().map(read).collect()
}

/// A client to be told that sessions ended, with a new id for the delivery.
#[derive(Debug, Clone)]
pub struct LogoutTarget {
    /// What it is told.
    pub notice: LogoutNotice,
    pub receiver: ReceiverId,
    pub delivery: DeliveryId,
}

/// The clients that a session signed in to.
pub async fn list_for_session(executor: &impl Executor, session: SessionId) -> Result<Vec<LogoutTarget>> {
    logout_targets(
        executor,
        "select gen_random_uuid() as delivery, target.receiver_id, used.client_id, session.user_id, session.id as session_id
         from sessions session
         join oidc_session_clients used on used.session_id = session.id
         join client_receivers target on target.client_id = used.client_id and target.kind = 'logout'
         where session.id = $1
         order by used.client_id",
        &[/* id */ &session],
    )
    .await
}

/// The clients that active sessions of an account signed in to, for each session but one.
pub async fn list_for_others(executor: &impl Executor, user: UserId, kept: SessionId, now: Timestamp) -> Result<Vec<LogoutTarget>> {
    logout_targets(
        executor,
        "select gen_random_uuid() as delivery, target.receiver_id, used.client_id, session.user_id, session.id as session_id
         from sessions session
         join users on users.id = session.user_id and users.token_version = session.token_version
         join oidc_session_clients used on used.session_id = session.id
         join client_receivers target on target.client_id = used.client_id and target.kind = 'logout'
         where session.user_id = $1 and session.id <> $2 and session.revoked_at is null and session.expires_at > $3
         order by used.client_id, session.id",
        &[/* user_id */ &user, /* kept */ &kept, /* now */ &now],
    )
    .await
}

/// The clients that any active session of an account signed in to, each once and about all sessions.
pub async fn list_for_all(executor: &impl Executor, user: UserId, now: Timestamp) -> Result<Vec<LogoutTarget>> {
    logout_targets(
        executor,
        "select gen_random_uuid() as delivery, told.receiver_id, told.client_id, $1::uuid as user_id, null::uuid as session_id
         from (
             select distinct target.receiver_id, used.client_id
             from sessions session
             join users on users.id = session.user_id and users.token_version = session.token_version
             join oidc_session_clients used on used.session_id = session.id
             join client_receivers target on target.client_id = used.client_id and target.kind = 'logout'
             where session.user_id = $1 and session.revoked_at is null and session.expires_at > $2
         ) told
         order by told.client_id",
        &[/* user_id */ &user, /* now */ &now],
    )
    .await
}

/// Accounts that are read together, in the order of their ids: those above the first id, up to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRange {
    above: Uuid,
    up_to: Option<Uuid>,
}

impl AccountRange {
    /// The accounts that come after an id, at most `most`; `None` stands for the first ones.
    pub async fn after(executor: &impl Executor, before: Option<Self>, most: i64) -> Result<Option<Self>> {
        let above = match before {
            None => Uuid::nil(),
            Some(Self { up_to: Some(up_to), .. }) => up_to,
            Some(Self { up_to: None, .. }) => return Ok(None),
        };
        let last = executor
            .row_opt(
                "select id from users where id > $1 order by id offset $2 limit 1",
                &[/* above */ &above, /* offset */ &(most - 1)],
            )
            .await?;
        Ok(Some(Self { above, up_to: last.as_ref().map(|row| row::get(row, "id")).transpose()? }))
    }
}

/// Whether any client is told that sessions end.
pub async fn exist_for_logout(executor: &impl Executor) -> Result<bool> {
    let found = executor.row("select exists (select from client_receivers where kind = 'logout') as exist", &[]).await?;
    row::get(&found, "exist")
}

/// The clients that any active session of these accounts signed in to, each once for an account and about all
/// its sessions. The account that asks is left out, and so are administrators unless `with_administrators`.
pub async fn list_for_range(
    executor: &impl Executor,
    range: AccountRange,
    asking: UserId,
    with_administrators: bool,
    now: Timestamp,
) -> Result<Vec<LogoutTarget>> {
    logout_targets(
        executor,
        "select gen_random_uuid() as delivery, told.receiver_id, told.client_id, told.user_id, null::uuid as session_id
         from (
             select distinct target.receiver_id, used.client_id, users.id as user_id
             from users
             join sessions session on session.user_id = users.id and session.token_version = users.token_version
             join oidc_session_clients used on used.session_id = session.id
             join client_receivers target on target.client_id = used.client_id and target.kind = 'logout'
             where users.id > $1 and ($2::uuid is null or users.id <= $2) and users.id <> $3 and ($4 or not users.is_admin)
               and session.revoked_at is null and session.expires_at > $5
         ) told
         order by told.user_id, told.client_id",
        &[
            /* above */ &range.above,
            /* up_to */ &range.up_to,
            /* asking */ &asking,
            /* with_administrators */ &with_administrators,
            /* now */ &now,
        ],
    )
    .await
}

async fn logout_targets(executor: &impl Executor, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<LogoutTarget>> {
    let read = |row: &Row| {
        let notice = LogoutNotice {
            client_id: row::get(row, "client_id")?,
            user: row::get(row, "user_id")?,
            session: row::get(row, "session_id")?,
        };
        let (receiver, delivery) = (row::get(row, "receiver_id")?, row::get(row, "delivery")?);
        Ok(LogoutTarget { notice, receiver: ReceiverId(receiver), delivery: DeliveryId(delivery) })
    };
    executor.rows(sql, params).await?.iter().map(read).collect()
}
