//! What an administrator does to a person, once its consequences were named and the administrator has proved
//! who they are.

use crate::{
    identity::{export, session_cookies},
    pages::{
        Form, Pages,
        account::apps::client_name,
        console::{Administrator, ByConsole, confirm::confirm, refuse, users::read::session_rows},
    },
    web::{ApiRequest, ApiResponse, Endpoints},
};
use domain::{
    identity::admin::UserChangeRequest,
    shared::{Fault, UserId},
};
use pages::{
    Problems,
    account::history::SessionRow,
    console::{
        new_user::made_link_page,
        user_act::{Affected, UserAct, user_act_page},
    },
};
use secrecy::{ExposeSecret, SecretString};
use services::identity::{
    RequestContext,
    admin::{
        user_access::{LinkPurpose, force_logout, make_link, reset_two_factor},
        user_details::{UserDetails, export_user, read_user},
        users::{self, delete_user, update_user},
    },
};
use strum::VariantArray;

/// The page of each act: GET asks, POST does it.
const ACTS: [(&str, UserAct); UserAct::VARIANTS.len()] = [
    ("/admin/users/{id}/invite", UserAct::Invite),
    ("/admin/users/{id}/reset-link", UserAct::ResetLink),
    ("/admin/users/{id}/suspend", UserAct::Suspend),
    ("/admin/users/{id}/unsuspend", UserAct::Unsuspend),
    ("/admin/users/{id}/sign-out", UserAct::SignOut),
    ("/admin/users/{id}/reset-factors", UserAct::ResetFactors),
    ("/admin/users/{id}/verify-address", UserAct::Verify),
    ("/admin/users/{id}/unverify-address", UserAct::Unverify),
    ("/admin/users/{id}/export", UserAct::Export),
    ("/admin/users/{id}/grant-admin", UserAct::GrantAdmin),
    ("/admin/users/{id}/revoke-admin", UserAct::RevokeAdmin),
    ("/admin/users/{id}/delete", UserAct::Delete),
];

/// Adds the pages.
pub(in crate::pages::console) fn add_to(table: Endpoints<Pages>) -> Endpoints<Pages> {
    ACTS.into_iter().fold(table, |table, (path, act)| {
        table.get(path, ByConsole, move |pages, administrator, id, request| show(pages, administrator, id, act, request)).post(
            path,
            ByConsole,
            move |pages, administrator, id, request| do_it(pages, administrator, id, act, request),
        )
    })
}

/// The page that asks; 404.
async fn show(pages: Pages, administrator: Administrator, id: UserId, act: UserAct, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let met = AffectedPerson::read(&pages, &administrator, id).await?;
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| user_act_page(console, &Problems::default(), proof, act, &met.affected())))
}

/// What an act meets, as the page shows it.
struct AffectedPerson {
    details: UserDetails,
    sessions: Vec<SessionRow>,
    apps: Vec<String>,
    is_self: bool,
    is_mail_on: bool,
}

impl AffectedPerson {
    /// 404 without such a person.
    async fn read(pages: &Pages, administrator: &Administrator, id: UserId) -> Result<Self, Fault> {
        let mut details = read_user(&pages.identity.ctx, id).await?;
        let mut apps: Vec<String> = details.clients.iter().map(|client| client_name(pages, client)).collect();
        apps.sort_unstable();
        let sessions = std::mem::take(&mut details.sessions.items);
        let current = administrator.signed_in.session;
        Ok(Self {
            sessions: session_rows(pages, sessions, current),
            apps,
            is_self: administrator.signed_in.user == id,
            is_mail_on: pages.identity.ctx.mail_queue.is_on(),
            details,
        })
    }

    fn affected(&self) -> Affected<'_> {
        Affected {
            account: &self.details.account,
            is_self: self.is_self,
            sessions: (&self.sessions, self.details.sessions.total),
            apps: self.apps.clone(),
            spaces: &self.details.spaces,
            tokens: (&self.details.tokens.items, self.details.tokens.total),
            is_mail_on: self.is_mail_on,
        }
    }
}

