//! The limits of the identity service: how often an address may try something, and by which rules failed
//! attempts lock an account's login.

use super::{
    LimitSettings,
    striped_lock::{Guard, StripedLock},
};
use crate::shared::{
    SharedLimit,
    rate_limiter::{CallerKey, RateLimiter, by_ip, by_text},
    shared_limit::{address, both, hash},
};
use crypto::keys::{Key, Keys};
use domain::{
    identity::{Email, lockout::Rules},
    shared::{Fault, Kind, Rate, SharedClock, UserId},
};
use futures_util::future;
use prometheus::IntCounter;
use std::{net::IpAddr, sync::Arc, time::Duration};
use storage::{Executor, Store, identity::one_time::Hash};

/// The rate limits, and the rules of the lockout. Those whose number the contract names are counted in the
/// database, for all processes together; the others by each process for itself.
pub struct IdentityLimits {
    login_by_ip: SharedLimit,
    login_failures_by_ip: SharedLimit,
    login_codes: SharedLimit,
    register_by_ip: SharedLimit,
    register_by_address: SharedLimit,
    mail_by_ip: SharedLimit,
    mail_by_address: SharedLimit,
    link_by_ip: SharedLimit,
    passkeys_by_ip: SharedLimit,
    new_password_by_user: RateLimiter,
    export_by_user: SharedLimit,
    client_failures: SharedLimit,
    client_locks: StripedLock,
    public_client_by_ip: RateLimiter,
    misdirected: SharedLimit,
    /// Requests with one provisioning token.
    pub provisioning: SharedLimit,
    /// Requests of one OIDC client to the app API.
    pub app_api: SharedLimit,
    client_secrets_by_admin: SharedLimit,
    /// Test mails of one administrator.
    pub email_test: SharedLimit,
    account_key: Key,
    /// How often a password may be wrong; `None` when limits are off.
    pub passwords: Option<Rules>,
    /// How often a code of an app, or a backup code, may be wrong.
    pub codes: Option<Rules>,
    /// How often a mailed code may be wrong.
    pub mailed_codes: Option<Rules>,
    /// Counts the attempts that were refused because of a lockout, or because as many were under way as may
    /// fail.
    pub locked: IntCounter,
}

