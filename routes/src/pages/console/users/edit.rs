//! `/admin/users/{id}/edit`: names and language.

use crate::pages::{
    Form, Pages,
    console::{Administrator, refuse},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{
    identity::{Account, ProfileRequest, admin::UserChangeRequest},
    shared::{Fault, UserId},
};
use pages::{
    Problems,
    console::user_edit::{UserEditView, Values, as_loaded, user_edit_page},
};
use services::identity::admin::users::update_user;
use storage::identity::accounts;

async fn find(pages: &Pages, id: UserId) -> Result<Account, Fault> {
    let connection = pages.identity.ctx.store.connection("account.find").await?;
    accounts::find(&connection, id).await?.ok_or_else(Fault::not_found)
}

/// The page; 404.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let account = find(&pages, id).await?;
    let view = of_account(&pages, &account);
    let view = UserEditView { name: &account.display_name(), ..view };
    Ok(administrator.ok(&pages, |console| user_edit_page(console, &view)))
}

fn of_account<'a>(pages: &'a Pages, account: &'a Account) -> UserEditView<'a> {
    let stored = Values {
        first_name: &account.first_name,
        last_name: account.last_name.as_deref().unwrap_or_default(),
        display_name: account.display_name.as_deref().unwrap_or_default(),
        locale: &account.locale,
    };
    UserEditView {
        problems: Problems::default(),
        id: account.id,
        name: "",
        values: stored,
        loaded: stored,
        locales: pages.identity.ctx.settings.locales.supported(),
    }
}

/// What was sent in the fields whose names a function answers.
fn sent(form: &Form, named: impl Fn(&str) -> String) -> Values<'_> {
    Values {
        first_name: form.text(&named("firstName")),
        last_name: form.text(&named("lastName")),
        display_name: form.text(&named("displayName")),
        locale: form.text(&named("locale")),
    }
}

/// Changes the account: 303 to the person.
pub(in crate::pages::console) async fn save(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let (values, loaded) = (sent(&form, str::to_owned), sent(&form, as_loaded));
    // What is as it was loaded may have changed since.
    let written = |new: &str, old: &str| (new != old).then(|| Some(new.to_owned()));
    let profile = ProfileRequest {
        first_name: written(values.first_name, loaded.first_name),
        last_name: written(values.last_name, loaded.last_name),
        display_name: written(values.display_name, loaded.display_name),
        locale: written(values.locale, loaded.locale),
    };
    let changes = UserChangeRequest { profile, ..UserChangeRequest::default() };
    let context = pages.identity.request_context(&request);
    match update_user(pages.identity.acting(&context, administrator.claims()), id, changes).await {
        Ok(_) => ApiResponse::see_other(&format!("/admin/users/{id}?done=changed")),
        Err(fault) => {
            let account = find(&pages, id).await?;
            let name = account.display_name();
            refuse(&pages, administrator, fault, &["firstName", "lastName", "displayName", "locale"], |console, problems| {
                let view = UserEditView { problems, name: &name, values, loaded, ..of_account(&pages, &account) };
                user_edit_page(console, &view)
            })
        }
    }
}
