//! Writes of spaces themselves.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, SpaceChange, SpaceSettings, token::DeliveryKind},
    shared::{Fault, SpaceId, UserId},
};
use serde_json::json;
use storage::{
    Tx, TxOperation,
    content::{
        commit_log::{self, AuditContext},
        delivery_tokens, spaces,
    },
};

/// Adds a space with its first delivery tokens. It has no order to keep yet, so it is work for the store itself and not a [`SpaceCommand`].
pub struct CreateSpace {
    /// What it is like.
    pub settings: SpaceSettings,
    /// Whose it is, if it is somebody's.
    pub owner: Option<UserId>,
    /// Who makes it, and when.
    pub author: AuditContext,
    /// The hashes of the first tokens' secrets.
    pub tokens: Vec<(DeliveryKind, [u8; 32])>,
}

impl TxOperation for CreateSpace {
    type Output = SpaceId;

    const NAME: &'static str = "space.create";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<SpaceId> {
        let at = self.author.at;
        let space = spaces::insert(tx, &self.settings, self.owner, at).await?;
        for (kind, hash) in &self.tokens {
            delivery_tokens::insert(tx, space, *kind, kind.default_name(), hash, at).await?;
        }
        let changes = Changes::audited("space.create", "space", space, self.settings.name.as_str());
        commit_log::append(tx, space, &self.author, &changes).await?;
        Ok(space)
    }
}

/// Changes a space's settings. What delivery can see of it, the languages and the names, moves `cv`.
pub struct UpdateSpace(pub SpaceChange);

impl SpaceCommand for UpdateSpace {
    type Output = ();

    const NAME: &'static str = "space.update";

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

/// Deletes a space, softly. Delivery sees it at once, so `cv` moves: caches of other processes are told.
pub struct DeleteSpace;

impl SpaceCommand for DeleteSpace {
    type Output = ();

    const NAME: &'static str = "space.delete";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<((), Changes)> {
        let old = spaces::lock(ctx.tx, ctx.space).await?.ok_or_else(Fault::not_found)?;
        spaces::soft_delete(ctx.tx, ctx.space, ctx.now).await?;
        Ok(((), Changes::audited("space.delete", "space", ctx.space, old.name).visible()))
    }
}
