//! `POST /api/me/email`: another mail address. It takes effect when the link that goes there was followed; the old address is told at once. As long as
//! no mail is sent nothing could confirm it, so it takes effect at once.
//!
//! Whether the address has an account already is told to nobody but who reads its mail: there it shows when the link is followed.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, session_cookies, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::{
    identity::{Account, AddressChange, Email, Recipient, address_change, mail::NoticeKind},
    shared::Fault,
};
use http::StatusCode;
use serde::Deserialize;
use services::identity::{
    links::{LinkKind, MailedLink},
    notices, reauth,
};
use storage::identity::{
    accounts,
    links::{AskForAddress, SetAddress},
    one_time::NewOneTime,
    passkeys::PasskeyUse,
};

/// The event in the audit trail.
const EVENT: &str = "auth.email.change_requested";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    new_email: Option<String>,
    #[serde(flatten)]
    proof: ReauthBody,
}

/// 202 when the link was mailed; 200 where no mail is sent.
pub(super) async fn change(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let email = address_change::parse_new_email(body.new_email.as_deref(), &stored.account)?;
    let credential = body.proof.required(stored.account.has_password)?;
    let context = identity.request_context(&request);
    let passkey = reauth::reauthenticate(&identity.ctx, &context, signed_in.claimed(), &stored, credential, EVENT).await?;
    if identity.ctx.mail_queue.is_on() {
        identity.ctx.limits.mail_to(&email)?;
        ask(&identity, &request, signed_in, passkey, &stored.account, email).await
    } else {
        set(&identity, &request, signed_in, passkey, email).await
    }
}

async fn ask(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    passkey: Option<PasskeyUse>,
    account: &Account,
    email: Email,
) -> Result<ApiResponse, Fault> {
    let to = Recipient { email: email.clone(), ..Recipient::from(account) };
    let sent = MailedLink::new(&identity.ctx, LinkKind::AddressChange, &to)?;
    let asked = AddressChange { email, token_version: signed_in.token_version };
    let context = identity.request_context(request);
    let notice = notices::compose(&identity.ctx, &context, account, NoticeKind::AddressChange)?;
    let work = AskForAddress {
        owner: signed_in.claimed(),
        passkey,
        link: NewOneTime { payload: asked.to_json()?, ..sent.token },
        letters: sent.mail.into_iter().chain(notice).collect(),
        source: identity.source(request),
    };
    let asked = identity.ctx.store.transact(&work).await?;
    reauth::unless_stale(&identity.ctx, &context, signed_in.user, asked, EVENT).await?;
    ApiResponse::json(StatusCode::ACCEPTED, &success(request, Message::AddressLinkSent))
}

async fn set(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    passkey: Option<PasskeyUse>,
    email: Email,
) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(request);
    let spared = context.keep_session(signed_in.session);
    let work = SetAddress { owner: signed_in.claimed(), passkey, email, spared, source: identity.source(request) };
    let set = identity.ctx.store.transact(&work).await?;
    let kept = reauth::unless_stale(&identity.ctx, &context, signed_in.user, set, EVENT).await?;
    session_cookies::reissue(identity, signed_in, kept, ApiResponse::ok(&success(request, Message::AddressChanged))?)
}
