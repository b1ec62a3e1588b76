//! `/api/me/passkeys`: the passkeys of the signed-in person. Their keys are not shown.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        reauth_body::{self, ReauthBody},
        success,
    },
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::{
    identity::{Passkey, passkey},
    shared::{Fault, PasskeyId, timestamp},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use services::identity::{
    passkeys as use_cases,
    prove::{Purpose, prove},
};
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

/// One of them as it is; 404 when the account has no such passkey.
async fn find(identity: &Identity, signed_in: SignedIn, id: PasskeyId) -> Result<PasskeyView, Fault> {
    let connection = identity.ctx.store.connection("passkey.list").await?;
    let all = passkeys::list(&connection, signed_in.user).await?;
    all.into_iter().find(|passkey| passkey.id == id).map(PasskeyView::from).ok_or_else(Fault::not_found)
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
    let body = request.strict_json::<NameBody>(BODY_LIMIT).await?.read_beside(&find(&identity, signed_in, id).await?)?;
    let name = passkey::name(body.name.as_deref())?.ok_or_else(|| Fault::required("name", "Send a name"))?;
    let renamed = use_cases::rename(&identity.ctx, &identity.request_context(&request), signed_in.user, id, &name).await?;
    ApiResponse::ok(&PasskeyView::from(renamed))
}

/// Removes a passkey, unless the account has no other way to sign in. A body that proves who the person is
/// takes the place of a recent proof.
pub(super) async fn remove(
    identity: Identity,
    signed_in: SignedIn,
    id: PasskeyId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json_or_empty::<ReauthBody>(BODY_LIMIT).await;
    let sent = reauth_body::proved_by(&identity, &signed_in, sent, &["password", "credential"]).await?;
    let (is_empty, body) = (sent.is_empty(), sent.read()?);
    let context = identity.request_context(&request);
    if !is_empty {
        prove(&identity.ctx, &context, signed_in.claims(), |_| body.one(), Purpose::Session).await?;
    }
    use_cases::remove(&identity.ctx, &context, signed_in.claims(), id).await?;
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
