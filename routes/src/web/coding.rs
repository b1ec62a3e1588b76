//! Content codings, and which of them a client accepts (RFC 9110, section 12.5.3).

use http::{HeaderMap, HeaderValue, header};

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Coding {
    /// `br`: gives the smaller bodies.
    Brotli,
    /// `gzip`: every client knows it.
    Gzip,
}

impl Coding {
    /// The name in headers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The name as the value of a header.
    pub(crate) fn header(self) -> HeaderValue {
        HeaderValue::from_static(self.name())
    }
}

/// The codings that a client accepts, with their weights.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Accepted {
    brotli: Option<f32>,
    gzip: Option<f32>,
}

impl Accepted {
    /// Parses `Accept-Encoding`. Unknown codings and invalid items are ignored.
    pub(crate) fn parse(headers: &HeaderMap) -> Self {
        let mut accepted = Self::default();
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|g| g.to_str().ok());
        for item in lines.flat_map(|line| line.split(',')) {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            let name = name.trim();
            let place = if name.eq_ignore_ascii_case("br") {
                &mut accepted.brotli
            } else if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
                &mut accepted.gzip
            } else {
                continue;
            };
            *place = Some(quality(parameters)).filter(|value| *value > 0.0);
        }
        accepted
    }

    /// The coding with the highest weight; Brotli when both weigh the same.
    pub(crate) fn preferred(self) -> Option<Coding> {
        match (self.brotli, self.gzip) {
            (Some(brotli), Some(gzip)) if gzip > brotli => Some(Coding::Gzip),
            (Some(_), _) => Some(Coding::Brotli),
            (None, Some(_)) => Some(Coding::Gzip),
            (None, None) => None,
        }
    }

    /// Whether a coding is accepted.
    pub(crate) fn takes(self, coding: Coding) -> bool {
        self.all().any(|accepted| accepted == coding)
    }

    /// All accepted codings.
    pub(crate) fn all(self) -> impl Iterator<Item = Coding> {
        self.brotli.map(|_| Coding::Brotli).into_iter().chain(self.gzip.map(|_| Coding::Gzip))
    }
}

/// The weight, such as `q=0.5`: 1 when none is given, 0 when it is invalid.
fn quality(parameters: &str) -> f32 {
    let weight = parameters.split(';').find_map(|part| part.trim().strip_prefix("q="));
    weight.map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::{Accepted, Coding};
    use http::{HeaderMap, HeaderValue, header};

    #[test]
    fn the_accepted_coding_with_the_highest_weight_is_preferred() {
        for (text, expected) in [
            ("gzip, deflate, br", Some(Coding::Brotli)),
            ("br;q=0.5, gzip", Some(Coding::Gzip)),
            ("GZIP;q=1.0,br;q=0", Some(Coding::Gzip)),
            ("br; q=1, gzip; q=1", Some(Coding::Brotli)),
            ("gzip;q=0", None),
            ("gzip;q=no", None),
            ("identity, deflate, zstd", None),
            ("*", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(text));
            assert_eq!(Accepted::parse(&headers).preferred(), expected, "{text}");
        }
        assert_eq!(Accepted::parse(&HeaderMap::new()).preferred(), None);
    }
}
