//! Configuration: environment variables that begin with `APP_`, all of them optional.
//!
//! [`variables`] has a row for each variable; the typed [`Config`], `lectern check-config` and
//! `docs/configuration.md` are derived from it. No other module reads the environment.

mod assets;
mod catalogue;
pub mod docs;
pub mod egress;
mod environment;
pub mod identity;
mod images;
pub mod mail;
mod oidc;
mod otlp;
mod problem;
mod reader;
mod reads;
mod syntax;
pub mod variables;

use actors::maintenance::Retention;
use domain::{identity::second_factor::MailCodes, shared::delivery::RetrySchedule};
use reader::Reader;
use routes::{
    content::{ImageSettings, delivery::ReadSettings},
    identity::admin::ConfigVariable,
};
use secrecy::SecretString;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use variables::{accounts, content, email, limits, network, server, webhooks};

pub use assets::AssetSettings;
pub use domain::shared::Network;
pub use environment::{Environment, Unknown};
pub use otlp::OtlpSettings;
pub use problem::{Problem, Problems};
pub use syntax::{LogFormat, Services};

/// The whole configuration, read and checked.
pub struct Config {
    /// `APP_SERVICES`.
    pub services: Services,
    /// `APP_LISTEN`.
    pub listen: SocketAddr,
    /// `APP_BASE_URL`, without a trailing slash; see [`Config::base_url`].
    pub base_url: Option<String>,
    /// `APP_DATA_DIR`.
    pub data_dir: PathBuf,
    /// `APP_DATABASE_URL`; when unset, a private PostgreSQL.
    pub database_url: Option<SecretString>,
    /// `APP_DATABASE_READ_URL`.
    pub database_read_url: Option<SecretString>,
    /// `APP_RESOLVE_LIMIT`.
    pub resolve_limit: usize,
    /// `APP_DB_POOL_SIZE`.
    pub db_pool_size: usize,
    /// `APP_SECRET`; when unset, one that is kept in the data directory.
    pub secret: Option<SecretString>,
    /// `APP_TRUSTED_PROXIES`.
    pub trusted_proxies: Vec<Network>,
    /// `APP_MAX_CONNECTIONS`.
    pub max_connections: usize,
    /// `APP_MAX_CONNECTIONS_PER_ADDRESS`.
    pub max_connections_per_address: usize,
    /// `APP_RESPONSE_MEMORY_MB`, in bytes.
    pub response_memory: u64,
    /// Outgoing requests: `APP_DNS_SERVERS` and the variables that follow it in the list.
    pub egress: egress::EgressSettings,
    /// `APP_LOG_FORMAT`.
    pub log_format: LogFormat,
    /// `APP_LOG_LEVEL`, in the directives of `tracing`.
    pub log_level: String,
    /// Where traces and metrics are sent: `APP_OTLP_*`. Nowhere without an endpoint.
    pub otlp: Option<OtlpSettings>,
    /// `APP_METRICS_TOKEN`.
    pub metrics_token: Option<SecretString>,
    /// `APP_COOKIE_SECURE`.
    pub cookie_secure: bool,
    /// The cache and the limits of the Delivery API: `APP_DELIVERY_CACHE_MB`,
    /// `APP_RATE_LIMIT_DELIVERY_TOKEN`.
    pub reads: ReadSettings,
    /// Where the files of assets lie, and how large they may be: `APP_ASSET_MAX_MB`, `APP_S3_*`.
    pub assets: AssetSettings,
    /// The image service: `APP_IMAGE_*`.
    pub images: ImageSettings,
    /// `APP_IMPORT_MEMORY_MB`, in bytes.
    pub import_memory: usize,
    /// Accounts: `APP_REGISTRATION_ENABLED` and the variables that follow it in the list.
    pub identity: identity::IdentityConfig,
    /// Mail: `APP_SMTP_*`, `APP_EMAIL_*`.
    pub mail: mail::MailConfig,
    /// How long rows are kept: `APP_ACCOUNT_AUDIT_DAYS`, `APP_WEBHOOK_KEEP_DAYS`,
    /// `APP_WEBHOOK_DEAD_LETTER_DAYS`.
    pub retention: Retention,
    /// `APP_WEBHOOK_BACKOFF`.
    pub webhook_backoff: RetrySchedule,
    /// `APP_WEBHOOK_MAX_AGE`.
    pub webhook_max_age: Duration,
    /// `APP_STOP_DELAY`.
    pub stop_delay: Duration,
    /// `APP_STOP_TIMEOUT`.
    pub stop_timeout: Duration,
    /// Every variable as it was at the start, without secrets.
    pub catalogue: Arc<[ConfigVariable]>,
}

impl Config {
    /// Reads and checks every variable; the error names all that are wrong.
    pub fn read(environment: &Environment) -> Result<Self, Problems> {
        let reader = Reader::new(environment);
        let config = Self::from(&reader).map_err(|problem| reader.note(problem));
        match (config, reader.into_problems()) {
            (Ok(config), problems) if problems.is_empty() => Ok(config),
            (_, problems) => Err(Problems(problems)),
        }
    }

