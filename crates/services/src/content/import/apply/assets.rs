//! Assets, identified by their ids at the source. Their files are stored before the chunk is written; an
//! asset whose file cannot be fetched is a failure in the report, and content keeps the URL at the source.

use super::{
    Applied, ApplyContext, AssetUrl, ChunkOutcome,
    record::{AssetFile, PreparedContent, PreparedRecord, report_unusable},
};
use crate::content::{assets, import::state::ImportState};
use crypto::digest;
use domain::{
    content::{
        asset::{AssetChange, AssetMeta, File, FileName},
        import::{Fingerprint, IdMapping, Imported, Kind, Outcome, SourceId, record},
    },
    shared::{AssetId, json::canonical},
};
use serde_json::{Map, Value, json};
use std::{collections::HashSet, iter};

const KIND: Kind = Kind::Asset;
/// How many bytes of an asset's fingerprint are those of its file's URL.
const URL_BYTES: usize = 8;

/// What is known about the file of an asset before it is fetched.
pub enum KnownFile {
    /// The asset is in the trash here or at the source.
    Trashed,
    /// The same file was stored by an earlier import, or is part of this space.
    Stored,
    /// It has to be fetched.
    Unknown,
}

/// Looks up whether the file of an asset has to be fetched.
pub fn known_file(state: &ImportState, asset: &record::Asset) -> KnownFile {
    if is_trashed_at_source(asset) {
        return KnownFile::Trashed;
    }
    let Some(mapping) = state.mapping(asset.id) else { return KnownFile::Unknown };
    let Some(url) = state.asset_urls.get(&mapping.id) else { return KnownFile::Unknown };
    if state.trashed_assets.contains(&mapping.id) {
        return KnownFile::Trashed;
    }
    let is_same = is_same_file(mapping.fingerprint, fingerprint(asset, state))
        || state.is_same_space && object_key(url) == object_key(&asset.filename);
    if is_same { KnownFile::Stored } else { KnownFile::Unknown }
}

pub(super) async fn apply(
    context: &ApplyContext<'_>,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> storage::Result<()> {
    let state = context.state;
    let mapped = records.iter().filter_map(|record| state.mapping(SourceId::<record::Asset>::of(record.id())));
    let ids: Vec<AssetId> = mapped.map(|mapping| mapping.id).collect();
    let existing = storage::content::assets::find_any(context.executor(), context.space(), &ids).await?;
    let trashed: HashSet<AssetId> = existing.iter().filter(|asset| asset.deleted_at.is_some()).map(|asset| asset.id).collect();
    let existing: HashSet<AssetId> = existing.iter().map(|asset| asset.id).collect();
    for record in records {
        let PreparedContent::Asset(asset, file) = &record.content else {
            report_unusable(KIND, &record.content, outcome);
            continue;
        };
        let mapping = state.mapping(asset.id).filter(|mapping| existing.contains(&mapping.id));
        // Whatever becomes of the record, content goes on to use the URL of an asset that is here: also of
        // one in the trash, so that it is found again when it is restored.
        if let Some(mapping) = mapping {
            outcome
                .asset_urls
                .extend(state.asset_urls.get(&mapping.id).into_iter().flat_map(|url| asset_urls(asset, mapping.id, url)));
        }
        if is_trashed_at_source(asset) {
            outcome.skip(asset.subject().finding("inTrash", "it is in the source's trash"));
            continue;
        }
        if let Err(fault) = change(asset, state).apply(&AssetMeta::default()) {
            outcome.reject(asset.subject(), &fault);
            continue;
        }
        if matches!(file, AssetFile::NotWanted) || mapping.is_some_and(|mapping| trashed.contains(&mapping.id)) {
            outcome.skip(asset.subject().finding("inTrash", "it was deleted here: it stays in the trash"));
            continue;
        }
        apply_one(context, (asset, file), mapping, outcome).await?;
    }
    Ok(())
}

