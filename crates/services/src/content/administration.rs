//! What administrators do with spaces: see [`SpaceAdministration`]. A deleted space takes no commands, so
//! this locks the space itself.

use super::{access, delivery_tokens, management_tokens, members};
use crate::shared::{ActBy, JoinOutcome, Joining, SpaceAct, SpaceAdministration};
use domain::{
    content::{Changes, Member},
    shared::{Fault, SpaceId, TokenId, TokenKind, UserId},
};
use futures_util::{FutureExt, future::BoxFuture};
use serde_json::json;
use std::collections::BTreeSet;
use storage::{
    Result, Tx,
    content::{
        self as stored,
        commit_log::{self, AuditContext},
        fan_out::STORY_EVENTS,
        invitations, schedulings, spaces, webhooks,
    },
    queue,
    shared::{receivers, space_invitations},
};

/// The spaces of the database.
pub struct AdministeredSpaces;

impl SpaceAdministration for AdministeredSpaces {
    fn give_owner<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct, owner: UserId) -> BoxFuture<'a, Result<bool>> {
        give_owner(tx, act, owner).boxed()
    }

    fn revoke_token<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct, kind: TokenKind, id: TokenId) -> BoxFuture<'a, Result<bool>> {
        revoke_token(tx, act, kind, id).boxed()
    }

    fn revoke_tokens_of<'a>(&'a self, tx: &'a Tx<'_>, by: &'a ActBy, person: UserId) -> BoxFuture<'a, Result<u64>> {
        revoke_tokens_of(tx, by, person).boxed()
    }

    fn leave_all<'a>(&'a self, tx: &'a Tx<'_>, by: &'a ActBy, person: UserId) -> BoxFuture<'a, Result<u64>> {
        leave_all(tx, by, person).boxed()
    }

    fn join<'a>(&'a self, tx: &'a Tx<'_>, joining: &'a Joining) -> BoxFuture<'a, Result<JoinOutcome>> {
        join(tx, joining).boxed()
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
    spaces::set_owner(tx, act.space, Some(owner), act.by.at).await?;
    let meta = json!({ "owner_id": owner });
    let changes = Changes::default().and_audit("space.give_owner", "space", act.space, found.name, meta);
    commit_log::append(tx, act.space, &audit(&act.by), &changes).await?;
    Ok(true)
}

/// The times of scheduled actions that passed meanwhile are due now, so the schedulers are woken; and so is
/// the fan-out, for the events that the deletion itself caused when it ended an import.
async fn undelete(tx: &Tx<'_>, act: &SpaceAct) -> Result<bool> {
    let found = spaces::lock_for_administrator(tx, act.space).await?.ok_or_else(Fault::not_found)?;
    if !found.can_be_undeleted(act.by.at)? {
        return Ok(false);
    }
    spaces::undelete(tx, act.space, act.by.at).await?;
    let receivers: Vec<_> = webhooks::list(tx, act.space).await?.iter().map(|webhook| webhook.receiver).collect();
    receivers::set_silenced(tx, &receivers, false).await?;
    schedulings::wake(tx).await?;
    queue::notify(tx, STORY_EVENTS).await?;
    let changes = Changes::audited("space.undelete", "space", act.space, found.name).visible();
    commit_log::append(tx, act.space, &audit(&act.by), &changes).await?;
    Ok(true)
}

/// As the command of the space would, which a deleted space does not take.
async fn revoke_token(tx: &Tx<'_>, act: &SpaceAct, kind: TokenKind, id: TokenId) -> Result<bool> {
    let (space, at) = (act.space, act.by.at);
    spaces::lock_for_administrator(tx, space).await?.ok_or_else(Fault::not_found)?;
    let changes = match kind {
        TokenKind::Management => {
            stored::management_tokens::revoke(tx, space, id, at).await?.as_ref().map(management_tokens::revoked)
        }
        TokenKind::Delivery => stored::delivery_tokens::revoke(tx, space, id, at).await?.as_ref().map(delivery_tokens::revoked),
    };
    let Some(changes) = changes else { return Ok(false) };
    commit_log::append(tx, space, &audit(&act.by), &changes).await?;
    Ok(true)
}

/// The spaces are locked in the order of their numbers, so that two who do this do not wait for each other.
async fn revoke_tokens_of(tx: &Tx<'_>, by: &ActBy, person: UserId) -> Result<u64> {
    let mut count = 0;
    for space in stored::management_tokens::spaces_of(tx, person).await? {
        count += revoke_all(tx, space, by, person).await?;
    }
    Ok(count)
}

async fn revoke_all(tx: &Tx<'_>, space: SpaceId, by: &ActBy, person: UserId) -> Result<u64> {
    if spaces::lock_for_administrator(tx, space).await?.is_none() {
        return Ok(0);
    }
    let revoked = stored::management_tokens::revoke_of(tx, space, person, by.at).await?;
    let changes = revoked.iter().map(management_tokens::revoked).fold(Changes::default(), Changes::and);
    commit_log::append(tx, space, &audit(by), &changes).await?;
    Ok(revoked.len() as u64)
}

/// Also the last admin goes: the account is deleted. The spaces are those of its memberships and of its
/// tokens, which may be of a space that the person had left, and they are locked in the order of their
/// numbers. Returns how many tokens ended.
async fn leave_all(tx: &Tx<'_>, by: &ActBy, person: UserId) -> Result<u64> {
    let mut all = BTreeSet::from_iter(stored::management_tokens::spaces_of(tx, person).await?);
    all.extend(stored::members::spaces_of(tx, person).await?);
    let mut revoked = 0;
    for space in all {
        revoked += revoke_all(tx, space, by, person).await?;
        leave(tx, space, by, person).await?;
    }
    Ok(revoked)
}

/// The caller has locked the space.
async fn leave(tx: &Tx<'_>, space: SpaceId, by: &ActBy, person: UserId) -> Result<()> {
    let all = stored::members::list_locked(tx, space).await?;
    if let Some(member) = all.iter().find(|member| member.user == person) {
        let changes = members::remove(tx, space, &all, member, by.at).await?;
        commit_log::append(tx, space, &audit(by), &changes).await?;
    }
    Ok(())
}

async fn join(tx: &Tx<'_>, joining: &Joining) -> Result<JoinOutcome> {
    let Some(invitation) = space_invitations::find(tx, &joining.hash, joining.at).await? else { return Ok(JoinOutcome::Stale) };
    let space = invitation.space;
    if invitation.email != joining.email.as_str() {
        return Ok(JoinOutcome::OtherAccount);
    }
    let locked = spaces::lock_for_administrator(tx, space).await?.filter(|space| space.deleted_at.is_none());
    // Of two who take it at once the second one finds it gone.
    if locked.is_none() || invitations::delete(tx, space, invitation.id).await?.is_none() {
        return Ok(JoinOutcome::Stale);
    }
    if stored::members::find_role(tx, space, joining.user).await?.is_none() {
        let (id, role) = (invitation.id, invitation.role);
        stored::members::insert(tx, space, &Member { id, user: joining.user, role, role_since: joining.at }).await?;
    }
    let changes = members::audited("member.join", invitation.id, joining.user.to_string(), invitation.role);
    let context = AuditContext { actor: access::person(joining.user), origin: joining.origin, at: joining.at };
    commit_log::append(tx, space, &context, &changes).await?;
    Ok(JoinOutcome::Joined(space))
}

fn audit(by: &ActBy) -> AuditContext {
    AuditContext { actor: by.actor.clone(), origin: by.origin, at: by.at }
}
