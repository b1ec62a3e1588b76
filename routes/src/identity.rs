//! The identity wing on the wire.

pub mod auth;
pub mod counters;
pub mod csrf_token;
pub mod me;
pub mod post;
pub mod secrets;
pub mod settings;
pub mod signing_in;
pub mod webauthn;

mod browser;
mod ceremony;
mod export;
mod guarding;
mod links;
mod profile;
mod proving;
mod typed_code;

use crate::{
    ops::Metrics,
    web::{ApiRequest, ApiResponse, ErrorFormat, RequestMeta, Sessions, endpoint, limits},
};
pub use counters::Counters;
use crypto::{
    keys::{Key, Keys},
    passkeys::Passkeys,
    passwords::Passwords,
};
use domain::{
    identity::{Email, lockout::Rules},
    shared::{Fault, SharedClock, SharedEntropy, UserId},
};
use http::{HeaderValue, header};
use limits::Limit;
pub use post::Post;
use prometheus::IntCounter;
pub use secrets::Secrets;
use serde::Serialize;
pub use settings::{IdentitySettings, LimitSettings};
use std::{future::Future, net::IpAddr, sync::Arc};
use storage::{
    Store,
    identity::{Source, guesses, one_time::Hash, sign_in::RefuseSignIn},
};
use warp::reply::Response;

/// What the identity endpoints work with. Cheap to clone.
#[derive(Clone)]
pub struct Identity {
    /// For everything that is remembered.
    pub store: Store,
    /// Who is signed in.
    pub sessions: Sessions,
    /// For hashing.
    pub passwords: Passwords,
    /// What browsers are asked about passkeys.
    pub passkeys: Arc<Passkeys>,
    /// The time.
    pub clock: SharedClock,
    /// For new ids and secrets.
    pub entropy: SharedEntropy,
    /// What the operator decided.
    pub settings: Arc<IdentitySettings>,
    /// How often who may do what.
    pub limits: Arc<Limits>,
    /// For mail to people.
    pub post: Post,
    /// For codes, and for who guesses.
    pub secrets: Arc<Secrets>,
    /// What is measured.
    pub counters: Counters,
}

/// The rate limits of the identity wing.
pub struct Limits {
    login_by_ip: Limit,
    login_failures_by_ip: Limit,
    login_codes: Limit,
    register_by_ip: Limit,
    register_by_address: Limit,
    mail_by_ip: Limit,
    mail_by_address: Limit,
    link_by_ip: Limit,
    passkeys_by_ip: Limit,
    new_password_by_user: Limit,
    export_by_user: Limit,
    account_key: Key,
    /// How often who may guess a password.
    passwords: Option<Rules>,
    /// How often who may guess a code.
    codes: Option<Rules>,
    /// How often who may guess a code that was mailed.
    mailed_codes: Option<Rules>,
    /// Guesses that nobody looked at.
    locked: IntCounter,
}

impl Limits {
    /// Empty counters.
    pub fn new(settings: LimitSettings, keys: &Keys, clock: &SharedClock, metrics: &Metrics) -> Self {
        let limit =
            |name, rate| Limit::new(settings.enabled.then_some(rate), Arc::clone(clock)).counted_by(metrics.rate_limited(name));
        Self {
            login_by_ip: limit("login_ip", settings.login_by_ip),
            login_failures_by_ip: limit("login_failures_ip", settings.login_failures_by_ip),
            login_codes: limit("login_codes", settings.login_codes),
            register_by_ip: limit("register_ip", settings.register_by_ip),
            register_by_address: limit("register_address", settings.register_by_address),
            mail_by_ip: limit("mail_ip", settings.mail_by_ip),
            mail_by_address: limit("mail_address", settings.mail_by_address),
            link_by_ip: limit("link_ip", settings.link_by_ip),
            passkeys_by_ip: limit("passkeys_ip", settings.passkeys_by_ip),
            new_password_by_user: limit("new_password_user", settings.new_password_by_user),
            export_by_user: limit("export_user", settings.export_by_user),
            locked: metrics.rate_limited("lockout"),
            account_key: keys.derive("rate-limit/1"),
            passwords: settings.enabled.then_some(settings.passwords),
            codes: settings.enabled.then_some(settings.codes),
            mailed_codes: settings.enabled.then_some(settings.mailed_codes),
        }
    }

