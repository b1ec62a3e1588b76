//! `/account/prove`: proves who the person is, and leads back to the page that asked for it.

use super::{Owner, credential, refuse};
use crate::{
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::ReturnTo,
    shared::{Fault, ProofMethods},
};
use pages::{Problems, account::prove::prove_page};
use services::identity::prove::{self as use_case, Purpose};
use storage::shared::sessions;

/// The page that asked for the proof; that of the account where none of this server is named.
fn way_back(sent: Option<&str>) -> ReturnTo {
    sent.and_then(|page| page.parse().ok()).unwrap_or_else(ReturnTo::account)
}

async fn methods(pages: &Pages, signed_in: SignedIn) -> Result<ProofMethods, Fault> {
    let connection = pages.identity.ctx.store.connection("session.proof_methods").await?;
    sessions::proof_methods(&connection, signed_in.session).await?.ok_or_else(Fault::unauthorized)
}

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let back = way_back(request.query()?.get("return_to"));
    let methods = methods(&pages, signed_in).await?;
    Ok(visitor.ok(&pages, |frame| prove_page(frame, &Problems::default(), methods, back.as_str())))
}

/// Proves it: 303 back.
pub(crate) async fn prove(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let back = way_back(form.given("return_to"));
    let context = pages.identity.request_context(&request);
    // The account may have both, and the page has a form for each.
    let credential = |has_password| credential(&form, has_password && form.given("credential").is_none());
    let proved = use_case::prove(&pages.identity.ctx, &context, signed_in.claims(), credential, Purpose::Session);
    match Box::pin(proved).await {
        Ok(()) => ApiResponse::see_other(back.as_str()),
        Err(fault) => {
            let methods = methods(&pages, signed_in).await?;
            refuse(&pages, visitor, fault, &["password"], |frame, problems| prove_page(frame, &problems, methods, back.as_str()))
        }
    }
}