impl IdentityLimits {
    /// The limits of these settings. `rejections` answers the metric of a limit by its name.
    pub fn new(settings: LimitSettings, keys: &Keys, clock: &SharedClock, rejections: impl Fn(&'static str) -> IntCounter) -> Self {
        let limit = |name, rate| RateLimiter::new(settings.enabled.then_some(rate), Arc::clone(clock)).counted_by(rejections(name));
        let shared = |name, rate| SharedLimit::new(name, settings.enabled.then_some(rate), rejections(name), Arc::clone(clock));
        let by_ip = |name, rate| shared(name, rate).by_address();
        let once_a_minute = Rate::new(1, Duration::from_mins(1));
        Self {
            login_by_ip: by_ip("login_ip", settings.login_by_ip),
            login_failures_by_ip: by_ip("login_failures_ip", settings.login_failures_by_ip),
            login_codes: shared("login_codes", settings.login_codes).by_hash(),
            register_by_ip: by_ip("register_ip", settings.register_by_ip),
            register_by_address: shared("register_address", settings.register_by_address).by_hash(),
            mail_by_ip: by_ip("mail_ip", settings.mail_by_ip),
            mail_by_address: shared("mail_address", settings.mail_by_address).by_hash(),
            link_by_ip: by_ip("link_ip", settings.link_by_ip),
            passkeys_by_ip: by_ip("passkeys_ip", settings.passkeys_by_ip),
            new_password_by_user: limit("new_password_user", settings.new_password_by_user),
            export_by_user: shared("export_user", settings.export_by_user).by_hash(),
            client_failures: shared("client_failures", settings.client_failures).by_hash().remembering_all(),
            client_locks: StripedLock::new(),
            public_client_by_ip: limit("public_client_ip", settings.public_client_by_ip),
            // No setting turns it off: what it limits is entries, not people.
            misdirected: SharedLimit::new("misdirected", Some(once_a_minute), rejections("misdirected"), Arc::clone(clock))
                .by_hash(),
            provisioning: shared("provisioning", settings.provisioning),
            app_api: shared("app_api", settings.app_api),
            client_secrets_by_admin: shared("client_secrets_admin", settings.client_secrets_by_admin),
            email_test: shared("email_test", settings.email_test),
            locked: rejections("lockout"),
            account_key: keys.derive("rate-limit/1"),
            passwords: settings.enabled.then_some(settings.passwords),
            codes: settings.enabled.then_some(settings.codes),
            mailed_codes: settings.enabled.then_some(settings.mailed_codes),
        }
    }

    /// Whether an address may try a login. This and the other `peek_…` count nothing, so a request whose form
    /// or CSRF token is wrong uses up no limit; and they do not ask the database, so they refuse only what
    /// this process was told about within the last second. What they let through is counted later.
    pub fn peek_login_from(&self, ip: IpAddr) -> Result<(), Fault> {
        let caller = address(ip);
        both(self.login_by_ip.peek(&caller), self.login_failures_by_ip.peek(&caller))
    }

    /// Counts a login, or a code at login, that is tried, after [`IdentityLimits::peek_login_from`]; 429 as
    /// well when too many from this address have failed. Both travel to the database together.
    pub async fn login_from(&self, executor: &impl Executor, ip: IpAddr) -> Result<(), Fault> {
        let caller = address(ip);
        let (tried, failed) =
            (self.login_by_ip.acquire_on(executor, &caller), self.login_failures_by_ip.check_on(executor, &caller));
        let (tried, failed) = future::join(tried, failed).await;
        both(tried, failed)
    }

    /// Counts a login that failed; 429 when it is one too many, which those that were under way at the same
    /// time make it. The caller of this refuses with that, instead of telling that the login was wrong.
    pub async fn login_failed_from(&self, store: &Store, ip: IpAddr) -> Result<(), Fault> {
        self.login_failures_by_ip.acquire(store, &address(ip)).await
    }

    /// Counts a code that is mailed to an account. A browser that the account knows has a count of its own: a
    /// stranger who has learned the password cannot keep the owner from being mailed one.
    pub async fn login_code_to(&self, store: &Store, user: UserId, known_browser: Option<&Hash>) -> Result<(), Fault> {
        let browser = known_browser.map_or(&[][..], |hash| hash);
        self.login_codes.acquire(store, &self.hashed([user.0.as_bytes(), browser].concat())).await
    }

    /// Whether an address may try a registration.
    pub fn peek_register_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.register_by_ip.peek(&address(ip))
    }

    /// Counts a registration that is tried, after [`IdentityLimits::peek_register_from`].
    pub async fn register_from(&self, executor: &impl Executor, ip: IpAddr) -> Result<(), Fault> {
        self.register_by_ip.acquire_on(executor, &address(ip)).await
    }

    /// Whether the owner of an address may be told once more that a registration with it was tried.
    pub async fn tell_owner(&self, store: &Store, email: &Email) -> Result<bool, Fault> {
        admitted(self.register_by_address.acquire(store, &self.hashed(email.as_str())).await)
    }

