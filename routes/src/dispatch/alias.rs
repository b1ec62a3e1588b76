//! What a path of the APIs stands for. Clients of Storyblok join an address that ends with a slash and a path
//! that begins with one, so repeated slashes are one; and those that resolve absolute paths against the
//! address drop its prefix, so `/v1/…` and `/v2/…` stand for `/api/v1/…` and `/api/v2/…`.

use http::Uri;
use std::borrow::Cow;

/// The URI that is meant. Paths that do not lead to the APIs, such as those of pages and files, stay as they
/// are.
pub(super) fn resolve(uri: Uri) -> Uri {
    let Some(path) = canonical_path(uri.path()) else { return uri };
    let text = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.into_owned(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = text.parse().ok();
    // One that is too long for a URI now has no endpoint either way.
    Uri::from_parts(parts).unwrap_or(uri)
}

/// The path that is meant, where that is another one.
fn canonical_path(path: &str) -> Option<Cow<'_, str>> {
    let merged = merge_slashes(path);
    let is_below = |prefixes: [&str; 2]| prefixes.iter().any(|prefix| merged.starts_with(prefix));
    if is_below(["/v1/", "/v2/"]) {
        return Some(format!("/api{merged}").into());
    }
    (matches!(merged, Cow::Owned(_)) && is_below(["/api/v1/", "/api/v2/"])).then_some(merged)
}

fn merge_slashes(path: &str) -> Cow<'_, str> {
    if !path.contains("//") {
        return Cow::Borrowed(path);
    }
    let mut merged = String::with_capacity(path.len());
    for character in path.chars() {
        if character != '/' || !merged.ends_with('/') {
            merged.push(character);
        }
    }
    Cow::Owned(merged)
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

    #[test]
    fn repeated_slashes_of_the_apis_are_one() {
        for (uri, meant) in [
            ("//v2/cdn/stories?token=t&a=//b", "/api/v2/cdn/stories?token=t&a=//b"),
            ("/v1//spaces/1/", "/api/v1/spaces/1/"),
            ("/api//v2///cdn//stories//a%2F%2Fb", "/api/v2/cdn/stories/a%2F%2Fb"),
            ("/api/v1//spaces", "/api/v1/spaces"),
            ("//api/v1/spaces", "/api/v1/spaces"),
            ("/f//a/b.png", "/f//a/b.png"),
            ("//evil.example/v1/", "//evil.example/v1/"),
            ("/api//auth/login", "/api//auth/login"),
            ("//", "//"),
        ] {
            assert_eq!(resolve(uri.parse().unwrap()), meant, "{uri}");
        }
    }
}
