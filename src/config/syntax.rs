//! The syntax of values: how the documentation names it, what parses it, and within which bounds.

use domain::{
    identity::{Email, Locales, mail, second_factor::MailCodes},
    shared::{Network, Rate, delivery::RetrySchedule},
};
use egress::{dns, guard::Exception, mail::Security};
use http::HeaderMap;
use jiff::SignedDuration;
use secrecy::SecretString;
use std::{
    marker::PhantomData,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};
use tracing_subscriber::EnvFilter;

/// How the values of a variable are written.
pub(super) trait Syntax {
    /// What a text is parsed to.
    type Value;

    /// Whether values must not be shown. They may then also come from a file, named by the variable with the
    /// suffix `_FILE`.
    const SECRET: bool = false;

    /// The words for it in the documentation.
    fn form() -> String;

    /// The error completes a sentence that begins with the text.
    fn parse(text: &str) -> Result<Self::Value, String>;
}

/// Rows of syntaxes: name, type of the values, words of the documentation, parser.
macro_rules! syntaxes {
    ($($(#[$doc:meta])* $name:ident -> $value:ty: $form:expr, $parse:expr;)*) => {
        $($(#[$doc])* pub(super) struct $name;

        impl Syntax for $name {
            type Value = $value;

            fn form() -> String {
                $form.to_owned()
            }

            fn parse(text: &str) -> Result<$value, String> {
                let parse: fn(&str) -> Result<$value, String> = $parse;
                parse(text)
            }
        })*
    };
}

syntaxes! {
    Text -> String: "text", |text| Ok(text.to_owned());
    Path -> PathBuf: "path", |text| Ok(text.into());
    Address -> SocketAddr: "address:port", |text| text.parse().map_err(|_| "is no address with a port".to_owned());
    Switch -> bool: "`on` or `off`", |text| choose(text, &[("on", true), ("off", false)]);
    Backoff -> RetrySchedule: "four waits with commas, each in `ms`, `s`, `m` or `h`", str::parse;
    RequestRate -> Rate: "rate: so many each `s`, `min`, `h` or `d`, or each `15min`", str::parse;
    Sender -> mail::Sender: "address, or name and address", str::parse;
    Networks -> Vec<Network>: "addresses and networks, with commas", |text| {
        list(text, str::parse).map_err(|what: String| format!("is no list of addresses and networks: {what}"))
    };
    PrivateTargets -> Vec<Exception>: "addresses and networks, each with an optional port, separated by commas", |text| {
        list(text, str::parse).map_err(|what: String| format!("is no list of networks with ports: {what}"))
    };
    Resolvers -> Vec<SocketAddr>: "addresses with commas, each with a port or for port 53", |text| list(text, resolver);
    /// Language tags.
    Locale -> String: "one of `APP_SUPPORTED_LOCALES`", Text::parse;
    LocaleList -> Vec<String>: "language tags, with commas", locales;
    /// Scheme, host and port.
    Origin -> String: "http or https URL without a path", origin;
    Origins -> Vec<String>: "http or https URLs without a path, with commas", |text| {
        list(text, origin).map_err(|_| "names something else than http and https URLs without a path".to_owned())
    };
    /// An address that a page links to: of a page, or of a mailbox.
    PublicLink -> String: "http or https URL, or `mailto:` with an address", public_link;
    /// The name or the address of a host, without port or brackets.
    Host -> String: "name or address of a host", host;
    /// Identifiers of resources (RFC 8707, section 2): absolute URIs without a fragment.
    Resources -> Vec<String>: "absolute URIs, with commas or as a JSON array", resources;
    LogDirectives -> String: "`error`, `warn`, `info`, `debug`, `trace`, or by module", |text| {
        EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|error| format!("cannot be read ({error})"))
    };
    LogFormats -> LogFormat: "`pretty` or `json`", |text| {
        choose(text, &[("pretty", LogFormat::Pretty), ("json", LogFormat::Json)])
    };
    Flag -> bool: "`true` or `false`", |text| choose(text, &[("true", true), ("false", false)]);
    ServiceList -> Services: "`content`, `identity`, or both with a comma", services;
    LoginCodes -> MailCodes: "`off`, `suspicious` or `always`", |text| {
        choose(text, &[("off", MailCodes::Off), ("suspicious", MailCodes::Suspicious), ("always", MailCodes::Always)])
    };
    MailSecurity -> Security: "`starttls`, `implicit` or `none`", |text| {
        choose(text, &[("starttls", Security::StartTls), ("implicit", Security::Implicit), ("none", Security::None)])
    };
    MailText -> String: "text with {{placeholders}}", Text::parse;
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Pretty,
    /// A JSON object a line.
    Json,
}

/// Which of the two services are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Services {
    /// Spaces and what is in them.
    pub content: bool,
    pub identity: bool,
}

/// A whole number within bounds.
pub(super) struct Number<T, const MIN: u32, const MAX: u32>(PhantomData<T>);

impl<T: TryFrom<u32>, const MIN: u32, const MAX: u32> Syntax for Number<T, MIN, MAX> {
    type Value = T;

    fn form() -> String {
        format!("{MIN} to {MAX}")
    }

    fn parse(text: &str) -> Result<T, String> {
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("is no whole number from {MIN} to {MAX}"))
    }
}

