//! Cookies: read strictly, written with one set of attributes (RFC 6265bis).

use domain::shared::Fault;
use http::{HeaderMap, HeaderValue, header};
use std::time::Duration;

/// The names and attributes of our cookies, which depend on whether the site is served over https.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cookies {
    secure: bool,
}

/// A link whose secret a page keeps in a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MailedLink {
    /// Sets a new password.
    PasswordReset,
    Invite,
    /// Makes a person a member of a space.
    SpaceInvite,
    /// Confirms a new address.
    Address,
    /// Verifies the address of an account.
    Verification,
}

/// How long the browser keeps a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Until the browser is closed.
    Session,
    /// The browser keeps it for this time.
    For(Duration),
    /// The browser deletes it.
    Delete,
}

/// The readable cookie of the CSRF double submit.
pub(crate) const CSRF: &str = "csrf_token";
/// The cookie of the language that was chosen for the pages.
pub(crate) const LANGUAGE: &str = "lang";
/// The cookie of an administrator who wants to see no list of first steps.
pub(crate) const FIRST_STEPS: &str = "first_steps";

impl Cookies {
    /// `secure` is `APP_COOKIE_SECURE`: names get the `__Host-` prefix, which a browser accepts only over
    /// https and only from this host.
    pub fn new(secure: bool) -> Self {
        Self { secure }
    }

    /// The cookie with the session token.
    pub(crate) fn session(self) -> &'static str {
        if self.secure { "__Host-session" } else { "session" }
    }

    /// The cookie that CSRF tokens are bound to before login.
    pub(crate) fn pre_session(self) -> &'static str {
        if self.secure { "__Host-presession" } else { "presession" }
    }

    /// The cookie by which a browser is recognised.
    pub(crate) fn device(self) -> &'static str {
        if self.secure { "__Host-device" } else { "device" }
    }

    /// The cookie of a login that waits for its second factor.
    pub(crate) fn login_pending(self) -> &'static str {
        if self.secure { "__Host-login" } else { "login_pending" }
    }

    /// The cookie that keeps the secret of a mailed link, after it was taken out of the URL of the page.
    pub(crate) fn mailed_link(self, link: MailedLink) -> &'static str {
        match (link, self.secure) {
            (MailedLink::PasswordReset, true) => "__Host-reset",
            (MailedLink::PasswordReset, false) => "reset_link",
            (MailedLink::Invite, true) => "__Host-invite",
            (MailedLink::Invite, false) => "invite_link",
            (MailedLink::SpaceInvite, true) => "__Host-join",
            (MailedLink::SpaceInvite, false) => "join_link",
            (MailedLink::Address, true) => "__Host-address",
            (MailedLink::Address, false) => "address_link",
            (MailedLink::Verification, true) => "__Host-verify",
            (MailedLink::Verification, false) => "verify_link",
        }
    }

    /// The cookie that keeps where the first sign-in of a new account leads.
    pub(crate) fn return_to(self) -> &'static str {
        if self.secure { "__Host-return" } else { "return_to" }
    }

    /// The cookie that keeps the address that was typed on a page for the next one.
    pub(crate) fn typed(self) -> &'static str {
        if self.secure { "__Host-typed" } else { "typed_address" }
    }

    /// The cookie that keeps the tokens of a new space for the page that shows them.
    pub(crate) fn new_tokens(self) -> &'static str {
        if self.secure { "__Host-tokens" } else { "new_tokens" }
    }

    /// The cookie that binds interactions of the OpenID provider to the browser that began them.
    pub(crate) fn interaction(self) -> &'static str {
        if self.secure { "__Secure-interaction" } else { "interaction" }
    }

    /// The value of a `Set-Cookie` header. Fails only for characters that no header can carry; our values are
    /// hexadecimal and base64url.
    pub(crate) fn set(self, name: &str, value: &str, keep: Keep) -> Result<HeaderValue, Fault> {
        let http_only = if name == CSRF { "" } else { "; HttpOnly" };
        let secure = if self.secure { "; Secure" } else { "" };
        // The other cookies have to be sent when a link on another site is followed to this one.
        let same_site = if name == self.login_pending() { "Strict" } else { "Lax" };
        let max_age = match keep {
            Keep::Session => String::new(),
            Keep::For(time) => format!("; Max-Age={}", time.as_secs()),
            Keep::Delete => "; Max-Age=0".to_owned(),
        };
        let text = format!("{name}={value}; Path=/; SameSite={same_site}{http_only}{secure}{max_age}");
        HeaderValue::try_from(text).map_err(|_| Fault::internal(format!("cookie {name}")))
    }
}

/// The value of a cookie that was sent exactly once. A cookie that was sent twice counts as absent: one of
/// the two may have been planted by a subdomain, and nothing tells which.
pub(crate) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.split_once('='))
        .filter(|(g, _)| g.trim() == name)
        .map(|(_, value)| value.trim());
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{CSRF, Cookies, Keep, find};
    use http::{HeaderMap, HeaderValue, header};
    use std::time::Duration;

    fn headers(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| (header::COOKIE, HeaderValue::from_str(line).unwrap())).collect()
    }

    #[test]
    fn a_cookie_is_found_in_any_line_but_not_twice() {
        assert_eq!(find(&headers(&["a=1; session=x.y.z"]), "session"), Some("x.y.z"));
        assert_eq!(find(&headers(&["a=1", "session=x=="]), "session"), Some("x=="));
        assert_eq!(find(&headers(&["session=x; session=y"]), "session"), None);
        assert_eq!(find(&headers(&["session=x", "session=x"]), "session"), None);
        assert_eq!(find(&headers(&["__Host-session=x; xsession=y; session"]), "session"), None);
    }

    #[test]
    fn attributes_follow_the_facts() {
        let text = |cookies: Cookies, name: &str, keep| cookies.set(name, "v", keep).unwrap().to_str().unwrap().to_owned();
        let secure = Cookies::new(true);
        assert_eq!(
            text(secure, secure.session(), Keep::For(Duration::from_mins(1))),
            "__Host-session=v; Path=/; SameSite=Lax; HttpOnly; Secure; Max-Age=60"
        );
        let plain = Cookies::new(false);
        assert_eq!(text(plain, plain.session(), Keep::Delete), "session=v; Path=/; SameSite=Lax; HttpOnly; Max-Age=0");
        assert_eq!(text(plain, CSRF, Keep::Session), "csrf_token=v; Path=/; SameSite=Lax");
        for (cookies, name, end) in [(secure, "__Host-login", "; Secure"), (plain, "login_pending", "")] {
            let expected = format!("{name}=v; Path=/; SameSite=Strict; HttpOnly{end}; Max-Age=600");
            assert_eq!(text(cookies, cookies.login_pending(), Keep::For(Duration::from_mins(10))), expected);
        }
        assert!(plain.set(CSRF, "a\r\nSet-Cookie: b", Keep::Session).is_err());
    }
}
