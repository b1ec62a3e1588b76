//! The limits of the identity service: how often an address may try something, and by which rules failed attempts lock an account's login.

use super::{LimitSettings, SharedLimit};
use crate::shared::rate_limiter::{Caller, RateLimiter, by_ip, by_text};
use crypto::keys::{Key, Keys};
use domain::{
    identity::{Email, lockout::Rules},
    shared::{Fault, SharedClock, UserId},
};
use prometheus::IntCounter;
use std::{net::IpAddr, sync::Arc};
use storage::identity::one_time::Hash;

/// The rate limits, which each process counts for itself where they are no [`SharedLimit`], and the rules of the lockout, which is counted in the database.
pub struct IdentityLimits {
    login_by_ip: RateLimiter,
    login_failures_by_ip: RateLimiter,
    login_codes: RateLimiter,
    register_by_ip: RateLimiter,
    register_by_address: RateLimiter,
    mail_by_ip: RateLimiter,
    mail_by_address: RateLimiter,
    link_by_ip: RateLimiter,
    passkeys_by_ip: RateLimiter,
    new_password_by_user: RateLimiter,
    export_by_user: RateLimiter,
    client_failures: RateLimiter,
    public_client_by_ip: RateLimiter,
    /// Requests with one provisioning token.
    pub provisioning: SharedLimit,
    /// Requests of one OIDC client to the app API.
    pub app_api: SharedLimit,
    client_secrets_by_admin: RateLimiter,
    /// Test mails of one administrator.
    pub email_test: SharedLimit,
    account_key: Key,
    /// How often a password may be wrong; `None` when limits are off.
    pub passwords: Option<Rules>,
    /// How often a code of an app, or a backup code, may be wrong.
    pub codes: Option<Rules>,
    /// How often a mailed code may be wrong.
    pub mailed_codes: Option<Rules>,
    /// Counts the attempts that were refused because of a lockout, or because as many were under way as may fail.
    pub locked: IntCounter,
}

impl IdentityLimits {
    /// Limiters that have counted nothing. `rejections` answers the metric of a limit by its name.
    pub fn new(settings: LimitSettings, keys: &Keys, clock: &SharedClock, rejections: impl Fn(&'static str) -> IntCounter) -> Self {
        let limit = |name, rate| RateLimiter::new(settings.enabled.then_some(rate), Arc::clone(clock)).counted_by(rejections(name));
        let shared = |name, rate| SharedLimit::new(name, settings.enabled.then_some(rate), rejections(name));
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
            client_failures: limit("client_failures", settings.client_failures),
            public_client_by_ip: limit("public_client_ip", settings.public_client_by_ip),
            provisioning: shared("provisioning", settings.provisioning),
            app_api: shared("app_api", settings.app_api),
            client_secrets_by_admin: limit("client_secrets_admin", settings.client_secrets_by_admin),
            email_test: shared("email_test", settings.email_test),
            locked: rejections("lockout"),
            account_key: keys.derive("rate-limit/1"),
            passwords: settings.enabled.then_some(settings.passwords),
            codes: settings.enabled.then_some(settings.codes),
            mailed_codes: settings.enabled.then_some(settings.mailed_codes),
        }
    }

