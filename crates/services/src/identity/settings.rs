//! What an operator configures of accounts and their limits.

use domain::{
    identity::{Locales, PasswordRules, ProvisioningToken, lockout::Rules, oidc::Clients, second_factor::MailCodes},
    shared::Rate,
};
use std::{sync::Arc, time::Duration};

/// Settings of the identity service.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// `APP_REGISTRATION_ENABLED`.
    pub registration_enabled: bool,
    /// `APP_FIRST_USER_IS_ADMIN`.
    pub first_user_is_admin: bool,
    /// `APP_PASSWORD_MIN_LENGTH` and `APP_PASSWORD_REQUIRE_*`.
    pub password_rules: PasswordRules,
    /// `APP_SUPPORTED_LOCALES` and `APP_DEFAULT_LOCALE`.
    pub locales: Locales,
    /// `APP_OIDC_CLIENTS_JSON`.
    pub clients: Arc<Clients>,
    /// `APP_ADMIN_API_TOKENS_JSON`.
    pub provisioning_tokens: Vec<ProvisioningToken>,
    /// `APP_NAME`: what people know the service by.
    pub name: String,
    /// Where the foot of every page leads.
    pub links: SiteLinks,
    /// `APP_EMAIL_LOGIN_CODE`. As long as no mail is sent, none is.
    pub mail_codes: MailCodes,
}

/// What the operator says of the service elsewhere: addresses for browsers, shown at the foot of every page
/// where they are set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteLinks {
    /// `APP_HELP_URL`.
    pub help: Option<String>,
    /// `APP_PRIVACY_URL`.
    pub privacy: Option<String>,
    /// `APP_IMPRINT_URL`.
    pub imprint: Option<String>,
}

impl Default for IdentitySettings {
    fn default() -> Self {
        Self {
            registration_enabled: true,
            first_user_is_admin: true,
            password_rules: PasswordRules::default(),
            locales: Locales::default(),
            clients: Arc::default(),
            provisioning_tokens: Vec::new(),
            name: "Lectern".to_owned(),
            links: SiteLinks::default(),
            mail_codes: MailCodes::Suspicious,
        }
    }
}

/// Rate limits; a [`Rate`] is read from texts such as `20/min`.
#[derive(Debug, Clone, Copy)]
pub struct LimitSettings {
    /// `APP_RATE_LIMITS`: `on` or `off`.
    pub enabled: bool,
    /// `APP_RATE_LIMIT_LOGIN_IP`: logins tried from one address.
    pub login_by_ip: Rate,
    /// `APP_RATE_LIMIT_LOGIN_FAILURES_IP`: logins that failed from one address.
    pub login_failures_by_ip: Rate,
    /// `APP_RATE_LIMIT_LOGIN_CODES`: login codes that are mailed to one account.
    pub login_codes: Rate,
    /// `APP_LOCKOUT_*`: for passwords.
    pub passwords: Rules,
    /// The same for codes, with `APP_LOCKOUT_CODE_FAILURES`.
    pub codes: Rules,
    /// The same for codes that are mailed, by the hour, with `APP_LOCKOUT_MAILED_CODE_FAILURES`.
    pub mailed_codes: Rules,
    /// `APP_RATE_LIMIT_REGISTER_IP`: registrations tried from one address.
    pub register_by_ip: Rate,
    /// `APP_RATE_LIMIT_REGISTER_ADDRESS`: how often the owner of an address is notified of an attempt to
    /// register it.
    pub register_by_address: Rate,
    /// `APP_RATE_LIMIT_MAIL_IP`: mails asked for from one address.
    pub mail_by_ip: Rate,
    /// `APP_RATE_LIMIT_MAIL_ADDRESS`: mails that strangers can have sent to one address.
    pub mail_by_address: Rate,
    /// `APP_RATE_LIMIT_LINK_IP`: links that did not work, tried from one address.
    pub link_by_ip: Rate,
    /// `APP_RATE_LIMIT_PASSKEYS_IP`: passkeys asked for, and shown, from one address.
    pub passkeys_by_ip: Rate,
    /// `APP_RATE_LIMIT_NEW_PASSWORD_USER`: new passwords tried for one account.
    pub new_password_by_user: Rate,
    /// `APP_RATE_LIMIT_EXPORT_USER`: exports of one account.
    pub export_by_user: Rate,
    /// `APP_RATE_LIMIT_CLIENT_FAILURES`: wrong proofs of one OIDC client from one address.
    pub client_failures: Rate,
    /// `APP_RATE_LIMIT_PUBLIC_CLIENT_IP`: authorization requests of clients without a secret that are stored
    /// for one address.
    pub public_client_by_ip: Rate,
    /// `APP_RATE_LIMIT_PROVISIONING`: requests with one provisioning token.
    pub provisioning: Rate,
    /// `APP_RATE_LIMIT_APP_API`: requests of one OIDC client to the app API.
    pub app_api: Rate,
    /// `APP_RATE_LIMIT_CLIENT_SECRETS_ADMIN`: secrets of OIDC clients that one administrator is shown.
    pub client_secrets_by_admin: Rate,
    /// `APP_RATE_LIMIT_TEST_MAILS`: test mails of one administrator.
    pub email_test: Rate,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            login_by_ip: Rate::new(20, Duration::from_mins(1)),
            login_failures_by_ip: Rate::new(100, Duration::from_hours(1)),
            login_codes: Rate::new(10, Duration::from_hours(1)),
            passwords: Rules::default(),
            codes: Rules { failures: 10, ..Rules::default() },
            mailed_codes: Rules { failures: 10, ..Rules::default() }.by_the_hour(),
            register_by_ip: Rate::new(10, Duration::from_hours(1)),
            register_by_address: Rate::new(1, Duration::from_hours(1)),
            mail_by_ip: Rate::new(20, Duration::from_hours(1)),
            mail_by_address: Rate::new(3, Duration::from_hours(1)),
            link_by_ip: Rate::new(20, Duration::from_hours(1)),
            passkeys_by_ip: Rate::new(30, Duration::from_mins(1)),
            new_password_by_user: Rate::new(10, Duration::from_mins(15)),
            export_by_user: Rate::new(5, Duration::from_hours(1)),
            client_failures: Rate::new(30, Duration::from_mins(1)),
            public_client_by_ip: Rate::new(60, Duration::from_mins(1)),
            provisioning: Rate::new(60, Duration::from_mins(1)),
            app_api: Rate::new(120, Duration::from_mins(1)),
            client_secrets_by_admin: Rate::new(10, Duration::from_mins(1)),
            email_test: Rate::new(10, Duration::from_mins(10)),
        }
    }
}
