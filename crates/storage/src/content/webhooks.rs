//! Webhooks: `webhooks`, each with its receiver.

use crate::{
    Executor, Result, Tx, row,
    shared::receivers::{self, NewReceiver},
};
use domain::{
    content::webhook::{Webhook, WebhookSettings},
    shared::{ReceiverId, SpaceId, WebhookId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The kind of the receivers of webhooks: it names their owner.
pub const KIND: &str = "webhook";

const SELECT: &str = "select webhook.id, webhook.receiver_id, webhook.name, webhook.description, webhook.events, webhook.created_at, webhook.updated_at,
            receiver.url, receiver.active
     from webhooks webhook join receivers receiver on receiver.id = webhook.receiver_id";

/// The webhooks of a space, by their numbers.
pub async fn list(executor: &impl Executor, space: SpaceId) -> Result<Vec<Webhook>> {
    let sql = format!("{SELECT} where webhook.space_id = $1 order by webhook.id");
    executor.rows(&sql, &[/* space_id */ &space]).await?.iter().map(webhook).collect()
}

/// Finds a webhook.
pub async fn find(executor: &impl Executor, space: SpaceId, id: WebhookId) -> Result<Option<Webhook>> {
    let sql = format!("{SELECT} where webhook.space_id = $1 and webhook.id = $2");
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(webhook).transpose()
}

/// The space and the webhook of a receiver.
pub async fn find_owner(executor: &impl Executor, receiver: ReceiverId) -> Result<Option<(SpaceId, Webhook)>> {
    let sql = SELECT.replacen("select ", "select webhook.space_id, ", 1) + " where webhook.receiver_id = $1";
    let found = executor.row_opt(&sql, &[/* receiver_id */ &receiver]).await?;
    found.map(|f| Ok((row::get(&f, "space_id")?, webhook(&f)?))).transpose()
}

/// Adds a webhook with its receiver.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, settings: &WebhookSettings, secret: &[u8], at: Timestamp) -> Result<Webhook> {
    let owner = space.to_string();
    let receiver = NewReceiver { kind: KIND, owner: &owner, url: &settings.url, secret: Some(secret), active: settings.active, at };
    let receiver = receivers::insert(tx, &receiver).await?;
    let row = tx
        .row(
            "insert into webhooks (space_id, receiver_id, name, description, events, created_at, updated_at) values ($1, $2, $3, $6, $4, $5, $5)
             returning id",
            &[
                /* space_id */ &space,
                /* receiver_id */ &receiver,
                /* name */ &settings.name,
                /* events */ &names(settings),
                /* created_at, updated_at */ &at,
                /* description */ &settings.description,
            ],
        )
        .await?;
    Ok(Webhook { id: row::get(&row, "id")?, receiver, settings: settings.clone(), created_at: at, updated_at: at })
}

/// Changes a webhook.
pub async fn update(tx: &Tx<'_>, space: SpaceId, webhook: &Webhook, settings: &WebhookSettings, at: Timestamp) -> Result<Webhook> {
    tx.execute_one(
        "webhook.update",
        "update webhooks set name = $3, description = $6, events = $4, updated_at = $5 where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &webhook.id,
            /* name */ &settings.name,
            /* events */ &names(settings),
            /* updated_at */ &at,
            /* description */ &settings.description,
        ],
    )
    .await?;
    if settings.url != webhook.settings.url || settings.active != webhook.settings.active {
        receivers::update(tx, webhook.receiver, &settings.url, settings.active).await?;
    }
    Ok(Webhook { settings: settings.clone(), updated_at: at, ..webhook.clone() })
}

/// Pauses a webhook whose receiver wants no more, unless it is paused already or has another URL by now.
/// Returns whether it was paused.
pub async fn pause(tx: &Tx<'_>, space: SpaceId, webhook: &Webhook, url: &str, at: Timestamp) -> Result<bool> {
    if !receivers::pause(tx, webhook.receiver, url).await? {
        return Ok(false);
    }
    tx.execute_one(
        "webhook.pause",
        "update webhooks set updated_at = $3 where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &webhook.id, /* updated_at */ &at],
    )
    .await?;
    Ok(true)
}

/// Removes a webhook. Its receiver is closed; the janitor removes it with its deliveries.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, webhook: &Webhook, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "webhook.delete",
        "delete from webhooks where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &webhook.id],
    )
    .await?;
    receivers::close(tx, webhook.receiver, at).await
}

fn names(settings: &WebhookSettings) -> Vec<&'static str> {
    settings.events.iter().map(<&str>::from).collect()
}

fn webhook(row: &Row) -> Result<Webhook> {
    let events: Vec<&str> = row::get(row, "events")?;
    Ok(Webhook {
        id: row::get(row, "id")?,
        receiver: row::get(row, "receiver_id")?,
        settings: row::read!(row => WebhookSettings {
            name, description, url, active;
            events: events.into_iter().filter_map(|name| name.parse().ok()).collect(),
        }),
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
    })
}
