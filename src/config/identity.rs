//! The variables of the identity service.

use super::{
    oidc::{self, OidcConfig},
    reader::{Problem, Reader, problem},
    value::{Bounded, Host, Origins, PublicLink, Seconds, Switch, Tags},
};
use crypto::passwords::PasswordSettings;
use domain::{
    identity::{
        Locales, PasswordRules, RelyingParty, lockout::Rules, passkey::relying_party::RelyingPartyError, second_factor::MailCodes,
    },
    shared::{ProofRule, Rate},
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
        let id = reader.optional::<Host>("APP_WEBAUTHN_RP_ID")?.map(|value| value.0);
        Ok(Self { id, origins: reader.value::<Origins>("APP_WEBAUTHN_ORIGINS")?.0 })
    }

    /// The relying party of a server with this URL.
    pub fn relying_party(&self, base_url: &str) -> Result<RelyingParty, Problem> {
        RelyingParty::new(base_url, self.id.as_deref(), &self.origins).map_err(|error| match error {
            RelyingPartyError::Id(what) => problem("APP_WEBAUTHN_RP_ID", what),
            RelyingPartyError::Origin(what) => problem("APP_WEBAUTHN_ORIGINS", what),
        })
    }
}

impl IdentityConfig {
    pub(super) fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        let name: String = reader.value("APP_NAME")?;
        let settings = IdentitySettings {
            registration_enabled: reader.value("APP_REGISTRATION_ENABLED")?,
            first_user_is_admin: reader.value("APP_FIRST_USER_IS_ADMIN")?,
            password_rules: PasswordRules {
                min_length: reader.value::<Bounded<8, 64>>("APP_PASSWORD_MIN_LENGTH")?.0,
                uppercase: reader.value("APP_PASSWORD_REQUIRE_UPPERCASE")?,
                lowercase: reader.value("APP_PASSWORD_REQUIRE_LOWERCASE")?,
                digit: reader.value("APP_PASSWORD_REQUIRE_DIGIT")?,
                symbol: reader.value("APP_PASSWORD_REQUIRE_SYMBOL")?,
                service: name.clone(),
            },
            locales: locales(reader)?,
            clients: Arc::new(oidc::clients(reader)?),
            provisioning_tokens: oidc::provisioning_tokens(reader)?,
            name,
            links: links(reader)?,
            mail_codes: reader.optional("APP_EMAIL_LOGIN_CODE")?.unwrap_or(MailCodes::Suspicious),
        };
        let admin_session_max_age = reader.value::<Seconds<60, 1_209_600>>("APP_ADMIN_SESSION_MAX_AGE")?.0;
        let proofs = ProofRule::new(reader.value::<Seconds<0, 86_400>>("APP_REAUTH_SECONDS")?.0);
        let passwords = lockout(reader)?;
        let code_failures = reader.value::<Bounded<2, 100>>("APP_LOCKOUT_CODE_FAILURES")?.fit();
        let mailed_code_failures = reader.value::<Bounded<2, 100>>("APP_LOCKOUT_MAILED_CODE_FAILURES")?.fit();
        let limits = LimitSettings {
            enabled: reader.value::<Switch>("APP_RATE_LIMITS")?.0,
            login_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_LOGIN_IP")?,
            login_failures_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_LOGIN_FAILURES_IP")?,
            login_codes: reader.value::<Rate>("APP_RATE_LIMIT_LOGIN_CODES")?,
            codes: Rules { failures: code_failures, ..passwords },
            mailed_codes: Rules { failures: mailed_code_failures, ..passwords }.by_the_hour(),
            passwords,
            register_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_REGISTER_IP")?,
            register_by_address: reader.value::<Rate>("APP_RATE_LIMIT_REGISTER_ADDRESS")?,
            mail_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_MAIL_IP")?,
            mail_by_address: reader.value::<Rate>("APP_RATE_LIMIT_MAIL_ADDRESS")?,
            link_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_LINK_IP")?,
            passkeys_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_PASSKEYS_IP")?,
            new_password_by_user: reader.value::<Rate>("APP_RATE_LIMIT_NEW_PASSWORD_USER")?,
            export_by_user: reader.value::<Rate>("APP_RATE_LIMIT_EXPORT_USER")?,
            client_failures: reader.value::<Rate>("APP_RATE_LIMIT_CLIENT_FAILURES")?,
            public_client_by_ip: reader.value::<Rate>("APP_RATE_LIMIT_PUBLIC_CLIENT_IP")?,
            provisioning: reader.value::<Rate>("APP_RATE_LIMIT_PROVISIONING")?,
            app_api: reader.value::<Rate>("APP_RATE_LIMIT_APP_API")?,
            client_secrets_by_admin: reader.value::<Rate>("APP_RATE_LIMIT_CLIENT_SECRETS_ADMIN")?,
            email_test: reader.value::<Rate>("APP_RATE_LIMIT_TEST_MAILS")?,
        };
        let (passkeys, oidc) = (PasskeySettings::from(reader)?, OidcConfig::from(reader)?);
        Ok(Self { settings, admin_session_max_age, proofs, limits, passwords: hashing(reader)?, passkeys, oidc })
    }
}

fn links(reader: &Reader<'_>) -> Result<SiteLinks, Problem> {
    let link = |name| Ok(reader.optional::<PublicLink>(name)?.map(|value| value.0));
    Ok(SiteLinks { help: link("APP_HELP_URL")?, privacy: link("APP_PRIVACY_URL")?, imprint: link("APP_IMPRINT_URL")? })
}

fn lockout(reader: &Reader<'_>) -> Result<Rules, Problem> {
    Ok(Rules {
        failures: reader.value::<Bounded<2, 100>>("APP_LOCKOUT_FAILURES")?.fit(),
        window: reader.value::<Seconds<1, 86_400>>("APP_LOCKOUT_WINDOW")?.0,
        wait: reader.value::<Seconds<1, 86_400>>("APP_LOCKOUT_WAIT")?.0,
        max_wait: reader.value::<Seconds<1, 86_400>>("APP_LOCKOUT_MAX_WAIT")?.0,
        forget_after: reader.value::<Seconds<1, 86_400>>("APP_LOCKOUT_FORGET")?.0,
        per_day: reader.value::<Bounded<2, 100_000>>("APP_LOCKOUT_PER_DAY")?.fit(),
    })
}

fn locales(reader: &Reader<'_>) -> Result<Locales, Problem> {
    let supported = reader.value::<Tags>("APP_SUPPORTED_LOCALES")?.0;
    let default = reader.optional::<String>("APP_DEFAULT_LOCALE")?;
    let default = default.or_else(|| supported.first().cloned()).unwrap_or_default();
    let first = supported.first().cloned().unwrap_or_default();
    Locales::new(supported.clone(), default)
        .or_else(|what| {
            reader.note(problem("APP_DEFAULT_LOCALE", what));
            Locales::new(supported, first)
        })
        .map_err(|what| problem("APP_SUPPORTED_LOCALES", what))
}

fn hashing(reader: &Reader<'_>) -> Result<PasswordSettings, Problem> {
    let settings = PasswordSettings {
        memory_kib: reader.value::<Bounded<8, 1_048_576>>("APP_ARGON2_MEMORY_KIB")?.fit(),
        iterations: reader.value::<Bounded<1, 16>>("APP_ARGON2_ITERATIONS")?.fit(),
        parallelism: reader.value::<Bounded<1, 16>>("APP_ARGON2_PARALLELISM")?.fit(),
        ..PasswordSettings::default()
    };
    if let Err(what) = settings.check() {
        reader.note(problem("APP_ARGON2_MEMORY_KIB", what));
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
