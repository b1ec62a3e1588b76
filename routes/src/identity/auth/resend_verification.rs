//! `POST /api/auth/resend-verification`: another verification link; those of before are void. The answer is always the same.

use super::Addressed;
use crate::{
    identity::{
        Identity,
        links::{self, Link},
        respond, sentence,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use storage::identity::{Outcome, accounts};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "resend-verification")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, resend(identity.clone(), call)))
        .boxed()
}

async fn resend(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let Addressed { email, may_be_mailed } = super::addressed(&identity, &mut call).await?;
    if identity.post.is_on() {
        let sent = async {
            let connection = identity.store.read("account.find").await?;
            let found = accounts::find_by_email(&connection, &email).await?.map(|it| it.account);
            drop(connection);
            let account = found.as_ref().filter(|it| may_be_mailed && !it.email_verified && it.suspended_at.is_none());
            let event = "auth.email.verification_requested";
            let request = links::Request { email: &email, link: Link::Verification, account, event, outcome: Outcome::Success };
            links::send(&identity, &call, request).await
        };
        links::evenly(sent).await?;
    }
    Answer::ok(&sentence(&call, "If there is an account with this address that is not verified, a link is on its way"))
}
