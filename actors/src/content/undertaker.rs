//! Deliveries of webhooks that are given up: each is an entry of its space's audit log.

use super::{Desk, Spaces, Write};
use crate::deliveries::{Dead, Undertaker};
use domain::{
    content::{Changes, webhook::Webhook},
    shared::{Actor, Fault, Kind, Origin, SpaceId},
};
use futures_util::{FutureExt, future::BoxFuture};
use serde_json::json;
use std::collections::{BTreeMap, btree_map::Entry};
use storage::{
    Store, Tx, Work,
    content::webhooks,
    shared::deliveries::{Record, bury},
};

/// Gives up deliveries of webhooks.
pub(crate) struct WebhookUndertaker {
    pub(crate) spaces: Spaces,
    pub(crate) store: Store,
    pub(crate) clock: domain::shared::SharedClock,
}

impl Undertaker for WebhookUndertaker {
    fn bury(&self, dead: Vec<Dead>) -> BoxFuture<'_, Result<(), Fault>> {
        self.bury_all(dead).boxed()
    }
}

impl WebhookUndertaker {
    async fn bury_all(&self, dead: Vec<Dead>) -> Result<(), Fault> {
        let mut by_space: BTreeMap<SpaceId, Vec<(Webhook, Dead)>> = BTreeMap::new();
        let mut orphans = Vec::new();
        {
            let session = self.store.read("webhook.find_owner").await?;
            let mut owners = BTreeMap::new();
            for it in dead {
                let owner = match owners.entry(it.receiver) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => place.insert(webhooks::find_owner(&session, it.receiver).await?),
                };
                match owner {
                    Some((space, webhook)) => by_space.entry(*space).or_default().push((webhook.clone(), it)),
                    None => orphans.push(it.record),
                }
            }
        }
        for (space, dead) in by_space {
            let records: Vec<_> = dead.iter().map(|(_, it)| it.record.clone()).collect();
            match self.spaces.write(space, Actor::system("webhooks"), Origin::default(), Bury(dead)).await {
                // The space was deleted meanwhile, and its log is closed.
                Err(fault) if fault.kind == Kind::NotFound => orphans.extend(records),
                outcome => outcome?,
            }
        }
        if !orphans.is_empty() {
            self.store.run(&Quietly { dead: orphans, at: self.clock.now() }).await?;
        }
        Ok(())
    }
}

/// Buries deliveries of a space's webhooks.
struct Bury(Vec<(Webhook, Dead)>);

impl Write for Bury {
    type Done = ();

    const NAME: &'static str = "webhook.dead_letter";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<((), Changes)> {
        let records: Vec<Record> = self.0.iter().map(|(_, it)| it.record.clone()).collect();
        let buried = bury(desk.tx, &records, desk.now).await?;
        let mut changes = Changes::default();
        for (webhook, it) in self.0.iter().filter(|(_, it)| buried.contains(&it.record.token)) {
            let meta = json!({
                "delivery_id": it.id.to_string(),
                "event": it.event,
                "story_id": it.key.parse::<i64>().ok(),
                "attempts": it.record.number,
                "result": it.record.result,
                "status": it.record.status,
            });
            changes = changes.and_audit("webhook.dead_lettered", "webhook", webhook.id, webhook.settings.name.as_str(), meta);
        }
        Ok(((), changes))
    }
}

/// Buries deliveries whose owner is gone.
struct Quietly {
    dead: Vec<Record>,
    at: jiff::Timestamp,
}

impl Work for Quietly {
    type Done = ();

    const NAME: &'static str = "delivery.bury";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        bury(tx, &self.dead, self.at).await.map(drop)
    }
}