    /// Whether an address may ask for a mail.
    pub fn peek_mail_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.mail_by_ip.peek(&address(ip))
    }

    /// Whether a request may be noted that cannot be answered to its client, as far as this process knows.
    pub(super) fn peek_misdirected(&self, client: Option<&str>, ip: IpAddr) -> Result<(), Fault> {
        self.misdirected.peek(&self.misdirected_caller(client, ip))
    }

    /// Counts such a request of a client, known or not, from an address.
    pub(super) async fn misdirected(&self, executor: &impl Executor, client: Option<&str>, ip: IpAddr) -> Result<(), Fault> {
        self.misdirected.acquire_on(executor, &self.misdirected_caller(client, ip)).await
    }

    fn misdirected_caller(&self, client: Option<&str>, ip: IpAddr) -> String {
        // No address has a space in it, and no client's id.
        self.hashed(format!("{} {}", client.unwrap_or_default(), address(ip)))
    }

    /// Counts a mail that is asked for.
    pub async fn mail_from(&self, store: &Store, ip: IpAddr) -> Result<(), Fault> {
        self.mail_by_ip.acquire(store, &address(ip)).await
    }

    /// Counts a mail that goes to an address.
    pub async fn mail_to(&self, store: &Store, email: &Email) -> Result<(), Fault> {
        self.mail_by_address.acquire(store, &self.hashed(email.as_str())).await
    }

    /// The same for a caller who is not signed in, and must not learn of a refusal: it would tell of an
    /// account's mail.
    pub async fn may_mail_to(&self, executor: &impl Executor, email: &Email) -> Result<bool, Fault> {
        admitted(self.mail_by_address.acquire_on(executor, &self.hashed(email.as_str())).await)
    }

    /// Counts a link that did not work.
    pub async fn link_from(&self, store: &Store, ip: IpAddr) -> Result<(), Fault> {
        self.link_by_ip.acquire(store, &address(ip)).await
    }

    /// Whether an address may ask for a WebAuthn challenge, or answer one.
    pub fn peek_passkey_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.passkeys_by_ip.peek(&address(ip))
    }

    /// Counts a WebAuthn challenge that is asked for, or answered.
    pub async fn passkey_from(&self, store: &Store, ip: IpAddr) -> Result<(), Fault> {
        self.passkeys_by_ip.acquire(store, &address(ip)).await
    }

    /// Counts a new password, which is compared with the account's former ones.
    pub fn new_password(&self, user: UserId) -> Result<(), Fault> {
        self.new_password_by_user.acquire(user.0.into_bytes())
    }

    /// Counts an export of an account.
    pub async fn export(&self, store: &Store, user: UserId) -> Result<(), Fault> {
        self.export_by_user.acquire(store, &self.hashed(user.0.into_bytes())).await
    }

    /// Counts an export of an account by an administrator, who has a count for each account.
    pub async fn export_of(&self, store: &Store, user: UserId, administrator: UserId) -> Result<(), Fault> {
        let pair = self.hashed([user.0.into_bytes(), administrator.0.into_bytes()].concat());
        self.export_by_user.acquire(store, &pair).await
    }

    /// The lock under which a secret of an OIDC client from an address is compared; `None` while limits are
    /// off. A request that holds it checks the limit, compares, and counts a failure before the next one
    /// does, so that no more are compared than may fail, however many come at once. (Another process learns
    /// of a full count at its next failure.) 503 when too many wait for it.
    pub async fn lock_client(&self, id: &str, ip: IpAddr) -> Result<Option<Guard<'_>>, Fault> {
        if self.client_failures.is_off() {
            return Ok(None);
        }
        self.client_locks.lock(self.client_caller(Some(id), ip)).await.map(Some)
    }

    /// Whether an address may try to authenticate an OIDC client; `None` is any that does not exist. A client
    /// that does not fail costs the database nothing.
    pub async fn check_client(&self, store: &Store, id: Option<&str>, ip: IpAddr) -> Result<(), Fault> {
        self.client_failures.check_known(store, &self.by_client(id, ip)).await
    }

    /// Counts a request that failed to authenticate a client; 429 when it is one too many. Those that do not
    /// exist are counted as one, or each invented name would be a row.
    pub async fn client_failed(&self, store: &Store, id: Option<&str>, ip: IpAddr) -> Result<(), Fault> {
        self.client_failures.acquire(store, &self.by_client(id, ip)).await
    }

    /// Counts an authorization request that is stored for a client which has no secret to prove itself with.
    pub fn public_client_from(&self, ip: IpAddr) -> Result<(), Fault> {
        self.public_client_by_ip.acquire(by_ip(ip))
    }

    /// Counts a secret of a client that an administrator is shown.
    pub async fn client_secret_to(&self, store: &Store, administrator: UserId) -> Result<(), Fault> {
        self.client_secrets_by_admin.acquire(store, &administrator.to_string()).await
    }

    /// The limits that this process counts for itself, by name, and whether their callers are addresses.
    pub(super) fn of_this_process(&self) -> [(&'static str, &RateLimiter, bool); 2] {
        [("new_password_user", &self.new_password_by_user, false), ("public_client_ip", &self.public_client_by_ip, true)]
    }

    /// The limits that all processes count together.
    pub(super) fn shared(&self) -> [&SharedLimit; 15] {
        [
            &self.login_by_ip,
            &self.login_failures_by_ip,
            &self.login_codes,
            &self.register_by_ip,
            &self.register_by_address,
            &self.mail_by_ip,
            &self.mail_by_address,
            &self.link_by_ip,
            &self.passkeys_by_ip,
            &self.export_by_user,
            &self.client_failures,
            &self.provisioning,
            &self.app_api,
            &self.client_secrets_by_admin,
            &self.email_test,
        ]
    }

    fn by_client(&self, id: Option<&str>, ip: IpAddr) -> String {
        hash(self.client_caller(id, ip))
    }

    fn client_caller(&self, id: Option<&str>, ip: IpAddr) -> CallerKey {
        by_text(&self.account_key, [by_ip(ip).as_slice(), id.unwrap_or_default().as_bytes()].concat())
    }

    fn hashed(&self, text: impl AsRef<[u8]>) -> String {
        hash(by_text(&self.account_key, text))
    }
}

