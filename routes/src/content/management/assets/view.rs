//! An asset in Storyblok's shape, which is in no envelope.

use crate::content::Content;
use domain::{
    content::{asset::Asset, internal_tag::NamedTag},
    shared::{AssetFolderId, AssetId, SpaceId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

/// What a caller sees of an asset.
#[derive(Serialize)]
pub(super) struct AssetView<'a> {
    id: AssetId,
    /// The whole URL, as stories refer to it.
    filename: String,
    /// Of a private one: the URL with a signature that opens it for an hour, also with `/m/…` behind the
    /// name.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_url: Option<String>,
    space_id: SpaceId,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    deleted_at: Option<String>,
    content_length: u64,
    content_type: &'a str,
    /// The hash of the file, in lower case hexadecimal.
    sha256: String,
    alt: Option<&'a str>,
    title: Option<&'a str>,
    copyright: Option<&'a str>,
    source: Option<&'a str>,
    focus: Option<&'a str>,
    expire_at: Option<String>,
    publish_at: Option<String>,
    ext_id: Option<&'a str>,
    is_private: bool,
    locked: bool,
    meta_data: &'a Map<String, Value>,
    short_filename: &'a str,
    asset_folder_id: Option<AssetFolderId>,
    internal_tag_ids: &'a [i64],
    internal_tags_list: &'a [NamedTag],
}

impl<'a> AssetView<'a> {
    /// The view of an asset.
    pub(super) fn of(content: &Content, asset: &'a Asset) -> Self {
        let (file, meta) = (&asset.file, &asset.meta);
        Self {
            id: asset.id,
            filename: content.assets.public_url(asset),
            signed_url: meta.is_private.then(|| content.assets.signed_url(asset, content.clock.now())),
            space_id: asset.space,
            created_at: asset.created_at,
            updated_at: asset.updated_at,
            deleted_at: asset.deleted_at.map(timestamp::format),
            content_length: file.bytes,
            content_type: &file.content_type,
            sha256: file.hash_text(),
            alt: meta.alt.as_deref(),
            title: meta.title.as_deref(),
            copyright: meta.copyright.as_deref(),
            source: meta.source.as_deref(),
            focus: meta.focus.as_deref(),
            expire_at: meta.expire_at.map(timestamp::format),
            publish_at: meta.publish_at.map(timestamp::format),
            ext_id: meta.ext_id.as_deref(),
            is_private: meta.is_private,
            locked: meta.locked,
            meta_data: &meta.meta_data,
            short_filename: file.name.as_str(),
            asset_folder_id: meta.folder,
            internal_tag_ids: &meta.internal_tag_ids,
            internal_tags_list: &asset.internal_tags,
        }
    }
}