/// Numbers of a unit: its words, and what one is as a value.
macro_rules! units {
    ($($(#[$doc:meta])* $name:ident -> $value:ty: $unit:literal, $of:expr;)*) => {
        $($(#[$doc])* pub(super) struct $name<const MIN: u32, const MAX: u32>;

        impl<const MIN: u32, const MAX: u32> Syntax for $name<MIN, MAX> {
            type Value = $value;

            fn form() -> String {
                format!(concat!($unit, ", {} to {}"), MIN, MAX)
            }

            fn parse(text: &str) -> Result<$value, String> {
                let of: fn(u32) -> $value = $of;
                match Number::<u32, MIN, MAX>::parse(text) {
                    Ok(number) => Ok(of(number)),
                    Err(_) => Err(format!(concat!("is no whole number of ", $unit, " from {} to {}"), MIN, MAX)),
                }
            }
        })*
    };
}

units! {
    Seconds -> Duration: "seconds", |number| Duration::from_secs(number.into());
    Hours -> Duration: "hours", |number| Duration::from_hours(number.into());
    Days -> SignedDuration: "days", |number| SignedDuration::from_hours(24 * i64::from(number));
    /// In bytes.
    Megabytes -> u64: "megabytes", |number| u64::from(number) << 20;
}

/// A secret of a minimum length in bytes.
pub(super) struct Secret<const MIN: usize>;

impl<const MIN: usize> Syntax for Secret<MIN> {
    type Value = SecretString;

    const SECRET: bool = true;

    fn form() -> String {
        if MIN <= 1 { "text".to_owned() } else { format!("at least {MIN} bytes") }
    }

    fn parse(text: &str) -> Result<SecretString, String> {
        if text.len() < MIN { Err(format!("must have at least {MIN} bytes")) } else { Ok(text.into()) }
    }
}

/// Headers of requests: names and values, separated by commas.
pub(super) struct Headers;

impl Syntax for Headers {
    type Value = HeaderMap;

    const SECRET: bool = true;

    fn form() -> String {
        "`name=value`, with commas".to_owned()
    }

    fn parse(text: &str) -> Result<HeaderMap, String> {
        let header = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            let name = http::HeaderName::try_from(name.trim()).ok()?;
            let mut value = http::HeaderValue::try_from(value.trim()).ok()?;
            value.set_sensitive(true);
            Some((name, value))
        };
        let headers: Option<HeaderMap> = text.split(',').map(header).collect();
        headers.ok_or_else(|| "is no list of names and values of headers".to_owned())
    }
}

/// The value of one of these words.
fn choose<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    found.ok_or_else(|| format!("is none of {}", words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")))
}

/// The items of a text that are separated by commas.
fn list<'a, T, E>(text: &'a str, item: impl Fn(&'a str) -> Result<T, E>) -> Result<Vec<T>, E> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(item).collect()
}

fn services(text: &str) -> Result<Services, String> {
    let mut services = Services { content: false, identity: false };
    for name in text.split(',').map(str::trim) {
        match name {
            "content" => services.content = true,
            "identity" => services.identity = true,
            _ => return Err("names something else than content and identity".to_owned()),
        }
    }
    Ok(services)
}

fn locales(text: &str) -> Result<Vec<String>, String> {
    let tags = list(text, |tag| Ok::<_, String>(tag.to_owned()))?;
    let first = tags.first().cloned().ok_or("names no language")?;
    Locales::new(tags.clone(), first)?;
    Ok(tags)
}

fn resolver(text: &str) -> Result<SocketAddr, String> {
    let address = text.parse().or_else(|_| text.parse::<IpAddr>().map(|address| SocketAddr::new(address, dns::PORT)));
    address.map_err(|_| format!("is no list of addresses: {text:?}"))
}

fn origin(text: &str) -> Result<String, String> {
    let wrong = || "is no http or https URL without a path".to_owned();
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let authority = uri.authority().filter(|a| !a.host().is_empty() && !a.as_str().contains('@')).ok_or_else(wrong)?;
    match (uri.scheme_str(), uri.path(), uri.query()) {
        (Some(scheme @ ("http" | "https")), "" | "/", None) => Ok(format!("{scheme}://{}", authority.as_str().to_lowercase())),
        _ => Err(wrong()),
    }
}

fn public_link(text: &str) -> Result<String, String> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_page = || {
        let uri = text.parse::<http::Uri>().ok();
        uri.is_some_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty()))
    };
    let is_mailbox = || text.strip_prefix("mailto:").is_some_and(|address| Email::parse(address).is_some());
    if is_plain && (is_page() || is_mailbox()) {
        Ok(text.to_owned())
    } else {
        Err("is no http or https URL, nor mailto: with an address".to_owned())
    }
}

fn host(text: &str) -> Result<String, String> {
    let is_label =
        |value: &str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let is_name = text.len() <= 253 && text.split('.').all(is_label);
    if is_name || text.parse::<IpAddr>().is_ok() { Ok(text.to_owned()) } else { Err("is no name or address of a host".to_owned()) }
}

fn resources(text: &str) -> Result<Vec<String>, String> {
    let items: Vec<String> = if text.starts_with('[') {
        serde_json::from_str(text).map_err(|_| "is no JSON array of strings".to_owned())?
    } else {
        list(text, |item| Ok::<_, String>(item.to_owned()))?
    };
    match items.iter().find(|item| !is_resource(item)) {
        Some(item) => Err(format!("names {item:?}, which is no absolute URI without a fragment")),
        None => Ok(items),
    }
}

fn is_resource(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme && !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"#\"\\<>".contains(&byte))
}
