//! `/api/admin/keys…`: the keys that tokens are signed with, without their private parts, and their rotation
//! by hand.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::oidc::Stage,
    shared::{Fault, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::identity::admin::rotate_keys::{ManualRotation, list_keys};
use storage::identity::oidc::signing_keys::StoredKey;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeysView {
    keys: Vec<KeyView>,
    #[serde(serialize_with = "timestamp::serialize")]
    rotatable_from: Timestamp,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyView {
    kid: String,
    alg: &'static str,
    state: &'static str,
    is_published: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    activated_at: Option<Timestamp>,
    #[serde(serialize_with = "timestamp::option::serialize")]
    retired_at: Option<Timestamp>,
}

impl KeyView {
    fn of(stored: StoredKey, now: Timestamp) -> Self {
        let StoredKey { key, created_at, activated_at, retired_at, .. } = stored;
        let state = match key.stage {
            Stage::Next { .. } => "next",
            Stage::Active { .. } => "active",
            Stage::Retired { .. } => "retired",
        };
        let is_published = key.stage.is_published(now);
        Self { kid: key.kid, alg: key.algorithm.into_str(), state, is_published, created_at, activated_at, retired_at }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct RotationBody {
    compromised: Option<bool>,
}

/// `GET`: 200 with all keys, the newest first.
pub(super) async fn list(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    respond(&identity).await
}

/// `POST …/rotate`: 200 with all keys afterwards; 409 `nextKeyTooNew` while clients may not know the next
/// ones.
pub(super) async fn rotate(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json_or_empty::<RotationBody>(BODY_LIMIT).await?.read()?;
    let (before, _) = list_keys(&identity.oidc.keys).await?;
    let rotation = ManualRotation {
        administrator: signed_in.claims(),
        source: identity.request_context(&request).source,
        is_compromised: body.compromised.unwrap_or_default(),
        asked_at: before.now,
    };
    identity.actors.key_rotations.rotate(rotation).await?;
    respond(&identity).await
}

async fn respond(identity: &Identity) -> Result<ApiResponse, Fault> {
    let (stored, rotatable_from) = list_keys(&identity.oidc.keys).await?;
    let keys = stored.keys.into_iter().rev().map(|key| KeyView::of(key, stored.now)).collect();
    ApiResponse::ok(&KeysView { keys, rotatable_from })
}