    /// A login, or a code at login, is tried.
    fn login_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.login_by_ip.take(limits::by_ip(ip))?;
        self.login_failures_by_ip.check(limits::by_ip(ip))
    }

    /// It failed. Whoever passed [`Limits::login_from`] together with others may go over the limit: that one is exact.
    fn login_failed_from(&self, ip: IpAddr) {
        self.login_failures_by_ip.note(limits::by_ip(ip));
    }

    /// A code is mailed to an account. A browser that the account knows has a count of its own: who has learned the password cannot keep the owner
    /// from being mailed one.
    fn login_code_to(&self, user: UserId, known_browser: Option<&Hash>) -> Result<(), Fault> {
        let browser = known_browser.map_or(&[][..], |known_browser| known_browser);
        self.login_codes.take(limits::by_text(&self.account_key, [user.0.as_bytes(), browser].concat()))
    }

    fn register_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.register_by_ip.take(limits::by_ip(ip))
    }

    /// Whether the owner of an address may be told once more that somebody wanted to register it.
    fn tell_owner(&self, email: &Email) -> bool {
        self.register_by_address.take(limits::by_text(&self.account_key, email.as_str())).is_ok()
    }

    fn mail_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.mail_by_ip.take(limits::by_ip(ip))
    }

    /// One more mail goes to an address. Who is a stranger to it is not told when that is one too many.
    fn mail_to(&self, email: &Email) -> Result<(), Fault> {
        self.mail_by_address.take(limits::by_text(&self.account_key, email.as_str()))
    }

    /// Counts a link that did not work.
    fn link_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.link_by_ip.take(limits::by_ip(ip))
    }

    /// A challenge is asked for, or answered.
    fn passkey_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.passkeys_by_ip.take(limits::by_ip(ip))
    }

    /// A new password is compared with those of before.
    fn new_password(&self, user: UserId) -> Result<(), Fault> {
        self.new_password_by_user.take(user.0.into_bytes())
    }

    fn export(&self, user: UserId) -> Result<(), Fault> {
        self.export_by_user.take(user.0.into_bytes())
    }
}

impl Identity {
    /// Where a call comes from, for the audit trail; and the time.
    fn source(&self, request: &ApiRequest) -> Source {
        let user_agent = request.header(header::USER_AGENT).map(|h| h.chars().take(USER_AGENT).collect());
        Source { origin: request.origin(), user_agent, at: self.clock.now() }
    }

    /// Notes a sign-in that is refused, for those who read the trail. `forgiven` is whose failures are: only where the password was right.
    async fn refuse_sign_in(
        &self,
        request: &ApiRequest,
        user: Option<UserId>,
        reason: &'static str,
        forgiven: Option<guesses::Key>,
    ) -> Result<(), Fault> {
        Ok(self.store.transact(&RefuseSignIn { user, reason, forgiven, source: self.source(request) }).await?)
    }
}

/// Bodies here are a handful of short fields.
const BODY_LIMIT: usize = 64 << 10;
/// The longest `User-Agent` that is kept.
const USER_AGENT: usize = 300;

/// Answers in this wing's words; nothing of it may be kept by a cache.
async fn respond(meta: RequestMeta, handler: impl Future<Output = Result<ApiResponse, Fault>>) -> Response {
    let mut response = endpoint::respond(ErrorFormat::Identity, meta, handler).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A sentence for who asked, in their language.
fn sentence(request: &ApiRequest, english: &'static str) -> Sentence {
    Sentence { message: request.meta.language.said(english) }
}

/// `{"message": …}`: what was done.
#[derive(Serialize)]
struct Sentence {
    message: &'static str,
}
