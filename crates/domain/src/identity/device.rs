//! The browser and network of a sign-in, and whether they are new to the account.

use std::{fmt, net::IpAddr, str::FromStr};
use strum::IntoStaticStr;

/// A browser by its family and its system, without their versions, because an update makes no new browser.
///
/// Written out, it is the name that the server keeps: `Firefox on Linux`, which is read again. People are
/// told in words of their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Browser {
    /// The family, if it is known.
    pub family: Option<&'static str>,
    /// The system that it runs on, if that is known.
    pub system: Option<&'static str>,
}

/// What a browser is called that is not known, or no browser at all.
const UNKNOWN: &str = "Unknown browser";

/// Families by the marks of their `User-Agent`. A browser that names another one as well comes before that
/// one.
const FAMILIES: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
/// The same for systems.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The browser of a `User-Agent`.
pub fn browser(user_agent: Option<&str>) -> Browser {
    let text = user_agent.unwrap_or_default();
    let of = |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name);
    Browser { family: of(&FAMILIES), system: of(&SYSTEMS) }
}

/// The device of a `User-Agent` as a name in any language: `Firefox (Linux)`. Nothing where the browser is
/// not known.
pub fn name(user_agent: Option<&str>) -> Option<String> {
    let Browser { family, system } = browser(user_agent);
    Some(match (family?, system) {
        (family, None) => family.to_owned(),
        (family, Some(system)) => format!("{family} ({system})"),
    })
}

impl fmt::Display for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family.unwrap_or(UNKNOWN))?;
        self.system.map_or(Ok(()), |system| write!(f, " on {system}"))
    }
}

/// A text that is no browser as it is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoBrowser;

impl FromStr for Browser {
    type Err = NoBrowser;

    fn from_str(text: &str) -> Result<Self, NoBrowser> {
        let named = |known: &[(&str, &'static str)], text: &str| known.iter().map(|(_, name)| *name).find(|name| *name == text);
        let (family, system) = match text.split_once(" on ") {
            Some((family, system)) => (family, Some(named(&SYSTEMS, system).ok_or(NoBrowser)?)),
            None => (text, None),
        };
        let family = if family == UNKNOWN { None } else { Some(named(&FAMILIES, family).ok_or(NoBrowser)?) };
        Ok(Self { family, system })
    }
}

/// The network of an address: 24 bits of an IPv4 address, 48 of an IPv6 one. A person's address mostly
/// changes within it, and a stranger's is seldom in it.
pub fn network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(it) => format!("{}/24", std::net::Ipv4Addr::from_bits(it.to_bits() >> 8 << 8)),
        IpAddr::V6(it) => format!("{}/48", std::net::Ipv6Addr::from_bits(it.to_bits() >> 80 << 80)),
    }
}

/// What an account knows of the browser and network of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four questions that know nothing of each other")]
pub struct Recognition {
    /// Whether the account was never signed in to: then everything is new, and nothing is suspicious.
    pub is_first: bool,
    /// Whether the browser was given its cookie by this account.
    pub by_cookie: bool,
    /// Whether such a browser signed in from this network.
    pub by_browser_and_network: bool,
    /// Whether anything signed in from this network.
    pub by_network: bool,
    /// How many logins failed within the last hour.
    pub failures: u32,
}

/// The number of failures within an hour from which on a sign-in is suspicious.
const MANY_FAILURES: u32 = 5;

/// Why a sign-in is suspicious. Its name is in the audit trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum SuspicionReason {
    /// Neither the browser's cookie is known, nor such a browser in this network.
    NewDevice,
    /// The browser is new, and so is the network.
    NewNetwork,
    /// Other passwords were tried before.
    ManyFailures,
    /// The password is one of the most common ones.
    #[strum(serialize = "breached_password")]
    CommonPassword,
}

impl Recognition {
    /// Whether the browser is new, so that the owner is told.
    pub fn is_new_device(&self) -> bool {
        !(self.is_first || self.by_cookie || self.by_browser_and_network)
    }

    /// Why the sign-in is suspicious; empty when it is not. A known browser may come from any network.
    pub fn reasons(&self, has_common_password: bool) -> Vec<SuspicionReason> {
        let is_new = self.is_new_device();
        [
            (SuspicionReason::NewDevice, is_new),
            (SuspicionReason::NewNetwork, is_new && !self.by_network),
            (SuspicionReason::ManyFailures, self.failures >= MANY_FAILURES),
            (SuspicionReason::CommonPassword, has_common_password),
        ]
        .into_iter()
        .filter_map(|(reason, applies)| applies.then_some(reason))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Browser, NoBrowser, Recognition, SuspicionReason, browser, name, network};

    #[test]
    fn browsers_are_called_by_what_they_are() {
        for (text, name) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1",
                "Chrome on iOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36",
                "Samsung Internet on Android",
            ),
            ("curl/8.5.0", "curl"),
            ("Something (Linux)", "Unknown browser on Linux"),
            ("", "Unknown browser"),
        ] {
            let found = browser(Some(text));
            assert_eq!(found.to_string(), name, "{text}");
            assert_eq!(name.parse(), Ok(found), "it is read again");
        }
        assert_eq!(browser(None).to_string(), "Unknown browser");
        for other in ["", "Administration", "on Linux", "Firefox on Linux ", "Firefox on", "Netscape on Linux", "Firefox on Amiga"]
        {
            assert_eq!(other.parse::<Browser>(), Err(NoBrowser), "{other:?}");
        }
    }

    #[test]
    fn a_known_browser_is_a_name() {
        for (user_agent, expected) in [
            (Some("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"), Some("Firefox (Linux)")),
            (Some("curl/8.5.0"), Some("curl")),
            (Some("Something (Linux)"), None),
            (None, None),
        ] {
            assert_eq!(name(user_agent).as_deref(), expected);
        }
    }

    #[test]
    fn an_address_is_known_by_its_network() {
        for (ip, of) in [
            ("192.0.2.77", "192.0.2.0/24"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
            ("::1", "::/48"),
        ] {
            assert_eq!(network(ip.parse().unwrap()), of);
        }
    }

    #[test]
    fn one_thing_that_is_known_makes_a_device_known() {
        let unknown = Recognition::default();
        assert_eq!(unknown.reasons(false), [SuspicionReason::NewDevice, SuspicionReason::NewNetwork]);
        assert_eq!(Recognition { by_network: true, ..unknown }.reasons(false), [SuspicionReason::NewDevice]);
        for known in [
            Recognition { is_first: true, ..unknown },
            Recognition { by_cookie: true, ..unknown },
            Recognition { by_browser_and_network: true, by_network: true, ..unknown },
        ] {
            assert!(!known.is_new_device() && known.reasons(false).is_empty(), "{known:?}");
        }
    }

    #[test]
    fn failures_and_a_common_password_are_strange_on_any_device() {
        let known = Recognition { by_cookie: true, failures: 4, ..Recognition::default() };
        assert!(known.reasons(false).is_empty());
        assert_eq!(
            Recognition { failures: 5, ..known }.reasons(true),
            [SuspicionReason::ManyFailures, SuspicionReason::CommonPassword]
        );
    }

    #[test]
    fn a_reason_has_its_name_in_the_audit_trail() {
        use super::SuspicionReason as Reason;
        let all = [Reason::NewDevice, Reason::NewNetwork, Reason::ManyFailures, Reason::CommonPassword];
        assert_eq!(all.map(<&str>::from), ["new_device", "new_network", "many_failures", "breached_password"]);
    }
}
