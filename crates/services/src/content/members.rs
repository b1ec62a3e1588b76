//! Commands about the people of a space: inviting, another role, removing.
//!
//! What acts for a person who is removed ends with it: their tokens are revoked in the same transaction, and
//! their session finds no membership any more.

use super::management_tokens;
use crate::{
    content::command::{CommandContext, SpaceCommand},
    shared::{InvitationMail, SpaceMails, space_mails::NoticeContext},
};
use domain::{
    content::{
        Changes, Invitation, Member, Right, Role,
        member::{INVITED_FOR, MAX_PEOPLE, NextOwner, keep_an_admin, next_owner},
    },
    shared::{Email, Fault, FieldCode, MemberId, SpaceId, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use std::sync::Arc;
use storage::{
    Result, Tx,
    content::{
        invitations::{self, NewInvitation},
        management_tokens as stored_tokens, members, spaces,
    },
};

/// Invites a person by mail. One who is invited already gets a new link, and the one before ends.
pub struct Invite {
    pub email: Email,
    pub role: Role,
    /// The hash of the link's token.
    pub hash: [u8; 32],
    pub mail: InvitationMail,
    pub mails: Arc<dyn SpaceMails>,
}

/// An invitation that was written.
pub struct Invited {
    pub invitation: Invitation,
    /// Whether its link was mailed.
    pub is_mailed: bool,
}

impl SpaceCommand for Invite {
    type Output = Invited;

    const NAME: &'static str = "member.invite";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Invited, Changes)> {
        let space = spaces::find(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
        if members::has_address(ctx.tx, ctx.space, &self.email).await? {
            return Err(Fault::invalid("email", FieldCode::AlreadyMember, "is a member of this space already").into());
        }
        if invitations::count_people(ctx.tx, ctx.space, ctx.now).await? >= MAX_PEOPLE {
            let message = format!("is one too many: a space has {MAX_PEOPLE} people, with those who are invited");
            return Err(Fault::invalid("email", FieldCode::TooMany, message).into());
        }
        let new = NewInvitation {
            email: &self.email,
            role: self.role,
            hash: &self.hash,
            invited_by: ctx.authorized.person(),
            at: ctx.now,
            expires_at: ctx.now + INVITED_FOR,
        };
        let invitation = invitations::replace(ctx.tx, ctx.space, new).await?;
        let occasion = NoticeContext { space: ctx.space, space_name: &space.settings.name, at: ctx.now };
        let is_mailed = self.mails.invite(ctx.tx, &self.mail, occasion).await?;
        let changes = audited("member.invite", invitation.id, self.email.masked(), invitation.role);
        Ok((Invited { invitation, is_mailed }, changes))
    }
}

/// Gives a member another role.
pub struct ChangeRole {
    pub id: MemberId,
    pub role: Role,
}

impl SpaceCommand for ChangeRole {
    type Output = ();

    const NAME: &'static str = "member.update";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let all = members::list_locked(ctx.tx, ctx.space).await?;
        let member = all.iter().find(|member| member.id == self.id).ok_or_else(Fault::not_found)?;
        if member.role == self.role {
            return Ok(((), Changes::default()));
        }
        if member.role == Role::Admin {
            keep_an_admin(&all, member.user)?;
            pass_on(ctx.tx, ctx.space, &all, member.user, ctx.now).await?;
        }
        members::set_role(ctx.tx, ctx.space, self.id, self.role, ctx.now).await?;
        Ok(((), audited("member.update", self.id, member.user.to_string(), self.role)))
    }
}

/// Removes a member, or withdraws an invitation. Members may remove themselves.
pub struct RemovePerson(pub MemberId);

impl SpaceCommand for RemovePerson {
    type Output = ();

    const NAME: &'static str = "member.remove";

    const NEEDS: Right = Right::Read;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let all = members::list_locked(ctx.tx, ctx.space).await?;
        let Some(member) = all.iter().find(|member| member.id == self.0) else {
            ctx.authorized.require(Right::Administer)?;
            let withdrawn = invitations::delete(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
            let email = Email::parse(&withdrawn.email).map(|email| email.masked()).unwrap_or_default();
            return Ok(((), audited("member.withdraw_invitation", withdrawn.id, email, withdrawn.role)));
        };
        if ctx.authorized.person() != Some(member.user) {
            ctx.authorized.require(Right::Administer)?;
        }
        keep_an_admin(&all, member.user)?;
        Ok(((), remove(ctx.tx, ctx.space, &all, member, ctx.now).await?))
    }
}

/// Removes a member with the tokens that act for them, and passes the space on when they own it. The caller
/// has locked the space, and decided whether the last admin may go.
pub(super) async fn remove(tx: &Tx<'_>, space: SpaceId, all: &[Member], member: &Member, at: Timestamp) -> Result<Changes> {
    pass_on(tx, space, all, member.user, at).await?;
    let revoked = stored_tokens::revoke_of(tx, space, member.user, at).await?;
    members::delete(tx, space, member.id).await?;
    let removed = audited("member.remove", member.id, member.user.to_string(), member.role);
    Ok(revoked.iter().map(management_tokens::revoked).fold(removed, Changes::and))
}

/// The audit log names people by their numbers and invitations by a part of the address.
pub(super) fn audited(action: &'static str, id: MemberId, label: String, role: Role) -> Changes {
    Changes::default().and_audit(action, "member", id, label, json!({ "role": role.into_str() }))
}

async fn pass_on(tx: &Tx<'_>, space: SpaceId, all: &[Member], leaving: UserId, at: Timestamp) -> Result<()> {
    let owner = spaces::owner(tx, space).await?;
    match next_owner(all, owner, leaving) {
        NextOwner::Unchanged => Ok(()),
        NextOwner::Passes(next) => spaces::set_owner(tx, space, next, at).await,
    }
}
