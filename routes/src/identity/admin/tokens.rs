//! `/api/admin/tokens…`: the tokens of all spaces that act for people or read drafts, without their secrets,
//! and taking one away.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::TokenQuery,
    shared::{Fault, ListedToken, SpaceId, TokenId, TokenKind, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::admin::spaces::{list_tokens, revoke_token};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedTokenView {
    tokens: Vec<TokenView>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenView {
    kind: &'static str,
    id: TokenId,
    name: String,
    access: String,
    space: SpaceView,
    user: Option<UserView>,
    suspended: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_used_at: Option<Timestamp>,
}

#[derive(Serialize)]
struct SpaceView {
    id: SpaceId,
    name: String,
}

#[derive(Serialize)]
struct UserView {
    id: UserId,
    email: String,
}

impl From<ListedToken> for TokenView {
    fn from(token: ListedToken) -> Self {
        Self {
            kind: token.kind.into_str(),
            id: token.id,
            name: token.name,
            access: token.access,
            space: SpaceView { id: token.space, name: token.space_name },
            user: token.user.map(|(id, email)| UserView { id, email }),
            suspended: token.is_suspended,
            created_at: token.created_at,
            last_used_at: token.last_used_at,
        }
    }
}

/// `GET`: 200 with a page, the newest first; 400 for a parameter that cannot be read.
pub(super) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = TokenQuery::read(&request.query()?)?;
    let found = list_tokens(&identity.ctx, &query).await?;
    let per_page = query.page.limit();
    ApiResponse::ok(&ListedTokenView {
        tokens: found.items.into_iter().map(TokenView::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: (found.total + per_page - 1) / per_page,
    })
}

/// The token of a path. 404 for one that none can have.
pub(crate) fn name(kind: &str, id: &str) -> Result<(TokenKind, TokenId), Fault> {
    let kind: TokenKind = kind.parse().map_err(|_| Fault::not_found())?;
    Ok((kind, id.parse().map_err(|_| Fault::not_found())?))
}

/// `DELETE …/{kind}/{id}`: 200 with the token, which opens nothing from now on; 404 when there is no such
/// valid one.
pub(super) async fn revoke(
    identity: Identity,
    signed_in: SignedIn,
    kind: String,
    id: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let named = name(&kind, &id)?;
    let context = identity.request_context(&request);
    let revoked = revoke_token(identity.acting(&context, signed_in.claims()), named).await?;
    ApiResponse::ok(&TokenView::from(revoked))
}
