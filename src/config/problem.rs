//! What is wrong with the configuration.

use std::fmt;

/// An error in a variable: one line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub(super) name: String,
    what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.what)
    }
}

impl std::error::Error for Problem {}

/// The errors of a configuration, a line for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub(super) Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// An error of a variable; the words complete a sentence that begins with its name.
pub(super) fn problem(name: impl Into<String>, what: impl Into<String>) -> Problem {
    Problem { name: name.into(), what: what.into() }
}
