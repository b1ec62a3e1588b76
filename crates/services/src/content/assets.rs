//! Commands of assets. The object of a file is durable before its command begins, and the janitor removes
//! objects that no row names any more.
//!
//! [`add`], [`replace_file`] and [`change`] are the steps, for commands of more than one asset.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        asset::{Asset, AssetChange, AssetMeta, File, FileName},
        internal_tag::TaggedKind,
    },
    shared::{AssetFolderId, AssetId, Code, Fault, FieldCode},
};
use jiff::Timestamp;
use serde_json::json;
use std::collections::BTreeSet;
use storage::content::{
    asset_addresses,
    asset_uploads::{self, Upload},
    assets, internal_tags,
};
use uuid::Uuid;

/// The most unfinished signed uploads of a space: far more than are ever sent at the same time.
const MAX_UPLOADS: i64 = 2000;

/// Adds an asset.
pub struct CreateAsset {
    pub file: File,
    pub change: AssetChange,
}

impl SpaceCommand for CreateAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let meta = self.change.apply(&AssetMeta::default())?;
        let created = add(ctx, None, &self.file, &meta).await?;
        let changes = audited("asset.create", &created);
        Ok((created, changes))
    }
}

/// Adds many assets at once: all of them, or none.
pub struct CreateAssets(pub Vec<(File, AssetMeta)>);

impl SpaceCommand for CreateAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.create_many";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let mut all = Vec::with_capacity(self.0.len());
        let mut changes = Changes::default().visible();
        for (file, meta) in &self.0 {
            let created = add(ctx, None, file, meta).await?;
            changes.audit.extend(audited("asset.create", &created).audit);
            all.push(created);
        }
        Ok((all, changes))
    }
}

/// Gives an asset another file, under another URL; the former ones lead to the new file. Its number and name
/// stay, and its attributes but for those that the change names.
pub struct ReplaceAsset {
    pub id: AssetId,
    pub file: File,
    /// The attributes that change.
    pub change: AssetChange,
}

impl SpaceCommand for ReplaceAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.replace";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let after = replace_content(ctx, self.id, &self.file, &self.change).await?;
        let changes = audited("asset.replace", &after);
        Ok((after, changes))
    }
}

/// Begins a signed upload: the caller sends the file to a signed form, and finishes the upload. An unfinished
/// one of the same asset is void.
pub struct BeginUpload {
    /// The identifier that the form signs.
    pub ticket: Uuid,
    /// The asset that gets another file; `None` for a new asset.
    pub replaces: Option<AssetId>,
    pub name: FileName,
    pub change: AssetChange,
    /// The end of the form's validity.
    pub expires_at: Timestamp,
}

impl SpaceCommand for BeginUpload {
    /// The asset's number, which is reserved for a new asset.
    type Output = AssetId;

    const NAME: &'static str = "asset.begin_upload";

    const NEEDS: Right = Right::WriteContent;

    /// 422 when too many uploads are unfinished.
    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(AssetId, Changes)> {
        if asset_uploads::count(ctx.tx, ctx.space, ctx.now).await? >= MAX_UPLOADS {
            let message = format!("has {MAX_UPLOADS} uploads that are not finished; finish them, or wait an hour");
            return Err(Fault::invalid("base", FieldCode::TooMany, message).into());
        }
        let asset = match self.replaces {
            Some(id) => find_active(ctx, id).await?.id,
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

/// Finishes a signed upload whose file has arrived. An upload that is finished already answers its asset
/// again.
pub struct FinishUpload(pub AssetId);

impl SpaceCommand for FinishUpload {
    type Output = Asset;

    const NAME: &'static str = "asset.finish_upload";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let Some(upload) = asset_uploads::find(ctx.tx, ctx.space, self.0).await? else {
            return Ok((find_active(ctx, self.0).await?, Changes::default()));
        };
        let Some(file) = &upload.file else {
            return Err(Fault::invalid("file", FieldCode::Missing, "has not been uploaded yet").into());
        };
        let (done, action) = if upload.replaces {
            (replace_content(ctx, self.0, file, &upload.change).await?, "asset.replace")
        } else {
            let meta = upload.change.apply(&AssetMeta::default())?;
            (add(ctx, Some(self.0), file, &meta).await?, "asset.create")
        };
        asset_uploads::end(ctx.tx, ctx.space, &upload).await?;
        let changes = audited(action, &done);
        Ok((done, changes))
    }
}

/// Changes the attributes of an asset, and the name of its file. The URL with the former name leads to it,
/// too.
pub struct UpdateAsset {
    pub id: AssetId,
    /// The attributes that change.
    pub change: AssetChange,
    /// The new name; `None` keeps the one that it has.
    pub name: Option<FileName>,
}

impl SpaceCommand for UpdateAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        let asset = change(ctx, self.id, &self.change).await?;
        let after = match &self.name {
            Some(name) if *name != asset.file.name => rename(ctx, &asset, name).await?,
            _ => asset,
        };
        let changes = audited("asset.update", &after);
        Ok((after, changes))
    }
}