/// Whether a request is within its limit, for one that is refused without a word.
fn admitted(acquired: Result<(), Fault>) -> Result<bool, Fault> {
    match acquired {
        Ok(()) => Ok(true),
        Err(fault) if fault.kind() == Kind::TooMany => Ok(false),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::{IdentityLimits, LimitSettings};
    use crypto::keys::Keys;
    use domain::shared::{Clock, Rate, SharedClock, UserId};
    use jiff::Timestamp;
    use prometheus::IntCounter;
    use std::{collections::BTreeSet, net::IpAddr, sync::Arc, time::Duration};

    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            "2026-03-01T12:00:00Z".parse().unwrap()
        }
    }

    /// Limits that allow one of each thing an hour.
    fn limits() -> IdentityLimits {
        let rate = Rate::new(1, Duration::from_hours(1));
        let settings = LimitSettings { new_password_by_user: rate, public_client_by_ip: rate, ..LimitSettings::default() };
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
    fn what_this_process_counts_is_counted_for_itself_and_for_each_caller() {
        let limits = limits();
        let things: [(&str, &dyn Fn(u8) -> bool); 2] = [
            ("password", &|caller| limits.new_password(user(caller.into())).is_ok()),
            ("public client", &|caller| limits.public_client_from(ip(caller)).is_ok()),
        ];
        for (name, thing) in things {
            assert_eq!([thing(1), thing(1), thing(2), thing(2)], [true, false, true, false], "{name}");
        }
    }

    #[test]
    fn failures_of_a_client_are_counted_for_each_address_and_by_a_hash() {
        let limits = limits();
        let of = [(Some("web"), 1), (Some("web"), 2), (Some("app"), 1), (None, 1)];
        let of = of.map(|(client, address)| limits.by_client(client, ip(address)));
        assert_eq!((of.iter().collect::<BTreeSet<_>>().len(), of.each_ref().map(String::len)), (4, [32; 4]));
        assert_eq!(of[0], limits.by_client(Some("web"), ip(1)));
    }

    #[test]
    fn an_address_is_shown_of_ipv6_the_network_and_a_hash_is_not() {
        let limits = limits();
        let shown = |ip: &str| limits.login_by_ip.shown(&super::address(ip.parse().unwrap()));
        let networks = ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8:0:1:2:3:4:5"].map(shown);
        assert_eq!(networks.each_ref().map(Option::as_deref), [Some("192.0.2.7"), Some("192.0.2.7"), Some("2001:db8:0:1::/64")]);
        assert_eq!(limits.mail_by_address.shown(&limits.hashed("ann@example.org")), None);
        assert_eq!(limits.provisioning.shown("im:porter").as_deref(), Some("im:porter"));
    }

    #[test]
    fn an_operator_sees_the_limits_of_this_process_and_the_shared_ones() {
        let limits = limits();
        limits.new_password(user(1)).unwrap();
        let full: Vec<_> = limits.of_this_process().into_iter().filter(|(_, limit, _)| limit.exhausted(1).len() == 1).collect();
        let names: Vec<_> = full.iter().map(|(name, _, is_address)| (*name, *is_address)).collect();
        assert_eq!(names, [("new_password_user", false)]);
        let all = limits.shared().map(super::SharedLimit::name);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 15);
    }
}
