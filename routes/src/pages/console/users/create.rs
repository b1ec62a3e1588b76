//! `/admin/users/new`: makes an account.

use crate::pages::{
    Form, Pages,
    console::{Administrator, refuse},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{identity::admin::NewUserRequest, shared::Fault};
use pages::{
    Problems,
    console::new_user::{NewUserView, invited_page, new_user_page},
};
use secrecy::ExposeSecret;
use services::identity::admin::users::create_user;

/// The page.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    Ok(administrator.ok(&pages, |console| new_user_page(console, &empty(&pages))))
}

fn empty(pages: &Pages) -> NewUserView<'_> {
    let ctx = &pages.identity.ctx;
    NewUserView {
        problems: Problems::default(),
        email: "",
        first_name: "",
        last_name: "",
        locale: ctx.settings.locales.choose(None).unwrap_or_default(),
        locales: ctx.settings.locales.supported(),
        sets_password: false,
        is_mail_on: ctx.mail_queue.is_on(),
        rules: &ctx.settings.password_rules,
    }
}

/// Creates it: 303 to the person, or 200 with the link of the invitation, which is shown this one time.
pub(in crate::pages::console) async fn create(
    pages: Pages,
    administrator: Administrator,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let sets_password = form.given("passwordMode") == Some("set");
    let new = NewUserRequest {
        email: form.owned("email"),
        first_name: form.owned("firstName"),
        last_name: form.owned("lastName"),
        locale: form.owned("locale"),
        is_admin: None,
        password_mode: form.owned("passwordMode"),
        // Of an invitation it would be ignored, and the form may hold one that a browser has filled in.
        password: form.secret("password").filter(|_| sets_password),
    };
    let ctx = &pages.identity.ctx;
    let context = pages.identity.request_context(&request);
    match Box::pin(create_user(pages.identity.acting(&context, administrator.claims()), new)).await {
        Ok(created) => match created.invite_link {
            Some(link) => {
                let (id, email) = (created.account.id, created.account.email);
                let is_mail_on = ctx.mail_queue.is_on();
                Ok(administrator.ok(&pages, |console| invited_page(console, id, email.as_str(), link.expose_secret(), is_mail_on)))
            }
            None => ApiResponse::see_other(&format!("/admin/users/{}?done=created", created.account.id)),
        },
        Err(fault) => {
            let fields = ["email", "firstName", "lastName", "locale", "passwordMode", "password"];
            refuse(&pages, administrator, fault, &fields, |console, problems| {
                let view = NewUserView {
                    problems,
                    email: form.text("email"),
                    first_name: form.text("firstName"),
                    last_name: form.text("lastName"),
                    locale: form.text("locale"),
                    sets_password,
                    ..empty(&pages)
                };
                new_user_page(console, &view)
            })
        }
    }
}
