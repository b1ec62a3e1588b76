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

#[cfg(test)]
mod tests {
    use super::{IdentityLimits, LimitSettings, SharedLimit};
    use crypto::keys::Keys;
    use domain::{
        identity::Email,
        shared::{Clock, Rate, SharedClock, UserId},
    };
    use jiff::Timestamp;
    use prometheus::IntCounter;
    use std::{net::IpAddr, sync::Arc, time::Duration};

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            "2026-03-01T12:00:00Z".parse().unwrap()
        }
    }

    /// Limits that allow one of each thing an hour.
    fn limits() -> IdentityLimits {
        let rate = Rate::new(1, Duration::from_hours(1));
        let settings = LimitSettings {
            login_by_ip: rate,
            login_failures_by_ip: rate,
            login_codes: rate,
            register_by_ip: rate,
            register_by_address: rate,
            mail_by_ip: rate,
            mail_by_address: rate,
            link_by_ip: rate,
            passkeys_by_ip: rate,
            new_password_by_user: rate,
            export_by_user: rate,
            client_failures: rate,
            public_client_by_ip: rate,
            client_secrets_by_admin: rate,
            ..LimitSettings::default()
        };
        let clock: SharedClock = Arc::new(Noon);
        IdentityLimits::new(settings, &Keys::new(vec![7; 32].into()), &clock, |_| IntCounter::new("refused", "refused").unwrap())
    }

    fn ip(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn user(number: u128) -> UserId {
        UserId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn each_thing_is_counted_for_itself_and_for_each_caller() {
        let limits = limits();
        let (ann, bob) = (Email::parse("ann@example.org").unwrap(), Email::parse("bob@example.org").unwrap());
        let things: [(&str, &dyn Fn(u8) -> bool); 12] = [
            ("login", &|caller| limits.login_from(ip(caller)).is_ok()),
            ("code", &|caller| limits.login_code_to(user(caller.into()), None).is_ok()),
            ("registration", &|caller| limits.register_from(ip(caller)).is_ok()),
            ("notice", &|caller| limits.tell_owner(if caller == 1 { &ann } else { &bob })),
            ("mail", &|caller| limits.mail_from(ip(caller)).is_ok()),
            ("mail to", &|caller| limits.mail_to(if caller == 1 { &ann } else { &bob }).is_ok()),
            ("link", &|caller| limits.link_from(ip(caller)).is_ok()),
            ("passkey", &|caller| limits.passkey_from(ip(caller)).is_ok()),
            ("password", &|caller| limits.new_password(user(caller.into())).is_ok()),
            ("export", &|caller| limits.export(user(caller.into())).is_ok()),
            ("public client", &|caller| limits.public_client_from(ip(caller)).is_ok()),
            ("secret", &|caller| limits.client_secret_to(user(caller.into())).is_ok()),
        ];
        for (name, thing) in things {
            assert_eq!([thing(1), thing(1), thing(2), thing(2)], [true, false, true, false], "{name}");
        }
    }

    #[test]
    fn to_ask_whether_something_may_be_tried_counts_nothing() {
        let limits = limits();
        let peeks = |limits: &IdentityLimits| {
            let client = limits.peek_client("web", ip(1));
            [
                limits.peek_login_from(ip(1)).is_ok(),
                limits.peek_register_from(ip(1)).is_ok(),
                limits.peek_mail_from(ip(1)).is_ok(),
                limits.peek_passkey_from(ip(1)).is_ok(),
                client.is_ok(),
            ]
        };
        assert_eq!((peeks(&limits), peeks(&limits)), ([true; 5], [true; 5]));
        limits.login_from(ip(1)).unwrap();
        limits.register_from(ip(1)).unwrap();
        limits.mail_from(ip(1)).unwrap();
        limits.passkey_from(ip(1)).unwrap();
        limits.client_failed("web", ip(1));
        assert_eq!(peeks(&limits), [false; 5]);
    }

    #[test]
    fn failed_logins_end_further_ones_from_the_same_address() {
        let limits = limits();
        limits.login_failed_from(ip(1));
        assert!(limits.peek_login_from(ip(1)).is_err() && limits.login_from(ip(1)).is_err());
        assert!(limits.peek_login_from(ip(2)).is_ok() && limits.login_from(ip(2)).is_ok());
    }

    #[test]
    fn a_browser_that_is_known_has_codes_of_its_own() {
        let limits = limits();
        let codes = |browser| limits.login_code_to(user(1), browser).is_ok();
        assert_eq!(
            [codes(None), codes(None), codes(Some(&[1; 32])), codes(Some(&[1; 32])), codes(Some(&[2; 32]))],
            [true, false, true, false, true]
        );
    }

    #[test]
    fn failures_of_a_client_are_counted_for_each_address_and_exports_for_each_administrator() {
        let limits = limits();
        limits.client_failed("web", ip(1));
        let may = |client, address| limits.peek_client(client, ip(address)).is_ok();
        assert_eq!([may("web", 1), may("web", 2), may("app", 1)], [false, true, true]);
        let export = |administrator| limits.export_of(user(1), user(administrator)).is_ok();
        assert_eq!([export(8), export(8), export(9)], [true, false, true]);
        assert!(limits.export(user(1)).is_ok(), "the owner has a count as well");
    }

    #[test]
    fn an_operator_sees_the_limits_of_this_process_and_the_shared_ones() {
        let limits = limits();
        limits.login_from(ip(1)).unwrap();
        limits.new_password(user(1)).unwrap();
        let full: Vec<_> = limits.of_this_process().into_iter().filter(|(_, limit, _)| limit.exhausted(1).len() == 1).collect();
        let names: Vec<_> = full.iter().map(|(name, _, is_address)| (*name, *is_address)).collect();
        assert_eq!(names, [("login_ip", true), ("new_password_user", false)]);
        assert_eq!(limits.shared().map(SharedLimit::name), ["provisioning", "app_api", "email_test"]);
    }
}
