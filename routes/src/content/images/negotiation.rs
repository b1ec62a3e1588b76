//! What the client takes.

use http::{HeaderMap, header};

/// Whether `Accept` names WebP. `*/*` does not: every program sends it, also those that know no WebP.
pub(super) fn accepts_webp(headers: &HeaderMap) -> bool {
    let texts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_webp = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("image/webp"));
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        is_webp && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::accepts_webp;
    use http::{HeaderMap, HeaderValue, header};

    #[test]
    fn webp_has_to_be_named() {
        for (accept, is_accepted) in [
            ("image/avif,image/webp,image/apng,image/*,*/*;q=0.8", true),
            ("Image/WebP;q=0.5", true),
            ("image/webp; q=0", false),
            ("image/webp;q=x", false),
            ("image/*,*/*", false),
            ("image/png", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(accepts_webp(&headers), is_accepted, "{accept}");
        }
        assert!(!accepts_webp(&HeaderMap::new()));
    }
}
