//! The response of an authorization request to its client: a redirect, or a form that the browser posts
//! (OAuth 2.0 Form Post Response Mode).

use crate::web::ApiResponse;
use domain::{
    identity::oidc::{ResponseMode, ResponseTarget},
    shared::Fault,
};
use http::{HeaderValue, StatusCode, header};
use url::{Url, form_urlencoded};

/// The script that posts the form, and its hash for the Content-Security-Policy.
const SUBMIT: &str = "document.forms[0].submit()";
const SUBMIT_HASH: &str = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE=";

/// Sends parameters to a client.
pub(super) fn to_client(target: &ResponseTarget, parameters: &[(&'static str, String)]) -> Result<ApiResponse, Fault> {
    match target.mode {
        ResponseMode::Query => ApiResponse::see_other(&with_query(&target.redirect_uri, &encoded(parameters))),
        ResponseMode::Fragment => ApiResponse::see_other(&format!("{}#{}", target.redirect_uri, encoded(parameters))),
        ResponseMode::FormPost => form_post(&target.redirect_uri, parameters),
    }
}

/// Adds parameters to the query of a registered URI, whose own query stays as it is. It has no fragment.
pub(super) fn with_query(uri: &str, query: &str) -> String {
    match uri.split_once('?') {
        None => format!("{uri}?{query}"),
        Some((_, "")) => format!("{uri}{query}"),
        Some(_) => format!("{uri}&{query}"),
    }
}

fn encoded(parameters: &[(&'static str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish()
}

fn form_post(uri: &str, parameters: &[(&'static str, String)]) -> Result<ApiResponse, Fault> {
    let page = pages::form_post::form_post_page(uri, parameters, SUBMIT);
    let origin =
        Url::parse(uri).map_err(|_| Fault::internal("a registered redirect URI is no URL"))?.origin().ascii_serialization();
    let policy =
        format!("default-src 'none'; script-src '{SUBMIT_HASH}'; form-action {origin}; base-uri 'none'; frame-ancestors 'none'");
    let policy = HeaderValue::try_from(policy).map_err(|_| Fault::internal("an origin that is no header value"))?;
    Ok(ApiResponse::bytes(StatusCode::OK, "text/html; charset=utf-8", page).with(header::CONTENT_SECURITY_POLICY, policy))
}

#[cfg(test)]
mod tests {
    use super::{SUBMIT, SUBMIT_HASH, with_query};

    #[test]
    fn parameters_are_added_to_a_query_that_stays() {
        for (uri, expected) in [
            ("https://a.example/cb", "https://a.example/cb?x=1"),
            ("https://a.example/cb?", "https://a.example/cb?x=1"),
            ("https://a.example/cb?a=b", "https://a.example/cb?a=b&x=1"),
        ] {
            assert_eq!(with_query(uri, "x=1"), expected);
        }
    }

    #[test]
    fn the_policy_allows_the_script_of_the_form_and_no_other() {
        assert_eq!(crypto::digest::csp_hash(SUBMIT), SUBMIT_HASH);
    }
}
