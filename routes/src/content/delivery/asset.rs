//! `GET /api/v2/cdn/assets/me?filename=…`: 200 `{"asset": …}`, with `signed_url` a URL that opens a private
//! asset for an hour.
//!
//! Storyblok has a kind of token for this alone. Here preview and private tokens do it, which are not
//! published anyway; a public one gets 401.

use super::access::DeliveryCaller;
use crate::{
    content::{Content, files::Address},
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::asset::Asset,
    shared::{Fault, timestamp},
};
use http::{HeaderValue, header};
use serde_json::{Value, json};
use storage::content::asset_addresses;

pub(super) async fn show(content: Content, caller: DeliveryCaller, _: ApiRequest) -> Result<ApiResponse, Fault> {
    if !caller.access.kind.reads_drafts() {
        return Err(Fault::unauthorized());
    }
    let query = caller.miss.parameters()?;
    let address = Address::of_url(&query.required::<String>("filename")?)?;
    let connection = content.store.connection("asset.sign").await?;
    let found = asset_addresses::find_served(&connection, address.key, &address.name, content.clock.now()).await?;
    let asset = found.map(|served| served.asset).filter(|a| a.space == caller.access.space).ok_or_else(Fault::not_found)?;
    // The signature is for this client, and expires soon.
    Ok(ApiResponse::ok(&json!({ "asset": view(&content, &asset) }))?
        .with(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")))
}

fn view(content: &Content, asset: &Asset) -> Value {
    let (file, meta) = (&asset.file, &asset.meta);
    let url = content.assets.public_url(asset);
    let signed_url = if meta.is_private { content.assets.signed_url(asset, content.clock.now()) } else { url.clone() };
    json!({
        "alt": meta.alt,
        "asset_folder_id": meta.folder,
        "content_length": file.bytes,
        "content_type": file.content_type,
        "copyright": meta.copyright,
        "created_at": timestamp::format(asset.created_at),
        "updated_at": timestamp::format(asset.updated_at),
        "expire_at": meta.expire_at.map(timestamp::format),
        "filename": url,
        "focus": meta.focus,
        "is_private": meta.is_private,
        "signed_url": signed_url,
        "title": meta.title,
    })
}
