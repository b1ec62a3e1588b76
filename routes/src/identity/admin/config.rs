//! `GET /api/admin/config`: the variables that this process was started with.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use serde::Serialize;

/// A variable with its value, without what is secret.
#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
#[serde(rename_all = "camelCase")]
pub struct ConfigVariable {
    pub name: &'static str,
    /// What it is about, such as `email`.
    pub group: &'static str,
    /// The syntax of its value, in words.
    pub form: String,
    /// The value that is in effect; stars in the place of a secret that is set.
    pub value: Option<String>,
    /// The default, if it depends on nothing else.
    pub default: Option<&'static str>,
    /// Whether it was set.
    pub is_set: bool,
    /// Whether its value is never shown.
    pub secret: bool,
    /// Whether the server does not start without it.
    pub required: bool,
    pub description: &'static str,
    /// Whether a change needs a restart.
    pub requires_restart: bool,
}

#[derive(Serialize)]
struct Catalogue<'a> {
    variables: &'a [ConfigVariable],
}

/// 200 with every variable.
pub(super) async fn read(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&Catalogue { variables: &identity.config })
}
