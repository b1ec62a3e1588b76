//! Commands of delivery tokens. The caller makes the secret; a command knows only its hash.

use super::management_tokens::notify;
use crate::{
    content::command::{CommandContext, SpaceCommand},
    shared::NewTokenNotice,
};
use crypto::preview::DeliveryKeys;
use domain::{
    content::{
        Changes, Right,
        story_scope::StoryScope,
        token::{DeliveryKind, DeliveryToken, MAX_TOKENS},
    },
    shared::{Entropy, Fault, FieldCode, TokenId},
};
use secrecy::SecretString;
use serde_json::json;
use storage::content::{
    delivery_tokens::{self, NewToken},
    stories::read::unknown_story,
};

/// The sealed text of a new token, if it is of a kind whose text is kept.
pub fn seal(
    keys: &DeliveryKeys,
    kind: DeliveryKind,
    secret: &SecretString,
    entropy: &dyn Entropy,
) -> Result<Option<Vec<u8>>, Fault> {
    kind.signs_previews().then(|| keys.seal(secret, entropy)).transpose()
}

/// Adds a delivery token.
pub struct CreateDeliveryToken {
    /// The content that it may read.
    pub kind: DeliveryKind,
    /// The name people see.
    pub name: String,
    /// The stories that it may read. 422 when one of them is not in the space.
    pub scope: StoryScope,
    /// The hash of the secret.
    pub hash: [u8; 32],
    /// The sealed secret of a preview token, by which previews are signed.
    pub sealed: Option<Vec<u8>>,
    /// What the owner of the space is told; `None` when that is nothing.
    pub notice: Option<NewTokenNotice>,
}

impl SpaceCommand for CreateDeliveryToken {
    type Output = DeliveryToken;

    const NAME: &'static str = "api_key.create";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(DeliveryToken, Changes)> {
        if delivery_tokens::count(ctx.tx, ctx.space).await? >= MAX_TOKENS {
            let message = format!("has {MAX_TOKENS} api keys; delete one first");
            return Err(Fault::invalid("base", FieldCode::TooMany, message).into());
        }
        if let Some(ids) = self.scope.ids()
            && let Some(unknown) = unknown_story(ctx.tx, ctx.space, &ids).await?
        {
            return Err(Fault::invalid("story_ids", FieldCode::Unknown, format!("has no story {unknown} in this space")).into());
        }
        let Self { kind, name, scope, hash, sealed, .. } = self;
        let new = NewToken { kind: *kind, name, scope, hash, sealed: sealed.as_deref() };
        let created = delivery_tokens::insert(ctx.tx, ctx.space, new, ctx.now).await?;
        notify(ctx, self.notice.as_ref()).await?;
        let changes = audited("api_key.create", &created);
        Ok((created, changes))
    }
}

/// Revokes a delivery token.
pub struct RevokeDeliveryToken(pub TokenId);

impl SpaceCommand for RevokeDeliveryToken {
    type Output = DeliveryToken;

    const NAME: &'static str = "api_key.revoke";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(DeliveryToken, Changes)> {
        let revoked = delivery_tokens::revoke(ctx.tx, ctx.space, self.0, ctx.now).await?.ok_or_else(Fault::not_found)?;
        let changes = self::revoked(&revoked);
        Ok((revoked, changes))
    }
}

/// What the audit log says of a token that was revoked.
pub(super) fn revoked(token: &DeliveryToken) -> Changes {
    audited("api_key.revoke", token)
}

fn audited(action: &'static str, token: &DeliveryToken) -> Changes {
    let mut meta = json!({ "access": token.kind.into_str() });
    if let (Some(meta), Some(ids)) = (meta.as_object_mut(), token.scope.ids()) {
        meta.insert("story_ids".to_owned(), json!(ids));
    }
    Changes::default().and_audit(action, "api_key", token.id, token.name.as_str(), meta)
}
