//! The places where a space is previewed: front ends of the team, which the studio shows in a frame.

use super::checks::Checks;
use crate::shared::{FieldCode, origin::Origin};
use serde::{Deserialize, Serialize};

/// The most environments of a space.
const MAX_ENVIRONMENTS: usize = 20;

/// One such place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The name people see.
    pub name: String,
    /// A URL. The path of a story follows it, or takes the place of `{path}`, `{full_slug}` and `{lang}` in
    /// it.
    pub location: String,
}

/// Checks a list of environments; errors are those of the field `environments`.
pub(super) fn check(environments: &[Environment], checks: &mut Checks) {
    if environments.len() > MAX_ENVIRONMENTS {
        return checks.refuse(
            "environments",
            FieldCode::TooLong,
            format!("is too long (maximum is {MAX_ENVIRONMENTS} environments)"),
        );
    }
    for Environment { name, location } in environments {
        checks.required("environments", name, 255);
        checks.text("environments", Some(location), 2048);
        if origin(location).is_none() {
            let message =
                format!("has no URL with http or https and without a password as the location of {}", name.escape_default());
            checks.refuse("environments", FieldCode::Invalid, message);
        }
    }
}

/// Refuses environments at the origin of this server: a page of it in the frame could do there whatever the
/// person may.
pub(super) fn refuse_own(environments: &[Environment], base_url: &str, checks: &mut Checks) {
    let own = Origin::parse(base_url);
    for environment in environments {
        if own.is_some() && origin(&environment.location) == own {
            let message = format!("has this server itself as the location of {}", environment.name.escape_default());
            checks.refuse("environments", FieldCode::Reserved, message);
        }
    }
}

/// The origin of a location. Only what is behind the host may hold letters of other scripts, and braces.
fn origin(location: &str) -> Option<Origin> {
    let (scheme, rest) = location.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let is_plain = !location.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    Origin::parse(&format!("{scheme}://{authority}")).filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::{Environment, check, refuse_own};
    use crate::content::checks::Checks;

    fn at(location: &str) -> [Environment; 1] {
        [Environment { name: "Preview".into(), location: location.into() }]
    }

    #[test]
    fn locations_are_web_addresses_without_a_password() {
        for location in [
            "https://preview.example.org/",
            "http://localhost:3000",
            "https://x.example/api/preview?secret=1&slug=",
            "https://x.example/{lang}/{full_slug}",
            "http://[::1]:3000/ä",
        ] {
            let mut checks = Checks::default();
            check(&at(location), &mut checks);
            assert!(checks.finish().is_ok(), "{location}");
        }
        for location in [
            "",
            "x.example",
            "ftp://x.example",
            "javascript:alert(1)",
            "https://ann:pw@x.example/",
            "https://x.example\\@y.example/",
            "https://",
            "https://x.example/a b",
        ] {
            let mut checks = Checks::default();
            check(&at(location), &mut checks);
            assert!(checks.finish().is_err(), "{location}");
        }
    }

    #[test]
    fn this_server_is_no_environment_however_it_is_written() {
        for (location, is_own) in [
            ("https://cms.example.org/preview", true),
            ("https://CMS.example.org:443", true),
            ("http://cms.example.org/", false),
            ("https://cms.example.org:8443/", false),
            ("https://preview.cms.example.org/", false),
        ] {
            let mut checks = Checks::default();
            refuse_own(&at(location), "https://cms.example.org", &mut checks);
            assert_eq!(checks.finish().is_err(), is_own, "{location}");
        }
    }
}
