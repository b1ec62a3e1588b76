//! `POST /api/auth/resend-verification`: another verification link; those of before are void. The answer is always the same.

use super::Addressed;
use crate::{
    identity::{
        Identity,
        links::{self, Link},
        respond, success,
    },
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use storage::identity::{Outcome, accounts};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "resend-verification")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, resend(identity.clone(), request)))
        .boxed()
}

async fn resend(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let Addressed { email, may_be_mailed } = super::addressed(&identity, &mut request).await?;
    if identity.ctx.mail_queue.is_on() {
        let sent = async {
            let connection = identity.ctx.store.connection("account.find").await?;
            let found = accounts::find_by_email(&connection, &email).await?.map(|by_email| by_email.account);
            drop(connection);
            let account = found.as_ref().filter(|f| may_be_mailed && !f.email_verified && f.suspended_at.is_none());
            let event = "auth.email.verification_requested";
            let link = links::Request { email: &email, link: Link::Verification, account, event, outcome: Outcome::Success };
            links::send(&identity, &request, link).await
        };
        links::evenly(sent).await?;
    }
    ApiResponse::ok(&success(&request, Message::VerificationLinkSentIfUnverified))
}
