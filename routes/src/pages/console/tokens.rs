//! `/admin/tokens`: the tokens of all spaces that act for people or read drafts, and taking one away.

use super::{
    Administrator, ApiRequest, ApiResponse, FIRST_PAGE, Form, Pages, about_field, account_of, confirm::confirm, done, of_list,
    problems, refuse, status,
};
use crate::identity::admin::tokens::name;
use domain::{
    identity::admin::TokenQuery,
    shared::{Fault, Parameters},
};
use http::StatusCode;
use pages::{
    Problems,
    console::{
        list::Paging,
        token_text::TokenText,
        tokens::{TokensView, revoke_page, tokens_page},
    },
};
use services::identity::admin::spaces::{find_token, list_tokens, revoke_token};

/// The fields of the filter.
const FIELDS: [&str; 2] = ["person", "withoutPerson"];

/// The page: the tokens that `GET /api/admin/tokens` lists, with `person` in the place of `user`, which may
/// be an address too.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let [person, without_person] = FIELDS.map(|name| query.get(name).unwrap_or_default());
    let (mut tokens, mut shown, mut code) = (Vec::new(), Problems::default(), StatusCode::OK);
    let mut paging = Paging { page: FIRST_PAGE.page, per_page: FIRST_PAGE.per_page, total: 0, is_exact: true };
    match read(&pages, &query).await {
        Ok(Some(wanted)) => {
            let found = list_tokens(&pages.identity.ctx, &wanted).await?;
            tokens = found.items;
            paging = Paging { page: wanted.page.page, total: found.total, ..paging };
        }
        // No account has the address.
        Ok(None) => {}
        Err(fault) => {
            let (fault, told) = problems(&administrator, fault, &FIELDS)?;
            (shown, code) = (told, status(&fault));
        }
    }
    let done = done(administrator.visitor.language(), &query, &[("revoked", TokenText::Revoked)]);
    let view = TokensView { done, problems: shown, person, without_person, tokens: &tokens, paging };
    Ok(administrator.page(&pages, code, |console| tokens_page(console, &view)))
}

/// Reads the filter; `None` when no account has the address in it.
async fn read(pages: &Pages, query: &Parameters) -> Result<Option<TokenQuery>, Fault> {
    let Some(user) = account_of(pages, query.get("person").unwrap_or_default()).await? else { return Ok(None) };
    TokenQuery::read(&of_list(&user.replacing(query, "person"))).map(Some).map_err(|fault| about_field(fault, "person"))
}

/// The page that asks before the token that the query names is taken away; 404. Without one it is the list,
/// to choose from.
pub(super) async fn show_revoke(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (Some(kind), Some(id)) = (query.get("kind"), query.get("id")) else { return show(pages, administrator, request).await };
    let token = find_token(&pages.identity.ctx, name(kind, id)?).await?;
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| revoke_page(console, &Problems::default(), proof, &token)))
}

/// Takes it away: 303 to the list.
pub(super) async fn revoke(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let named = name(form.text("kind"), form.text("id"))?;
    let token = find_token(&pages.identity.ctx, named).await?;
    let context = pages.identity.request_context(&request);
    let revoked = async {
        confirm(&pages, &context, &administrator, &form).await?;
        revoke_token(pages.identity.acting(&context, administrator.claims()), named).await
    };
    match Box::pin(revoked).await {
        Ok(_) => ApiResponse::see_other("/admin/tokens?done=revoked"),
        Err(fault) => {
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| revoke_page(console, &problems, proof, &token))
        }
    }
}
