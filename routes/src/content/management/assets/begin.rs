//! The first step of an upload in three: 200 with a number, an address, and the fields of a form that is
//! signed for an hour and for one file.
//!
//! The file's attributes come as JSON or in the query, as Storyblok's clients send them in either way. `size`
//! and `validate_upload` are accepted and not needed: the size is read from the file itself, and every upload
//! is validated. Scripts refer to the file by `public_url` (or `pretty_url`, without the scheme) at once; it
//! leads to the file as soon as the last step is done.

use crate::{
    content::{Assets, Content, assets::Ticket, management::access::Manager},
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::asset::{AssetChange, AssetMeta, FileName, ObjectKey, path_of},
    shared::{
        AssetId, Fault, FieldCode,
        json::{self, whole_number},
    },
};
use serde_json::{Map, Value};
use services::content::assets::BeginUpload;

/// The parameters besides the attributes.
const KNOWN: [&str; 5] = ["filename", "size", "id", "validate_upload", "internal_tag_ids[]"];

pub(super) async fn begin(content: &Content, caller: Manager, request: &mut ApiRequest) -> Result<ApiResponse, Fault> {
    let sent = sent(request).await?;
    let name = sent.get("filename").and_then(Value::as_str).filter(|sent| !sent.trim().is_empty());
    let name = FileName::of(name.ok_or_else(|| Fault::invalid("filename", FieldCode::Blank, "can't be blank"))?);
    let change = AssetChange::of(&sent);
    let meta = change.apply(&AssetMeta::default())?;
    let promised = ObjectKey::new(caller.space(), content.clock.now(), content.entropy.as_ref());
    let expires_at = Assets::form_expires_at(content.clock.now());
    let command = BeginUpload { ticket: promised.id, replaces: asset_id(&sent)?, name: name.clone(), change, expires_at };
    let asset = content.execute(&caller, command).await?;
    let (policy, signature) = content.assets.policy(&Ticket { space: caller.space(), asset, id: promised.id, expires_at });
    let public_url = content.assets.url(&path_of(promised, &name, size(&sent)));
    ApiResponse::ok(&serde_json::json!({
        "id": asset,
        "post_url": content.assets.url(&format!("/api/v1/spaces/{}/assets/{asset}/upload", caller.space())),
        "fields": { "key": name.as_str(), "policy": policy, "x-amz-signature": signature },
        "pretty_url": public_url.split_once(':').map_or(&*public_url, |(_, rest)| rest),
        "public_url": public_url,
        "locked": meta.locked,
        "meta_data": meta.meta_data,
    }))
}

/// The query, overridden by the body.
async fn sent(request: &mut ApiRequest) -> Result<Map<String, Value>, Fault> {
    let query = request.query()?;
    query.only(&[&KNOWN[..], &AssetChange::NAMES].concat())?;
    let mut sent: Map<String, Value> = query.pairs().map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    let tags = query.list("internal_tag_ids");
    if !tags.is_empty() {
        sent.insert("internal_tag_ids".to_owned(), tags.into());
    }
    let bytes = request.bytes(DEFAULT_LIMIT).await?;
    if !bytes.is_empty() {
        crate::web::body::require_json(&request.headers)?;
        let body: Map<String, Value> = json::parse_cast(&bytes)?;
        sent.extend(body);
    }
    Ok(sent)
}

/// The size of the picture as the sender claims it, `WxH`. It is only used in the URL.
fn size(sent: &Map<String, Value>) -> Option<(u32, u32)> {
    let (width, height) = sent.get("size")?.as_str()?.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// The asset whose file is to be replaced, if one is named.
pub(super) fn asset_id(sent: &Map<String, Value>) -> Result<Option<AssetId>, Fault> {
    let number = match sent.get("id") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(other) => whole_number(other),
    };
    number.map(|number| Some(AssetId(number))).ok_or_else(|| Fault::invalid("id", FieldCode::Invalid, "must be a number"))
}
