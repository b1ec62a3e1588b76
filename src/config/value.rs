//! The syntax of values.

use domain::{
    identity::{Email, Locales, mail::Sender, second_factor::MailCodes},
    shared::{Network, Rate, delivery::RetrySchedule},
};
use egress::{dns, guard::Exception, mail::Security};
use secrecy::SecretString;
use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};
use tracing_subscriber::EnvFilter;

/// A value that can be parsed from text. The error completes a sentence that begins with the text.
pub(super) trait Value: Sized {
    fn parse(text: &str) -> Result<Self, String>;
}

impl Value for SocketAddr {
    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "is no address with a port".to_owned())
    }
}

impl Value for bool {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("is neither true nor false".to_owned()),
        }
    }
}

/// `on` or `off`.
pub(super) struct Switch(pub(super) bool);

impl Value for Switch {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err("is neither on nor off".to_owned()),
        }
    }
}

impl Value for MailCodes {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            "suspicious" => Ok(Self::Suspicious),
            "always" => Ok(Self::Always),
            _ => Err("is neither off nor suspicious nor always".to_owned()),
        }
    }
}

impl Value for String {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

impl Value for RetrySchedule {
    fn parse(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for Rate {
    fn parse(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

/// Language tags separated by commas, at least one.
pub(super) struct Tags(pub(super) Vec<String>);

impl Value for Tags {
    fn parse(text: &str) -> Result<Self, String> {
        let tags: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        let first = tags.first().cloned().ok_or("names no language")?;
        Locales::new(tags.clone(), first)?;
        Ok(Self(tags))
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(Self::from(text))
    }
}

impl Value for SecretString {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }
}

impl Value for Vec<Network> {
    fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::parse).collect::<Result<_, _>>().map_err(|what| format!("is no list of addresses and networks: {what}"))
    }
}

impl Value for Vec<Exception> {
    fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::parse).collect::<Result<_, _>>().map_err(|what| format!("is no list of networks with ports: {what}"))
    }
}

/// Resolvers: addresses, with a port where it is not 53.
pub(super) struct Resolvers(pub(super) Vec<SocketAddr>);

impl Value for Resolvers {
    fn parse(text: &str) -> Result<Self, String> {
        let server =
            |value: &str| value.parse().or_else(|_| value.parse::<IpAddr>().map(|address| SocketAddr::new(address, dns::PORT)));
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let servers = parts.map(|part| server(part).map_err(|_| format!("is no list of addresses: {part:?}")));
        servers.collect::<Result<_, _>>().map(Self)
    }
}

/// A whole number within bounds.
pub(super) struct Bounded<const MIN: usize, const MAX: usize>(pub(super) usize);

impl<const MIN: usize, const MAX: usize> Value for Bounded<MIN, MAX> {
    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Self(number)),
            _ => Err(format!("is no whole number from {MIN} to {MAX}")),
        }
    }
}

impl<const MIN: usize, const MAX: usize> Bounded<MIN, MAX> {
    /// The number as 32 bits, which the bounds of every user fit into.
    pub(super) fn fit(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// Whole seconds within bounds.
pub(super) struct Seconds<const MIN: u64, const MAX: u64>(pub(super) Duration);

impl<const MIN: u64, const MAX: u64> Value for Seconds<MIN, MAX> {
    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Self(Duration::from_secs(number))),
            _ => Err(format!("is no whole number of seconds from {MIN} to {MAX}")),
        }
    }
}

/// A secret of a minimum length in bytes.
pub(super) struct Token<const MIN: usize>(pub(super) SecretString);

impl<const MIN: usize> Value for Token<MIN> {
    fn parse(text: &str) -> Result<Self, String> {
        if text.len() < MIN {
            return Err(format!("must have at least {MIN} bytes"));
        }
        Ok(Self(text.into()))
    }
}

/// Scheme, host and port.
pub(super) struct Origin(pub(super) String);

