//! Query strings, read once and strictly. Names keep their brackets (`filter_query[a][in]`); reading those is the caller's business.

use domain::shared::{Fault, Kind, PageRequest};
use percent_encoding::percent_decode_str;

/// A decoded query in the order it was sent.
#[derive(Debug, Clone, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Decodes `a=1&b%5Bc%5D=2`. `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
    ///
    /// 400 for bytes that are no UTF-8 and for U+0000, which PostgreSQL cannot hold.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        let pairs = raw
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((decode(name)?, decode(value)?))
            })
            .collect::<Result<_, Fault>>()?;
        Ok(Self { pairs })
    }

    /// The last value of a parameter: a repeated one overrides, as in Rack.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().rev().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// 422 when there is a parameter that the endpoint does not know (decisions 17). `name[]` and `name[key]` count as `name`.
    pub fn only(&self, known: &[&str]) -> Result<(), Fault> {
        let unknown: Vec<&str> =
            self.pairs().map(|(name, _)| name.split('[').next().unwrap_or(name)).filter(|name| !known.contains(name)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let names = unknown.join(", ");
        Err(Fault::new(Kind::Invalid, "unknownParameter", format!("Parameter(s) {names} not allowed")))
    }

    /// Every pair.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The values of a list parameter: `a=1,2`, repeated `a=1&a=2`, or `a[]=1&a[]=2`. Blanks are dropped.
    pub fn list(&self, name: &str) -> Vec<String> {
        let bracketed = format!("{name}[]");
        self.pairs()
            .filter(|(it, _)| *it == name || *it == bracketed)
            .flat_map(|(_, value)| value.split(','))
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// A switch: `1` and `true` are on, absent, empty, `0` and `false` are off; 422 for anything else.
    pub fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            Some("1" | "true") => Ok(true),
            None | Some("" | "0" | "false") => Ok(false),
            Some(_) => Err(Fault::invalid(name, "invalid", "must be 0 or 1")),
        }
    }

    /// A parsed parameter; 422 that names it when it cannot be read.
    pub fn parsed<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        match self.get(name) {
            None | Some("") => Ok(None),
            Some(text) => text.trim().parse().map(Some).map_err(|_| Fault::invalid(name, "invalid", "is not valid")),
        }
    }

    /// A list of parsed values; 422 that names the parameter when one cannot be read.
    pub fn parsed_list<T: std::str::FromStr>(&self, name: &str) -> Result<Vec<T>, Fault> {
        let parse =
            |text: &String| text.parse().map_err(|_| Fault::invalid(name, "invalid", format!("has an invalid value: {text}")));
        self.list(name).iter().map(parse).collect()
    }

    /// `page` and `per_page`: 1 and 25 by default, clamped to `max`; 422 for what is no number or below 1 (facts, section 5).
    pub fn page(&self, max: u32) -> Result<PageRequest, Fault> {
        let positive = |name: &'static str, default: u32| match self.get(name) {
            None | Some("") => Ok(default),
            Some(text) => match text.parse::<u32>() {
                Ok(number) if number >= 1 => Ok(number),
                _ => Err(Fault::invalid(name, "invalid", "must be a whole number of at least 1")),
            },
        };
        Ok(PageRequest { page: positive("page", 1)?, per_page: positive("per_page", 25)?.min(max) })
    }
}

fn decode(text: &str) -> Result<String, Fault> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced)
        .decode_utf8()
        .map_err(|_| Fault::bad_request("badEncoding", "The query is not valid percent-encoded UTF-8"))?;
    if decoded.contains('\0') {
        return Err(Fault::bad_request("badEncoding", "The query holds the character U+0000"));
    }
    Ok(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn lists_come_in_three_spellings() {
        for raw in ["a=1,2", "a=1&a=2", "a[]=1&a[]=2", "a%5B%5D=1&a%5B%5D=%202"] {
            assert_eq!(Query::parse(raw).unwrap().list("a"), ["1", "2"], "{raw}");
        }
    }

    #[test]
    fn broken_encodings_and_nul_are_refused() {
        assert!(Query::parse("a=%ff").is_err());
        assert!(Query::parse("a=x%00").is_err());
        assert_eq!(Query::parse("a=%C3%BC+x").unwrap().get("a"), Some("ü x"));
    }

    #[test]
    fn a_parameter_that_nobody_reads_is_refused_by_name() {
        let query = Query::parse("page=1&by_ids[]=2&foo[a]=1&bar=2").unwrap();
        assert!(query.only(&["page", "by_ids", "foo", "bar"]).is_ok());
        assert_eq!(query.only(&["page", "by_ids"]).unwrap_err().message, "Parameter(s) foo, bar not allowed");
    }

    #[test]
    fn pages_are_clamped_above_and_refused_below() {
        let page = |raw: &str| Query::parse(raw).unwrap().page(100);
        assert_eq!(page("per_page=5000").unwrap().per_page, 100);
        assert!(page("page=0").is_err() && page("per_page=x").is_err() && page("page=-1").is_err());
    }
}
