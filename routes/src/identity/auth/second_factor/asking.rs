//! Asking for the second factor, once the password was right.

use super::{new_code, pending};
use crate::{
    identity::{Identity, signing_in::notice},
    web::{ApiRequest, ApiResponse},
};
use crypto::link;
use domain::{
    identity::{
        Account, Email, Recipient,
        device::Reason,
        mail::NoticeKind,
        one_time::Kind as OneTime,
        second_factor::{GUESSES, MailCodes, Mailed, Method, Pending, RESEND_AFTER},
    },
    shared::{Fault, timestamp},
};
use http::header;
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::counters::LoginResult;
use storage::identity::{
    Source, guesses,
    one_time::{Hash, NewOneTime},
    second_factor::Ask,
};

/// What is asked for, and what else is known of the login.
pub(in crate::identity::auth) struct Asked {
    pub(in crate::identity::auth) method: Method,
    pub(in crate::identity::auth) remember: bool,
    pub(in crate::identity::auth) reasons: Vec<Reason>,
    pub(in crate::identity::auth) rehashed: Option<(String, String)>,
    pub(in crate::identity::auth) forgiven: Option<guesses::Key>,
    pub(in crate::identity::auth) known_browser: Option<Hash>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    two_factor_required: bool,
    method: Method,
    methods: &'static [&'static str],
    login_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_hint: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    resend_after: Option<u64>,
}

impl Identity {
    /// When codes are mailed: never as long as no mail is.
    pub(in crate::identity) fn mail_codes(&self) -> MailCodes {
        if self.ctx.mail_queue.is_on() { self.ctx.settings.mail_codes } else { MailCodes::Off }
    }
}

/// Asks for it. `None` when the account was deleted since its password was compared.
pub(in crate::identity::auth) async fn ask(
    identity: &Identity,
    request: &ApiRequest,
    account: &Account,
    asked: Asked,
) -> Result<Option<ApiResponse>, Fault> {
    let (id, at) = (identity.ctx.entropy.uuid(), identity.ctx.clock.now());
    let (token, hash) = link::generate(identity.ctx.entropy.as_ref());
    // Who is asked for an app may never show its code, and the owner is to know that somebody has the password. A mailed code says so itself.
    let told = asked.method == Method::Totp && !asked.reasons.is_empty();
    let (mailed, letter) = match asked.method {
        Method::Totp if told => (None, notice(identity, request, account, NoticeKind::SignIn)?),
        Method::Totp => (None, None),
        Method::Email => {
            identity.ctx.limits.login_code_to(account.id, asked.known_browser.as_ref())?;
            let (hash, letter) = new_code(identity, id);
            (Some(Mailed { hash, at, before: 0 }), identity.ctx.mail_queue.compose(&Recipient::from(account), letter)?)
        }
    };
    let pending = Pending { method: asked.method, remember: asked.remember, token_version: account.token_version, told, mailed };
    let row = NewOneTime {
        payload: pending::payload(&pending)?,
        attempts: Some(GUESSES),
        ..NewOneTime::of(OneTime::PendingLogin, account.id, hash, id, at)
    };
    let is_mailed = asked.method == Method::Email;
    let body = Body {
        two_factor_required: true,
        method: asked.method,
        methods: asked.method.methods(),
        login_token: token.expose_secret().to_owned(),
        email_hint: is_mailed.then(|| hint(&account.email)),
        expires_at: row.expires_at(),
        resend_after: is_mailed.then_some(RESEND_AFTER.as_secs()),
    };
    let work = Ask {
        user: account.id,
        pending: row,
        letter,
        rehashed: asked.rehashed,
        reasons: asked.reasons,
        forgiven: asked.forgiven,
        source: Source { at, ..identity.source(request) },
    };
    if !identity.ctx.store.transact(&work).await? {
        return Ok(None);
    }
    identity.ctx.counters.login("password", LoginResult::SecondFactorRequired);

    Ok(Some(ApiResponse::ok(&body)?.with(header::SET_COOKIE, pending::cookie(identity, &body.login_token)?)))
}

/// What a person recognises of an address and a stranger does not learn: `a***@example.org`.
fn hint(email: &Email) -> String {
    let (local, domain) = email.as_str().split_once('@').unwrap_or_default();
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

#[cfg(test)]
mod tests {
    use super::hint;
    use domain::identity::Email;

    #[test]
    fn a_hint_shows_one_letter() {
        for (email, shown) in [("ann.bee@example.org", "a***@example.org"), ("x@b.example", "x***@b.example")] {
            assert_eq!(hint(&Email::parse(email).unwrap()), shown);
        }
    }
}
