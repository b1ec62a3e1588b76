//! The environment variables as they were at the start.

use super::variables;
use std::{collections::BTreeMap, fmt};

/// Every variable of the server begins with this.
const PREFIX: &str = "APP_";
/// How similar a name must be to be suggested for an unknown one (0 to 1).
const MIN_SIMILARITY: f64 = 0.86;

/// The variables with this prefix that are not empty.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    values: BTreeMap<String, String>,
}

/// A variable with the prefix that the server does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub name: String,
    /// The known name that is most similar.
    pub nearest: Option<&'static str>,
}

impl Environment {
    /// The environment of this process. Bytes that are no UTF-8 are replaced, and the value is refused where
    /// that matters.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn process() -> Self {
        let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Self::of(std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value))))
    }

    /// An environment of these variables.
    pub fn of(pairs: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        let pairs = pairs.into_iter().map(|(name, value)| (name.into(), value.into()));
        // Compose files and shells set variables to an empty value where they mean unset.
        Self { values: pairs.filter(|(name, value): &(String, String)| name.starts_with(PREFIX) && !value.is_empty()).collect() }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Variables whose names begin with this name and an underscore: the rest of the name, and the value.
    pub(super) fn variants<'b>(&'b self, name: &'b str) -> impl Iterator<Item = (&'b str, &'b str)> {
        let suffix = move |value: &'b str| value.strip_prefix(name)?.strip_prefix('_');
        self.values.iter().filter_map(move |(item, value)| suffix(item).map(|suffix| (suffix, value.as_str())))
    }

    /// The variables that are not in the list, most likely misspelt.
    pub fn unknown(&self) -> Vec<Unknown> {
        let known = |name: &str| {
            variables::find(name).is_some()
                || name.strip_suffix("_FILE").and_then(variables::find).is_some_and(|variable| variable.secret)
                || variables::email::is_template_with_locale(name)
        };
        let nearest = |name: &str| {
            // Without the prefix, which would make any two names similar.
            let bare = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
            let similarity = |known: &&'static str| strsim::jaro_winkler(&bare(name), &bare(known));
            let best = variables::all()
                .map(|variable| variable.name)
                .max_by(|one, other| similarity(one).total_cmp(&similarity(other)))?;
            (similarity(&best) >= MIN_SIMILARITY).then_some(best)
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
    fn an_unknown_name_is_reported_with_the_nearest_known_one() {
        let report = |name: &str| {
            let found = Environment::of([(name, "x")]).unknown();
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(report("APP_LISTN"), ["APP_LISTN is not known; did you mean APP_LISTEN?"]);
        assert_eq!(report("APP_DATABSE_URL"), ["APP_DATABSE_URL is not known; did you mean APP_DATABASE_URL?"]);
        assert_eq!(report("APP_LISTEN_FILE"), ["APP_LISTEN_FILE is not known; did you mean APP_LISTEN?"]);
        assert_eq!(report("APP_SECRET_FILE"), [""; 0]);
        assert_eq!(report("OTHER"), [""; 0]);
    }

    #[test]
    fn nothing_is_suggested_for_a_name_that_is_near_to_none() {
        for name in ["APP_PORT", "APP_DEBUG", "APP_COLOR", "APP_URL", "APP_ENV", "APP_X", "APP_FROBNICATE", "APP_REDIS_URL"] {
            let unknown = Environment::of([(name, "x")]).unknown();
            assert_eq!(unknown.iter().map(ToString::to_string).collect::<Vec<_>>(), [format!("{name} is not known")]);
        }
    }
}
