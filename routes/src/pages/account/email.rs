//! `/account/email`: another address.

use super::{Owner, credential, find, proof, refuse};
use crate::{
    identity::session_cookies,
    pages::{Form, Pages},
    web::{ApiRequest, ApiResponse},
};
use domain::{identity::Account, shared::Fault};
use pages::{
    Problems,
    account::email::{self as view, EmailView},
};
use services::identity::address_change::{self, AddressChangeOutcome};

/// The page.
pub(crate) async fn show(pages: Pages, (visitor, signed_in): Owner, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let account = find(&pages, signed_in).await?;
    let view = of_account(&pages, &account, "");
    Ok(visitor.ok(&pages, |frame| view::email_page(frame, &view)))
}

fn of_account<'a>(pages: &Pages, account: &'a Account, new_email: &'a str) -> EmailView<'a> {
    EmailView {
        problems: Problems::default(),
        current: account.email.as_str(),
        new_email,
        proof: proof(account),
        is_mail_on: pages.identity.ctx.mail_queue.is_on(),
    }
}

/// Mails a link to the new address, or, while mail is off, changes it at once.
pub(crate) async fn change(pages: Pages, (visitor, signed_in): Owner, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let proof = |has_password| credential(&form, has_password);
    let new_email = Some(form.text("newEmail"));
    let changed = address_change::request(&identity.ctx, &context, signed_in.claims(), new_email, proof);
    match Box::pin(changed).await {
        Ok(AddressChangeOutcome::LinkSent) => ApiResponse::see_other("/account?done=link"),
        Ok(AddressChangeOutcome::Changed(times)) => {
            session_cookies::reissue(identity, signed_in, times, ApiResponse::see_other("/account?done=address")?)
        }
        Err(fault) => {
            let account = find(&pages, signed_in).await?;
            refuse(&pages, visitor, fault, &["newEmail", "password"], |frame, problems| {
                view::email_page(frame, &EmailView { problems, ..of_account(&pages, &account, form.text("newEmail")) })
            })
        }
    }
}