/// Does it: 303 to the page that says so, or the file of an export.
async fn do_it(
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
        run(&pages, &context, &administrator, (id, act), &form).await
    };
    match Box::pin(done).await {
        Ok(RowOutcome::Response(response)) => Ok(response),
        Ok(RowOutcome::Link(link)) => {
            let email = read_user(&pages.identity.ctx, id).await?.account.email;
            Ok(administrator.ok(&pages, |console| made_link_page(console, id, email.as_str(), link.expose_secret())))
        }
        Err(fault) => {
            let met = AffectedPerson::read(&pages, &administrator, id).await?;
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| {
                user_act_page(console, &problems, proof, act, &met.affected())
            })
        }
    }
}

/// What an act ends with.
enum RowOutcome {
    Response(ApiResponse),
    /// A link that is shown this one time.
    Link(SecretString),
}

async fn run(
    pages: &Pages,
    context: &RequestContext,
    administrator: &Administrator,
    (id, act): (UserId, UserAct),
    form: &Form,
) -> Result<RowOutcome, Fault> {
    let purpose = match act {
        UserAct::Invite => Some(LinkPurpose::Invitation),
        UserAct::ResetLink => Some(LinkPurpose::PasswordReset),
        _ => None,
    };
    let Some(purpose) = purpose else {
        return change(pages, context, administrator, (id, act), form).await.map(RowOutcome::Response);
    };
    let issued = make_link(pages.identity.acting(context, administrator.claims()), id, purpose).await?;
    match issued.link {
        Some(link) => Ok(RowOutcome::Link(link)),
        None => ApiResponse::see_other(&format!("/admin/users/{id}?done=link")).map(RowOutcome::Response),
    }
}

async fn change(
    pages: &Pages,
    context: &RequestContext,
    administrator: &Administrator,
    (id, act): (UserId, UserAct),
    form: &Form,
) -> Result<ApiResponse, Fault> {
    let identity = &pages.identity;
    let by = identity.acting(context, administrator.claims());
    let done = |more: &str| ApiResponse::see_other(&format!("/admin/users/{id}?done={}{more}", act.into_str()));
    let reissue = |kept, response| session_cookies::reissue_if_kept(identity, administrator.signed_in, kept, response);
    match act {
        UserAct::Suspend => users::suspend(by, id).await.and_then(|()| done("")),
        UserAct::Unsuspend => users::unsuspend(by, id).await.and_then(|()| done("")),
        UserAct::SignOut => {
            let kept = force_logout(by, (id, form.is_on("tokens"))).await?;
            reissue(kept, done("")?)
        }
        UserAct::ResetFactors => {
            let cleared = reset_two_factor(by, id).await?;
            reissue(cleared.kept, done(&format!("&count={}", cleared.passkeys))?)
        }
        UserAct::Export => export::respond(export_user(by, id).await?, &identity.ctx.settings.locales),
        UserAct::GrantAdmin | UserAct::RevokeAdmin => {
            let changes = UserChangeRequest { is_admin: Some(act == UserAct::GrantAdmin), ..UserChangeRequest::default() };
            update_user(by, id, changes).await?;
            done("")
        }
        UserAct::Verify | UserAct::Unverify => {
            let changes = UserChangeRequest { email_verified: Some(act == UserAct::Verify), ..UserChangeRequest::default() };
            update_user(by, id, changes).await?;
            done("")
        }
        UserAct::Invite | UserAct::ResetLink => Err(Fault::internal("a link is no change of an account")),
        UserAct::Delete => {
            delete_user(by, id).await?;
            ApiResponse::see_other("/admin/users?done=deleted")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ACTS;
    use domain::shared::UserId;
    use uuid::Uuid;

    #[test]
    fn every_act_has_the_page_that_others_link_to() {
        for (path, act) in ACTS {
            assert_eq!(act.path(UserId(Uuid::nil())), path.replace("{id}", &Uuid::nil().to_string()));
        }
    }
}
