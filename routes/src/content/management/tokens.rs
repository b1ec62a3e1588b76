//! Management tokens, for admins of the space.

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT, proved},
};
use domain::{
    content::{
        Right, Role,
        token::{ManagementToken, NewManagementToken},
    },
    shared::{Fault, TokenId, TokenKind, timestamp},
};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::content::management_tokens::{CreateManagementToken, RevokeManagementToken};
use storage::content::management_tokens;

/// The endpoints below `/api/v1/spaces/{space}/tokens`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/tokens", Right::Administer, list)
        .post("/api/v1/spaces/{space}/tokens", proved(Right::Administer), create)
        .delete("/api/v1/spaces/{space}/tokens/{id}", Right::Administer, revoke)
}

/// 200 `{"tokens": […]}`: those that are not revoked, without their plaintext.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &[])?;
    let connection = content.store.connection("token.list").await?;
    let found = paginate(&query, management_tokens::list(&connection, caller.space()).await?)?;
    let views: Vec<_> = found.items.iter().map(TokenView::of).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("tokens", views))?))
}

#[derive(Serialize)]
struct Created<'a> {
    token: TokenView<'a>,
    plaintext: &'a str,
}

/// Of `{name, role?, kind?}`: 201 with the token and its plaintext, which no other answer shows.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let (kind, role, name) = request.json::<NewManagementToken>(DEFAULT_LIMIT).await?.checked()?;
    let secret = crypto::token::generate(kind.prefix(), content.entropy.as_ref());
    let hash = content.token_keys.management.hash(secret.expose_secret());
    let notice = Some(caller.notice(&content, &request, TokenKind::Management, &name));
    let command = CreateManagementToken { kind, role, name, hash, created_by: caller.authorized.person(), notice };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&Created { token: TokenView::of(&created), plaintext: secret.expose_secret() })
}

/// 200 with the token, which opens nothing from now on. A token may revoke itself.
async fn revoke(content: Content, caller: Manager, id: TokenId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let revoked = content.execute(&caller, RevokeManagementToken(id)).await?;
    ApiResponse::ok(&envelope::wrap("token", TokenView::of(&revoked)))
}

/// A management token without its secret.
#[derive(Serialize)]
struct TokenView<'a> {
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
    fn of(token: &'a ManagementToken) -> Self {
        Self {
            id: token.id,
            name: &token.name,
            kind: token.kind.into_str(),
            role: token.role,
            created_at: token.created_at,
            last_used_at: token.last_used_at,
        }
    }
}
