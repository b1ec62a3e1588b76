//! What an operator decides about accounts.

use domain::{
    identity::{Locales, PasswordRules},
    shared::Rate,
};
use std::time::Duration;

/// Settings of the identity wing.
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
}

impl Default for IdentitySettings {
    fn default() -> Self {
        Self {
            registration_enabled: true,
            first_user_is_admin: true,
            password_rules: PasswordRules::default(),
            locales: Locales::default(),
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
    /// `APP_RATE_LIMIT_LOGIN_ACCOUNT`: logins tried for one account.
    pub login_by_account: Rate,
    /// `APP_RATE_LIMIT_REGISTER_IP`: registrations tried from one address.
    pub register_by_ip: Rate,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            login_by_ip: Rate::new(20, Duration::from_mins(1)),
            login_by_account: Rate::new(10, Duration::from_mins(1)),
            register_by_ip: Rate::new(10, Duration::from_hours(1)),
        }
    }
}
