//! The environment as it was at the start.

use super::{
    catalogue::{self, CATALOGUE},
    mail,
};
use std::{collections::BTreeMap, fmt};

/// Every variable of ours begins so.
const PREFIX: &str = "APP_";
/// How much alike two names must be for the one to be meant by the other (0 to 1).
const ALIKE: f64 = 0.8;

/// The variables with our prefix that are set to something.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    values: BTreeMap<String, String>,
}

/// A variable with our prefix that nobody reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// The one that may have been meant.
    pub nearest: Option<&'static str>,
}

impl Environment {
    /// The environment of this process. A value that is no UTF-8 is read with replacements, and so refused where it matters.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn process() -> Self {
        let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Self::of(std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value))))
    }

    /// Made-up variables.
    pub fn of(pairs: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (name.into(), value.into()));
        // Compose files and shells set variables to nothing where they mean «not set».
        Self { values: pairs.filter(|(name, value): &(String, String)| name.starts_with(PREFIX) && !value.is_empty()).collect() }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Variables whose names begin with this one and an underscore, by what follows.
    pub(super) fn variants<'b>(&'b self, name: &'b str) -> impl Iterator<Item = (&'b str, &'b str)> {
        let suffix = move |value: &'b str| value.strip_prefix(name)?.strip_prefix('_');
        self.values.iter().filter_map(move |(item, value)| suffix(item).map(|suffix| (suffix, value.as_str())))
    }

    /// The variables that are not in the catalogue, most likely misspelt.
    pub fn unknown(&self) -> Vec<Unknown> {
        let known = |name: &str| {
            catalogue::find(name).is_some()
                || name.strip_suffix("_FILE").and_then(catalogue::find).is_some_and(|s| s.secret)
                || mail::is_variant(self, name)
        };
        let nearest = |name: &str| {
            let alike = |value: &&'static str| strsim::jaro_winkler(name, value);
            let best = CATALOGUE.iter().map(|value| value.name).max_by(|one, other| alike(one).total_cmp(&alike(other)))?;
            (alike(&best) >= ALIKE).then_some(best)
        };
        let names = self.values.keys().filter(|name| !known(name));
        names.map(|name| Unknown { name: name.clone(), nearest: nearest(name) }).collect()
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not known", self.name)?;
        self.nearest.map_or(Ok(()), |nearest| write!(f, "; did you mean {nearest}?"))
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;

    #[test]
    fn a_misspelt_name_is_told_with_the_nearest_known_one() {
        let told = |name: &str| {
            let found = Environment::of([(name, "x")]).unknown();
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(told("APP_LISTN"), ["APP_LISTN is not known; did you mean APP_LISTEN?"]);
        assert_eq!(told("APP_DATABSE_URL"), ["APP_DATABSE_URL is not known; did you mean APP_DATABASE_URL?"]);
        assert_eq!(told("APP_LISTEN_FILE"), ["APP_LISTEN_FILE is not known; did you mean APP_LISTEN?"]);
        assert_eq!(told("APP_SECRET_FILE"), [""; 0]);
        assert_eq!(told("OTHER"), [""; 0]);
    }
}
