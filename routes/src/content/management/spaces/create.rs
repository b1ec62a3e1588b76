//! Creates a space: the only endpoint of the Management API that no token can call.

use crate::{
    content::{
        Content,
        management::{
            envelope,
            warnings::{Warning, WithWarnings, of_members},
        },
    },
    web::{ApiRequest, ApiResponse, SignedIn, body::DEFAULT_LIMIT},
};
use domain::{
    content::{SpaceChange, SpaceSettings},
    shared::{Code, Fault, SpaceId},
};
use secrecy::ExposeSecret;
use serde::Serialize;
use serde_json::Value;
use services::content::{
    access::person,
    spaces::{CreatedSpace, create_space},
};
use std::collections::BTreeMap;
use storage::content::commit_log::AuditContext;

/// What Storyblok's client can ask for a new space beside its settings: a copy of another space, an
/// organization, a plan, a partner.
const WITHOUT_EFFECT: [&str; 4] = ["dup_id", "in_org", "space_type", "assign_partner"];

#[derive(Serialize)]
struct Created<'a> {
    space: CreatedSpaceView<'a>,
    tokens: BTreeMap<&'static str, &'a str>,
}

#[derive(Serialize)]
struct CreatedSpaceView<'a> {
    id: SpaceId,
    name: &'a str,
}

/// Of `{name, domain?, languages?, default_lang_name?}`, which may stand below `space`: 201 with the space
/// and the plaintext of its three delivery tokens, which no other answer shows. The caller, whose address has
/// to be verified, becomes the owner.
pub(super) async fn create(content: Content, caller: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    check_verified(&caller)?;
    let query = request.query()?;
    query.only(&WITHOUT_EFFECT)?;
    let (change, sent): (SpaceChange, _) = envelope::read_or_bare(&mut request, super::KEY, DEFAULT_LIMIT).await?;
    change.refuse_own_origin(content.sessions.base_url())?;
    let settings = change.apply(SpaceSettings::default())?;
    let mut warnings = of_members(&sent, &Value::Null, &super::WITHOUT_EFFECT);
    warnings.extend(WITHOUT_EFFECT.into_iter().filter(|name| query.text(name).is_some()).map(Warning::not_supported));

    let created = content.create_space(&caller, &request, &settings).await?;
    let tokens = created.tokens.iter().map(|(kind, secret)| (kind.into_str(), secret.expose_secret())).collect();
    let body = Created { space: CreatedSpaceView { id: created.id, name: &settings.name }, tokens };
    ApiResponse::created(&WithWarnings::new(body, warnings))
}

fn check_verified(caller: &SignedIn) -> Result<(), Fault> {
    if caller.email_verified { Ok(()) } else { Err(Fault::of(Code::EmailNotVerified)) }
}

impl Content {
    /// Adds a space of a person, whose address has to be verified: 403 `emailNotVerified` otherwise.
    pub(crate) async fn create_space(
        &self,
        caller: &SignedIn,
        request: &ApiRequest,
        settings: &SpaceSettings,
    ) -> Result<CreatedSpace, Fault> {
        check_verified(caller)?;
        let audit = AuditContext { actor: person(caller.user), origin: request.origin(), at: self.clock.now() };
        let (entropy, keys) = (self.entropy.as_ref(), &self.token_keys.delivery);
        create_space(&self.store, entropy, keys, settings, Some(caller.user), &audit).await
    }
}
