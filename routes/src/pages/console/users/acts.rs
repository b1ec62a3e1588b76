//! `/admin/users/{id}/{act}`: what an administrator does to a person, once its consequences were named and the administrator has proved who they are.

use crate::{
    identity::{export, session_cookies},
    pages::{
        Form, Pages,
        account::apps::client_name,
        console::{Administrator, confirm::confirm, refuse},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    identity::admin::UserChangeRequest,
    shared::{Fault, UserId},
};
use pages::{
    Problems,
    console::user_act::{Affected, UserAct, page},
};
use services::identity::{
    RequestContext,
    admin::{
        delete_user::delete_user,
        export::export_user,
        force_logout::force_logout,
        reset_two_factor::reset_two_factor,
        suspension,
        update_user::update_user,
        user_details::{UserDetails, read_user},
    },
};

/// The page that asks; 404.
pub(in crate::pages::console) async fn show(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    act: UserAct,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let details = read_user(&pages.identity.ctx, id).await?;
    let affected = affected(&pages, &administrator, &details);
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| page(console, &Problems::default(), proof, act, &affected)))
}

fn affected<'a>(pages: &Pages, administrator: &Administrator, details: &'a UserDetails) -> Affected<'a> {
    let mut apps: Vec<String> = details.grants.iter().map(|grant| client_name(pages, &grant.client_id)).collect();
    apps.sort_unstable();
    apps.dedup();
    Affected {
        account: &details.account,
        is_self: administrator.signed_in.user == details.account.id,
        sessions: i64::try_from(details.sessions.len()).unwrap_or(i64::MAX),
        apps,
        spaces: details.spaces,
        is_mail_on: pages.identity.ctx.mail_queue.is_on(),
    }
}

/// Does it: 303 to the page that says so, or the file of an export.
pub(in crate::pages::console) async fn act(
    pages: Pages,
    administrator: Administrator,
    id: UserId,
    act: UserAct,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let context = pages.identity.request_context(&request);
    let done = async {
        confirm(&pages, &context, &administrator, &form).await?;
        run(&pages, &context, &administrator, (id, act)).await
    };
    match Box::pin(done).await {
        Ok(response) => Ok(response),
        Err(fault) => {
            let details = read_user(&pages.identity.ctx, id).await?;
            let affected = affected(&pages, &administrator, &details);
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| page(console, &problems, proof, act, &affected))
        }
    }
}

async fn run(
    pages: &Pages,
    context: &RequestContext,
    administrator: &Administrator,
    (id, act): (UserId, UserAct),
) -> Result<ApiResponse, Fault> {
    let (identity, claims) = (&pages.identity, administrator.claims());
    let ctx = &identity.ctx;
    let done = |more: &str| ApiResponse::see_other(&format!("/admin/users/{id}?done={}{more}", act.name()));
    let reissue = |kept, response| session_cookies::reissue_if_kept(identity, administrator.signed_in, kept, response);
    match act {
        UserAct::Suspend => suspension::suspend(ctx, context, claims, id).await.and_then(|()| done("")),
        UserAct::Unsuspend => suspension::unsuspend(ctx, context, claims, id).await.and_then(|()| done("")),
        UserAct::SignOut => {
            let kept = force_logout(ctx, context, claims, id).await?;
            reissue(kept, done("")?)
        }
        UserAct::ResetFactors => {
            let cleared = reset_two_factor(ctx, context, claims, id).await?;
            reissue(cleared.kept, done(&format!("&count={}", cleared.passkeys))?)
        }
        UserAct::Export => export::respond(export_user(ctx, context, claims, id).await?, &ctx.settings.locales),
        UserAct::GrantAdmin | UserAct::RevokeAdmin => {
            let changes = UserChangeRequest { is_admin: Some(act == UserAct::GrantAdmin), ..UserChangeRequest::default() };
            update_user(ctx, context, claims, id, changes).await?;
            done("")
        }
        UserAct::Verify | UserAct::Unverify => {
            let changes = UserChangeRequest { email_verified: Some(act == UserAct::Verify), ..UserChangeRequest::default() };
            update_user(ctx, context, claims, id, changes).await?;
            done("")
        }
        UserAct::Delete => {
            delete_user(ctx, context, claims, id).await?;
            ApiResponse::see_other("/admin/users?done=deleted")
        }
    }
}
