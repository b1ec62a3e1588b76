//! `/v1/…` and `/v2/…` stand for `/api/v1/…` and `/api/v2/…`: clients of Storyblok that resolve absolute paths against the URL of the API drop its prefix.

use http::Uri;

/// The URI that is meant.
pub(super) fn resolve(uri: Uri) -> Uri {
    if !is_alias(uri.path()) {
        return uri;
    }
    let meant = uri.path_and_query().and_then(|rest| format!("/api{rest}").parse().ok());
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = meant;
    // The path only grew. One that is too long for a URI now has no endpoint either way.
    Uri::from_parts(parts).unwrap_or(uri)
}

fn is_alias(path: &str) -> bool {
    path.starts_with("/v1/") || path.starts_with("/v2/")
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn only_the_versions_of_the_api_are_aliases() {
        for (uri, meant) in [
            ("/v2/cdn/stories/a%2Fb?token=t&x=/v2/", "/api/v2/cdn/stories/a%2Fb?token=t&x=/v2/"),
            ("/v1/spaces", "/api/v1/spaces"),
            ("http://host:1/v1/spaces/1?a", "http://host:1/api/v1/spaces/1?a"),
            ("/api/v1/spaces", "/api/v1/spaces"),
            ("/v3/x", "/v3/x"),
            ("/v1", "/v1"),
            ("/v10/x", "/v10/x"),
            ("*", "*"),
        ] {
            assert_eq!(resolve(uri.parse().unwrap()), meant, "{uri}");
        }
    }
}
