//! `POST /api/auth/password/forgot`: a link to set a new password. The answer is always the same, whether there is such an account or not.

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
    warp::path!("api" / "auth" / "password" / "forgot")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, forgot(identity.clone(), call)))
        .boxed()
}

async fn forgot(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let Addressed { email, may_be_mailed } = super::addressed(&identity, &mut call).await?;
    let sent = async {
        let connection = identity.store.read("account.find").await?;
        let found = accounts::find_by_email(&connection, &email).await?.map(|it| it.account);
        drop(connection);
        let account = found.as_ref().filter(|it| may_be_mailed && it.suspended_at.is_none());
        let event = "auth.password.reset_requested";
        let request = links::Request { email: &email, link: Link::PasswordReset, account, event, outcome: Outcome::Success };
        links::send(&identity, &call, request).await
    };
    links::evenly(sent).await?;
    Answer::ok(&sentence(&call, "If there is an account with this address, a link to set a new password is on its way"))
}
