//! A management token without its secret.

use domain::{
    content::{Role, token::ManagementToken},
    shared::{TokenId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// What a caller sees of a token.
#[derive(Serialize)]
pub(super) struct TokenView<'a> {
    id: TokenId,
    name: &'a str,
    kind: &'static str,
    role: Role,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_used_at: Option<Timestamp>,
}

impl<'a> TokenView<'a> {
    /// The view of a token.
    pub(super) fn of(token: &'a ManagementToken) -> Self {
        Self {
            id: token.id,
            name: &token.name,
            kind: token.kind.name(),
            role: token.role,
            created_at: token.created_at,
            last_used_at: token.last_used_at,
        }
    }
}
