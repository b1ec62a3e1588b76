//! A row for each variable: its name, its syntax with its bounds, its default, a sentence, and an example.
//! What the server reads, `lectern check-config`, `docs/configuration.md` and the list for administrators are
//! all made from it. The rows of a group are in the file of its name.

pub(super) mod accounts;
pub(super) mod content;
pub(super) mod email;
pub(super) mod limits;
pub(super) mod network;
pub(super) mod oidc;
pub(super) mod server;
pub(super) mod webhooks;

use super::{
    problem::{Problem, problem},
    syntax::Syntax,
};
use std::marker::PhantomData;

/// The value of a variable that is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// This text, parsed like any other value.
    Text(&'static str),
    /// A value that depends on others; the text describes it in the documentation.
    Depends(&'static str),
}

/// What is said of a variable.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    pub name: &'static str,
    form: fn() -> String,
    other_form: Option<&'static str>,
    pub default: DefaultValue,
    /// Whether its value must not be shown. It may then also come from a file, named by the variable with the
    /// suffix `_FILE`.
    pub secret: bool,
    pub about: &'static str,
    /// An example of a value.
    pub example: &'static str,
}

impl Variable {
    /// The syntax of its value, in words.
    pub fn form(&self) -> String {
        self.other_form.map_or_else(self.form, str::to_owned)
    }

    /// An error in its value; the words complete a sentence that begins with its name.
    pub(super) fn problem(&self, what: impl Into<String>) -> Problem {
        problem(self.name, what)
    }
}

/// A variable that has a default.
pub(super) struct Setting<S> {
    pub(super) variable: Variable,
    pub(super) default: &'static str,
    syntax: PhantomData<S>,
}

/// A variable that may be absent; what stands in the place of a default says what holds then.
pub(super) struct Optional<S> {
    pub(super) variable: Variable,
    syntax: PhantomData<S>,
}

impl<S: Syntax> Setting<S> {
    const fn new(name: &'static str, default: &'static str, text: [&'static str; 2], form: Option<&'static str>) -> Self {
        Self { variable: row::<S>(name, DefaultValue::Text(default), text, form), default, syntax: PhantomData }
    }
}

impl<S: Syntax> Optional<S> {
    const fn new(name: &'static str, when_unset: &'static str, text: [&'static str; 2], form: Option<&'static str>) -> Self {
        Self { variable: row::<S>(name, DefaultValue::Depends(when_unset), text, form), syntax: PhantomData }
    }
}

const fn row<S: Syntax>(
    name: &'static str,
    default: DefaultValue,
    [about, example]: [&'static str; 2],
    other_form: Option<&'static str>,
) -> Variable {
    Variable { name, form: S::form, other_form, default, secret: S::SECRET, about, example }
}

/// The rows of a group: name, kind and syntax, default (or what holds without a value), sentence, example,
/// and the words for the form where those of the syntax are too wide.
macro_rules! settings {
    ($($name:ident: $kind:ident<$syntax:ty> = $default:expr, $about:expr, $example:expr $(, $form:expr)?;)*) => {
        $(pub(in crate::config) const $name: $kind<$syntax> =
            $kind::new(stringify!($name), $default, [$about, $example], [$(Some($form),)? None][0]);)*

        /// The rows of this group.
        pub(super) const ROWS: &[super::Variable] = &[$($name.variable),*];
    };
}
use settings;

/// The groups, in the order of the documentation.
pub const GROUPS: [(&str, &[Variable]); 8] = [
    ("server", server::ROWS),
    ("network", network::ROWS),
    ("accounts", accounts::ROWS),
    ("oidc", oidc::ROWS),
    ("limits", limits::ROWS),
    ("content", content::ROWS),
    ("webhooks", webhooks::ROWS),
    ("email", email::ROWS),
];

/// Every variable.
pub fn all() -> impl Iterator<Item = &'static Variable> {
    GROUPS.iter().flat_map(|(_, rows)| *rows)
}

/// The row of a variable.
pub fn find(name: &str) -> Option<&'static Variable> {
    all().find(|variable| variable.name == name)
}