    /// Whether an address may try a login. This and the other `peek_…` count nothing: a request whose form or CSRF token is wrong uses up no limit.
    pub fn peek_login_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.login_by_ip.peek(by_ip(ip))?;
        self.login_failures_by_ip.peek(by_ip(ip))
    }

    /// Counts a login, or a code at login, that is tried; 429 as well when too many from this address have failed.
    pub fn login_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.login_by_ip.acquire(by_ip(ip))?;
        self.login_failures_by_ip.peek(by_ip(ip))
    }

    /// Counts a login that failed. Requests that passed [`IdentityLimits::login_from`] at the same time may go over this limit: that one is exact.
    pub fn login_failed_from(&self, ip: IpAddr) {
        self.login_failures_by_ip.record(by_ip(ip));
    }

    /// Counts a code that is mailed to an account. A browser that the account knows has a count of its own: a stranger who has learned the password
    /// cannot keep the owner from being mailed one.
    pub fn login_code_to(&self, user: UserId, known_browser: Option<&Hash>) -> Result<(), Fault> {
        let browser = known_browser.map_or(&[][..], |hash| hash);
        self.login_codes.acquire(by_text(&self.account_key, [user.0.as_bytes(), browser].concat()))
    }

    /// Whether an address may try a registration.
    pub fn peek_register_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.register_by_ip.peek(by_ip(ip))
    }

    /// Counts a registration that is tried.
    pub fn register_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.register_by_ip.acquire(by_ip(ip))
    }

    /// Whether the owner of an address may be told once more that a registration with it was tried.
    pub fn tell_owner(&self, email: &Email) -> bool {
        self.register_by_address.acquire(by_text(&self.account_key, email.as_str())).is_ok()
    }

    /// Whether an address may ask for a mail.
    pub fn peek_mail_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.mail_by_ip.peek(by_ip(ip))
    }

    /// Counts a mail that is asked for.
    pub fn mail_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.mail_by_ip.acquire(by_ip(ip))
    }

    /// Counts a mail that goes to an address. A caller who is not signed in must not learn of a refusal: it would tell of an account's mail.
    pub fn mail_to(&self, email: &Email) -> Result<(), Fault> {
        self.mail_by_address.acquire(by_text(&self.account_key, email.as_str()))
    }

    /// Counts a link that did not work.
    pub fn link_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.link_by_ip.acquire(by_ip(ip))
    }

    /// Whether an address may ask for a WebAuthn challenge, or answer one.
    pub fn peek_passkey_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.passkeys_by_ip.peek(by_ip(ip))
    }

    /// Counts a WebAuthn challenge that is asked for, or answered.
    pub fn passkey_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.passkeys_by_ip.acquire(by_ip(ip))
    }

    /// Counts a new password, which is compared with the account's former ones.
    pub fn new_password(&self, user: UserId) -> Result<(), Fault> {
        self.new_password_by_user.acquire(user.0.into_bytes())
    }

    /// Counts an export of an account.
    pub fn export(&self, user: UserId) -> Result<(), Fault> {
        self.export_by_user.acquire(user.0.into_bytes())
    }

    /// Counts an export of an account by an administrator, who has a count for each account.
    pub fn export_of(&self, user: UserId, administrator: UserId) -> Result<(), Fault> {
        self.export_by_user.acquire(by_text(&self.account_key, [user.0.into_bytes(), administrator.0.into_bytes()].concat()))
    }

    /// Whether an address may try to authenticate an OIDC client, or what it says is one.
    pub fn peek_client(&self, id: &str, ip: IpAddr) -> Result<(), Fault> {
        self.client_failures.peek(self.by_client(id, ip))
    }

    /// Counts a request that failed to authenticate a client. Those that are under way do not count yet.
    pub fn client_failed(&self, id: &str, ip: IpAddr) {
        self.client_failures.record(self.by_client(id, ip));
    }

    /// Counts an authorization request that is stored for a client which has no secret to prove itself with.
    pub fn public_client_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.public_client_by_ip.acquire(by_ip(ip))
    }

    /// Counts a secret of a client that an administrator is shown.
    pub fn client_secret_to(&self, administrator: UserId) -> Result<(), Fault> {
        self.client_secrets_by_admin.acquire(administrator.0.into_bytes())
    }

    /// The limits that this process counts for itself, by name, and whether their callers are addresses.
    pub(super) fn of_this_process(&self) -> [(&'static str, &RateLimiter, bool); 13] {
        [
            ("login_ip", &self.login_by_ip, true),
            ("login_failures_ip", &self.login_failures_by_ip, true),
            ("login_codes", &self.login_codes, false),
            ("register_ip", &self.register_by_ip, true),
            ("register_address", &self.register_by_address, false),
            ("mail_ip", &self.mail_by_ip, true),
            ("mail_address", &self.mail_by_address, false),
            ("link_ip", &self.link_by_ip, true),
            ("passkeys_ip", &self.passkeys_by_ip, true),
            ("new_password_user", &self.new_password_by_user, false),
            ("export_user", &self.export_by_user, false),
            ("client_failures", &self.client_failures, false),
            ("client_secrets_admin", &self.client_secrets_by_admin, false),
        ]
    }

    /// The limits that all processes count together.
    pub(super) fn shared(&self) -> [&SharedLimit; 3] {
        [&self.provisioning, &self.app_api, &self.email_test]
    }

    fn by_client(&self, id: &str, ip: IpAddr) -> Caller {
        by_text(&self.account_key, [by_ip(ip).as_slice(), id.as_bytes()].concat())
    }
}
