//! The path and query of the page that is shown, for links and redirects to itself. Whatever leads back to
//! the path of a request goes through here.

use std::borrow::Cow;

/// A path and query of this server. Browsers read `//host`, `/\host` and `\` anywhere in a path as addresses
/// of other sites, and a request can have any of these as its path; none of them is ever in here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPath(Cow<'static, str>);

impl OwnPath {
    /// The start page.
    pub const START: Self = Self(Cow::Borrowed("/"));

    /// Those of a request, without the choice of a language (`lang`); the start page for a path that would
    /// lead elsewhere.
    pub fn of(path: &str, query: &str) -> Self {
        if !path.starts_with('/') || path.starts_with("//") || path.contains('\\') {
            return Self::START;
        }
        let kept: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("lang=")).collect();
        Self(Cow::Owned(if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }))
    }

    /// The text, for `href` and `Location`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same with one more parameter, which needs no encoding.
    #[must_use]
    pub fn with(&self, pair: &str) -> Self {
        let separator = if self.0.contains('?') { '&' } else { '?' };
        Self(Cow::Owned(format!("{}{separator}{pair}", self.0)))
    }

    /// The same page of a list without what was said once (`done`, `count`, `measure`), or another page of
    /// it.
    #[must_use]
    pub fn in_list(&self, other: Option<i64>) -> Self {
        let (path, query) = self.0.split_once('?').unwrap_or((&self.0, ""));
        let name = |pair: &str| pair.split('=').next().unwrap_or(pair).to_owned();
        let is_said = |pair: &str| ["done", "count", "measure"].contains(&name(pair).as_str());
        let kept: Vec<&str> = query.split('&').filter(|pair| !(is_said(pair) || other.is_some() && name(pair) == "page")).collect();
        let page = Self::of(path, &kept.join("&"));
        other.map_or(page.clone(), |number| page.with(&format!("page={number}")))
    }
}

#[cfg(test)]
mod tests {
    use super::OwnPath;
    use proptest::prelude::*;

    #[test]
    fn a_path_keeps_its_query_without_the_language() {
        for (path, query, own) in [
            ("/login", "", "/login"),
            ("/login", "return_to=%2Faccount&lang=de", "/login?return_to=%2Faccount"),
            ("/login", "lang=de", "/login"),
            ("/a//b", "x=//evil.example", "/a//b?x=//evil.example"),
        ] {
            assert_eq!(OwnPath::of(path, query).as_str(), own);
        }
        assert_eq!(OwnPath::of("/login", "").with("lang=de").as_str(), "/login?lang=de");
        assert_eq!(OwnPath::of("/login", "a=1").with("lang=de").as_str(), "/login?a=1&lang=de");
    }

    #[test]
    fn what_leads_to_another_site_becomes_the_start_page() {
        for path in ["//evil.example/", "///evil.example", "/\\evil.example", "/a\\b", "\\\\evil.example", "evil.example", "", "*"]
        {
            assert_eq!(OwnPath::of(path, "a=1"), OwnPath::START, "{path}");
        }
    }

    #[test]
    fn the_filter_stays_on_other_pages_of_a_list() {
        for (path, query, other) in [
            ("/admin/users", "", "/admin/users?page=2"),
            ("/admin/users", "page=7", "/admin/users?page=2"),
            ("/admin/users", "search=a%26b&page=1&isAdmin=true", "/admin/users?search=a%26b&isAdmin=true&page=2"),
            ("/admin/users", "done=deleted&count=3", "/admin/users?page=2"),
        ] {
            assert_eq!(OwnPath::of(path, query).in_list(Some(2)).as_str(), other);
        }
    }

    #[test]
    fn the_same_page_of_a_list_says_nothing_twice() {
        for (query, again) in
            [("", "/admin/mail"), ("measure=true", "/admin/mail"), ("state=dead&done=mail&page=7", "/admin/mail?state=dead&page=7")]
        {
            assert_eq!(OwnPath::of("/admin/mail", query).in_list(None).as_str(), again);
        }
    }

    proptest! {
        #[test]
        fn no_path_leads_to_another_site(path in "[/\\\\a.:]{0,8}", query in "[a=&/\\\\.]{0,8}", page in proptest::option::of(1i64..9)) {
            for own in [OwnPath::of(&path, &query), OwnPath::of(&path, &query).with("x=1"), OwnPath::of(&path, &query).in_list(page)] {
                let base: url::Url = "http://own.example/".parse().unwrap();
                let led_to = base.join(own.as_str()).unwrap();
                prop_assert_eq!(led_to.host_str(), Some("own.example"));
            }
        }
    }
}
