//! The parameters of a request, decoded, as every endpoint reads them.

use super::{Fault, Kind, PageRequest};

/// Decoded parameters in the order they were sent.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
}

impl Parameters {
    /// Takes decoded pairs.
    pub fn new(pairs: Vec<(String, String)>) -> Self {
        Self { pairs }
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

#[cfg(test)]
mod tests {
    use super::Parameters;

    fn of(pairs: &[(&str, &str)]) -> Parameters {
        Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn lists_come_in_three_spellings() {
        for pairs in [&[("a", "1,2")][..], &[("a", "1"), ("a", "2")], &[("a[]", "1"), ("a[]", " 2")]] {
            assert_eq!(of(pairs).list("a"), ["1", "2"], "{pairs:?}");
        }
    }

    #[test]
    fn pages_are_clamped_above_and_refused_below() {
        assert_eq!(of(&[("per_page", "5000")]).page(100).unwrap().per_page, 100);
        for bad in [("page", "0"), ("per_page", "x"), ("page", "-1")] {
            assert!(of(&[bad]).page(100).is_err());
        }
    }
}
