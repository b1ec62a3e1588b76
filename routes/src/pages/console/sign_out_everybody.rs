//! `/admin/sign-out-everybody`: ends the sessions of everybody, after an incident.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, confirm::confirm, refuse};
use crate::identity::session_cookies;
use domain::shared::{Code, Detail, Fault, FieldCode};
use pages::{
    Problems,
    console::sign_out_everybody::{Affected, sign_out_everybody_page},
};
use services::identity::admin::{
    overview::read_statistics,
    user_access::{LogoutScope, force_logout_all},
};

/// The page.
pub(super) async fn show(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let affected = affected(&pages, "").await?;
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| sign_out_everybody_page(console, &Problems::default(), proof, &affected)))
}

async fn affected<'a>(pages: &Pages, scope: &'a str) -> Result<Affected<'a>, Fault> {
    let statistics = read_statistics(&pages.identity.ctx).await?;
    Ok(Affected { sessions: statistics.sessions, people: statistics.accounts.total, scope })
}

fn scope(text: &str) -> Result<LogoutScope, Fault> {
    match text {
        "all" => Ok(LogoutScope::All),
        "all_and_self" => Ok(LogoutScope::AllAndSelf),
        "non_admins" => Ok(LogoutScope::NonAdmins),
        _ => Err(Fault::fields(Code::Validation, vec![Detail::new("scope", FieldCode::Unsupported, "must be one of the choices")])),
    }
}

/// Ends the sessions. The session of this browser gets a new cookie, unless it is to end as well.
pub(super) async fn sign_out(pages: Pages, administrator: Administrator, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let identity = &pages.identity;
    let context = identity.request_context(&request);
    let ended = async {
        let scope = scope(form.text("scope"))?;
        confirm(&pages, &context, &administrator, &form).await?;
        Ok((scope, force_logout_all(identity.acting(&context, administrator.claims()), scope).await?))
    };
    match Box::pin(ended).await {
        Ok((LogoutScope::AllAndSelf, _)) => Ok(identity.sessions.clear_cookies(ApiResponse::see_other("/login?return_to=/admin")?)),
        Ok((_, outcome)) => {
            let response = ApiResponse::see_other(&format!("/admin?done=everybody&count={}", outcome.affected))?;
            session_cookies::reissue_if_kept(identity, administrator.signed_in, outcome.kept, response)
        }
        Err(fault) => {
            let affected = affected(&pages, form.text("scope")).await?;
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["scope", "password"], |console, problems| {
                sign_out_everybody_page(console, &problems, proof, &affected)
            })
        }
    }
}
