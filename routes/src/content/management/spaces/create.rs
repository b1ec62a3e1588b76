//! Creates a space: the only endpoint of the Management API that no token can call.

use crate::{
    content::{Content, management::access},
    web::{ApiRequest, ApiResponse, SignedIn, body::DEFAULT_LIMIT},
};
use domain::{
    content::{SpaceChange, SpaceSettings, token::DeliveryKind},
    shared::{Fault, Kind, SpaceId},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use services::content::spaces::CreateSpace;
use std::collections::BTreeMap;
use storage::content::commit_log::AuditContext;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    name: Option<String>,
}

#[derive(Serialize)]
struct Created<'a> {
    space: CreatedSpace<'a>,
    tokens: BTreeMap<&'static str, &'a str>,
}

#[derive(Serialize)]
struct CreatedSpace<'a> {
    id: SpaceId,
    name: &'a str,
}

/// Of `{name}`: 201 with the space and the plaintext of its three delivery tokens, which no other answer shows. The caller, whose address has to be
/// verified, becomes the owner.
pub(super) async fn create(content: Content, caller: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    if !caller.email_verified {
        return Err(Fault::new(Kind::Forbidden, "emailNotVerified", "Verify your e-mail address first"));
    }
    request.query()?.only(&[])?;
    let body: Body = request.json(DEFAULT_LIMIT).await?;
    let settings = SpaceChange::named(body.name).apply(SpaceSettings::default())?;

    let secrets: Vec<(DeliveryKind, SecretString)> = DeliveryKind::ALL
        .into_iter()
        .map(|kind| (kind, crypto::token::generate(kind.prefix(), content.entropy.as_ref())))
        .collect();
    let hashes = secrets.iter().map(|(kind, secret)| (*kind, content.token_keys.delivery.hash(secret.expose_secret()))).collect();
    let audit = AuditContext { actor: access::person(&caller), origin: request.origin(), at: content.clock.now() };
    let operation = CreateSpace { settings, owner: Some(caller.user), audit, tokens: hashes };
    let id = content.store.transact(&operation).await?;

    let tokens = secrets.iter().map(|(kind, secret)| (kind.name(), secret.expose_secret())).collect();
    ApiResponse::created(&Created { space: CreatedSpace { id, name: &operation.settings.name }, tokens })
}
