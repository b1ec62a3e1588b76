//! Commands of spaces themselves.

use crate::content::{
    command::{CommandContext, SpaceCommand},
    delivery_tokens::seal,
    import::jobs::cancel_open,
    webhooks::silence,
};
use crypto::preview::DeliveryKeys;
use domain::{
    content::{Changes, Right, SpaceChange, SpaceSettings, story_scope::StoryScope, token::DeliveryKind},
    shared::{Entropy, Fault, SpaceId, UserId},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use storage::{
    Store,
    content::{
        commit_log::{self, AuditContext},
        delivery_tokens::{self, NewToken},
        spaces,
    },
    transact,
};
use strum::VariantArray;

/// A space that was created.
pub struct CreatedSpace {
    pub id: SpaceId,
    /// The plaintext of its first delivery tokens, one of each kind. It is stored nowhere.
    pub tokens: Vec<(DeliveryKind, SecretString)>,
}

/// Adds a space with its first delivery tokens, on behalf of the actor of `audit`. A space of the command
/// line has no owner. A new space has no commands to keep in order, so this is a transaction of its own and
/// not a [`SpaceCommand`].
pub async fn create_space(
    store: &Store,
    entropy: &dyn Entropy,
    keys: &DeliveryKeys,
    settings: &SpaceSettings,
    owner: Option<UserId>,
    audit: &AuditContext,
) -> Result<CreatedSpace, Fault> {
    let tokens: Vec<_> =
        DeliveryKind::VARIANTS.iter().map(|kind| (*kind, crypto::token::generate(kind.prefix(), entropy))).collect();
    let secrets = &tokens;
    let id = transact!(store, "space.create", async |tx| {
        let space = spaces::insert(tx, settings, owner, audit.at).await?;
        for (kind, secret) in secrets {
            let (hash, sealed) = (keys.hash(secret.expose_secret()), seal(keys, *kind, secret, entropy)?);
            let (kind, name, scope) = (*kind, kind.default_name(), &StoryScope::All);
            let new = NewToken { kind, name, scope, hash: &hash, sealed: sealed.as_deref() };
            delivery_tokens::insert(tx, space, new, audit.at).await?;
        }
        let changes = Changes::audited("space.create", "space", space, settings.name.as_str());
        commit_log::append(tx, space, audit, &changes).await?;
        Ok(space)
    })
    .await?;
    Ok(CreatedSpace { id, tokens })
}

/// Changes a space's settings. A change moves `cv`, because delivery shows names and languages.
pub struct UpdateSpace(pub SpaceChange);

impl SpaceCommand for UpdateSpace {
    type Output = ();

    const NAME: &'static str = "space.update";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = spaces::lock(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
        let after = self.0.apply(old.clone())?;
        spaces::update(ctx.tx, ctx.space, &after, ctx.now).await?;
        let fields: Vec<&str> = [
            ("name", old.name != after.name),
            ("domain", old.domain != after.domain),
            ("languages", old.languages != after.languages),
            ("default_lang_name", old.default_lang_name != after.default_lang_name),
            ("environments", old.environments != after.environments),
            ("asset_custom_meta_data_schema", old.asset_meta_fields != after.asset_meta_fields),
            ("publish_requires_valid", old.publish_requires_valid != after.publish_requires_valid),
        ]
        .into_iter()
        .filter_map(|(field, differs)| differs.then_some(field))
        .collect();
        let meta = json!({ "changed": fields });
        let changes = Changes::default().and_audit("space.update", "space", ctx.space, after.name.as_str(), meta);
        Ok(((), if fields.is_empty() { changes } else { changes.visible() }))
    }
}

/// Soft-deletes a space. `cv` moves, so that the caches of all processes drop it at once.
///
/// Nothing leaves the space from the commit on: its import ends, events become deliveries first, and all
/// deliveries that wait are cancelled. What was scheduled is kept, and not run as long as the space is
/// deleted.
pub struct DeleteSpace;

impl SpaceCommand for DeleteSpace {
    type Output = ();

    const NAME: &'static str = "space.delete";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = spaces::lock(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
        let import = cancel_open(ctx).await?;
        let deliveries = silence(ctx).await?;
        spaces::soft_delete(ctx.tx, ctx.space, ctx.now).await?;
        let meta = json!({ "cancelled_deliveries": deliveries });
        Ok(((), import.and_audit("space.delete", "space", ctx.space, old.name, meta).visible()))
    }
}
