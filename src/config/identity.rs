//! The variables of the identity service.

use super::{
    oidc::{self, OidcConfig},
    problem::Problem,
    reader::Reader,
    variables::{accounts, email, limits},
};
use crypto::passwords::PasswordSettings;
use domain::{
    identity::{
        Locales, PasswordRules, RelyingParty, lockout::Rules, passkey::relying_party::RelyingPartyError, second_factor::MailCodes,
    },
    shared::ProofRule,
};
use services::identity::{IdentitySettings, LimitSettings, SiteLinks};
use std::{sync::Arc, time::Duration};

/// The configuration of the identity service.
#[derive(Debug, Clone)]
pub struct IdentityConfig {
    /// The rules of accounts.
    pub settings: IdentitySettings,
    /// `APP_ADMIN_SESSION_MAX_AGE`.
    pub admin_session_max_age: Duration,
    /// `APP_REAUTH_SECONDS`.
    pub proofs: ProofRule,
    pub limits: LimitSettings,
    /// The costs of password hashes.
    pub passwords: PasswordSettings,
    /// The domain and origins of passkeys.
    pub passkeys: PasskeySettings,
    /// The OpenID provider, but for its clients, which are part of the settings.
    pub oidc: OidcConfig,
}

/// `APP_WEBAUTHN_*`. Which domain results depends on the URL of the server.
#[derive(Debug, Clone)]
pub struct PasskeySettings {
    id: Option<String>,
    origins: Vec<String>,
}

impl PasskeySettings {
    fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        let id = reader.optional(accounts::APP_WEBAUTHN_RP_ID);
        Ok(Self { id, origins: reader.value(accounts::APP_WEBAUTHN_ORIGINS)? })
    }

    /// The relying party of a server with this URL.
    pub fn relying_party(&self, base_url: &str) -> Result<RelyingParty, Problem> {
        RelyingParty::new(base_url, self.id.as_deref(), &self.origins).map_err(|error| match error {
            RelyingPartyError::Id(what) => accounts::APP_WEBAUTHN_RP_ID.variable.problem(what),
            RelyingPartyError::Origin(what) => accounts::APP_WEBAUTHN_ORIGINS.variable.problem(what),
        })
    }
}

