//! Commands of spaces themselves.

use crate::content::{
    command::{CommandContext, SpaceCommand},
    import::jobs::cancel_open,
    webhooks::silence,
};
use crypto::token::Hasher;
use domain::{
    content::{Changes, Right, SpaceChange, SpaceSettings, story_scope::StoryScope, token::DeliveryKind},
    shared::{Entropy, Fault, SpaceId, UserId},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use storage::{
    Store, Tx, TxOperation,
    content::{
        commit_log::{self, AuditContext},
        delivery_tokens, spaces,
    },
};

/// A space that was created.
pub struct CreatedSpace {
    pub id: SpaceId,
    /// The plaintext of its first delivery tokens, one of each kind. It is stored nowhere.
    pub tokens: Vec<(DeliveryKind, SecretString)>,
}

/// Adds a space with its first delivery tokens, on behalf of the actor of `audit`. A space of the command line has no owner.
pub async fn create_space(
    store: &Store,
    entropy: &dyn Entropy,
    hasher: &Hasher,
    settings: SpaceSettings,
    owner: Option<UserId>,
    audit: AuditContext,
) -> Result<CreatedSpace, Fault> {
    let tokens = DeliveryKind::ALL.map(|kind| (kind, crypto::token::generate(kind.prefix(), entropy)));
    let stored = tokens.iter().map(|(kind, secret)| (*kind, hasher.hash(secret.expose_secret()))).collect();
    let id = store.transact(&CreateSpace { settings, owner, audit, tokens: stored }).await?;
    Ok(CreatedSpace { id, tokens: tokens.into() })
}

/// Adds a space and the hashes of its first delivery tokens. A new space has no commands to keep in order, so this is an operation of the store and not a
/// [`SpaceCommand`].
pub struct CreateSpace {
    pub settings: SpaceSettings,
    /// The owner; a space of the command line has none.
    pub owner: Option<UserId>,
    /// Actor, origin and time of the creation.
    pub audit: AuditContext,
    /// The kinds of the first delivery tokens with the hashes of their secrets.
    pub tokens: Vec<(DeliveryKind, [u8; 32])>,
}

impl TxOperation for CreateSpace {
    type Output = SpaceId;

    const NAME: &'static str = "space.create";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<SpaceId> {
        let at = self.audit.at;
        let space = spaces::insert(tx, &self.settings, self.owner, at).await?;
        for (kind, hash) in &self.tokens {
            delivery_tokens::insert(tx, space, *kind, kind.default_name(), &StoryScope::All, hash, at).await?;
        }
        let changes = Changes::audited("space.create", "space", space, self.settings.name.as_str());
        commit_log::append(tx, space, &self.audit, &changes).await?;
        Ok(space)
    }
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
/// Nothing leaves the space from the commit on: its import ends, events become deliveries first, and all deliveries that wait are cancelled. What was scheduled
/// is kept, and not run as long as the space is deleted.
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