    /// A setting without effect. The server starts all the same.
    pub fn warning(&self) -> Option<&'static str> {
        let wants_codes = self.identity.settings.mail_codes == MailCodes::Always;
        (wants_codes && self.mail.smtp.is_none())
            .then_some("APP_EMAIL_LOGIN_CODE: no code is mailed, because APP_SMTP_HOST is not set")
    }

    fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        let base_url = reader.optional(network::APP_BASE_URL);
        let https = base_url.as_ref().is_some_and(|url| url.starts_with("https:"));
        let identity = identity::IdentityConfig::from(reader)?;
        let db_pool_size = reader.value(server::APP_DB_POOL_SIZE)?;
        let config = Self {
            services: reader.value(server::APP_SERVICES)?,
            listen: reader.value(network::APP_LISTEN)?,
            data_dir: reader.value(server::APP_DATA_DIR)?,
            database_url: reader.optional(server::APP_DATABASE_URL),
            database_read_url: reader.optional(server::APP_DATABASE_READ_URL),
            resolve_limit: reader.value(content::APP_RESOLVE_LIMIT)?,
            db_pool_size,
            secret: reader.optional(server::APP_SECRET),
            trusted_proxies: reader.value(network::APP_TRUSTED_PROXIES)?,
            max_connections: reader.value(network::APP_MAX_CONNECTIONS)?,
            max_connections_per_address: reader.value(network::APP_MAX_CONNECTIONS_PER_ADDRESS)?,
            response_memory: reader.value(limits::APP_RESPONSE_MEMORY_MB)?,
            egress: egress::EgressSettings::from(reader)?,
            log_format: reader.value(server::APP_LOG_FORMAT)?,
            log_level: reader.value(server::APP_LOG_LEVEL)?,
            otlp: OtlpSettings::read(reader)?,
            metrics_token: reader.optional(server::APP_METRICS_TOKEN),
            cookie_secure: reader.optional(accounts::APP_COOKIE_SECURE).unwrap_or(https),
            reads: reads::read(reader, db_pool_size)?,
            assets: AssetSettings::read(reader)?,
            images: images::read(reader)?,
            import_memory: in_memory(reader.value(content::APP_IMPORT_MEMORY_MB)?),
            mail: mail::MailConfig::from(reader, &identity.settings.locales, base_url.as_deref())?,
            identity,
            retention: retention(reader)?,
            webhook_backoff: reader.value(webhooks::APP_WEBHOOK_BACKOFF)?,
            webhook_max_age: reader.value(webhooks::APP_WEBHOOK_MAX_AGE)?,
            stop_delay: reader.value(server::APP_STOP_DELAY)?,
            stop_timeout: reader.value(server::APP_STOP_TIMEOUT)?,
            base_url,
            catalogue: catalogue::catalogue(reader.environment()).into(),
        };
        // This depends on the address only, not on the port, which is unknown until the server listens.
        if let Err(problem) = config.identity.passkeys.relying_party(&config.base_url(config.listen)) {
            reader.note(problem);
        }
        Ok(config)
    }

    /// The URL of the server: the configured one, or one that works on its own machine. That is `localhost`,
    /// because browsers take no address of numbers as the domain of passkeys.
    pub fn base_url(&self, listening: SocketAddr) -> String {
        match &self.base_url {
            Some(url) => url.clone(),
            None if is_localhost(listening.ip()) => format!("http://localhost:{}", listening.port()),
            None => format!("http://{listening}"),
        }
    }
}

/// Whether a server that listens there is found by the name `localhost`.
fn is_localhost(listening: IpAddr) -> bool {
    listening.is_unspecified() || listening == Ipv4Addr::LOCALHOST || listening == Ipv6Addr::LOCALHOST
}

