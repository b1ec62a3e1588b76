//! Reads variables by their rows. A wrong value is noted and then treated as unset, so that one reading finds
//! all that are wrong.

use super::{
    environment::Environment,
    problem::{Problem, problem},
    syntax::Syntax,
    variables::{Optional, Setting, Variable},
};
use std::{borrow::Cow, cell::RefCell, collections::BTreeSet, fs};

/// Reads variables, and records their names and what is wrong with them.
pub(super) struct Reader<'a> {
    environment: &'a Environment,
    names: RefCell<BTreeSet<&'static str>>,
    problems: RefCell<Vec<Problem>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(environment: &'a Environment) -> Self {
        Self { environment, names: RefCell::default(), problems: RefCell::default() }
    }

    /// What is read.
    pub(super) fn environment(&self) -> &'a Environment {
        self.environment
    }

    /// The names of the variables that were read, sorted.
    #[cfg(test)]
    pub(super) fn names_read(&self) -> Vec<&'static str> {
        self.names.borrow().iter().copied().collect()
    }

    /// The value that is set, or else the default. `Err` only when the default itself is wrong.
    pub(super) fn value<S: Syntax>(&self, setting: Setting<S>) -> Result<S::Value, Problem> {
        let Setting { variable, default, .. } = setting;
        self.given::<S>(&variable).map_or_else(|| parse::<S>(&variable, default), Ok)
    }

    /// The value, when it is set and right.
    pub(super) fn optional<S: Syntax>(&self, setting: Optional<S>) -> Option<S::Value> {
        self.given::<S>(&setting.variable)
    }

    /// Notes an error, unless one of the same variable was noted before: a wrong value counts as unset, so it
    /// may seem to be missing as well.
    pub(super) fn note(&self, problem: Problem) {
        let mut problems = self.problems.borrow_mut();
        if problems.iter().all(|noted| noted.name != problem.name) {
            problems.push(problem);
        }
    }

    /// Notes every error of one variable, a line for each.
    pub(super) fn note_each(&self, variable: &Variable, errors: impl IntoIterator<Item = String>) {
        self.problems.borrow_mut().extend(errors.into_iter().map(|what| variable.problem(what)));
    }

    /// Everything that was noted.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    fn given<S: Syntax>(&self, variable: &Variable) -> Option<S::Value> {
        self.names.borrow_mut().insert(variable.name);
        let value = self.text(variable).and_then(|text| text.map(|text| parse::<S>(variable, &text)).transpose());
        value.unwrap_or_else(|problem| {
            self.note(problem);
            None
        })
    }

    /// Variables whose names begin with this name and an underscore: the rest of the name, and the value.
    pub(super) fn variants<'b>(&'b self, name: &'b str) -> impl Iterator<Item = (&'b str, &'b str)> {
        self.environment.variants(name)
    }

    fn text(&self, row: &Variable) -> Result<Option<Cow<'_, str>>, Problem> {
        let direct = self.environment.get(row.name);
        if !row.secret {
            return Ok(direct.map(Cow::Borrowed));
        }
        let file_variable = format!("{}_FILE", row.name);
        match (direct, self.environment.get(&file_variable)) {
            (Some(_), Some(_)) => Err(problem(row.name, format!("is set, and so is {file_variable}: keep one of them"))),
            (Some(text), None) => Ok(Some(Cow::Borrowed(text))),
            (None, None) => Ok(None),
            (None, Some(path)) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| problem(file_variable, format!("the file {path} cannot be read: {error}")))?;
                // Editors and `echo` end a file with a line feed, which does not belong to the secret.
                Ok(Some(Cow::Owned(text.trim_end_matches(['\r', '\n']).to_owned())))
            }
        }
    }
}

fn parse<S: Syntax>(row: &Variable, text: &str) -> Result<S::Value, Problem> {
    S::parse(text.trim()).map_err(|what| {
        let shown = if row.secret { String::new() } else { format!("{text:?} ") };
        problem(row.name, format!("{shown}{what}, for example {}", row.example))
    })
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use crate::config::{Environment, variables::server};
    use secrecy::ExposeSecret;
    use std::{fs, path::Path};

    #[test]
    fn a_secret_may_come_from_a_file_but_not_from_both() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/secret-file");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "0123456789abcdef0123456789abcdef\n").unwrap();
        let file = file.to_str().unwrap();
        let read = |pairs: &[(&str, &str)]| {
            let environment = Environment::of(pairs.iter().copied());
            let reader = Reader::new(&environment);
            let secret = reader.optional(server::APP_SECRET);
            match reader.into_problems().first() {
                Some(problem) => Err(problem.to_string()),
                None => Ok(secret.map(|secret| secret.expose_secret().to_owned())),
            }
        };
        assert_eq!(read(&[("APP_SECRET_FILE", file)]).unwrap().as_deref(), Some("0123456789abcdef0123456789abcdef"));
        assert!(read(&[("APP_SECRET_FILE", file), ("APP_SECRET", "x")]).unwrap_err().contains("keep one"));
        assert!(read(&[("APP_SECRET_FILE", "/nowhere")]).unwrap_err().starts_with("APP_SECRET_FILE: "));
    }
}
