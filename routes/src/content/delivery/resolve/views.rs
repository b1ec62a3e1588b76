//! Resolved assets and linked stories, as responses have them beside the stories.

use crate::content::{
    Assets,
    delivery::{links::alternates, view::Rendering},
};
use domain::{content::asset::Asset, shared::timestamp};
use serde_json::{Value, json};
use storage::content::delivery::story::DeliveredStory;

/// The form of a resolved link (`resolve_links`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkForm {
    /// Its address and names (`url`).
    Url,
    /// The members that `/cdn/links` has, and the full slug (`link`).
    Link,
    /// The whole story (`story`).
    Story,
}

/// A resolved asset.
pub(super) fn asset_view(assets: &Assets, asset: &Asset) -> Value {
    let (file, meta) = (&asset.file, &asset.meta);
    json!({
        "id": asset.id,
        "filename": assets.public_url(asset),
        "alt": meta.alt,
        "title": meta.title,
        "copyright": meta.copyright,
        "source": meta.source,
        "focus": meta.focus,
        "meta_data": meta.meta_data,
        "content_type": file.content_type,
        "content_length": file.bytes,
        "is_private": meta.is_private,
        "expire_at": meta.expire_at.map(timestamp::format),
        "created_at": timestamp::format(asset.created_at),
        "updated_at": timestamp::format(asset.updated_at),
    })
}

/// The target of a link in one of the short forms. In the form `link` its `slug` is the full slug, as in
/// `/cdn/links`.
pub(super) fn link_view(delivered: &DeliveredStory, form: LinkForm, rendering: &Rendering) -> Value {
    let full_slug = rendering.full_slug(delivered);
    let name = rendering.name(delivered);
    let path = delivered.edition.path.as_deref();
    let address = path.unwrap_or(&full_slug);
    if form == LinkForm::Url {
        return json!({
            "id": delivered.id,
            "uuid": delivered.uuid,
            "name": name,
            "slug": delivered.slug,
            "path": path,
            "full_slug": full_slug,
            "url": address,
        });
    }
    let published = delivered.published_at.is_some();
    json!({
        "id": delivered.id,
        "uuid": delivered.uuid,
        "name": name,
        "slug": full_slug,
        "path": path,
        "real_path": format!("/{}", address.trim_start_matches('/')),
        "full_slug": full_slug,
        "published": published,
        "parent_id": delivered.parent,
        "is_folder": false,
        "is_startpage": delivered.is_startpage,
        "position": delivered.position,
        "alternates": alternates(&delivered.translated_slugs, published),
    })
}