async fn apply_one(
    context: &ApplyContext<'_>,
    (asset, file): (&record::Asset, &AssetFile),
    mapping: Option<IdMapping<AssetId>>,
    outcome: &mut ChunkOutcome,
) -> storage::Result<()> {
    let state = context.state;
    let fingerprint = fingerprint(asset, state);
    let applied = |outcome, id| Applied { outcome, id, fingerprint };
    if let AssetFile::Stored(stored) | AssetFile::Inspected(stored) = file {
        outcome.report.files.add(stored);
        if let Some(difference) = asset.difference(stored) {
            outcome.warn(asset.subject().finding("fileDiffers", difference));
        }
    }
    match (file, mapping, context.ctx()) {
        (AssetFile::Failed(why), ..) => {
            let code = if asset.is_private { "privateAsset" } else { "assetFailed" };
            outcome.fail(asset.subject().finding(code, why));
        }
        (_, Some(mapping), _) if mapping.fingerprint == Some(fingerprint) => {
            outcome.record_outcome(state, (KIND, asset.id), applied(Outcome::Unchanged, mapping.id));
        }
        (AssetFile::Kept, Some(mapping), Some(ctx)) => {
            assets::change(ctx, mapping.id, &change(asset, state)).await?;
            outcome.record_outcome(state, (KIND, asset.id), applied(Outcome::Updated, mapping.id));
            outcome.is_visible = true;
        }
        (AssetFile::Stored(stored), mapping, Some(ctx)) => {
            let file = File::new(stored, FileName::of(asset.name()));
            let attributes = change(asset, state);
            let (written, done) = match mapping {
                Some(mapping) => (assets::replace_file(ctx, mapping.id, &file, &attributes).await?, Outcome::Updated),
                None => (assets::add(ctx, None, &file, &attributes.apply(&AssetMeta::default())?).await?, Outcome::Created),
            };
            let url = format!("{}{}", state.base_url, written.file.path());
            outcome.asset_urls.extend(asset_urls(asset, written.id, &url));
            outcome.record_outcome(state, (KIND, asset.id), applied(done, written.id));
            outcome.is_visible = true;
        }
        (AssetFile::Kept, None, Some(_)) => {
            let why = "it was deleted here while the import was running: the next one brings it";
            outcome.fail(asset.subject().finding("assetFailed", why));
        }
        // A dry run.
        (_, mapping, _) => {
            let done = if mapping.is_some() { Outcome::Updated } else { Outcome::Created };
            let id = mapping.map_or_else(|| outcome.next_fake_id(), |mapping| mapping.id);
            if !matches!(file, AssetFile::Kept) {
                // Any URL here will do: content that contains the old one changes, whatever the new one is.
                let url = format!("{}/f/{}/0/{}", state.base_url, context.space(), asset.name());
                outcome.asset_urls.extend(asset_urls(asset, id, &url));
            }
            outcome.record_outcome(state, (KIND, asset.id), applied(done, id));
        }
    }
    Ok(())
}

/// The URLs at the source, former ones too, that lead to a URL here.
fn asset_urls(asset: &record::Asset, id: AssetId, here: &str) -> impl Iterator<Item = AssetUrl> {
    let at_source = iter::once(&asset.filename).chain(&asset.former_filenames);
    at_source.map(move |at_source| AssetUrl { id, at_source: at_source.clone(), here: here.to_owned() })
}

/// The object key in an asset URL of this server: `/f/<space>/<size>/<key>/<name>`.
fn object_key(url: &str) -> Option<&str> {
    url.rsplit('/').nth(1)
}

fn is_trashed_at_source(asset: &record::Asset) -> bool {
    asset.deleted_at.as_ref().is_some_and(|at| !at.is_empty())
}

/// Two digests of eight bytes: the first of the file's URL, which the source changes when it replaces the
/// file; the second of the attributes.
fn fingerprint(asset: &record::Asset, state: &ImportState) -> Fingerprint {
    let mut fingerprint = digest::of_parts([asset.filename.as_bytes()]);
    let attributes = digest::of_parts([canonical(Value::Object(attributes(asset, state))).as_bytes()]);
    fingerprint.iter_mut().skip(URL_BYTES).zip(attributes).for_each(|(to, from)| *to = from);
    fingerprint
}

/// Whether the file's URL is the one of the last import.
fn is_same_file(before: Option<Fingerprint>, now: Fingerprint) -> bool {
    before.is_some_and(|before| before.iter().zip(&now).take(URL_BYTES).all(|(one, other)| one == other))
}

fn change(asset: &record::Asset, state: &ImportState) -> AssetChange {
    AssetChange::of(&attributes(asset, state))
}

/// The attributes with which a client would create the asset.
fn attributes(asset: &record::Asset, state: &ImportState) -> Map<String, Value> {
    let folder = asset.asset_folder_id.and_then(|id| state.mapping(id)).map(|mapping| mapping.id);
    let attributes = json!({
        "alt": asset.alt, "title": asset.title, "copyright": asset.copyright, "source": asset.source, "focus": asset.focus,
        "ext_id": asset.ext_id, "asset_folder_id": folder, "is_private": asset.is_private, "locked": asset.locked,
        "expire_at": asset.expire_at, "publish_at": asset.publish_at, "internal_tag_ids": asset.internal_tag_ids,
        "meta_data": asset.meta_data.clone().unwrap_or_default(),
    });
    match attributes {
        Value::Object(attributes) => attributes,
        _ => Map::new(),
    }
}
