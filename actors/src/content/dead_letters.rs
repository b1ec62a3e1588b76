//! Hands dead letters of webhooks to the actors of their spaces, which mark them dead and write their audit
//! log.

use super::SpaceRouter;
use crate::deliveries::{DeadLetterHandler, dead_letter::OrphanDeadLetters};
use domain::{
    content::webhook::Webhook,
    shared::{Fault, Kind, ReceiverId, SharedClock, SpaceId},
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream};
use services::content::{Authorized, dead_letters::MarkDeliveriesDead};
use std::collections::{BTreeMap, btree_map::Entry};
use storage::{Store, content::webhooks, shared::deliveries::DeadLetter};

/// In how many spaces dead letters are written at a time: one that does not get on holds up no other.
const CONCURRENT_SPACES: usize = 8;

/// A dead letter and its webhook.
type Owned = (Webhook, DeadLetter);

/// Gives up deliveries of webhooks.
pub(crate) struct WebhookDeadLetters {
    pub(crate) spaces: SpaceRouter,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl DeadLetterHandler for WebhookDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        self.mark_all_dead(letters).boxed()
    }
}

impl WebhookDeadLetters {
    /// One command for each space. A failure in one holds up no other; the first one is returned.
    async fn mark_all_dead(&self, letters: Vec<DeadLetter>) -> Result<(), Fault> {
        let (by_space, mut orphans) = self.group_by_space(letters).await?;
        let mut outcome = Ok(());
        let mut outcomes = stream::iter(by_space).map(|group| self.mark_in_space(group)).buffer_unordered(CONCURRENT_SPACES);
        while let Some((letters, in_space)) = outcomes.next().await {
            match in_space {
                // The space was deleted meanwhile, and its log is closed.
                Err(fault) if fault.kind() == Kind::NotFound => orphans.extend(letters),
                in_space => outcome = outcome.and(in_space),
            }
        }
        if !orphans.is_empty() {
            let handler = OrphanDeadLetters { store: self.store.clone(), clock: self.clock.clone() };
            outcome = outcome.and(handler.mark_dead(orphans).await);
        }
        outcome
    }

    /// Returns the letters as well: the caller may have to give them up in another way.
    async fn mark_in_space(&self, (space, letters): (SpaceId, Vec<Owned>)) -> (Vec<DeadLetter>, Result<(), Fault>) {
        let command = MarkDeliveriesDead(letters.clone());
        let outcome = self.spaces.execute(Authorized::for_deliveries(space), command).await;
        (letters.into_iter().map(|(_, letter)| letter).collect(), outcome)
    }

    /// The letters by the space of their webhook, and those whose webhook is gone.
    async fn group_by_space(&self, letters: Vec<DeadLetter>) -> storage::Result<(BTreeMap<SpaceId, Vec<Owned>>, Vec<DeadLetter>)> {
        let connection = self.store.connection("webhook.find_owner").await?;
        let mut owners: BTreeMap<ReceiverId, Option<(SpaceId, Webhook)>> = BTreeMap::new();
        let mut by_space: BTreeMap<SpaceId, Vec<Owned>> = BTreeMap::new();
        let mut orphans = Vec::new();
        for letter in letters {
            let receiver = letter.delivery.receiver;
            let owner = match owners.entry(receiver) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(entry) => entry.insert(webhooks::find_owner(&connection, receiver).await?),
            };
            match owner {
                Some((space, webhook)) => by_space.entry(*space).or_default().push((webhook.clone(), letter)),
                None => orphans.push(letter),
            }
        }
        Ok((by_space, orphans))
    }
}
