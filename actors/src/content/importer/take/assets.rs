//! Assets: known by the source's numbers. A file is fetched and stored before its page is written; one that cannot be had is a failure in the
//! report, and content goes on naming it where it was.

use super::{Hand, Item, Subject, Taken};
use crate::content::importer::{
    feeder::Table,
    memory::Memory,
    source::{FILE_BROKEN, NoFile, SourceError},
};
use crypto::digest;
use domain::{
    content::{
        asset::{self, AssetChange, AssetMeta, FileName, ObjectKey, Stored},
        import::{Finding, Kind, Outcome, record},
    },
    shared::{AssetId, Backoff},
};
use serde_json::{Map, Value, json};
use services::content::assets;
use std::{collections::HashSet, time::Duration};
use storage::{blobs, content::imports::ids::Known};

const KIND: Kind = Kind::Asset;
/// How much of a fingerprint is that of the file.
const HALF: usize = 8;

/// How often a file is asked for that may be there in a while.
const TRIES: u32 = 4;
/// How long to wait in between.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(8), jitter: 25 };

/// What became of an asset's file.
#[derive(Debug)]
pub(in crate::content::importer) enum File {
    /// It is stored, and waits for its row.
    Stored(Box<Stored>),
    /// It was brought over before.
    Kept,
    /// It can be had, and is this: a dry run keeps none.
    Seen(Box<Stored>),
    /// Nobody wants it.
    NotWanted,
    /// It cannot be had.
    Failed(String),
}

/// Fetches a file, unless it is here already. An error is a trouble of our own: no asset is to pay for it.
pub(in crate::content::importer) async fn fetched(table: &Table, asset: &record::Asset) -> Result<File, SourceError> {
    if is_unwanted(asset) {
        return Ok(File::NotWanted);
    }
    // What is known changes while this fetches: it must not be held.
    {
        let memory = table.memory.read().await;
        let known = memory.known(KIND, asset.id).and_then(|k| Some((k, memory.files.get(&k.id)?)));
        if known.is_some_and(|(known, _)| memory.trashed.contains(&known.id)) {
            return Ok(File::NotWanted);
        }
        let is_here = |value: Known, url: &str| {
            is_same_file(value.fingerprint, print(asset, &memory)) || memory.is_own && object(url) == object(&asset.filename)
        };
        if known.is_some_and(|(known, url)| is_here(known, url)) {
            return Ok(File::Kept);
        }
    }
    let mut failures = 0;
    loop {
        let (fault, is_ours) = match attempt(table, asset).await {
            Ok(file) => return Ok(file),
            Err(Trouble::Lasting(why)) => return Ok(File::Failed(why)),
            Err(Trouble::Passing(why)) => (why, false),
            Err(Trouble::Ours(why)) => (why, true),
        };
        failures += 1;
        if failures == TRIES && is_ours {
            let message = format!("the files of assets cannot be kept: {fault}");
            return Err(SourceError::ours("filesAway", message));
        } else if failures == TRIES {
            return Ok(File::Failed(format!("{fault}, {TRIES} times")));
        }
        tokio::time::sleep(BACKOFF.after(failures, table.runtime.jitter_seed())).await;
    }
}

/// Why there is no file yet.
enum Trouble {
    Lasting(String),
    Passing(String),
    Ours(String),
}

async fn attempt(table: &Table, asset: &record::Asset) -> Result<File, Trouble> {
    let no_file = |value: NoFile| if value.is_passing { Trouble::Passing(value.message) } else { Trouble::Lasting(value.message) };
    let fetched = table.source.file(asset).await.map_err(no_file)?;
    let max_bytes = table.place.blobs.max_bytes();
    let failed = |error: blobs::Error| match error {
        blobs::Error::Sender(fault) if fault.code == FILE_BROKEN => Trouble::Passing(fault.message.into_owned()),
        blobs::Error::Sender(fault) => Trouble::Lasting(fault.message.into_owned()),
        error @ (blobs::Error::TooLarge { .. } | blobs::Error::Empty) => Trouble::Lasting(format!("its file is {error}")),
        blobs::Error::Busy | blobs::Error::Missing(_) => Trouble::Ours("too many files are being received".to_owned()),
        blobs::Error::Away(_) => Trouble::Ours("the place where they are kept is away".to_owned()),
    };
    match fetched.length {
        Some(0) => return Err(failed(blobs::Error::Empty)),
        Some(length) if length > max_bytes => return Err(failed(blobs::Error::TooLarge { limit: max_bytes })),
        _ => {}
    }
    let (key, name) = (ObjectKey::new(table.space, table.clock.now(), table.entropy.as_ref()), FileName::of(asset.name()));
    if table.is_dry {
        return blobs::look(key, &name, fetched.pieces, max_bytes).await.map(|l| File::Seen(Box::new(l))).map_err(failed);
    }
    let stored = table.place.blobs.put(key, &name, fetched.pieces).await.map_err(failed)?;
    Ok(File::Stored(Box::new(stored)))
}

