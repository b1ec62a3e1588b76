//! `POST /api/v1/spaces/{space}/tokens` `{name, role?, kind?}`: 201 with the token and, this one time, its plaintext.

use super::view::TokenView;
use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::management_tokens::CreateManagementToken;
use domain::{
    content::{Right, token::NewManagementToken},
    shared::{Fault, SpaceId},
};
use secrecy::ExposeSecret;
use serde::Serialize;
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    token: TokenView<'a>,
    plaintext: &'a str,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("tokens")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager_or_owner(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let (kind, role, name) = call.json::<NewManagementToken>(DEFAULT_LIMIT).await?.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.management.hash(secret.expose_secret());
    let made = content.spaces.write(space, by, call.origin(), CreateManagementToken { kind, role, name, hash }).await?;
    Answer::created(&Body { token: TokenView::of(&made), plaintext: secret.expose_secret() })
}
