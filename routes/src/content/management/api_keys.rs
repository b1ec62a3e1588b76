//! Delivery tokens, under Storyblok's name `api_keys`, for admins of the space.
//!
//! `access` names the three kinds of token ([`domain::content::token::DeliveryKind`]) one to one: `public`
//! reads published content, `preview` and `private` read drafts as well. Storyblok shows the text of a token
//! at any time; here only its hash is stored, so `token` is in the answer that creates it and in no other.

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, HasSession, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right,
        token::{DeliveryToken, NewDeliveryToken},
    },
    shared::{Fault, SpaceId, TokenId, TokenKind, timestamp},
};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::content::delivery_tokens::{CreateDeliveryToken, RevokeDeliveryToken, seal};
use storage::content::delivery_tokens;

const KEY: &str = "api_key";

/// The endpoints below `/api/v1/spaces/{space}/api_keys`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/api_keys", Right::Administer, list)
        .post("/api/v1/spaces/{space}/api_keys", Right::Administer, create)
        .delete("/api/v1/spaces/{space}/api_keys/{id}", Right::Administer, revoke)
}

/// 200 `{"api_keys": […]}`: those that are not revoked, without their plaintext.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &[])?;
    let connection = content.store.connection("api_key.list").await?;
    let found = paginate(&query, delivery_tokens::list(&connection, caller.space()).await?)?;
    let views: Vec<_> = found.items.iter().map(|key| KeyView::of(caller.space(), key, None)).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("api_keys", views))?))
}

/// Of `{"api_key": {access, name?, story_ids?}}`: 201 with the token and its plaintext. 422 for a scope that
/// is not supported. One that reads drafts needs a recent proof of a person who makes it in a session.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let new = envelope::read::<NewDeliveryToken>(&mut request, KEY, DEFAULT_LIMIT).await?;
    if let Some(signed_in) = caller.session()
        && new.reads_drafts()
    {
        content.sessions.check_proved(signed_in).await?;
    }
    let (kind, name, scope) = new.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.delivery.hash(secret.expose_secret());
    let sealed = seal(&content.token_keys.delivery, kind, &secret, content.entropy.as_ref())?;
    // One that a token makes acts for the owner no more than that token does, of which they heard.
    let is_told = caller.session().is_some() && kind.reads_drafts();
    let notice = is_told.then(|| caller.notice(&content, &request, TokenKind::Delivery, &name));
    let command = CreateDeliveryToken { kind, name, scope, hash, sealed, notice };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&envelope::wrap(KEY, KeyView::of(caller.space(), &created, Some(secret.expose_secret()))))
}

/// 200 with the token, which opens nothing from now on.
async fn revoke(content: Content, caller: Manager, id: TokenId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let revoked = content.execute(&caller, RevokeDeliveryToken(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, KeyView::of(caller.space(), &revoked, None)))
}

/// A delivery token in Storyblok's shape, with those of its members that exist here.
#[derive(Serialize)]
struct KeyView<'a> {
    id: TokenId,
    access: &'static str,
    name: &'a str,
    space_id: SpaceId,
    /// Empty when it may read all stories.
    story_ids: Vec<i64>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
}

impl<'a> KeyView<'a> {
    fn of(space: SpaceId, key: &'a DeliveryToken, plaintext: Option<&'a str>) -> Self {
        Self {
            id: key.id,
            access: key.kind.into_str(),
            name: &key.name,
            space_id: space,
            story_ids: key.scope.ids().unwrap_or_default(),
            created_at: key.created_at,
            token: plaintext,
        }
    }
}
