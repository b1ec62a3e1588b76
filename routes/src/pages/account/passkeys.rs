//! `/account/security/passkeys`: adding, renaming and removing passkeys.

use super::{Owner, refuse, security};
use crate::{
    pages::{Form, Pages, is_of_form, status},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::{Passkey, device, passkey},
    shared::{Fault, PasskeyId},
};
use pages::{Problems, account::passkey as view};
use serde_json::Value;
use services::identity::passkeys::{self, PasskeyRegistration};
use storage::identity::passkeys as stored;

/// Back to the list, which has the form that adds one.
pub(crate) async fn show(_: Pages, _: Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ApiResponse::see_other("/account/security")
}

/// Adds a passkey. The script of the page has put what the authenticator made into the form.
pub(crate) async fn add(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let added = async {
        let name = passkey::name(form.given("name"))?;
        // What is no JSON is no answer of an authenticator, and refused like one that is not right.
        let credential: Value = serde_json::from_str(form.text("credential")).unwrap_or_default();
        let context = pages.identity.request_context(&request);
        let device = device::name(context.source.user_agent.as_deref());
        let registration = PasskeyRegistration { challenge: form.owned("challenge"), credential, name, device };
        passkeys::finish_registration(&pages.identity.ctx, &context, signed_in.claims(), registration).await
    };
    match Box::pin(added).await {
        Ok(_) => ApiResponse::see_other("/account/security?done=passkey"),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["name"]);
            security::security_page(&pages, visitor, signed_in, status(&fault), (None, problems)).await
        }
        Err(fault) => Err(fault),
    }
}

/// One of the passkeys; 404 when the account has no such passkey.
async fn find(pages: &Pages, signed_in: SignedIn, id: PasskeyId) -> Result<Passkey, Fault> {
    let connection = pages.identity.ctx.store.connection("passkey.list").await?;
    let all = stored::list(&connection, signed_in.user).await?;
    all.into_iter().find(|passkey| passkey.id == id).ok_or_else(Fault::not_found)
}

/// The page that renames one.
pub(crate) async fn show_one(
    pages: Pages,
    (visitor, signed_in): Owner,
    id: PasskeyId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let passkey = find(&pages, signed_in, id).await?;
    let about = (id.to_string(), &*passkey.name);
    Ok(visitor.ok(&pages, |frame| view::rename_page(frame, &Problems::default(), (&about.0, about.1, about.1))))
}

/// Renames it.
pub(crate) async fn rename(
    pages: Pages,
    (visitor, signed_in): Owner,
    id: PasskeyId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let renamed = async {
        let name = passkey::name(form.given("name"))?.ok_or_else(|| Fault::required("name", "Send a name"))?;
        let context = pages.identity.request_context(&request);
        passkeys::rename(&pages.identity.ctx, &context, signed_in.user, id, &name).await
    };
    match renamed.await {
        Ok(_) => ApiResponse::see_other("/account/security?done=saved"),
        Err(fault) => {
            let passkey = find(&pages, signed_in, id).await?;
            refuse(&pages, visitor, fault, &["name"], |frame, problems| {
                view::rename_page(frame, &problems, (&id.to_string(), &passkey.name, form.text("name")))
            })
        }
    }
}

/// The page that removes one.
pub(crate) async fn show_removal(
    pages: Pages,
    (visitor, signed_in): Owner,
    id: PasskeyId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let passkey = find(&pages, signed_in, id).await?;
    Ok(visitor.ok(&pages, |frame| view::remove_page(frame, &Problems::default(), (&id.to_string(), &passkey.name))))
}

/// Removes it, unless the account has no other way to sign in.
pub(crate) async fn remove(
    pages: Pages,
    (visitor, signed_in): Owner,
    id: PasskeyId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    Form::read(&pages, &visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    match passkeys::remove(&pages.identity.ctx, &context, signed_in.claims(), id).await {
        Ok(()) => ApiResponse::see_other("/account/security?done=passkey-removed"),
        Err(fault) => {
            let passkey = find(&pages, signed_in, id).await?;
            refuse(&pages, visitor, fault, &[], |frame, problems| {
                view::remove_page(frame, &problems, (&id.to_string(), &passkey.name))
            })
        }
    }
}
