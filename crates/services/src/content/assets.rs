//! Writes of assets. Their objects are durable before they begin; what they let go of is the janitor's.
//!
//! [`add`], [`exchange`] and [`change`] are the steps, for writes of more than one asset.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes,
        asset::{Asset, AssetChange, AssetMeta, File, FileName},
    },
    shared::{AssetId, Fault},
};
use jiff::Timestamp;
use serde_json::json;
use storage::content::{
    asset_uploads::{self, Upload},
    assets,
};
use uuid::Uuid;

/// The most uploads in steps of a space that are under way: far more than anybody sends at the same time.
const MAX_UPLOADS: i64 = 2000;

/// Adds an asset.
pub struct CreateAsset {
    /// Its file.
    pub file: File,
    /// What is told about it.
    pub change: AssetChange,
}

impl SpaceCommand for CreateAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.create";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let meta = self.change.apply(&AssetMeta::default())?;
        let made = add(ctx, None, &self.file, &meta).await?;
        let changes = audited("asset.create", &made);
        Ok((made, changes))
    }
}

/// Adds many assets at once: all of them, or none.
pub struct CreateAssets(pub Vec<(File, AssetMeta)>);

impl SpaceCommand for CreateAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.create_many";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let mut all = Vec::with_capacity(self.0.len());
        let mut changes = Changes::default().visible();
        for (file, meta) in &self.0 {
            let made = add(ctx, None, file, meta).await?;
            changes.audit.extend(audited("asset.create", &made).audit);
            all.push(made);
        }
        Ok((all, changes))
    }
}

/// Gives an asset another file, under another URL. Its number stays, and what is told about it unless the change says otherwise.
pub struct ReplaceAsset {
    /// Which.
    pub id: AssetId,
    /// Its new file.
    pub file: File,
    /// What else changes.
    pub change: AssetChange,
}

impl SpaceCommand for ReplaceAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.replace";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let after = exchange(ctx, self.id, &self.file, &self.change).await?;
        let changes = audited("asset.replace", &after);
        Ok((after, changes))
    }
}

/// Begins an upload in steps. One of the same asset that was under way before is void.
pub struct BeginUpload {
    /// What its form stands for.
    pub ticket: Uuid,
    /// The asset that gets another file; none for a new one.
    pub replaces: Option<AssetId>,
    /// The file's name.
    pub name: FileName,
    /// What is told about it.
    pub change: AssetChange,
    /// Until when the form may be sent.
    pub expires_at: Timestamp,
}

impl SpaceCommand for BeginUpload {
    /// The asset's number, which a new one has from now on.
    type Output = AssetId;

    const NAME: &'static str = "asset.begin_upload";

    /// 422 when too many are under way.
    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(AssetId, Changes)> {
        if asset_uploads::count(ctx.tx, ctx.space, ctx.now).await? >= MAX_UPLOADS {
            let message = format!("has {MAX_UPLOADS} uploads that are not finished; finish them, or wait an hour");
            return Err(Fault::invalid("base", "tooMany", message).into());
        }
        let asset = match self.replaces {
            Some(id) => present(ctx, id).await?.id,
            None => assets::reserve(ctx.tx).await?,
        };
        let upload = Upload {
            asset,
            ticket: self.ticket,
            replaces: self.replaces.is_some(),
            name: self.name.clone(),
            change: self.change.clone(),
            expires_at: self.expires_at,
            file: None,
        };
        asset_uploads::begin(ctx.tx, ctx.space, &upload).await?;
        Ok((asset, Changes::default()))
    }
}

/// Does what an upload in steps was for, now that its file has come. Done before, it answers the asset again.
pub struct FinishUpload(pub AssetId);

impl SpaceCommand for FinishUpload {
    type Output = Asset;

    const NAME: &'static str = "asset.finish_upload";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let Some(upload) = asset_uploads::find(ctx.tx, ctx.space, self.0).await? else {
            return Ok((present(ctx, self.0).await?, Changes::default()));
        };
        let Some(file) = upload.file else { return Err(Fault::invalid("file", "missing", "has not been uploaded yet").into()) };
        let (done, action) = if upload.replaces {
            (exchange(ctx, self.0, &file, &upload.change).await?, "asset.replace")
        } else {
            let meta = upload.change.apply(&AssetMeta::default())?;
            (add(ctx, Some(self.0), &file, &meta).await?, "asset.create")
        };
        asset_uploads::end(ctx.tx, ctx.space, self.0).await?;
        let changes = audited(action, &done);
        Ok((done, changes))
    }
}

