//! `/api/me/passkeys`: the passkeys of the signed-in person. Their keys are not shown.

use crate::{
    identity::{BODY_LIMIT, Identity, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::{
    identity::{Passkey, passkey},
    shared::{Fault, PasskeyId, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::identity::passkeys as use_cases;
use storage::identity::passkeys;
use uuid::Uuid;

#[derive(Serialize)]
struct Passkeys {
    passkeys: Vec<PasskeyView>,
}

/// The passkeys of the account, the oldest first.
pub(super) async fn list(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let connection = identity.ctx.store.connection("passkey.list").await?;
    let passkeys = passkeys::list(&connection, signed_in.user).await?;
    ApiResponse::ok(&Passkeys { passkeys: passkeys.into_iter().map(PasskeyView::from).collect() })
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct NameBody {
    name: Option<String>,
}

/// 200 with the passkey under its new name.
pub(super) async fn rename(
    identity: Identity,
    signed_in: SignedIn,
    id: PasskeyId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body: NameBody = request.json_fields(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?.ok_or_else(|| Fault::required("name", "Send a name"))?;
    let renamed = use_cases::rename(&identity.ctx, &identity.request_context(&request), signed_in.user, id, name).await?;
    ApiResponse::ok(&PasskeyView::from(renamed))
}

/// Removes a passkey, unless the account has no other way to sign in.
pub(super) async fn remove(
    identity: Identity,
    signed_in: SignedIn,
    id: PasskeyId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    use_cases::remove(&identity.ctx, &identity.request_context(&request), signed_in.claims(), id).await?;
    ApiResponse::ok(&success(&request, Message::PasskeyRemoved))
}

/// A passkey as its owner sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::identity) struct PasskeyView {
    id: PasskeyId,
    name: String,
    device_type: DeviceType,
    backed_up: bool,
    transports: Vec<String>,
    aaguid: Option<Uuid>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_used_at: Option<Timestamp>,
}

/// On how many devices a passkey can be.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::identity) enum DeviceType {
    /// Only on the authenticator that made it.
    SingleDevice,
    /// On several devices of its owner.
    MultiDevice,
}

impl DeviceType {
    /// The type of a passkey.
    pub(in crate::identity) fn of(passkey: &Passkey) -> Self {
        if passkey.is_synced { Self::MultiDevice } else { Self::SingleDevice }
    }
}

impl From<Passkey> for PasskeyView {
    fn from(passkey: Passkey) -> Self {
        Self {
            device_type: DeviceType::of(&passkey),
            id: passkey.id,
            name: passkey.name,
            backed_up: passkey.is_backed_up,
            transports: passkey.transports,
            aaguid: passkey.aaguid,
            created_at: passkey.created_at,
            last_used_at: passkey.last_used_at,
        }
    }
}
