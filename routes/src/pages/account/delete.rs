//! `/account/delete`: deletes the account, after its consequences were named and its owner has proved who they are.

use super::{Owner, credential, find, proof, refuse};
use crate::{
    pages::{Form, Pages, sign_in},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::Account, shared::Fault};
use pages::{Problems, account::data as view};
use services::identity::delete_account::delete_account;
use storage::shared::owned_spaces;

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let (account, spaces) = consequences(&pages, signed_in).await?;
    Ok(visitor.ok(&pages, |frame| view::delete_page(frame, &Problems::default(), proof(&account), spaces)))
}

/// The account, and how many spaces stay behind without an owner.
async fn consequences(pages: &Pages, signed_in: SignedIn) -> Result<(Account, i64), Fault> {
    let account = find(pages, signed_in).await?;
    let connection = pages.identity.ctx.store.connection("account.owned_spaces").await?;
    Ok((account, owned_spaces::count(&connection, signed_in.user).await?))
}

/// Deletes it: 303 to the page to sign in with.
pub(crate) async fn delete(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let proved = |has_password| credential(&form, has_password);
    match Box::pin(delete_account(&identity.ctx, &context, signed_in.claims(), proved)).await {
        Ok(()) => Ok(identity.sessions.clear_cookies(sign_in::redirect("deleted", None)?)),
        Err(fault) => {
            let (account, spaces) = consequences(&pages, signed_in).await?;
            refuse(&pages, visitor, fault, &["password"], |frame, problems| {
                view::delete_page(frame, &problems, proof(&account), spaces)
            })
        }
    }
}
