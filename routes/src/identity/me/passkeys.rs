//! `/api/me/passkeys…`: the passkeys of who is signed in. No key is shown.

mod list;
mod remove;
mod rename;

use crate::{identity::Identity, web::Endpoint};
use domain::{
    identity::Passkey,
    shared::{PasskeyId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

/// The endpoints.
pub(super) fn routes(identity: &Identity) -> [Endpoint; 3] {
    [list::route(identity), rename::route(identity), remove::route(identity)]
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

/// Where a passkey can be.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::identity) enum DeviceType {
    /// In the one authenticator that made it.
    SingleDevice,
    /// On several devices of its owner.
    MultiDevice,
}

impl DeviceType {
    /// Of a passkey.
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
