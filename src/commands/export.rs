//! `lectern export SPACE DIR`: writes a space into a folder of JSON that `lectern import` reads, with the
//! files of its assets.

use crate::{command_env::CommandEnv, config::Config};
use anyhow::{Context, Result};
use clap::Args;
use domain::{
    content::{asset::ObjectKey, import::record},
    shared::SpaceId,
};
use futures_util::TryStreamExt;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use storage::{
    blobs::Blobs,
    content::{
        exports::{self, ASSETS, ExportedRecord, LISTS},
        spaces,
    },
};
use tokio::{
    fs::{self, File},
    io::{AsyncWriteExt, BufWriter},
};

/// The arguments of `lectern export`.
#[derive(Args)]
pub(super) struct Arguments {
    /// The number of the space.
    space: i64,
    /// A folder that does not exist, or is empty.
    dir: PathBuf,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> Result<()> {
    let env = CommandEnv::open(config).await?;
    let outcome = match env.blobs(config).await {
        Ok(blobs) => export(&env, &blobs, SpaceId(arguments.space), &arguments.dir).await,
        Err(error) => Err(error),
    };
    env.close().await;
    outcome
}

async fn export(env: &CommandEnv, blobs: &Blobs, space: SpaceId, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).await.with_context(|| format!("the folder {}", dir.display()))?;
    let mut entries = fs::read_dir(dir).await?;
    anyhow::ensure!(entries.next_entry().await?.is_none(), "the folder {} is not empty", dir.display());
    let session = env.store.connection("space.export").await?;
    let found = spaces::find(&session, space).await?.with_context(|| format!("there is no space {space}"))?;
    let body = serde_json::json!({ "space": {
        "id": space, "name": found.settings.name, "domain": found.settings.domain, "languages": found.settings.languages,
        "default_lang_name": found.settings.default_lang_name, "environments": found.settings.environments,
        "asset_custom_meta_data_schema": found.settings.asset_meta_fields,
        "publish_requires_valid": found.settings.publish_requires_valid,
        "stories_count": found.stories_count, "created_at": found.created_at,
    }});
    fs::write(dir.join("space.json"), format!("{body}\n")).await?;
    for list in &LISTS {
        let mut file = BufWriter::new(File::create(dir.join(format!("{}.json", list.name))).await?);
        file.write_all(format!("{{\"{}\":[", list.name).as_bytes()).await?;
        let mut after = 0;
        let mut count = 0_u64;
        loop {
            let page = exports::page(&session, space, list, &env.base_url, after).await?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for ExportedRecord { json, .. } in &page {
                file.write_all(if count == 0 { b"\n" } else { b",\n" }).await?;
                file.write_all(json.get().as_bytes()).await?;
                count += 1;
                if list.name == ASSETS {
                    copy_file(blobs, space, json, dir).await?;
                }
            }
        }
        file.write_all(b"\n]}\n").await?;
        file.flush().await?;
        println!("{:<20}{count:>8}", list.name);
    }
    Ok(())
}

/// Copies the file of an asset to the path of its URL below `assets`.
async fn copy_file(blobs: &Blobs, space: SpaceId, asset: &RawValue, dir: &Path) -> Result<()> {
    let asset: record::Asset = serde_json::from_str(asset.get())?;
    let path = asset.path().context("an asset has no path")?;
    let object = path.rsplit('/').nth(1).and_then(|n| n.parse().ok()).context("an asset has no object")?;
    let to = dir.join("assets").join(&path);
    fs::create_dir_all(to.parent().unwrap_or(dir)).await?;
    let key = ObjectKey { space, id: object };
    let mut pieces = blobs.get(key, 0..asset.content_length.unwrap_or(0)).await.map_err(domain::shared::Fault::from)?;
    let mut file = File::create(&to).await?;
    while let Some(piece) = pieces.try_next().await? {
        file.write_all(&piece).await?;
    }
    file.flush().await?;
    Ok(())
}
