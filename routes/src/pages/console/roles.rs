//! `/admin/roles`: the groups of roles, and moving what is assigned.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, confirm::confirm, done, refuse};
use crate::pages::account::apps::client_name;
use domain::{
    identity::oidc::{RoleGroup, RoleMode},
    shared::{Code, Detail, Fault},
};
use pages::{
    Problems,
    console::{
        roles::{RekeyView, RoleGroupRow, rekey_page, roles_page},
        text::ConsoleText,
    },
};
use services::identity::admin::roles::{count_assigned, rekey_roles};

/// The page: the groups that have roles.
pub(super) async fn show(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let notice = done(administrator.visitor.language(), &request.query()?, &[("rekeyed", ConsoleText::Rekeyed)]);
    let row = |(name, group): (&str, &RoleGroup)| RoleGroupRow {
        name: name.to_owned(),
        roles: group.roles.clone(),
        is_single: group.mode == RoleMode::Single,
        clients: group.clients.iter().map(|id| (id.clone(), client_name(&pages, id))).collect(),
    };
    let groups = pages.identity.ctx.settings.clients.role_groups().filter(|(_, group)| !group.roles.is_empty());
    let rows: Vec<RoleGroupRow> = groups.map(row).collect();
    Ok(administrator.ok(&pages, |console| roles_page(console, notice.as_deref(), &rows)))
}

fn groups(pages: &Pages) -> Vec<String> {
    pages.identity.ctx.settings.clients.role_groups().map(|(name, _)| name.to_owned()).collect()
}

/// 400 for names that nothing can be moved between.
fn check(pages: &Pages, from: &str, to: &str) -> Result<(), Fault> {
    if from.is_empty() {
        return Err(Fault::fields(Code::Validation, vec![Detail::required("from")]));
    }
    if from == to {
        return Err(Fault::of(Code::SameRoleGroup));
    }
    match pages.identity.ctx.settings.clients.role_group(to) {
        Some(_) => Ok(()),
        None => Err(Fault::of(Code::UnknownRoleGroup)),
    }
}

/// The page that asks for both names, and then says what follows.
pub(super) async fn show_rekey(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (from, to) = (query.get("from").unwrap_or_default().trim(), query.get("to").unwrap_or_default());
    let (groups, proof) = (groups(&pages), administrator.proof());
    let view = RekeyView { from, to, groups: &groups, people: None };
    if query.get("from").is_none() && to.is_empty() {
        return Ok(administrator.ok(&pages, |console| rekey_page(console, &Problems::default(), proof, &view)));
    }
    if let Err(fault) = check(&pages, from, to) {
        return refuse(&pages, administrator, fault, &["from"], |console, problems| rekey_page(console, &problems, proof, &view));
    }
    let view = RekeyView { people: Some(count_assigned(&pages.identity.ctx, from).await?), ..view };
    Ok(administrator.ok(&pages, |console| rekey_page(console, &Problems::default(), proof, &view)))
}

/// Moves what is assigned.
pub(super) async fn rekey(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let (from, to) = (form.text("from"), form.text("to"));
    let done = async {
        check(&pages, from, to)?;
        confirm(&pages, &context, &administrator, &form).await?;
        rekey_roles(pages.identity.acting(&context, administrator.claims()), (from, to)).await
    };
    match Box::pin(done).await {
        Ok(moved) => ApiResponse::see_other(&format!("/admin/roles?done=rekeyed&count={moved}")),
        Err(fault) => {
            let people = match check(&pages, from, to) {
                Ok(()) => Some(count_assigned(&pages.identity.ctx, from).await?),
                Err(_) => None,
            };
            let (groups, proof) = (groups(&pages), administrator.proof());
            let view = RekeyView { from, to, groups: &groups, people };
            refuse(&pages, administrator, fault, &["from", "password"], |console, problems| {
                rekey_page(console, &problems, proof, &view)
            })
        }
    }
}
