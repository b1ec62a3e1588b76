//! `/admin/users/{id}/roles…`: the roles of a person, a group at a time. The choice is a GET, and a page that
//! says what follows asks before it is made.

use crate::pages::{
    Form, Pages,
    account::apps::client_name,
    console::{Administrator, refuse},
};
use crate::web::{ApiRequest, ApiResponse};
use domain::{
    identity::oidc::{RoleMode, roles::check_assignable},
    shared::{Fault, Parameters, UserId},
};
use pages::{
    Problems,
    account::proof::Proof,
    console::{
        Console,
        user_roles::{DEFAULTS, GroupView, RolesChange, UserRolesView, confirm as confirmation, user_roles_page},
    },
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
    Ok(administrator.ok(&pages, |console| user_roles_page(console, &view)))
}

fn view(pages: &Pages, details: UserDetails) -> UserRolesView {
    let group = |roles: RolesInGroup| GroupView {
        default_roles: roles.group.default_roles(),
        defaults: roles.group.defaults.iter().map(|(id, roles)| (client_name(pages, id), roles.clone())).collect(),
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
        groups: details.roles.into_iter().filter(|group| !group.group.roles.is_empty()).map(group).collect(),
    }
}

/// What was chosen: the group and its roles, or `None` for the default ones. A box of a role is named `role:`
/// and its name; where a person has one role, the choice is `role`.
fn chosen(sent: &Parameters) -> (String, Option<Vec<String>>) {
    let group = sent.get("group").unwrap_or_default().to_owned();
    if sent.get(DEFAULTS) == Some("on") {
        return (group, None);
    }
    let ticked = sent.pairs().filter(|(_, value)| *value == "on").filter_map(|(name, _)| name.strip_prefix("role:"));
    let single = sent.text("role");
    (group, Some(ticked.chain(single).map(str::to_owned).collect()))
}

/// The page that asks; 404, also for a group that no client has.
pub(in crate::pages::console) async fn show_change(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let wanted = chosen(&request.query()?);
    ask(&pages, administrator, id, &wanted, None).await
}

/// The page that asks, with what was wrong with the form before; the page of all roles when the choice itself
/// cannot be made.
async fn ask(
    pages: &Pages,
    administrator: Administrator,
    id: UserId,
    (name, roles): &(String, Option<Vec<String>>),
    fault: Option<Fault>,
) -> Result<ApiResponse, Fault> {
    let known = pages.identity.ctx.settings.clients.role_group(name).ok_or_else(Fault::not_found)?;
    let view = view(pages, read_user(&pages.identity.ctx, id).await?);
    if let Err(wrong) = check_assignable(known, roles.as_deref().unwrap_or_default()) {
        return refuse(pages, administrator, wrong, &[], |console, problems| {
            user_roles_page(console, &UserRolesView { problems, ..view })
        });
    }
    let group = view.groups.iter().find(|group| group.name == *name).ok_or_else(Fault::not_found)?;
    let change = RolesChange { id, name: &view.name, group, roles: roles.as_deref() };
    // As by the API, no proof is asked for.
    let shown = |console: &Console<'_>, problems: &Problems| confirmation(console, problems, Proof::NotAsked, &change);
    match fault {
        None => Ok(administrator.ok(pages, |console| shown(console, &Problems::default()))),
        Some(fault) => refuse(pages, administrator, fault, &[], |console, problems| shown(console, &problems)),
    }
}

/// Replaces the roles of a group: 303 to the person.
pub(in crate::pages::console) async fn change(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let wanted = chosen(form.parameters());
    let changed = set_roles(pages.identity.acting(&context, administrator.claims()), id, wanted.clone());
    match Box::pin(changed).await {
        Ok(_) => ApiResponse::see_other(&format!("/admin/users/{id}?done=roles")),
        Err(fault) => ask(&pages, administrator, id, &wanted, Some(fault)).await,
    }
}
