//! `/api/admin/clients…`: the clients of the OpenID provider, which the operator configures, and their
//! secrets.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::oidc::{Client, RedirectUri},
    shared::Fault,
};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::admin::client_secret::reveal_client_secret;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClientView<'a> {
    client_id: &'a str,
    name: &'a str,
    kind: &'static str,
    role_group: &'a str,
    roles: &'a [String],
    role_mode: &'static str,
    redirect_uris: Vec<&'a str>,
}

impl<'a> From<&'a Client> for ClientView<'a> {
    fn from(client: &'a Client) -> Self {
        Self {
            client_id: &client.id,
            name: &client.name,
            kind: client.kind.into_str(),
            role_group: client.role_group(),
            roles: &client.roles,
            role_mode: client.role_mode.into_str(),
            redirect_uris: client.redirect_uris.iter().map(RedirectUri::as_str).collect(),
        }
    }
}

/// 200 with all clients, in the order of the configuration.
pub(super) async fn list(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let clients: Vec<ClientView<'_>> = identity.oidc.clients.iter().map(|client| ClientView::from(client.as_ref())).collect();
    ApiResponse::ok(&clients)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SecretView<'a> {
    client_id: &'a str,
    secret: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_secret: Option<&'a str>,
}

/// 200 with the secrets of a confidential client, which no cache may keep.
pub(super) async fn secret(
    identity: Identity,
    signed_in: SignedIn,
    client_id: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(&request);
    let revealed = reveal_client_secret(&identity.oidc, identity.acting(&context, signed_in.claims()), &client_id).await?;
    ApiResponse::ok(&SecretView {
        client_id: &client_id,
        secret: revealed.secret.expose_secret(),
        webhook_secret: revealed.webhook_secret.as_ref().map(ExposeSecret::expose_secret),
    })
}
