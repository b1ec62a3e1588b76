//! What would stand in the way of a database that is distributed by space: every row of a space on one node,
//! found by its `space_id`.
//!
//! Lectern runs on one PostgreSQL. The lints here keep the distance to such a database from growing: what
//! breaks a rule today is listed as an exception with its reason, and nothing may be added without one.
//! docs/development.md says how to read a failure.

mod node;
mod query;
mod schema;
mod statements;
mod tables;

use support::prelude::*;

/// Something that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    /// The rule, by which exceptions name it.
    rule: &'static str,
    /// What breaks it: an index, a constraint, a function, a statement.
    name: String,
    /// What is wrong, for the reader of a failure.
    details: String,
}

/// A violation that is known and stays for now.
struct Exception {
    rule: &'static str,
    name: &'static str,
    reason: &'static str,
}

const fn except(rule: &'static str, name: &'static str, reason: &'static str) -> Exception {
    Exception { rule, name, reason }
}

/// The violations without an exception, and the exceptions without a violation: both lists are to be empty,
/// so that exceptions only become fewer.
fn unexpected(violations: &[Violation], exceptions: &[Exception]) -> Vec<String> {
    let excepted: BTreeSet<_> = exceptions.iter().map(|exception| (exception.rule, exception.name)).collect();
    let found: BTreeSet<_> = violations.iter().map(|violation| (violation.rule, violation.name.as_str())).collect();
    let new = violations.iter().filter(|violation| !excepted.contains(&(violation.rule, violation.name.as_str())));
    let new = new.map(|violation| format!("{} [{}]: {}", violation.name, violation.rule, violation.details));
    let stale = exceptions.iter().filter(|exception| !found.contains(&(exception.rule, exception.name)));
    let stale = stale.map(|exception| format!("{} [{}]: the exception is no longer needed", exception.name, exception.rule));
    let twice = (excepted.len() < exceptions.len()).then(|| "an exception is listed twice".to_owned());
    let silent = exceptions.iter().filter(|exception| exception.reason.is_empty());
    let silent = silent.map(|exception| format!("{} [{}]: the exception has no reason", exception.name, exception.rule));
    new.chain(stale).chain(twice).chain(silent).collect()
}

#[track_caller]
fn assert_only(exceptions: &[Exception], violations: &[Violation]) {
    let unexpected = unexpected(violations, exceptions);
    assert!(unexpected.is_empty(), "\n{}\n\nSee `Distribution by space` in docs/development.md.\n", unexpected.join("\n"));
}

#[test]
fn exceptions_are_for_one_rule_and_only_become_fewer() {
    let found = |rule, name: &str| Violation { rule, name: name.to_owned(), details: "is wrong".to_owned() };
    let exceptions = [except("locks", "a", "because"), except("locks", "b", "because")];
    assert_eq!(unexpected(&[found("locks", "a"), found("locks", "b")], &exceptions), [""; 0]);
    assert_eq!(
        unexpected(&[found("locks", "a"), found("joins", "b"), found("locks", "c")], &exceptions),
        ["b [joins]: is wrong", "c [locks]: is wrong", "b [locks]: the exception is no longer needed"]
    );
    let twice = [except("locks", "a", "because"), except("locks", "a", "")];
    assert_eq!(
        unexpected(&[found("locks", "a")], &twice),
        ["an exception is listed twice", "a [locks]: the exception has no reason"]
    );
}
