//! The language switch: `?lang=de` on any page keeps the language in a cookie and leads to the same page
//! without it.

use crate::web::{
    ApiResponse, Cookies, ErrorFormat,
    cookie::{self, Keep},
    headers,
};
use domain::shared::Language;
use http::{Uri, header};
use pages::OwnPath;
use std::time::Duration;
use warp::reply::Response;

/// How long a browser keeps the language.
const KEPT_FOR: Duration = Duration::from_hours(365 * 24);

/// The redirect, if the query chooses a language.
pub(crate) fn switch(cookies: Cookies, uri: &Uri) -> Option<Response> {
    let chosen = uri.query()?.split('&').find_map(|pair| Language::exactly(pair.strip_prefix("lang=")?))?;
    let location = OwnPath::of(uri.path(), uri.query().unwrap_or_default());
    let cookie = cookies.set(cookie::LANGUAGE, chosen.tag(), Keep::For(KEPT_FOR)).ok()?;
    let mut response: Response = ApiResponse::see_other(location.as_str()).ok()?.with(header::SET_COOKIE, cookie).into();
    headers::add_defaults(response.headers_mut(), ErrorFormat::Page);
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::switch;
    use crate::web::Cookies;
    use http::{Uri, header};

    fn switched(uri: &str) -> Option<(String, String)> {
        let response = switch(Cookies::new(false), &uri.parse::<Uri>().unwrap())?;
        let text = |name| response.headers()[name].to_str().unwrap().to_owned();
        Some((text(header::LOCATION), text(header::SET_COOKIE)))
    }

    #[test]
    fn a_language_is_kept_and_taken_out_of_the_address() {
        let (location, cookie) = switched("/login?return_to=%2Faccount&lang=de").unwrap();
        assert_eq!(location, "/login?return_to=%2Faccount");
        assert!(cookie.starts_with("lang=de; Path=/; SameSite=Lax"), "{cookie}");
        assert_eq!(switched("/login?lang=en").unwrap().0, "/login");
    }

    #[test]
    fn no_path_leads_to_another_site() {
        assert_eq!(switched("//evil.example/?lang=de").unwrap().0, "/");
    }

    #[test]
    fn nothing_else_is_a_language() {
        for uri in ["/login", "/login?lang=", "/login?lang=fr", "/login?xlang=de"] {
            assert_eq!(switched(uri), None, "{uri}");
        }
    }
}
