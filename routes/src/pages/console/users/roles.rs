//! `/admin/users/{id}/roles`: the roles of a person, a group at a time.

use crate::pages::{
    Form, Pages,
    account::apps::client_name,
    console::{Administrator, refuse},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{
    identity::oidc::RoleMode,
    shared::{Fault, UserId},
};
use pages::{
    Problems,
    console::user_roles::{GroupView, UserRolesView, page},
};
use services::identity::admin::{
    roles::{RolesInGroup, set_roles},
    user_details::{UserDetails, read_user},
};

/// The page; 404.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let view = view(&pages, read_user(&pages.identity.ctx, id).await?);
    Ok(administrator.ok(&pages, |console| page(console, &view)))
}

fn view(pages: &Pages, details: UserDetails) -> UserRolesView {
    let group = |roles: RolesInGroup| GroupView {
        clients: roles.group.clients.iter().map(|id| client_name(pages, id)).collect(),
        name: roles.name,
        is_single: roles.group.mode == RoleMode::Single,
        available: roles.group.roles,
        assigned: roles.assigned,
    };
    UserRolesView {
        problems: Problems::default(),
        id: details.account.id,
        name: details.account.display_name(),
        groups: details.roles.into_iter().map(group).collect(),
    }
}

/// Replaces the roles of a group: 303 to the person. A box of a role is named `role:` and its name; where a person has one role, the choice is `role`.
pub(in crate::pages::console) async fn save(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let ticked = form.parameters().pairs().filter(|(_, value)| *value == "on").filter_map(|(name, _)| name.strip_prefix("role:"));
    let roles: Vec<String> = ticked.map(str::to_owned).chain(form.owned("role")).collect();
    let context = pages.identity.request_context(&request);
    let wanted = (form.text("group").to_owned(), roles);
    match set_roles(&pages.identity.ctx, &context, administrator.claims(), id, wanted).await {
        Ok(_) => ApiResponse::see_other(&format!("/admin/users/{id}?done=roles")),
        Err(fault) => {
            let view = view(&pages, read_user(&pages.identity.ctx, id).await?);
            refuse(&pages, administrator, fault, &[], |console, problems| page(console, &UserRolesView { problems, ..view }))
        }
    }
}
