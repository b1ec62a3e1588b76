//! The first step of an upload in three: 200 with a number, an address and the fields of a form that is signed for an hour and for one file.
//!
//! What is told about the file comes as JSON or in the query: hosted clients do either. `size` and `validate_upload` are what those
//! send too; here the size is read from the file itself, and every upload is validated.

use super::create::check_presence;
use crate::{
    content::{Assets, Content},
    web::{Answer, Call, body::DEFAULT_LIMIT},
};
use domain::{
    content::asset::{AssetChange, AssetMeta, FileName},
    shared::{AssetId, Fault, SpaceId},
};
use serde_json::{Map, Value, json};
use storage::content::{
    asset_uploads::{self, Upload},
    assets,
};

/// What may be named besides the attributes.
const KNOWN: [&str; 5] = ["filename", "size", "id", "validate_upload", "internal_tag_ids[]"];

pub(super) async fn begin(content: &Content, space: SpaceId, call: &mut Call) -> Result<Answer, Fault> {
    let sent = sent(call).await?;
    let name = sent.get("filename").and_then(Value::as_str).filter(|it| !it.trim().is_empty());
    let name = FileName::of(name.ok_or_else(|| Fault::invalid("filename", "blank", "can't be blank"))?);
    let change = AssetChange::of(&sent);
    let meta = change.apply(&AssetMeta::default())?;
    let replaces = asset_id(&sent)?;
    if let Some(id) = replaces {
        check_presence(content, space, id).await?;
    }
    let now = content.clock.now();
    let mut session = content.store.read("asset_upload.begin").await?;
    let tx = session.begin().await?;
    let asset = match replaces {
        Some(id) => id,
        None => assets::reserve(&tx).await?,
    };
    let ticket = Assets::ticket(space, asset, content.entropy.uuid(), now);
    let upload = Upload {
        asset,
        ticket: ticket.id,
        replaces: replaces.is_some(),
        name: name.clone(),
        change,
        expires_at: ticket.expires_at,
        file: None,
    };
    asset_uploads::begin(&tx, space, &upload).await?;
    tx.commit().await?;
    let (policy, signature) = content.assets.policy(&ticket);
    Answer::ok(&json!({
        "id": asset,
        "post_url": content.assets.url(&format!("/api/v1/spaces/{space}/assets/{asset}/upload")),
        "fields": { "key": name.as_str(), "policy": policy, "x-amz-signature": signature },
        "locked": meta.locked,
        "meta_data": meta.meta_data,
    }))
}

/// The query, and what the body says over it.
async fn sent(call: &mut Call) -> Result<Map<String, Value>, Fault> {
    let query = call.query()?;
    query.only(&[&KNOWN[..], &AssetChange::NAMES].concat())?;
    let mut sent: Map<String, Value> = query.pairs().map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    let tags = query.list("internal_tag_ids");
    if !tags.is_empty() {
        sent.insert("internal_tag_ids".to_owned(), tags.into());
    }
    let bytes = call.bytes(DEFAULT_LIMIT).await?;
    if !bytes.is_empty() {
        crate::web::body::require_json(&call.headers)?;
        let body: Map<String, Value> = crate::web::body::parse_object(&bytes)?;
        sent.extend(body);
    }
    Ok(sent)
}

/// The asset whose file is to be replaced, if one is named.
pub(super) fn asset_id(sent: &Map<String, Value>) -> Result<Option<AssetId>, Fault> {
    let number = match sent.get("id") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(other) => other.as_i64(),
    };
    number.map(|it| Some(AssetId(it))).ok_or_else(|| Fault::invalid("id", "invalid", "must be a number"))
}