impl IdentityConfig {
    pub(super) fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        let name: String = reader.value(accounts::APP_NAME)?;
        let settings = IdentitySettings {
            registration_enabled: reader.value(accounts::APP_REGISTRATION_ENABLED)?,
            first_user_is_admin: reader.value(accounts::APP_FIRST_USER_IS_ADMIN)?,
            password_rules: PasswordRules {
                min_length: reader.value(accounts::APP_PASSWORD_MIN_LENGTH)?,
                uppercase: reader.value(accounts::APP_PASSWORD_REQUIRE_UPPERCASE)?,
                lowercase: reader.value(accounts::APP_PASSWORD_REQUIRE_LOWERCASE)?,
                digit: reader.value(accounts::APP_PASSWORD_REQUIRE_DIGIT)?,
                symbol: reader.value(accounts::APP_PASSWORD_REQUIRE_SYMBOL)?,
                service: name.clone(),
            },
            locales: locales(reader)?,
            clients: Arc::new(oidc::clients(reader)?),
            provisioning_tokens: oidc::provisioning_tokens(reader),
            name,
            links: links(reader),
            mail_codes: reader.optional(email::APP_EMAIL_LOGIN_CODE).unwrap_or(MailCodes::Suspicious),
        };
        let admin_session_max_age = reader.value(accounts::APP_ADMIN_SESSION_MAX_AGE)?;
        let proofs = ProofRule::new(reader.value(accounts::APP_REAUTH_SECONDS)?);
        let passwords = lockout(reader)?;
        let code_failures = reader.value(limits::APP_LOCKOUT_CODE_FAILURES)?;
        let mailed_code_failures = reader.value(limits::APP_LOCKOUT_MAILED_CODE_FAILURES)?;
        let limits = LimitSettings {
            enabled: reader.value(limits::APP_RATE_LIMITS)?,
            login_by_ip: reader.value(limits::APP_RATE_LIMIT_LOGIN_IP)?,
            login_failures_by_ip: reader.value(limits::APP_RATE_LIMIT_LOGIN_FAILURES_IP)?,
            login_codes: reader.value(limits::APP_RATE_LIMIT_LOGIN_CODES)?,
            codes: Rules { failures: code_failures, ..passwords },
            mailed_codes: Rules { failures: mailed_code_failures, ..passwords }.by_the_hour(),
            passwords,
            register_by_ip: reader.value(limits::APP_RATE_LIMIT_REGISTER_IP)?,
            register_by_address: reader.value(limits::APP_RATE_LIMIT_REGISTER_ADDRESS)?,
            mail_by_ip: reader.value(limits::APP_RATE_LIMIT_MAIL_IP)?,
            mail_by_address: reader.value(limits::APP_RATE_LIMIT_MAIL_ADDRESS)?,
            link_by_ip: reader.value(limits::APP_RATE_LIMIT_LINK_IP)?,
            passkeys_by_ip: reader.value(limits::APP_RATE_LIMIT_PASSKEYS_IP)?,
            new_password_by_user: reader.value(limits::APP_RATE_LIMIT_NEW_PASSWORD_USER)?,
            export_by_user: reader.value(limits::APP_RATE_LIMIT_EXPORT_USER)?,
            client_failures: reader.value(limits::APP_RATE_LIMIT_CLIENT_FAILURES)?,
            public_client_by_ip: reader.value(limits::APP_RATE_LIMIT_PUBLIC_CLIENT_IP)?,
            provisioning: reader.value(limits::APP_RATE_LIMIT_PROVISIONING)?,
            app_api: reader.value(limits::APP_RATE_LIMIT_APP_API)?,
            client_secrets_by_admin: reader.value(limits::APP_RATE_LIMIT_CLIENT_SECRETS_ADMIN)?,
            email_test: reader.value(limits::APP_RATE_LIMIT_TEST_MAILS)?,
        };
        let (passkeys, oidc) = (PasskeySettings::from(reader)?, OidcConfig::from(reader)?);
        Ok(Self { settings, admin_session_max_age, proofs, limits, passwords: hashing(reader)?, passkeys, oidc })
    }
}

fn links(reader: &Reader<'_>) -> SiteLinks {
    SiteLinks {
        help: reader.optional(accounts::APP_HELP_URL),
        privacy: reader.optional(accounts::APP_PRIVACY_URL),
        imprint: reader.optional(accounts::APP_IMPRINT_URL),
    }
}

fn lockout(reader: &Reader<'_>) -> Result<Rules, Problem> {
    Ok(Rules {
        failures: reader.value(limits::APP_LOCKOUT_FAILURES)?,
        window: reader.value(limits::APP_LOCKOUT_WINDOW)?,
        wait: reader.value(limits::APP_LOCKOUT_WAIT)?,
        max_wait: reader.value(limits::APP_LOCKOUT_MAX_WAIT)?,
        forget_after: reader.value(limits::APP_LOCKOUT_FORGET)?,
        per_day: reader.value(limits::APP_LOCKOUT_PER_DAY)?,
    })
}

fn locales(reader: &Reader<'_>) -> Result<Locales, Problem> {
    let supported = reader.value(accounts::APP_SUPPORTED_LOCALES)?;
    let default = reader.optional(accounts::APP_DEFAULT_LOCALE);
    let default = default.or_else(|| supported.first().cloned()).unwrap_or_default();
    let first = supported.first().cloned().unwrap_or_default();
    Locales::new(supported.clone(), default)
        .or_else(|what| {
            reader.note(accounts::APP_DEFAULT_LOCALE.variable.problem(what));
            Locales::new(supported, first)
        })
        .map_err(|what| accounts::APP_SUPPORTED_LOCALES.variable.problem(what))
}