/// Changes what is told about an asset.
pub struct UpdateAsset {
    /// Which.
    pub id: AssetId,
    /// What changes.
    pub change: AssetChange,
}

impl SpaceCommand for UpdateAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.update";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let after = change(ctx, self.id, &self.change).await?;
        let changes = audited("asset.update", &after);
        Ok((after, changes))
    }
}

/// Puts an asset into the trash: from then on it is not served.
pub struct DeleteAsset(pub AssetId);

impl SpaceCommand for DeleteAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.delete";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        present(ctx, self.0).await?;
        let gone = assets::set_deleted(ctx.tx, ctx.space, self.0, Some(ctx.now)).await?;
        let changes = audited("asset.delete", &gone);
        Ok((gone, changes))
    }
}

/// Takes assets out of the trash, as long as the janitor has not been there.
pub struct RestoreAssets(pub Vec<AssetId>);

impl SpaceCommand for RestoreAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.restore";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let mut all = Vec::with_capacity(self.0.len());
        let mut changes = Changes::default();
        for id in &self.0 {
            let found = assets::find(ctx.tx, ctx.space, *id).await?.ok_or_else(Fault::not_found)?;
            if found.deleted_at.is_some() {
                let back = assets::set_deleted(ctx.tx, ctx.space, *id, None).await?;
                changes.audit.extend(audited("asset.restore", &back).audit);
                changes.public = true;
                all.push(back);
            }
        }
        Ok((all, changes))
    }
}

/// Adds an asset to a file that was stored, under a number that was reserved or a new one.
pub async fn add(ctx: &CommandContext<'_>, id: Option<AssetId>, file: &File, meta: &AssetMeta) -> storage::Result<Asset> {
    check(ctx, file)?;
    let id = match id {
        Some(id) => id,
        None => assets::reserve(ctx.tx).await?,
    };
    assets::insert(ctx.tx, ctx.space, id, (file, meta), ctx.now).await
}

/// Gives an asset that is not in the trash another file, and changes what is told about it.
pub async fn exchange(ctx: &CommandContext<'_>, id: AssetId, file: &File, change: &AssetChange) -> storage::Result<Asset> {
    check(ctx, file)?;
    self::change(ctx, id, change).await?;
    assets::replace(ctx.tx, ctx.space, id, file, ctx.now).await
}

/// Changes what is told about an asset that is not in the trash.
pub async fn change(ctx: &CommandContext<'_>, id: AssetId, change: &AssetChange) -> storage::Result<Asset> {
    let old = present(ctx, id).await?;
    let meta = change.apply(&old.meta)?;
    assets::update(ctx.tx, ctx.space, id, &meta, ctx.now).await
}

async fn present(ctx: &CommandContext<'_>, id: AssetId) -> storage::Result<Asset> {
    let found = assets::find(ctx.tx, ctx.space, id).await?;
    Ok(found.filter(|f| f.deleted_at.is_none()).ok_or_else(Fault::not_found)?)
}

/// An object that waited too long for its row may be on its way out.
fn check(ctx: &CommandContext<'_>, file: &File) -> Result<(), Fault> {
    if file.key.space != ctx.space {
        return Err(Fault::internal("an object of another space"));
    }
    if !file.key.is_fresh(ctx.now) {
        return Err(Fault::conflict("uploadExpired", "The file was uploaded too long ago; upload it again"));
    }
    Ok(())
}

/// The audit entry of a write. All of them move `cv`: what `resolve_assets` answers has no draft.
fn audited(action: &'static str, asset: &Asset) -> Changes {
    let file = &asset.file;
    let facts = json!({ "content_type": file.content_type, "content_length": file.bytes });
    Changes::default().and_audit(action, "asset", asset.id, file.name.as_str(), facts).visible()
}