/// Moves an asset to the trash: it is not served any more.
pub struct DeleteAsset(pub AssetId);

impl SpaceCommand for DeleteAsset {
    type Output = Asset;

    const NAME: &'static str = "asset.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Asset, Changes)> {
        find_active(ctx, self.0).await?;
        let deleted = assets::set_deleted(ctx.tx, ctx.space, self.0, Some(ctx.now)).await?;
        let changes = audited("asset.delete", &deleted);
        Ok((deleted, changes))
    }
}

/// Moves assets to the trash; those that are there already are left alone. 404 for an asset that does not
/// exist.
pub struct DeleteAssets(pub Vec<AssetId>);

impl SpaceCommand for DeleteAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.delete_many";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let found = find_all(ctx, &self.0).await?;
        let ids: Vec<i64> = found.iter().filter(|asset| asset.deleted_at.is_none()).map(|asset| asset.id.0).collect();
        let deleted = assets::set_all_deleted(ctx.tx, ctx.space, &ids, Some(ctx.now)).await?;
        let changes = all_audited("asset.delete", &deleted);
        Ok((deleted, changes))
    }
}

/// Takes assets out of the trash. 404 for an asset that the janitor has removed.
pub struct RestoreAssets(pub Vec<AssetId>);

impl SpaceCommand for RestoreAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.restore";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let found = find_all(ctx, &self.0).await?;
        let ids: Vec<i64> = found.iter().filter(|asset| asset.deleted_at.is_some()).map(|asset| asset.id.0).collect();
        let restored = assets::set_all_deleted(ctx.tx, ctx.space, &ids, None).await?;
        let changes = all_audited("asset.restore", &restored);
        Ok((restored, changes))
    }
}

/// Moves assets to a folder. 404 for an asset that does not exist or is in the trash.
pub struct MoveAssets {
    pub ids: Vec<AssetId>,
    /// The folder; `None` is none.
    pub folder: Option<AssetFolderId>,
}

impl SpaceCommand for MoveAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.move_many";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let ids = find_all_active(ctx, &self.ids).await?;
        let moved = assets::move_to_folder(ctx.tx, ctx.space, &ids, self.folder, ctx.now).await?;
        let changes = all_audited("asset.update", &moved);
        Ok((moved, changes))
    }
}

/// Puts tags on assets and takes others away. 404 for an asset that does not exist or is in the trash, 422
/// for a tag to put on them that is none of assets, or is to be taken away as well.
pub struct TagAssets {
    pub ids: Vec<AssetId>,
    pub added: Vec<i64>,
    pub removed: Vec<i64>,
}

impl SpaceCommand for TagAssets {
    type Output = Vec<Asset>;

    const NAME: &'static str = "asset.tag_many";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Vec<Asset>, Changes)> {
        let ids = find_all_active(ctx, &self.ids).await?;
        if let Some(both) = self.removed.iter().find(|tag| self.added.contains(tag)) {
            let message = format!("has {both}, which internal_tag_ids has too");
            return Err(Fault::invalid("removed_internal_tag_ids", FieldCode::Repeated, message).into());
        }
        let known = internal_tags::known(ctx.tx, ctx.space, TaggedKind::Asset, &self.added).await?;
        if let Some(unknown) = self.added.iter().find(|tag| !known.contains(tag)) {
            return Err(Fault::invalid(
                "internal_tag_ids",
                FieldCode::Unknown,
                format!("has {unknown}, which is no tag of assets"),
            )
            .into());
        }
        let tagged = assets::change_tags(ctx.tx, ctx.space, &ids, (&self.added, &self.removed), ctx.now).await?;
        let changes = all_audited("asset.update", &tagged);
        Ok((tagged, changes))
    }
}

/// The assets of these numbers, in the trash or not. 404 unless all of them exist.
async fn find_all(ctx: &CommandContext<'_>, ids: &[AssetId]) -> storage::Result<Vec<Asset>> {
    let ids: Vec<AssetId> = ids.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let found = assets::find_any(ctx.tx, ctx.space, &ids).await?;
    if found.len() < ids.len() {
        return Err(Fault::not_found().into());
    }
    Ok(found)
}