pub(super) async fn take(hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> storage::Result<()> {
    let numbers: Vec<i64> = items.iter().filter_map(|item| memory.known(KIND, item.id())).map(|item| item.id).collect();
    let here = storage::content::assets::find_any(&hand.query(), hand.space(), &numbers).await?;
    let trashed: HashSet<i64> = here.iter().filter(|h| h.deleted_at.is_some()).map(|h| h.id.0).collect();
    let here: HashSet<i64> = here.iter().map(|h| h.id.0).collect();
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
        let known = memory.known(KIND, asset.id).filter(|k| here.contains(&k.id));
        let change = change(asset, memory);
        if let Err(fault) = change.apply(&AssetMeta::default()) {
            taken.refuse(KIND, asset.id, &asset.filename, &fault);
            continue;
        }
        // Where it was before, content goes on to find it.
        let stay = |taken: &mut Taken, id: i64| {
            let url = memory.files.get(&id).map(|url| (asset.filename.clone(), id, url.clone()));
            taken.urls.extend(url);
        };
        if matches!(file, File::NotWanted) || known.is_some_and(|known| trashed.contains(&known.id)) {
            // Content names it where it was here: there it is again when it is taken out of the trash.
            if let Some(known) = known {
                stay(taken, known.id);
            }
            taken.skip(Finding::new("inTrash", KIND, asset.id, &asset.filename, "it was deleted here: it stays in the trash"));
            continue;
        }
        if let File::Stored(came) | File::Seen(came) = file {
            taken.report.files.add(came);
            if let Some(how) = asset.difference(came) {
                taken.warn(Finding::new("fileDiffers", KIND, asset.id, &asset.filename, how));
            }
        }
        match (file, known, hand.ctx()) {
            (File::Failed(why), known, _) => {
                if let Some(known) = known {
                    stay(taken, known.id);
                }
                let code = if asset.is_private { "privateAsset" } else { "assetFailed" };
                taken.fail(Finding::new(code, KIND, asset.id, &asset.filename, why));
            }
            (_, Some(known), _) if known.fingerprint == Some(print) => {
                stay(taken, known.id);
                taken.took(memory, KIND, asset.id, Outcome::Unchanged, known.id, print);
            }
            (File::Kept, Some(known), Some(ctx)) => {
                assets::change(ctx, AssetId(known.id), &change).await?;
                stay(taken, known.id);
                taken.took(memory, KIND, asset.id, Outcome::Updated, known.id, print);
                taken.public = true;
            }
            (File::Stored(stored), known, Some(ctx)) => {
                let stored = asset::File::new(stored, FileName::of(asset.name()));
                let (made, outcome) = match known {
                    Some(known) => (assets::replace_file(ctx, AssetId(known.id), &stored, &change).await?, Outcome::Updated),
                    None => (assets::add(ctx, None, &stored, &change.apply(&AssetMeta::default())?).await?, Outcome::Created),
                };
                let url = format!("{}{}", memory.base_url, made.file.path());
                taken.urls.push((asset.filename.clone(), made.id.0, url));
                taken.took(memory, KIND, asset.id, outcome, made.id.0, print);
                taken.public = true;
            }
            (File::Kept, None, Some(_)) => {
                let why = "it was deleted here while the import was running: the next one brings it";
                taken.fail(Finding::new("assetFailed", KIND, asset.id, &asset.filename, why));
            }
            (_, known, _) => {
                let outcome = if known.is_some() { Outcome::Updated } else { Outcome::Created };
                let id = known.map_or_else(|| taken.make_up(), |known| known.id);
                if matches!(file, File::Kept) {
                    stay(taken, id);
                } else {
                    // Somewhere here: what names it changes, whatever the place will be.
                    taken.urls.push((asset.filename.clone(), id, placeholder(asset, hand, memory)));
                }
                taken.took(memory, KIND, asset.id, outcome, id, print);
            }
        }
    }
    Ok(())
}

/// Where a dry run takes an asset to be that it did not bring.
fn placeholder(asset: &record::Asset, hand: &Hand<'_>, memory: &Memory) -> String {
    format!("{}/f/{}/0/{}", memory.base_url, hand.space(), asset.name())
}

/// The object in a URL of ours.
fn object(url: &str) -> Option<&str> {
    url.rsplit('/').nth(1)
}

/// Whether it is in the trash at the source.
fn is_unwanted(asset: &record::Asset) -> bool {
    asset.deleted_at.as_ref().is_some_and(|deleted_at| !deleted_at.is_empty())
}

/// Two fingerprints: the first half is of its file, which the source gives another URL when it is another one; the second of what is told about it.
fn print(asset: &record::Asset, memory: &Memory) -> [u8; 16] {
    let mut print = digest::of_parts([asset.filename.as_bytes()]);
    let told = digest::of_parts([Value::Object(attributes(asset, memory)).to_string().as_bytes()]);
    print.iter_mut().skip(HALF).zip(told).for_each(|(to, from)| *to = from);
    print
}

/// Whether the file is the one that was brought over.
fn is_same_file(before: Option<[u8; 16]>, now: [u8; 16]) -> bool {
    before.is_some_and(|before| before.iter().zip(&now).take(HALF).all(|(one, other)| one == other))
}

fn change(asset: &record::Asset, memory: &Memory) -> AssetChange {
    AssetChange::of(&attributes(asset, memory))
}

/// What a caller would tell about it.
fn attributes(asset: &record::Asset, memory: &Memory) -> Map<String, Value> {
    let folder = asset.asset_folder_id.and_then(|id| memory.known(Kind::AssetFolder, id)).map(|asset_folder_id| asset_folder_id.id);
    let told = json!({
        "alt": asset.alt, "title": asset.title, "copyright": asset.copyright, "source": asset.source, "focus": asset.focus,
        "ext_id": asset.ext_id, "asset_folder_id": folder, "is_private": asset.is_private, "locked": asset.locked,
        "expire_at": asset.expire_at, "publish_at": asset.publish_at, "internal_tag_ids": asset.internal_tag_ids,
        "meta_data": asset.meta_data.clone().unwrap_or_default(),
    });
    match told {
        Value::Object(told) => told,
        _ => Map::new(),
    }
}
