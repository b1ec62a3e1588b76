//! Copies a file of another server into an asset.

use super::view::AssetView;
use crate::{
    content::{Content, management::access::Manager},
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    content::asset::{AssetChange, AssetMeta, File, FileName, ObjectKey},
    shared::{Fault, FieldCode},
};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use services::content::assets::CreateAsset;

/// The longest URL.
const MAX_URL: usize = 2048;

/// Of `{url, filename?, …}`: 200 with the asset. The file is downloaded through the guard of outgoing
/// requests, with the limits of an upload; the other members are attributes of the asset.
pub(super) async fn copy(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let sent: Map<String, Value> = request.json(DEFAULT_LIMIT).await?;
    let url = sent.get("url").and_then(Value::as_str).map(str::trim).filter(|url| !url.is_empty());
    let url = url.ok_or_else(|| Fault::invalid("url", FieldCode::Blank, "can't be blank"))?;
    if url.len() > MAX_URL {
        return Err(Fault::invalid("url", FieldCode::TooLong, format!("is too long (maximum is {MAX_URL} bytes)")));
    }
    let change = AssetChange::of(&sent);
    // Attributes that are wrong already are refused before the file is downloaded.
    change.apply(&AssetMeta::default())?;
    let given = sent.get("filename").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    let name = FileName::of(&given.map_or_else(|| last_segment(url), str::to_owned));
    let remote = content.remote_files.open(caller.space(), url, content.assets.blobs.max_bytes()).await?;
    let key = ObjectKey::new(caller.space(), content.clock.now(), content.entropy.as_ref());
    let stored = content.assets.blobs.put(key, &name, remote.chunks).await?;
    let command = CreateAsset { file: File::new(&stored, name), change };
    let created = content.execute(&caller, command).await?;
    ApiResponse::ok(&AssetView::of(&content, &created))
}

/// The last segment of the path of a URL, decoded; empty when there is none.
fn last_segment(url: &str) -> String {
    let without_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = without_scheme.split(['?', '#']).next().unwrap_or_default();
    let segment = path.split_once('/').map_or("", |(_, path)| path).rsplit('/').next().unwrap_or_default();
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::last_segment;

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        for (url, name) in [
            ("https://a.example/x/my%20photo.png?v=1#top", "my photo.png"),
            ("https://a.example/photo.png", "photo.png"),
            ("https://a.example", ""),
            ("https://a.example/", ""),
            ("https://a.example?x=/photo.png", ""),
        ] {
            assert_eq!(last_segment(url), name, "{url}");
        }
    }
}