impl Value for Origin {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "is no http or https URL without a path".to_owned();
        let uri: http::Uri = text.parse().map_err(|_| wrong())?;
        let authority = uri.authority().filter(|a| !a.host().is_empty() && !a.as_str().contains('@')).ok_or_else(wrong)?;
        match (uri.scheme_str(), uri.path(), uri.query()) {
            (Some(scheme @ ("http" | "https")), "" | "/", None) => {
                Ok(Self(format!("{scheme}://{}", authority.as_str().to_lowercase())))
            }
            _ => Err(wrong()),
        }
    }
}

/// An address that a page links to: of a page, or of a mailbox.
pub(super) struct PublicLink(pub(super) String);

impl Value for PublicLink {
    fn parse(text: &str) -> Result<Self, String> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_page = || {
            let uri = text.parse::<http::Uri>().ok();
            uri.is_some_and(|uri| {
                matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
            })
        };
        let is_mailbox = || text.strip_prefix("mailto:").is_some_and(|address| Email::parse(address).is_some());
        if is_plain && (is_page() || is_mailbox()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("is no http or https URL, nor mailto: with an address".to_owned())
        }
    }
}

/// Headers of requests: names and values, separated by commas.
pub(super) struct Headers(pub(super) http::HeaderMap);

impl Value for Headers {
    fn parse(text: &str) -> Result<Self, String> {
        let header = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            let name = http::HeaderName::try_from(name.trim()).ok()?;
            let mut value = http::HeaderValue::try_from(value.trim()).ok()?;
            value.set_sensitive(true);
            Some((name, value))
        };
        let headers: Option<http::HeaderMap> = text.split(',').map(header).collect();
        headers.map(Self).ok_or_else(|| "is no list of names and values of headers".to_owned())
    }
}

/// Several origins, separated by commas.
pub(super) struct Origins(pub(super) Vec<String>);

impl Value for Origins {
    fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let origins: Result<Vec<String>, String> = parts.map(|part| Origin::parse(part).map(|part| part.0)).collect();
        origins.map(Self).map_err(|_| "names something else than http and https URLs without a path".to_owned())
    }
}

/// The name or the address of a host, without port or brackets.
pub(super) struct Host(pub(super) String);

impl Value for Host {
    fn parse(text: &str) -> Result<Self, String> {
        let is_label =
            |value: &str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let is_name = text.len() <= 253 && text.split('.').all(is_label);
        if is_name || text.parse::<IpAddr>().is_ok() {
            Ok(Self(text.to_owned()))
        } else {
            Err("is no name or address of a host".to_owned())
        }
    }
}

/// How the connection to a mail server is secured.
pub(super) struct MailSecurity(pub(super) Security);

impl Value for MailSecurity {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "starttls" => Ok(Self(Security::StartTls)),
            "implicit" => Ok(Self(Security::Implicit)),
            "none" => Ok(Self(Security::None)),
            _ => Err("is neither starttls nor implicit nor none".to_owned()),
        }
    }
}

impl Value for Sender {
    fn parse(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

/// Which of the two services are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Services {
    /// Spaces and what is in them.
    pub content: bool,
    pub identity: bool,
}

impl Value for Services {
    fn parse(text: &str) -> Result<Self, String> {
        let mut services = Self { content: false, identity: false };
        for name in text.split(',').map(str::trim) {
            match name {
                "content" => services.content = true,
                "identity" => services.identity = true,
                _ => return Err("names something else than content and identity".to_owned()),
            }
        }
        Ok(services)
    }
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Pretty,
    /// A JSON object a line.
    Json,
}

impl Value for LogFormat {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "pretty" => Ok(Self::Pretty),
            "json" => Ok(Self::Json),
            _ => Err("is neither pretty nor json".to_owned()),
        }
    }
}

/// Log levels, in the directives of `tracing`.
pub(super) struct Filter(pub(super) String);

impl Value for Filter {
    fn parse(text: &str) -> Result<Self, String> {
        EnvFilter::try_new(text).map_err(|error| format!("cannot be read ({error})"))?;
        Ok(Self(text.to_owned()))
    }
}