/// A number of bytes that this machine can address.
fn in_memory(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn retention(reader: &Reader<'_>) -> Result<Retention, Problem> {
    Ok(Retention {
        account_audit: reader.value(accounts::APP_ACCOUNT_AUDIT_DAYS)?,
        deliveries: reader.value(webhooks::APP_WEBHOOK_KEEP_DAYS)?,
        dead_letters: reader.value(webhooks::APP_WEBHOOK_DEAD_LETTER_DAYS)?,
        dead_mails: reader.value(email::APP_EMAIL_DEAD_LETTER_DAYS)?,
    })
}

#[cfg(test)]
mod tests {
    use super::{Config, Environment, Reader, variables};

    fn read(pairs: &[(&str, &str)]) -> Result<Config, String> {
        Config::read(&Environment::of(pairs.iter().copied())).map_err(|error| error.to_string())
    }

    #[test]
    fn every_variable_of_the_list_is_read_and_no_other() {
        let environment = Environment::default();
        let reader = Reader::new(&environment);
        assert!(Config::from(&reader).is_ok());
        let mut known: Vec<_> = variables::all().map(|variable| variable.name).collect();
        known.sort_unstable();
        assert_eq!(reader.names_read(), known);
    }

    #[test]
    fn a_bad_value_is_one_line_that_names_the_variable() {
        for (name, value) in [
            ("APP_SERVICES", "content,mail"),
            ("APP_LISTEN", "8080"),
            ("APP_BASE_URL", "ftp://example.com"),
            ("APP_BASE_URL", "https://example.com/path"),
            ("APP_DB_POOL_SIZE", "0"),
            ("APP_SECRET", "too short"),
            ("APP_TRUSTED_PROXIES", "10.0.0.0/33"),
            ("APP_MAX_CONNECTIONS", "many"),
            ("APP_DNS_SERVERS", "10.0.0.2,resolver"),
            ("APP_ALLOWED_PRIVATE_TARGETS", "10.0.0.0/8:http"),
            ("APP_VENDOR_MAPI_URL", "https://example.com/v1"),
            ("APP_VENDOR_CDN_URL", "example.com"),
            ("APP_LOG_FORMAT", "xml"),
            ("APP_LOG_LEVEL", "loud=very"),
            ("APP_METRICS_TOKEN", "short"),
            ("APP_COOKIE_SECURE", "maybe"),
            ("APP_ACCOUNT_AUDIT_DAYS", "0"),
            ("APP_WEBHOOK_BACKOFF", "10s,1m"),
            ("APP_WEBHOOK_MAX_AGE", "72h"),
            ("APP_WEBHOOK_KEEP_DAYS", "0"),
            ("APP_STOP_DELAY", "-1"),
            ("APP_STOP_TIMEOUT", "30s"),
        ] {
            let problem = read(&[(name, value)]).err().unwrap();
            assert!(problem.starts_with(&format!("{name}: ")) && problem.lines().count() == 1, "{problem}");
        }
    }

    #[test]
    fn every_error_is_a_line_and_a_wrong_value_is_not_missing_too() {
        let problem = read(&[
            ("APP_LISTEN", "8080"),
            ("APP_STOP_TIMEOUT", "30s"),
            ("APP_S3_ENDPOINT", "https://s3.example.com"),
            ("APP_SMTP_HOST", "mail server"),
            ("APP_SMTP_PORT", "0"),
            ("APP_DEFAULT_LOCALE", "tlh"),
            ("APP_WEBAUTHN_RP_ID", "example.com"),
        ])
        .err()
        .unwrap();
        let mut names: Vec<&str> = problem.lines().map(|line| line.split_once(": ").unwrap().0).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "APP_DEFAULT_LOCALE",
                "APP_LISTEN",
                "APP_S3_ACCESS_KEY",
                "APP_S3_BUCKET",
                "APP_S3_SECRET_KEY",
                "APP_SMTP_HOST",
                "APP_SMTP_PORT",
                "APP_STOP_TIMEOUT",
                "APP_WEBAUTHN_RP_ID",
            ]
        );
        let problem = read(&[("APP_SECRET", "short"), ("APP_S3_BUCKET", "b")]).err().unwrap();
        assert_eq!(problem.lines().count(), 2, "{problem}");
    }

    #[test]
    fn the_list_has_the_default_retention() {
        assert_eq!(read(&[]).unwrap().retention, actors::maintenance::Retention::default());
    }

    #[test]
    fn a_secret_is_not_repeated_in_an_error() {
        assert!(!read(&[("APP_SECRET", "hunter2")]).err().unwrap().contains("hunter2"));
    }

    #[test]
    fn an_empty_value_counts_as_unset() {
        assert_eq!(read(&[("APP_LISTEN", "")]).unwrap().listen.port(), 8080);
    }

    #[test]
    fn the_base_url_decides_whether_cookies_are_secure() {
        let secure = |pairs: &[(&str, &str)]| read(pairs).unwrap().cookie_secure;
        assert!(!secure(&[]));
        assert!(secure(&[("APP_BASE_URL", "https://cms.example.com/")]));
        assert!(!secure(&[("APP_BASE_URL", "https://cms.example.com"), ("APP_COOKIE_SECURE", "false")]));
    }

    #[test]
    fn without_a_base_url_it_is_where_the_server_listens() {
        let url = |listening: &str| read(&[]).unwrap().base_url(listening.parse().unwrap());
        for loopback in ["127.0.0.1:80", "0.0.0.0:80", "[::1]:80", "[::]:80"] {
            assert_eq!(url(loopback), "http://localhost:80", "{loopback}");
        }
        assert_eq!(url("127.0.0.2:9000"), "http://127.0.0.2:9000", "no name leads there");
        assert_eq!(url("192.0.2.7:80"), "http://192.0.2.7:80");
        let configured = read(&[("APP_BASE_URL", "https://x.example/")]).unwrap();
        assert_eq!(configured.base_url("127.0.0.1:80".parse().unwrap()), "https://x.example");
    }
}
