//! `/account/delete`: deletes the account, after its consequences were named and its owner has proved who
//! they are.

use super::{Owner, credential, find, proof, refuse};
use crate::{
    pages::{Form, Pages, sign_in, typed},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::Account, shared::Fault};
use pages::{Problems, account::data as view};
use services::identity::account::delete_account;
use storage::shared::{listed_tokens, owned_spaces};

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let (account, ends) = consequences(&pages, signed_in).await?;
    Ok(visitor.ok(&pages, |frame| view::delete_page(frame, &Problems::default(), proof(&account), ends)))
}

/// The account, how many spaces stay behind without an owner, and how many tokens end.
async fn consequences(pages: &Pages, signed_in: SignedIn) -> Result<(Account, (i64, i64)), Fault> {
    let account = find(pages, signed_in).await?;
    let connection = pages.identity.ctx.store.connection("account.owned_spaces").await?;
    let spaces = owned_spaces::count_orphaned(&connection, signed_in.user).await?;
    Ok((account, (spaces, listed_tokens::newest_of(&connection, signed_in.user, 1).await?.total)))
}

/// Deletes it: 303 to the page to sign in with.
pub(crate) async fn delete(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let proved = |has_password| credential(&form, has_password);
    match Box::pin(delete_account(&identity.ctx, &context, signed_in.claims(), proved)).await {
        Ok(()) => typed::forget(&pages, identity.sessions.clear_cookies(sign_in::redirect("deleted", None)?)),
        Err(fault) => {
            let (account, ends) = consequences(&pages, signed_in).await?;
            refuse(&pages, visitor, fault, &["password"], |frame, problems| {
                view::delete_page(frame, &problems, proof(&account), ends)
            })
        }
    }
}
