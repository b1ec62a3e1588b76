//! Where a person goes after signing in: a page of this server, and never another site (OWASP Unvalidated
//! Redirects and Forwards Cheat Sheet).

use std::{fmt, str::FromStr};

/// The first segments of the pages that a sign-in leads on to. What changes something by a GET is not among
/// them.
const PAGES: [&str; 6] = ["account", "admin", "device", "interaction", "join", "studio"];
/// The longest path that is kept, in bytes.
const MAX_LENGTH: usize = 512;

/// A page that asked for the sign-in: its path and query, as they are written into a `Location` header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnTo(String);

/// The text is not the path of such a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAPage;

impl ReturnTo {
    /// The page of the account, where a sign-in leads that no page asked for.
    pub fn account() -> Self {
        Self("/account".to_owned())
    }

    /// The path and the query.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ReturnTo {
    type Err = NotAPage;

    /// Takes what only has one reading: `/`, the name of a page, and then characters that need no encoding;
    /// only the query may hold encoded ones. Browsers read `//host`, `/\host` and `/<tab>/host` as other
    /// sites, and dot segments as other pages; none of these passes.
    fn from_str(text: &str) -> Result<Self, NotAPage> {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let mut segments = path.strip_prefix('/').ok_or(NotAPage)?.split('/');
        let is_page = segments.next().is_some_and(|first| PAGES.contains(&first));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        let is_dotted = |segment: &str| segment.starts_with('.') || segment.contains("..");
        let has_plain_segments = segments.all(|segment| !segment.is_empty() && is_plain(segment) && !is_dotted(segment));
        let is_encoded = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~*+%&=".contains(&byte);
        let is_valid = is_page && has_plain_segments && query.bytes().all(is_encoded) && text.len() <= MAX_LENGTH;
        is_valid.then(|| Self(text.to_owned())).ok_or(NotAPage)
    }
}

impl fmt::Display for ReturnTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ReturnTo;
    use proptest::prelude::*;

    #[test]
    fn pages_of_this_server_are_taken() {
        for page in [
            "/account",
            "/account/security",
            "/account/activity?limit=5",
            "/interaction/V1StGXR8_Z5jdHi6B-myT",
            "/device?user_code=WDJB-MJHT",
            "/admin",
            "/admin/users?search=ann%40example.org&isAdmin=&page=2",
            "/admin/audit?event=admin.*",
            "/admin/clients/shop.example~2",
            "/studio",
            "/studio/7/stories/12?at=body%2F3%2Fcta%2F0&uid=1f0c&language=de",
        ] {
            assert_eq!(page.parse::<ReturnTo>().unwrap().as_str(), page);
        }
    }

    #[test]
    fn other_sites_and_other_pages_are_not() {
        for text in [
            "",
            "/",
            "account",
            "//account",
            "//evil.example/account",
            "/\\evil.example",
            "\\/evil.example",
            "/\t/evil.example",
            "https://evil.example/account",
            "https:/account",
            "javascript:alert(1)",
            "/login",
            "/logout",
            "/api/me/export",
            "/account/../api/me/export",
            "/account/./x",
            "/account//x",
            "/account/",
            "/account/%2e%2e/api",
            "/account#x",
            "/account\r\nSet-Cookie: a=b",
            "/account?a=//evil.example",
            "/accounts",
            "/administrators",
            "/studios",
            "/studio//7",
            "/admin/a%2fb",
            "/admin?a=b?c",
            "/account@evil.example",
            &format!("/account/{}", "a".repeat(512)),
        ] {
            assert!(text.parse::<ReturnTo>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_stays_on_this_server(text in "/?[a-z/\\\\.:@%?#&=\t ]{0,12}|/account[ -~]{0,20}") {
            if let Ok(page) = text.parse::<ReturnTo>() {
                let page = page.as_str();
                prop_assert!(["/account", "/admin", "/device", "/interaction", "/join", "/studio"].iter().any(|known| page.starts_with(known)));
                prop_assert!(!["//", "\\", ":", "@", "#", " "].iter().any(|bad| page.contains(bad)));
                let path = page.split('?').next().unwrap();
                prop_assert!(!["..", "%"].iter().any(|bad| path.contains(bad)));
            }
        }
    }

    #[test]
    fn a_page_is_written_as_it_was_given() {
        assert_eq!("/account?a=b".parse::<ReturnTo>().unwrap().to_string(), "/account?a=b");
    }
}
