//! A delivery token in the hosted shape, as far as we have its members.

use domain::{
    content::token::DeliveryToken,
    shared::{SpaceId, TokenId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// What a caller sees of a delivery token.
#[derive(Serialize)]
pub(super) struct KeyView<'a> {
    id: TokenId,
    access: &'static str,
    name: &'a str,
    space_id: SpaceId,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
}

impl<'a> KeyView<'a> {
    /// The view of a token; `secret` only in the answer that makes it.
    pub(super) fn of(space: SpaceId, key: &'a DeliveryToken, secret: Option<&'a str>) -> Self {
        Self { id: key.id, access: key.kind.name(), name: &key.name, space_id: space, created_at: key.created_at, token: secret }
    }
}