/// The numbers of these assets, each once. 404 unless all of them exist and none is in the trash.
async fn find_all_active(ctx: &CommandContext<'_>, ids: &[AssetId]) -> storage::Result<Vec<i64>> {
    let found = find_all(ctx, ids).await?;
    if found.iter().any(|asset| asset.deleted_at.is_some()) {
        return Err(Fault::not_found().into());
    }
    Ok(found.iter().map(|asset| asset.id.0).collect())
}

/// An audit entry for each asset; without any, nothing has changed.
pub(super) fn all_audited(action: &'static str, assets: &[Asset]) -> Changes {
    let audit = assets.iter().flat_map(|asset| audited(action, asset).audit).collect();
    Changes { audit, public: !assets.is_empty(), ..Changes::default() }
}

/// Adds an asset for a stored file, under its reserved number or a new one.
pub async fn add(ctx: &CommandContext<'_>, id: Option<AssetId>, file: &File, meta: &AssetMeta) -> storage::Result<Asset> {
    check(ctx, file)?;
    let id = match id {
        Some(id) => id,
        None => assets::reserve(ctx.tx).await?,
    };
    assets::insert(ctx.tx, ctx.space, id, (file, meta), ctx.now).await
}

/// The same as [`replace_file`], under the name that the file has.
async fn replace_content(ctx: &CommandContext<'_>, id: AssetId, file: &File, change: &AssetChange) -> storage::Result<Asset> {
    let name = find_active(ctx, id).await?.file.name;
    replace_file(ctx, id, &File { name, ..file.clone() }, change).await
}

/// Gives an asset that is not in the trash another file under a name of its own, and changes its attributes.
/// Its former address leads to the new file.
pub async fn replace_file(ctx: &CommandContext<'_>, id: AssetId, file: &File, change: &AssetChange) -> storage::Result<Asset> {
    check(ctx, file)?;
    let former = self::change(ctx, id, change).await?.file;
    asset_addresses::keep(ctx.tx, ctx.space, id, former.key.id, &former.name).await?;
    assets::replace(ctx.tx, ctx.space, id, file, ctx.now).await
}

/// Gives the file of an asset another name. 422 when its extension is another one: what takes files by their
/// kind reads it.
async fn rename(ctx: &CommandContext<'_>, asset: &Asset, name: &FileName) -> storage::Result<Asset> {
    let former = &asset.file.name;
    if name.extension() != former.extension() {
        let extension = former.extension().map_or_else(|| "no extension".to_owned(), |extension| format!(".{extension}"));
        let message = format!("must keep its extension ({extension})");
        return Err(Fault::invalid("short_filename", FieldCode::Invalid, message).into());
    }
    asset_addresses::keep(ctx.tx, ctx.space, asset.id, asset.file.key.id, former).await?;
    assets::rename(ctx.tx, ctx.space, asset.id, name, ctx.now).await
}

/// Changes the attributes of an asset that is not in the trash.
pub async fn change(ctx: &CommandContext<'_>, id: AssetId, change: &AssetChange) -> storage::Result<Asset> {
    let old = find_active(ctx, id).await?;
    let meta = change.apply(&old.meta)?;
    assets::update(ctx.tx, ctx.space, id, &meta, ctx.now).await
}

async fn find_active(ctx: &CommandContext<'_>, id: AssetId) -> storage::Result<Asset> {
    let found = assets::find(ctx.tx, ctx.space, id).await?;
    Ok(found.filter(|f| f.deleted_at.is_none()).ok_or_else(Fault::not_found)?)
}

/// Refuses an object that waited too long for its row: the janitor may be removing it.
fn check(ctx: &CommandContext<'_>, file: &File) -> Result<(), Fault> {
    if file.key.space != ctx.space {
        return Err(Fault::internal("an object of another space"));
    }
    if !file.key.is_fresh(ctx.now) {
        return Err(Fault::new(Code::UploadExpired, "The file was uploaded too long ago; upload it again"));
    }
    Ok(())
}

/// The audit entry of a command. All of them move `cv`, because assets have no draft that `resolve_assets`
/// could answer instead.
fn audited(action: &'static str, asset: &Asset) -> Changes {
    let file = &asset.file;
    let meta = json!({ "content_type": file.content_type, "content_length": file.bytes });
    Changes::default().and_audit(action, "asset", asset.id, file.name.as_str(), meta).visible()
}
