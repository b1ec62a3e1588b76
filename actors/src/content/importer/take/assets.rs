//! Assets: known by the source's numbers. A file is fetched and stored before its page is written; one that cannot be had is a failure in the
//! report, and content goes on naming it where it was.

use super::{Hand, Item, Subject, Taken};
use crate::content::{
    importer::{feeder::Table, memory::Memory, sources::Place},
    writes::assets,
};
use crypto::digest;
use domain::{
    content::{
        asset::{self, AssetChange, AssetMeta, FileName, ObjectKey, Stored},
        import::{Finding, Kind, Outcome, record},
    },
    shared::AssetId,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use storage::{Result, blobs};

const KIND: Kind = Kind::Asset;

/// What became of an asset's file.
#[derive(Debug)]
pub(in crate::content::importer) enum File {
    /// It is stored, and waits for its row.
    Stored(Box<Stored>),
    /// It was brought over before.
    Kept,
    /// Nobody fetches it: a dry run.
    NotWanted,
    /// It cannot be had.
    Failed(String),
}

/// Fetches a file, unless it is here already.
pub(in crate::content::importer) async fn fetched(table: &Table, place: &Place, memory: &Memory, asset: &record::Asset) -> File {
    if is_unwanted(asset) {
        return File::NotWanted;
    }
    let known = memory.known(KIND, asset.id).filter(|it| memory.files.contains_key(&it.id));
    if known.is_some_and(|it| it.fingerprint == Some(print(asset, memory))) {
        return File::Kept;
    }
    let pieces = match table.source.file(asset).await {
        Ok(pieces) => pieces,
        Err(why) => return File::Failed(why),
    };
    let key = ObjectKey::new(table.space, table.clock.now(), table.entropy.as_ref());
    match place.blobs.put(key, &FileName::of(asset.name()), pieces).await {
        Ok(stored) => File::Stored(Box::new(stored)),
        Err(blobs::Error::Sender(fault)) => File::Failed(fault.message.into_owned()),
        Err(error @ (blobs::Error::TooLarge { .. } | blobs::Error::Empty)) => File::Failed(format!("its file is {error}")),
        Err(error) => {
            tracing::warn!(%error, "the file of an imported asset could not be stored");
            File::Failed("its file could not be stored here".to_owned())
        }
    }
}

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let numbers: Vec<i64> = items.iter().filter_map(|it| memory.known(KIND, it.id())).map(|it| it.id).collect();
    let here = storage::content::assets::find_all(&hand.query(), hand.space(), &numbers).await?;
    let here: HashSet<i64> = here.iter().map(|it| it.id.0).collect();
    for item in items {
        let Subject::Asset(asset, file) = &item.subject else {
            super::unreadable(KIND, &item.subject, taken);
            continue;
        };
        if is_unwanted(asset) {
            taken.skip(Finding::new("inTrash", KIND, asset.id, &asset.filename, "it is in the source's trash"));
            continue;
        }
        let print = print(asset, memory);
        let known = memory.known(KIND, asset.id).filter(|it| here.contains(&it.id));
        let change = change(asset, memory);
        if let Err(fault) = change.apply(&AssetMeta::default()) {
            taken.refuse(KIND, asset.id, &asset.filename, &fault);
            continue;
        }
        match (file, known, hand.desk()) {
            (File::Failed(why), ..) => taken.fail(Finding::new("assetFailed", KIND, asset.id, &asset.filename, why)),
            (_, Some(known), _) if known.fingerprint == Some(print) => {
                if let Some(url) = memory.files.get(&known.id) {
                    taken.urls.push((asset.filename.clone(), known.id, url.clone()));
                }
                taken.took(KIND, asset.id, Outcome::Unchanged, known.id, print);
            }
            (File::Stored(stored), known, Some(desk)) => {
                let stored = asset::File::new(stored, FileName::of(asset.name()));
                let (made, outcome) = match known {
                    Some(known) => (assets::exchange(desk, AssetId(known.id), &stored, &change).await?, Outcome::Updated),
                    None => (assets::add(desk, None, &stored, &change.apply(&AssetMeta::default())?).await?, Outcome::Created),
                };
                let url = format!("{}{}", memory.base_url, made.file.path());
                taken.urls.push((asset.filename.clone(), made.id.0, url));
                taken.took(KIND, asset.id, outcome, made.id.0, print);
                taken.public = true;
            }
            (_, known, _) => {
                let outcome = if known.is_some() { Outcome::Updated } else { Outcome::Created };
                let id = known.map_or_else(|| taken.make_up(), |it| it.id);
                taken.took(KIND, asset.id, outcome, id, print);
            }
        }
    }
    Ok(())
}

/// Whether it is in the trash at the source.
fn is_unwanted(asset: &record::Asset) -> bool {
    asset.deleted_at.as_ref().is_some_and(|it| !it.is_empty())
}

/// The fingerprint of its file and of what is told about it.
fn print(asset: &record::Asset, memory: &Memory) -> [u8; 16] {
    let told = attributes(asset, memory);
    digest::of_parts([asset.filename.as_bytes(), Value::Object(told).to_string().as_bytes()])
}

fn change(asset: &record::Asset, memory: &Memory) -> AssetChange {
    AssetChange::of(&attributes(asset, memory))
}

/// What a caller would tell about it.
fn attributes(asset: &record::Asset, memory: &Memory) -> Map<String, Value> {
    let folder = asset.asset_folder_id.and_then(|id| memory.known(Kind::AssetFolder, id)).map(|it| it.id);
    let told = json!({
        "alt": asset.alt, "title": asset.title, "copyright": asset.copyright, "source": asset.source, "focus": asset.focus,
        "ext_id": asset.ext_id, "asset_folder_id": folder, "is_private": asset.is_private, "locked": asset.locked,
        "expire_at": asset.expire_at, "publish_at": asset.publish_at, "meta_data": asset.meta_data.clone().unwrap_or_default(),
    });
    match told {
        Value::Object(told) => told,
        _ => Map::new(),
    }
}
