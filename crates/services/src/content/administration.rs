//! What administrators do with spaces: see [`SpaceAdministration`]. A deleted space takes no commands, so this locks the space itself.

use crate::shared::{SpaceAct, SpaceAdministration};
use domain::{
    content::Changes,
    shared::{Fault, UserId},
};
use futures_util::{FutureExt, future::BoxFuture};
use serde_json::json;
use storage::{
    Result, Tx,
    content::{
        commit_log::{self, AuditContext},
        fan_out::STORY_EVENTS,
        schedulings, spaces, webhooks,
    },
    queue,
    shared::receivers,
};

/// The spaces of the database.
pub struct AdministeredSpaces;

impl SpaceAdministration for AdministeredSpaces {
    fn give_owner<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct, owner: UserId) -> BoxFuture<'a, Result<bool>> {
        give_owner(tx, act, owner).boxed()
    }

    fn undelete<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct) -> BoxFuture<'a, Result<bool>> {
        undelete(tx, act).boxed()
    }
}

async fn give_owner(tx: &Tx<'_>, act: &SpaceAct, owner: UserId) -> Result<bool> {
    let found = spaces::lock_for_administrator(tx, act.space).await?.ok_or_else(Fault::not_found)?;
    if !found.takes_owner(owner)? {
        return Ok(false);
    }
    spaces::set_owner(tx, act.space, owner, act.at).await?;
    let meta = json!({ "owner_id": owner });
    let changes = Changes::default().and_audit("space.give_owner", "space", act.space, found.name, meta);
    commit_log::append(tx, act.space, &audit(act), &changes).await?;
    Ok(true)
}

/// The times of scheduled actions that passed meanwhile are due now, so the schedulers are woken; and so is the fan-out, for the events that the deletion itself
/// caused when it ended an import.
async fn undelete(tx: &Tx<'_>, act: &SpaceAct) -> Result<bool> {
    let found = spaces::lock_for_administrator(tx, act.space).await?.ok_or_else(Fault::not_found)?;
    if !found.can_be_undeleted(act.at)? {
        return Ok(false);
    }
    spaces::undelete(tx, act.space, act.at).await?;
    let receivers: Vec<_> = webhooks::list(tx, act.space).await?.iter().map(|webhook| webhook.receiver).collect();
    receivers::set_silenced(tx, &receivers, false).await?;
    schedulings::wake(tx).await?;
    queue::notify(tx, STORY_EVENTS).await?;
    let changes = Changes::audited("space.undelete", "space", act.space, found.name).visible();
    commit_log::append(tx, act.space, &audit(act), &changes).await?;
    Ok(true)
}

fn audit(act: &SpaceAct) -> AuditContext {
    AuditContext { actor: act.actor.clone(), origin: act.origin, at: act.at }
}