fn hashing(reader: &Reader<'_>) -> Result<PasswordSettings, Problem> {
    let settings = PasswordSettings {
        memory_kib: reader.value(accounts::APP_ARGON2_MEMORY_KIB)?,
        iterations: reader.value(accounts::APP_ARGON2_ITERATIONS)?,
        parallelism: reader.value(accounts::APP_ARGON2_PARALLELISM)?,
        ..PasswordSettings::default()
    };
    if let Err(what) = settings.check() {
        reader.note(accounts::APP_ARGON2_MEMORY_KIB.variable.problem(what));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};
    use services::identity::{IdentitySettings, LimitSettings};

    fn read(pairs: &[(&str, &str)]) -> Result<super::IdentityConfig, String> {
        Config::read(&Environment::of(pairs.iter().copied())).map(|value| value.identity).map_err(|error| error.to_string())
    }

    #[test]
    fn the_list_has_the_defaults_of_the_settings() {
        let identity = read(&[]).unwrap();
        assert_eq!(format!("{:?}", identity.settings), format!("{:?}", IdentitySettings::default()));
        assert_eq!(format!("{:?}", identity.limits), format!("{:?}", LimitSettings::default()));
        assert_eq!(identity.passwords, crypto::passwords::PasswordSettings::default());
    }

    #[test]
    fn the_first_supported_locale_is_the_default() {
        let locales = read(&[("APP_SUPPORTED_LOCALES", "de, en")]).unwrap().settings.locales;
        assert_eq!((locales.choose(None), locales.supported().len()), (Some("de"), 2));
        assert!(read(&[("APP_DEFAULT_LOCALE", "fr")]).unwrap_err().starts_with("APP_DEFAULT_LOCALE: "));
    }

    #[test]
    fn the_foot_of_the_pages_leads_to_pages_and_mailboxes() {
        let links = read(&[("APP_HELP_URL", "mailto:help@example.org"), ("APP_PRIVACY_URL", "https://example.org/p?a=b#c")]);
        let links = links.unwrap().settings.links;
        assert_eq!(links.help.as_deref(), Some("mailto:help@example.org"));
        assert_eq!((links.privacy.as_deref(), links.imprint), (Some("https://example.org/p?a=b#c"), None));
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_variable() {
        for (name, value) in [
            ("APP_REGISTRATION_ENABLED", "yes"),
            ("APP_PASSWORD_MIN_LENGTH", "7"),
            ("APP_SUPPORTED_LOCALES", "en_US"),
            ("APP_RATE_LIMITS", "true"),
            ("APP_RATE_LIMIT_LOGIN_IP", "20"),
            ("APP_EMAIL_LOGIN_CODE", "sometimes"),
            ("APP_WEBAUTHN_RP_ID", "https://example.org"),
            ("APP_WEBAUTHN_RP_ID", "example.org"),
            ("APP_WEBAUTHN_ORIGINS", "example.org"),
            ("APP_WEBAUTHN_ORIGINS", "https://example.org"),
            ("APP_ADMIN_SESSION_MAX_AGE", "12h"),
            ("APP_ADMIN_SESSION_MAX_AGE", "59"),
            ("APP_REAUTH_SECONDS", "86401"),
            ("APP_REAUTH_SECONDS", "-1"),
            ("APP_LOCKOUT_FAILURES", "1"),
            ("APP_LOCKOUT_WAIT", "1m"),
            ("APP_ARGON2_MEMORY_KIB", "4"),
            ("APP_ARGON2_PARALLELISM", "17"),
            ("APP_HELP_URL", "help@example.org"),
            ("APP_HELP_URL", "mailto:help"),
            ("APP_PRIVACY_URL", "/privacy"),
            ("APP_PRIVACY_URL", "javascript:alert(1)"),
            ("APP_IMPRINT_URL", "https:///imprint"),
        ] {
            let problem = read(&[(name, value)]).unwrap_err();
            assert!(problem.starts_with(&format!("{name}: ")) && problem.lines().count() == 1, "{problem}");
        }
        let problem = read(&[("APP_ARGON2_MEMORY_KIB", "8"), ("APP_ARGON2_PARALLELISM", "2")]).unwrap_err();
        assert!(problem.starts_with("APP_ARGON2_MEMORY_KIB: "), "{problem}");
    }
}
