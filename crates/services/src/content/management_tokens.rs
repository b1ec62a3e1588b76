//! Commands of management tokens. The caller makes the secret; a command knows only its hash.

use crate::{
    content::command::{CommandContext, SpaceCommand},
    shared::{NewTokenNotice, space_mails::NoticeContext},
};
use domain::{
    content::{
        Changes, Right, Role,
        token::{MAX_TOKENS, ManagementKind, ManagementToken},
    },
    shared::{Fault, FieldCode, TokenId, UserId},
};
use serde_json::json;
use storage::content::{
    management_tokens::{self, NewToken},
    spaces,
};

/// Adds a management token.
pub struct CreateManagementToken {
    pub kind: ManagementKind,
    /// The role, which decides what the token may do.
    pub role: Role,
    /// The name people see.
    pub name: String,
    /// The hash of the secret.
    pub hash: [u8; 32],
    /// The person on whose behalf the token acts.
    pub created_by: Option<UserId>,
    /// What the owner of the space is told; `None` when that is nothing.
    pub notice: Option<NewTokenNotice>,
}

impl SpaceCommand for CreateManagementToken {
    type Output = ManagementToken;

    const NAME: &'static str = "token.create";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(ManagementToken, Changes)> {
        if management_tokens::count(ctx.tx, ctx.space).await? >= MAX_TOKENS {
            let message = format!("has {MAX_TOKENS} management tokens; delete one first");
            return Err(Fault::invalid("base", FieldCode::TooMany, message).into());
        }
        let new = NewToken { kind: self.kind, role: self.role, name: &self.name, hash: &self.hash, created_by: self.created_by };
        let created = management_tokens::insert(ctx.tx, ctx.space, new, ctx.now).await?;
        notify(ctx, self.notice.as_ref()).await?;
        let changes = audited("token.create", &created);
        Ok((created, changes))
    }
}

/// Tells the owner of the space of a new token.
pub(super) async fn notify(ctx: &CommandContext<'_>, notice: Option<&NewTokenNotice>) -> storage::Result<()> {
    let Some(notice) = notice else { return Ok(()) };
    let Some(space) = spaces::find(ctx.tx, ctx.space).await? else { return Ok(()) };
    notice.send(ctx.tx, NoticeContext { space: ctx.space, space_name: &space.settings.name, at: ctx.now }).await
}

/// Revokes a management token.
pub struct RevokeManagementToken(pub TokenId);

impl SpaceCommand for RevokeManagementToken {
    type Output = ManagementToken;

    const NAME: &'static str = "token.revoke";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(ManagementToken, Changes)> {
        let revoked = management_tokens::revoke(ctx.tx, ctx.space, self.0, ctx.now).await?.ok_or_else(Fault::not_found)?;
        let changes = self::revoked(&revoked);
        Ok((revoked, changes))
    }
}

/// What the audit log says of a token that was revoked.
pub(super) fn revoked(token: &ManagementToken) -> Changes {
    audited("token.revoke", token)
}

fn audited(action: &'static str, token: &ManagementToken) -> Changes {
    let meta = json!({ "kind": token.kind.into_str(), "role": token.role.into_str() });
    Changes::default().and_audit(action, "token", token.id, token.name.as_str(), meta)
}
