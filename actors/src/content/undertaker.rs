//! Deliveries of webhooks that are given up: each is an entry of its space's audit log. A receiver that says that it is gone (410) is paused
//! as well, with an entry of its own.

use super::{CommandContext, SpaceCommand, SpaceRouter};
use crate::deliveries::{Dead, Undertaker, undertaker::Nobody};
use domain::{
    content::{Changes, webhook::Webhook},
    shared::{Actor, Fault, Kind, Origin, SharedClock, SpaceId},
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream};
use serde_json::json;
use std::collections::{BTreeMap, btree_map::Entry};
use storage::{
    Store,
    content::webhooks,
    shared::deliveries::{Record, bury},
};

/// In how many spaces it buries at a time: one that does not get on holds up no other.
const SPACES: usize = 8;

/// Gives up deliveries of webhooks.
pub(crate) struct WebhookUndertaker {
    pub(crate) spaces: SpaceRouter,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl Undertaker for WebhookUndertaker {
    fn bury(&self, dead: Vec<Dead>) -> BoxFuture<'_, Result<(), Fault>> {
        self.bury_all(dead).boxed()
    }
}

impl WebhookUndertaker {
    /// Whatever fails in one space, the others have theirs; the error is the first one.
    async fn bury_all(&self, dead: Vec<Dead>) -> Result<(), Fault> {
        let mut by_space: BTreeMap<SpaceId, Vec<(Webhook, Dead)>> = BTreeMap::new();
        let mut orphans = Vec::new();
        {
            let connection = self.store.connection("webhook.find_owner").await?;
            let mut owners = BTreeMap::new();
            for it in dead {
                let owner = match owners.entry(it.receiver) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => place.insert(webhooks::find_owner(&connection, it.receiver).await?),
                };
                match owner {
                    Some((space, webhook)) => by_space.entry(*space).or_default().push((webhook.clone(), it)),
                    None => orphans.push(it),
                }
            }
        }
        let in_space = |(space, dead): (SpaceId, Vec<(Webhook, Dead)>)| async move {
            let again: Vec<Dead> = dead.iter().map(|(_, d)| d.clone()).collect();
            let written = self.spaces.execute(space, Actor::system("webhooks"), Origin::default(), Bury(dead)).await;
            (again, written)
        };
        let mut outcome = Ok(());
        let mut written = stream::iter(by_space).map(in_space).buffer_unordered(SPACES);
        while let Some((dead, in_one)) = written.next().await {
            match in_one {
                // The space was deleted meanwhile, and its log is closed.
                Err(fault) if fault.kind == Kind::NotFound => orphans.extend(dead),
                in_one => outcome = outcome.and(in_one),
            }
        }
        if !orphans.is_empty() {
            let nobody = Nobody { store: self.store.clone(), clock: self.clock.clone() };
            outcome = outcome.and(nobody.bury(orphans).await);
        }
        outcome
    }
}

/// Buries deliveries of a space's webhooks.
struct Bury(Vec<(Webhook, Dead)>);

impl SpaceCommand for Bury {
    type Output = ();

    const NAME: &'static str = "webhook.dead_letter";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let records: Vec<Record> = self.0.iter().map(|(_, value)| value.record.clone()).collect();
        let buried = bury(ctx.tx, &records, ctx.now).await?;
        let mut changes = Changes::default();
        for (webhook, it) in self.0.iter().filter(|(_, value)| buried.contains(&value.record.token)) {
            let meta = json!({
                "delivery_id": it.id.to_string(),
                "event": it.event,
                "story_id": it.key.parse::<i64>().ok(),
                "attempts": it.record.number,
                "result": it.record.result,
                "status": it.record.status,
            });
            let label = webhook.settings.name.as_str();
            changes = changes.and_audit("webhook.dead_lettered", "webhook", webhook.id, label, meta);
            if it.is_gone && webhooks::pause(ctx.tx, ctx.space, webhook, &it.url, ctx.now).await? {
                let meta = json!({ "reason": "gone", "delivery_id": it.id.to_string(), "status": it.record.status });
                changes = changes.and_audit("webhook.paused", "webhook", webhook.id, label, meta);
            }
        }
        Ok(((), changes))
    }
}
